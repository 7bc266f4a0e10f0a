"""Rows and their columns for pyarrow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, get_args, get_origin

import pyarrow as pa
from pydantic.fields import FieldInfo

from beat_the_ai.dataset.columns import required
from beat_the_ai.rules.protocol import Value

_TYPES = {str: pa.string(), int: pa.int32(), float: pa.float64(), bool: pa.bool_()}


def schema(record: type[Value]) -> pa.Schema:
    """Raises `TypeError` for a field that no column can hold."""
    return pa.schema([_field(name, field) for name, field in record.model_fields.items()])


def arrow_table(rows: Sequence[Value], columns: pa.Schema) -> pa.Table:
    """All of the model that declares these columns."""
    return pa.Table.from_pylist([row.model_dump() for row in rows], schema=columns)


def _field(name: str, field: FieldInfo) -> pa.Field:
    return pa.field(name, _arrow(field.annotation))


def _arrow(kind: Any) -> pa.DataType:
    kind = required(kind)
    if get_origin(kind) in (list, tuple):
        return pa.list_(_arrow(get_args(kind)[0]))
    if get_origin(kind) is Literal:
        return _arrow(type(get_args(kind)[0]))
    if kind in _TYPES:
        return _TYPES[kind]
    if isinstance(kind, type) and issubclass(kind, Value) and kind.model_fields:
        return pa.struct([_field(name, field) for name, field in kind.model_fields.items()])
    raise TypeError(f"{kind} is no type of a column. A column holds text, numbers, truth, lists and records of these.")
