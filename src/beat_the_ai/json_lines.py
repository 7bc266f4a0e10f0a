"""Files with a JSON object a line: passages to write about, and datasets of others."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from beat_the_ai.errors import InvalidInput, first_fault

RowT = TypeVar("RowT", bound=BaseModel)


def read_json_lines(path: Path, row_type: type[RowT], key: str, fields: str) -> Iterator[tuple[str, RowT]]:
    """Its rows in order, each with its place in words: "FILE, line 3". Blank lines are passed over.

    Raises `InvalidInput` under `key` that names the place and what is wrong there; `fields` says what a row needs.
    """
    try:
        with path.open(encoding="utf-8", newline="\n") as file:  # U+2028 and the like end no line
            for number, line in enumerate(file, start=1):
                if line.strip():
                    place = f"{path}, line {number}"
                    yield place, _row(line, row_type, key, fields, place)
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(key, f"{path} cannot be read: {error}") from error


def _row(line: str, row_type: type[RowT], key: str, fields: str, place: str) -> RowT:
    try:
        return row_type.model_validate_json(line)
    except ValidationError as error:
        fault = first_fault(error, "row")
        message = f"{place}: a JSON object with {fields} is needed ({fault.place}: {fault.reason})."
        raise InvalidInput(key, message) from None
