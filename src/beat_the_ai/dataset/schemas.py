"""The columns of the dataset and of the table of attempts, for pyarrow; and rows that have exactly these."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pyarrow as pa

from beat_the_ai.errors import InvalidInput

_TEXT, _POSITION, _NUMBER, _TRUTH = pa.string(), pa.int32(), pa.float64(), pa.bool_()

EXAMPLES = pa.schema(
    {
        "id": _TEXT,
        "title": _TEXT,
        "context": _TEXT,
        "question": _TEXT,
        "answers": pa.struct({"text": pa.list_(_TEXT), "answer_start": pa.list_(_POSITION)}),
        "metadata": pa.struct({"split": _TEXT, "model_in_the_loop": _TEXT}),
    }
)
ATTEMPTS = pa.schema(
    {
        "attempt_id": _TEXT,
        "context_id": _TEXT,
        "context": _TEXT,
        "question": _TEXT,
        "answer": pa.struct({"text": _TEXT, "start": _POSITION}),
        "model_answer": pa.struct({"text": _TEXT, "start": _POSITION, "score": _NUMBER}),
        "f1": _NUMBER,
        "f1_threshold": _NUMBER,
        "fooled": _TRUTH,
        "retracted": _TRUTH,
        "flag": _TEXT,
        "validation": _TEXT,
        "votes": pa.list_(
            pa.struct({"worker": _TEXT, "answer": _TEXT, "answer_start": _POSITION, "agrees": _TRUTH, "counts": _TRUTH})
        ),
        "part": _TEXT,
        "dropped": _TEXT,
        "model": pa.struct({"name": _TEXT, "hash": _TEXT, "precision": _TEXT}),
        "worker": _TEXT,
        "hit": _TEXT,
        "assignment": _TEXT,
        "try": _POSITION,
        "round": _POSITION,
        "created_at": _TEXT,
    }
)


def table(rows: Sequence[Mapping[str, Any]], schema: pa.Schema) -> pa.Table:
    """Raises `InvalidInput` for a field that is no column, or a column that is no field: pyarrow drops and invents."""
    for row in rows:
        _check(row, schema, "")
    return pa.Table.from_pylist(rows, schema=schema)


def _check(row: Mapping[str, Any], columns: Iterable[pa.Field], place: str) -> None:
    types = {column.name: column.type for column in columns}
    for what, names in (("no column", row.keys() - types.keys()), ("missing", types.keys() - row.keys())):
        if names:
            told = ", ".join(f"{place}{name}" for name in sorted(names))
            raise InvalidInput("columns", f"A row of the export does not fit its columns: {told}: {what}.")
    for name, kind in types.items():
        if pa.types.is_struct(kind) and row[name] is not None:
            _check(row[name], kind, f"{place}{name}.")
        elif pa.types.is_list(kind) and pa.types.is_struct(kind.value_type):
            for one in row[name]:
                _check(one, kind.value_type, f"{place}{name}.")
