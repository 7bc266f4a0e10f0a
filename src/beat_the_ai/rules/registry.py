"""Kinds of task by name: those that ship, and those that lie elsewhere."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any, cast

from beat_the_ai.errors import InvalidInput, UnknownName
from beat_the_ai.rules.kind import Json, Kind

KINDS = {"reading_comprehension": "beat_the_ai.kinds.reading_comprehension:kind"}
NOTHING: Mapping[str, Any] = MappingProxyType({})

Bind = Callable[[Json, Json], Kind]


def bind(name: str, options: Json = NOTHING, rules: Json = NOTHING) -> Kind:
    """The kind of that name with a round's `task.options` and `validation.rules`, or with its defaults.

    `name` is one of `KINDS`; `package.module:function` of something that is installed; or `FOLDER:function`, also
    `FILE.py:function`, of something that is not. The function takes options and rules. Raises `UnknownName` and
    `InvalidInput`.
    """
    return _function(name)(options, rules)


@cache
def _function(name: str) -> Bind:
    if name in KINDS:
        place, _, function = KINDS[name].rpartition(":")
    else:
        place, _, function = name.rpartition(":")
        if not place or not function.isidentifier():
            raise UnknownName("task", name, KINDS)
    module = _at(Path(place)) if Path(place).suffix == ".py" or "/" in place else _named(place)
    if not callable(getattr(module, function, None)):
        raise InvalidInput("task.kind", f"{place} has no function {function!r}.")
    return cast(Bind, getattr(module, function))


def _named(name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as missing:
        if missing.name is not None and (name == missing.name or name.startswith(f"{missing.name}.")):
            raise InvalidInput(
                "task.kind", f"There is no package {name!r} here. Install it, or name a folder."
            ) from None
        raise


def _at(path: Path) -> ModuleType:
    """A file, or a package: a folder with an `__init__.py`."""
    file = path / "__init__.py" if path.is_dir() else path
    if not file.is_file():
        raise InvalidInput("task.kind", f"There is no {file}.")
    name = f"kind_at_{file.resolve().as_posix().translate({ord(char): '_' for char in '/.-'})}"
    folders = [str(path)] if path.is_dir() else None
    spec = importlib.util.spec_from_file_location(name, file, submodule_search_locations=folders)
    assert spec is not None, "it is a file of Python's"
    assert spec.loader is not None, "and so has a loader"
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # where relative imports and pydantic look for it
    spec.loader.exec_module(module)
    return module
