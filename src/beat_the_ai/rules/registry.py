"""Kinds of task by name: those that ship, and those that lie elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from types import MappingProxyType
from typing import Any, cast

from beat_the_ai.errors import InvalidInput, UnknownName
from beat_the_ai.process.importing import is_place, object_at
from beat_the_ai.rules.kind import Kind
from beat_the_ai.rules.languages import ENGLISH
from beat_the_ai.rules.protocol import Json

KINDS = {name: f"beat_the_ai.kinds.{name}.kind:kind" for name in ("nli", "quizbowl", "reading_comprehension")}
NOTHING: Mapping[str, Any] = MappingProxyType({})

Bind = Callable[[Json, Json, str], Kind]


def bind(name: str, options: Json = NOTHING, rules: Json = NOTHING, language: str = ENGLISH) -> Kind:
    """Return the kind of that name with a round's `task.options`, `validation.rules` and `language.data`.

    `name` is one of `KINDS`, or the place of a function that takes these three (`process.importing`). Raises
    `UnknownName` and `InvalidInput`.
    """
    return replace(_function(name)(options, rules, language), language=language)


@cache
def _function(name: str) -> Bind:
    if name not in KINDS and not is_place(name):
        raise UnknownName("task", name, KINDS)
    function = object_at(KINDS.get(name, name), "task.kind")
    if not callable(function):
        raise InvalidInput("task.kind", f"{name} is no function.")
    return cast(Bind, function)
