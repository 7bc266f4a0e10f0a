"""Imports of users' objects by their place: `package.module:NAME`, `FOLDER:NAME` or `FILE.py:NAME`."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from beat_the_ai.errors import InvalidInput


def is_place(text: str) -> bool:
    """Return whether the text could be a place."""
    place, _, name = text.rpartition(":")
    return bool(place) and name.isidentifier()


def absolute(text: str, folder: Path) -> str:
    """The same, seen from anywhere: files and folders are named from that folder, packages are where they are."""
    place, colon, rest = text.partition(":")
    return f"{(folder / place).resolve()}{colon}{rest}" if _is_file(place) else text


def object_at(text: str, key: str) -> Any:
    """Raises `InvalidInput` under that key of the configuration, where nothing is there."""
    place, _, name = text.rpartition(":")
    module = _at(Path(place), key) if _is_file(place) else _named(place, key)
    if not hasattr(module, name):
        raise InvalidInput(key, f"{place} has no {name!r}.")
    return getattr(module, name)


def _is_file(place: str) -> bool:
    """A file or folder, not a package by its name."""
    return "/" in place or place.endswith(".py")


def _named(name: str, key: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as missing:
        if missing.name is not None and (name == missing.name or name.startswith(f"{missing.name}.")):
            raise InvalidInput(key, f"There is no package {name!r} here. Install it, or name a folder.") from None
        raise


def _at(path: Path, key: str) -> ModuleType:
    """A file, or a package: a folder with an `__init__.py`."""
    file = path / "__init__.py" if path.is_dir() else path
    if not file.is_file():
        raise InvalidInput(
            key, f"There is no {file}. Where a campaign's task folder is now: beat-the-ai relocate CAMPAIGN TASK_DIR."
        )
    name = f"at_{hashlib.blake2b(file.resolve().as_posix().encode(), digest_size=12).hexdigest()}"
    if name in sys.modules:
        return sys.modules[name]
    folders = [str(path)] if path.is_dir() else None
    spec = importlib.util.spec_from_file_location(name, file, submodule_search_locations=folders)
    assert spec is not None, "it is a file of Python's"
    assert spec.loader is not None, "and so has a loader"
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # where relative imports and pydantic look for it
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module
