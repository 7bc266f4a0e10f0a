"""Rows and their columns for pyarrow."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import pyarrow as pa
import pyarrow.json
from pydantic.fields import FieldInfo

from beat_the_ai.dataset.columns import required
from beat_the_ai.rules.protocol import Value

_TYPES = {str: pa.string(), int: pa.int32(), float: pa.float64(), bool: pa.bool_()}


def schema(record: type[Value]) -> pa.Schema:
    """Raises `TypeError` for a field that no column can hold."""
    return pa.schema([_field(name, field) for name, field in record.model_fields.items()])


def arrow_table(lines: bytes, columns: pa.Schema) -> pa.Table:
    """Return the rows of these lines of JSON, in these columns."""
    if not lines:
        return _nothing(columns)
    whole = pa.json.ReadOptions(use_threads=False, block_size=len(lines) + 1)
    declared = pa.json.ParseOptions(explicit_schema=columns, unexpected_field_behavior="error")
    table = pa.json.read_json(pa.BufferReader(lines), whole, declared)
    return table.select(columns.names).cast(columns)


def _nothing(columns: pa.Schema) -> pa.Table:
    """Return a table without rows. `Schema.empty_table` would import pandas where that is installed."""
    return pa.Table.from_batches([], columns)


class GroupedRows:
    """Rows to a file that takes them in groups of that size, the last one perhaps smaller, however many come at a time.

    `write_table` writes one group.
    """

    def __init__(self, path: Path, write_table: Callable[[pa.Table], None], columns: pa.Schema, size: int) -> None:
        self.path = path
        self._write_table = write_table
        self._columns = columns
        self._size = size
        self._waiting = _nothing(columns)

    def write(self, lines: bytes) -> None:
        waiting = pa.concat_tables([self._waiting, arrow_table(lines, self._columns)])
        whole = waiting.num_rows - waiting.num_rows % self._size
        for start in range(0, whole, self._size):
            self._write_table(waiting.slice(start, self._size).combine_chunks())
        self._waiting = waiting.slice(whole)

    def end(self) -> None:
        if self._waiting.num_rows:
            self._write_table(self._waiting.combine_chunks())


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
