"""Columns are declared by pydantic models. A field's type is that of its column; its description says what it means."""

from __future__ import annotations

import types
from collections.abc import Iterator
from typing import Any, Union, get_args, get_origin

from beat_the_ai.rules.protocol import Value


def meanings(record: type[Value]) -> Iterator[tuple[str, str]]:
    """Yield (column, meaning), with the fields of records in records as `outer.inner`, where they have a meaning."""
    for name, field in record.model_fields.items():
        if field.description:
            yield name, field.description
        inner = _inner(field.annotation)
        if isinstance(inner, type) and issubclass(inner, Value):
            yield from ((f"{name}.{place}", meaning) for place, meaning in meanings(inner))


def required(kind: Any) -> Any:
    """Return `X` of `X | None`: every column may be empty."""
    if get_origin(kind) in (Union, types.UnionType):
        [kind] = [one for one in get_args(kind) if one is not type(None)]
    return kind


def _inner(kind: Any) -> Any:
    kind = required(kind)
    return _inner(get_args(kind)[0]) if get_origin(kind) in (list, tuple) else kind
