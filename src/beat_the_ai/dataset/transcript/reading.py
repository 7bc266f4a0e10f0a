"""Reading the files of an export that anybody may have written or changed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from beat_the_ai.errors import BeatTheAIError
from beat_the_ai.files.json_text import JsonFault, json_values
from beat_the_ai.rules.transcript import GENESIS, Entry, commitment_of, next_head

MAX_LINE_BYTES = 1 << 24
MAX_SHOWN = 60
# What code that is made for checked data may raise on data that is not.
HOSTILE = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError, BeatTheAIError)
_HASH = re.compile(r"[0-9a-f]{64}")
_SAID, _REDACTED = {"number", "type", "salt", "content", "head"}, {"number", "type", "commitment", "head"}


@dataclass(frozen=True)
class Fault:
    """A place of an export that was changed. `line` is that of a file, or the row of a table; `subject` an id."""

    file: str
    what: str
    line: int | None = None
    subject: str = ""

    def __str__(self) -> str:
        line = "" if self.line is None else f", line {self.line}"
        subject = f" ({self.subject})" if self.subject else ""
        return f"{self.file}{line}{subject}: {self.what}"


class Changed(Exception):
    """The rest of a file cannot be read, or means nothing."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(str(fault))
        self.fault = fault


@dataclass(frozen=True)
class Read:
    """An entry of a transcript as it was read, with its number and the head after it."""

    number: int
    entry: Entry
    head: str


def shown(value: object) -> str:
    """Return a value for a message: short, and without control characters."""
    text = repr(value)
    return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}…"


def objects(path: Path, name: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the object on each line of a file, with the number of the line. Raises `Changed`."""
    with path.open("rb") as file:
        number = 0
        while text := file.readline(MAX_LINE_BYTES + 1):
            number += 1
            if len(text) > MAX_LINE_BYTES:
                raise Changed(Fault(name, f"it is longer than {MAX_LINE_BYTES:,} bytes", number))
            if not text.endswith(b"\n"):
                raise Changed(Fault(name, "it ends without a line break: the file was cut off", number))
            yield number, object_of(text, name, number)


def object_of(text: bytes | str, name: str, line: int | None = None) -> dict[str, Any]:
    """Return an object of JSON. Raises `Changed`."""
    try:
        values = list(json_values(text if isinstance(text, str) else text.decode()))
    except UnicodeDecodeError:
        raise Changed(Fault(name, "it is no UTF-8 text", line)) from None
    except JsonFault as error:
        raise Changed(Fault(name, f"it is no JSON ({error})", line)) from None
    if len(values) != 1 or not isinstance(values[0][1], dict):
        raise Changed(Fault(name, "one object of JSON is needed", line))
    fields: dict[str, Any] = values[0][1]
    return fields


def read_entries(path: Path, name: str) -> Iterator[Read]:
    """Yield the entries of a transcript up to the first that does not fit the ones before. Raises `Changed`."""
    head = GENESIS
    for number, fields in objects(path, name):
        entry = _entry(fields, name, number)
        if fields["number"] != number:
            what = (
                f"entry {shown(fields['number'])} stands where {number} is needed: entries were removed, added or moved"
            )
            raise Changed(Fault(name, what, number))
        head = next_head(head, entry.type, entry.commitment)
        if fields["head"] != head:
            raise Changed(Fault(name, f"this {entry.type} is not the one that was written down", number))
        yield Read(number, entry, head)


def _entry(fields: Mapping[str, Any], name: str, line: int) -> Entry:
    texts = all(isinstance(value, str) for field, value in fields.items() if field != "number")
    if not texts or fields.keys() not in (_SAID, _REDACTED):
        raise Changed(Fault(name, f"an entry has the fields {', '.join(sorted(_SAID))}", line))
    if "commitment" in fields:
        return Entry(fields["type"], fields["commitment"])
    salt, content = fields["salt"], fields["content"]
    return Entry(fields["type"], commitment_of(salt, content), salt, content)


def is_hash(value: object) -> bool:
    """Return whether a value is a SHA-256 in hexadecimal digits."""
    return isinstance(value, str) and _HASH.fullmatch(value) is not None
