"""The shapes in which tools keep rows in one JSON document."""

from __future__ import annotations

from typing import Any

WRAPPERS = ("data", "questions", "rows", "examples")


def unwrapped(document: Any) -> list[Any] | None:
    """Return the rows of a document; None where it is itself a row.

    | written by | shape |
    |---|---|
    | pandas `records`, jq -s | `[{...}, ...]` |
    | run_qa, pandas `table`; SQuAD's articles | `{"data": [{...}, ...]}` |
    | QANTA | `{"questions": [{...}, ...]}` |
    | the Hugging Face dataset viewer | `{"rows": [{"row_idx": 0, "row": {...}}, ...]}` |
    | pandas `split` | `{"columns": [...], "data": [[...], ...]}` |
    | pandas `columns` (its default) | `{"field": {"0": ..., "1": ...}, ...}` |
    | `Dataset.to_dict`, pandas `list` | `{"field": [...], ...}` |
    """
    if isinstance(document, list):
        return document
    if not isinstance(document, dict):
        return None
    return next((rows for read in (_split, _wrapped, _columns) if (rows := read(document)) is not None), None)


def nested(row: dict[str, Any]) -> dict[str, Any]:
    """Return {"answers": {"text": ...}} for {"answers.text": ...}, as `flatten` and `json_normalize` name columns."""
    found = dict(row)
    for name in [name for name in row if "." in name]:
        outer, _, inner = name.partition(".")
        if outer not in row and isinstance(within := found.setdefault(outer, {}), dict):
            within[inner] = found.pop(name)
    return found


def _wrapped(document: dict[str, Any]) -> list[Any] | None:
    """A row has a field of that name, too, and other fields that say what it is."""
    for name in WRAPPERS:
        rows = document.get(name)
        if isinstance(rows, list) and not {"context", "premise", "question", "text"} & set(document):
            return [row["row"] if isinstance(row, dict) and {"row", "row_idx"} <= set(row) else row for row in rows]
    return None


def _split(document: dict[str, Any]) -> list[Any] | None:
    columns, rows = document.get("columns"), document.get("data")
    if not isinstance(columns, list) or not isinstance(rows, list):
        return None
    if not all(isinstance(row, list) and len(row) == len(columns) for row in rows):
        return None
    return [dict(zip(map(str, columns), row, strict=True)) for row in rows]


def _columns(document: dict[str, Any]) -> list[Any] | None:
    """A table by its columns, which are equally long."""
    columns = list(document.values())
    if not columns:
        return None
    if all(isinstance(column, list) for column in columns) and len({len(column) for column in columns}) == 1:
        return [dict(zip(document, row, strict=True)) for row in zip(*columns, strict=True)]
    if all(isinstance(column, dict) and column and column.keys() == columns[0].keys() for column in columns):
        if all(name.isdecimal() for name in columns[0]):
            return [{name: column[row] for name, column in document.items()} for row in columns[0]]
        if all(name.isdecimal() for name in document):  # pandas `index`
            return columns
    return None
