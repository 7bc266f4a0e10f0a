"""Contexts in files that are offered while a campaign goes on: bounded, and read to their end for all faults."""

from __future__ import annotations

import gzip
import hashlib
import json
import tempfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from beat_the_ai.errors import InvalidInput
from beat_the_ai.files.content import GZIP, read_text
from beat_the_ai.files.folders import dataset_files, parts_of
from beat_the_ai.files.records import read_records
from beat_the_ai.rules.kind import Writing
from beat_the_ai.rules.protocol import Context

MOST_BYTES = 32 * 2**20  # unpacked
MOST_FAULTS = 50
PACKED = (b"PAR1", b"ARROW1", b"\xff\xff\xff\xff")  # tables whose size shows only once they are read
LINES = (".jsonl", ".ndjson")


class Fault(BaseModel):
    """A fault of a file, with its place in it, such as `line 3`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    place: str
    message: str

    def __str__(self) -> str:
        return f"{self.place}: {self.message}"


@dataclass(frozen=True)
class ContextsFile:
    """The contexts of a file or folder, or its faults: `MOST_FAULTS` at most.

    `sha256` is of a file's content, unpacked, or of the names and contents of a folder's files.
    """

    sha256: str
    contexts: Sequence[Context] = ()
    faults: Sequence[Fault] = ()


def read_contexts(writing: Writing[Any, Any, Any], path: Path) -> ContextsFile:
    """Read contexts as the kind of task does. Raises `InvalidInput` for those that are too large, and as `parts_of`."""
    with tempfile.TemporaryDirectory() as folder:
        copy, digest = _copied(path, Path(folder))
        try:
            return ContextsFile(digest, tuple(writing.load_contexts(copy)))
        except InvalidInput as error:
            faults = list(_faults(writing, copy)) or [
                _fault(error, copy, "the folder" if copy.is_dir() else "the file")
            ]
            return ContextsFile(digest, faults=tuple(faults[:MOST_FAULTS]))


def _copied(path: Path, folder: Path) -> tuple[Path, str]:
    """Copy a file, or the files of a folder's parts, unpacked; return the copy and its SHA-256."""
    if not path.is_dir():
        content, copy = _bounded(path, MOST_BYTES, path), folder / _plain_name(path)
        copy.write_bytes(content)
        return copy, hashlib.sha256(content).hexdigest()
    copy, digest, left = folder / path.name, hashlib.sha256(), MOST_BYTES
    for file in dataset_files(path, "contexts"):
        content, name = _bounded(file, left, path), file.relative_to(path)
        left -= len(content)
        digest.update(f"{name.as_posix()}\0{len(content)}\0".encode() + content)
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        (copy / name).with_name(_plain_name(file)).write_bytes(content)
    return copy, digest.hexdigest()


def _faults(writing: Writing[Any, Any, Any], copy: Path) -> Iterator[Fault]:
    """Yield the faults of a file, or of each file of a folder's parts, with the file's name in their places."""
    if not copy.is_dir():
        yield from _Search(writing, copy.parent).faults(copy)
        return
    for files in parts_of(copy, "contexts").parts.values():
        for file in files:
            for fault in _Search(writing, copy.parent).faults(file):
                yield Fault(place=f"{file.relative_to(copy)}, {fault.place}", message=fault.message)


def _bounded(file: Path, most_bytes: int, of: Path) -> bytes:
    """Return the content of a file, unpacked. No more of it is read than is left to `of`: itself, or its folder."""
    try:
        with file.open("rb") as opened:
            start = opened.read(len(GZIP))
            opened.seek(0)
            if start == GZIP:
                with gzip.open(opened) as unpacked:
                    content = unpacked.read(most_bytes + 1)
            else:
                content = opened.read(most_bytes + 1)
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or "it is a damaged gzip file"
        raise InvalidInput("contexts", f"{file.name} cannot be read: {reason}.") from error
    if len(content) > most_bytes:
        most = f"{MOST_BYTES // 2**20} MiB"
        raise InvalidInput("contexts", f"{of.name} has more than {most}. Add its contexts in several smaller files.")
    if content.startswith(PACKED):
        raise InvalidInput("contexts", f"{file.name} is a Parquet or Arrow file. Save it as JSON Lines or CSV.")
    return content


def _plain_name(file: Path) -> str:
    return file.name[:-3] if file.name.endswith(".gz") else file.name


@dataclass
class _Row:
    """A record of a file, as a line of JSON."""

    place: str
    text: str
    name: object


@dataclass
class _Search:
    """The search for all faults: halves of the file are read, and halves of those that have a fault."""

    writing: Writing[Any, Any, Any]
    folder: Path
    found: list[Fault] = field(default_factory=list)

    def faults(self, copy: Path) -> list[Fault]:
        """Return the faults of a file in the order of its lines, or the one that keeps it from being read."""
        try:
            rows = list(self._lines(copy) if copy.suffix in LINES else _records(copy))
        except InvalidInput as error:
            return [_fault(error, copy, "the file")]
        single = list(self._without_repeated(rows))
        self._search(single)
        return sorted(self.found, key=lambda fault: _number(fault.place))

    def _lines(self, copy: Path) -> Iterator[_Row]:
        for number, line in enumerate(read_text(copy, "contexts").split("\n"), start=1):
            if not line.strip():
                continue
            try:
                fields = json.loads(line)
            except (ValueError, RecursionError):
                fields = None
            if isinstance(fields, dict):
                yield _Row(f"line {number}", line, fields.get("id"))
            elif len(self.found) < MOST_FAULTS:
                self.found.append(Fault(place=f"line {number}", message="A JSON object is needed, and this is none."))

    def _without_repeated(self, rows: Sequence[_Row]) -> Iterator[_Row]:
        first: dict[str, str] = {}
        for row in rows:
            name = str(row.name)
            if row.name is not None and name in first:
                if len(self.found) < MOST_FAULTS:
                    message = f"The id {name[:80]!r} stands at {first[name]}, too; ids must be unique."
                    self.found.append(Fault(place=row.place, message=message))
                continue
            first[name] = row.place
            yield row

    def _search(self, rows: Sequence[_Row]) -> None:
        if not rows or len(self.found) >= MOST_FAULTS:
            return
        part = self.folder / "part.jsonl"
        part.write_text("".join(f"{row.text}\n" for row in rows), encoding="utf-8")
        try:
            self.writing.load_contexts(part)
        except InvalidInput as error:
            if len(rows) == 1:
                self.found.append(_fault(error, part, rows[0].place))
                return
            known, half = len(self.found), len(rows) // 2
            self._search(rows[:half])
            self._search(rows[half:])
            if len(self.found) == known:  # neither half has it
                self.found.append(_fault(error, part, f"{rows[0].place} to {rows[-1].place}"))


def _records(copy: Path) -> Iterator[_Row]:
    for record in read_records(copy, "contexts"):
        text = json.dumps(record.fields, ensure_ascii=False, default=str)
        yield _Row(record.place.removeprefix(f"{copy}, "), text, record.fields.get("id"))


def _number(place: str) -> int:
    """Return the number of a line or row, such as `line 3`, or of the first such as `line 3 to line 5`."""
    return next((int(word) for word in place.split() if word.isdigit()), 0)


def _fault(error: InvalidInput, copy: Path, place: str) -> Fault:
    """Return an error as a fault at this place, without the place where the copy lies."""
    said = str(error)
    for start in (f"{copy}, line 1: ", f"{copy}, row 1: ", f"{copy}: "):
        said = said.removeprefix(start)
    if copy.is_dir():
        said = said.replace(f"{copy}/", "")
    return Fault(place=place, message=said.replace(str(copy), "the folder" if copy.is_dir() else "the file"))
