"""Records in files: JSON Lines, JSON in the shapes of pandas and `datasets`, CSV, Parquet, Arrow; each with its place.

A field that is null is a field that is not there. What a file is shows in its first bytes, whatever its name.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from beat_the_ai.errors import InvalidInput, first_fault
from beat_the_ai.files.content import read_content, text_of
from beat_the_ai.files.json_text import JsonFault, json_values
from beat_the_ai.files.shapes import nested, unwrapped
from beat_the_ai.files.tables import ARROW_FILE, ARROW_STREAM, PARQUET, arrow_rows, table_rows
from beat_the_ai.files.values import shown

RowT = TypeVar("RowT", bound=BaseModel)
MAX_NAMES_CHARS = 120
_ARROW = (PARQUET, ARROW_FILE, ARROW_STREAM)
_MAY_BE_EMPTY = (".jsonl", ".ndjson", ".jsonl.gz")  # no line is no record
_JSON_ENDS = (".json", ".jsonl", ".ndjson", ".json.gz", ".jsonl.gz")


@dataclass(frozen=True)
class Record:
    """An object of a file. `place` is for people ("FILE, line 3"); `number` is its line or row.

    `part` is that of a dataset, and `round` the one that the file's folder is named after: see `datasets.read_dataset`.
    """

    place: str
    number: int
    fields: dict[str, Any]
    part: str = ""
    round: str = ""

    @property
    def field_names(self) -> str:
        """Return the names of the fields, as a message shows them."""
        return ", ".join(self.fields)[:MAX_NAMES_CHARS] or "no field"


def read_records(path: Path, key: str, fields: str = "", listed: Sequence[str] = ()) -> list[Record]:
    """Return the records of a file, in order. `listed` are the fields of a record that is a list without their names.

    Raises `InvalidInput` under `key` that names the place and what is wrong; `fields` says what a record needs.
    """
    content = read_content(path, key)
    if content.startswith(_ARROW):
        return list(_numbered(arrow_rows(content, path, key), path, key, fields))
    text = text_of(content, path, key)
    if _is_json(path, text):
        return records_of(_values(text, path, key, fields), path, key, fields, listed)
    return [_record(f"{path}, line {line}", line, row, key, fields) for line, row in table_rows(text, path, key)]


def json_values_of(path: Path, key: str) -> list[tuple[int, Any]] | None:
    """Return the values of a file with their lines; None for a file that is no JSON. Raises as `read_records`."""
    content = read_content(path, key)
    if content.startswith(_ARROW):
        return None
    text = text_of(content, path, key)
    return _values(text, path, key, "") if _is_json(path, text) else None


def records_of(
    values: list[tuple[int, Any]], path: Path, key: str, fields: str = "", listed: Sequence[str] = ()
) -> list[Record]:
    """Return the records of JSON values with their lines, in order, as `read_records` does.

    A single value is a document with records in it, or the only record.
    """
    if len(values) == 1 and (rows := unwrapped(values[0][1])) is not None:
        return list(_numbered([_named(row, listed) for row in rows], path, key, fields))
    return [_record(f"{path}, line {line}", line, _named(value, listed), key, fields) for line, value in values]


def read_rows(path: Path, row_type: type[RowT], key: str, fields: str) -> Iterator[tuple[str, RowT]]:
    """Yield the records of a file as `row_type`, each with its place. Raises as `read_records`."""
    for record in read_records(path, key, fields):
        yield record.place, row_of(record, row_type, key, fields)


def row_of(record: Record, row_type: type[RowT], key: str, fields: str) -> RowT:
    """Return a record as `row_type`. Raises `InvalidInput` that names the first wrong field."""
    try:
        return row_type.model_validate(record.fields)
    except ValidationError as error:
        fault = first_fault(error, "row")
        has = f"; it has {record.field_names}" if fault.reason == "Field required" else ""
        message = f"{record.place}: a JSON object with {fields} is needed ({fault.place}: {fault.reason}{has})."
        raise InvalidInput(key, message) from None


def _is_json(path: Path, text: str) -> bool:
    return path.name.lower().endswith(_JSON_ENDS) or text.lstrip()[:1] in ("{", "[", "")


def _values(text: str, path: Path, key: str, fields: str) -> list[tuple[int, Any]]:
    values: list[tuple[int, Any]] = []
    try:
        values += json_values(text)
    except JsonFault as fault:
        raise InvalidInput(key, _no_json(path, fault, fields, is_document=not values)) from None
    if not values and not path.name.endswith(_MAY_BE_EMPTY):
        raise InvalidInput(key, f"{path} cannot be read as JSON, or as a table: it is empty.")
    return values


def _no_json(path: Path, fault: JsonFault, fields: str, *, is_document: bool) -> str:
    if is_document and path.suffix != ".jsonl":
        return f"{path} cannot be read as JSON: {fault}."
    return f"{path}, line {fault.line}: {_needed(fields)} is needed, and this is no JSON ({fault})."


def _numbered(rows: list[Any], path: Path, key: str, fields: str) -> Iterator[Record]:
    for number, row in enumerate(rows, start=1):
        yield _record(f"{path}, row {number}", number, row, key, fields)


def _named(row: Any, listed: Sequence[str]) -> Any:
    is_list = isinstance(row, list) and len(row) == len(listed) > 0
    return dict(zip(listed, row, strict=True)) if is_list else row


def _record(place: str, number: int, value: Any, key: str, fields: str) -> Record:
    if not isinstance(value, dict):
        raise InvalidInput(key, f"{place}: {_needed(fields)} is needed (row: {shown(value)} was given).")
    row = {name: each for name, each in value.items() if each is not None and each == each}
    return Record(place, number, nested(row))


def _needed(fields: str) -> str:
    return f"a JSON object with {fields}" if fields else "a JSON object"
