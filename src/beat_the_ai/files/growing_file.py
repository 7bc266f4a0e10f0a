"""A file of results that only grows: a header that says what it is of, then a line of JSON for each result.

Lines are on disk before more is asked. What was paid for is kept, whatever dies meanwhile, and the command resumes.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Generic, TypeVar

from pydantic import BaseModel, ValidationError

from beat_the_ai.errors import InvalidInput, Refused, first_fault
from beat_the_ai.files.permissions import hand_on, make_shared_folder

HeaderT = TypeVar("HeaderT", bound=BaseModel)
LineT = TypeVar("LineT", bound=BaseModel)


class GrowingFile(Generic[LineT]):
    """An open file, and the lines that were in it when it was opened."""

    def __init__(self, file: BinaryIO, lines: Sequence[LineT]) -> None:
        self.lines = lines
        self._file = file

    def add(self, lines: Sequence[LineT]) -> None:
        """Append lines. They are on disk when it returns."""
        self._file.write("".join(f"{line.model_dump_json()}\n" for line in lines).encode())
        self._file.flush()
        os.fsync(self._file.fileno())


@contextmanager
def growing_file(path: Path, header: BaseModel, line_type: type[LineT], option: str) -> Iterator[GrowingFile[LineT]]:
    """Open a file for more lines, and create it if there is none. A line that was cut off by a crash is removed.

    Raise `InvalidInput`, under the name of the command's `option`, for a file with another header or a damaged line,
    and `Refused` while another process writes to it.
    """
    make_shared_folder(path.parent)
    with path.open("a+b") as file:
        hand_on(path)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Refused(f"Another process writes to {path} at this moment. Wait for its end.") from None
        file.seek(0)
        content = file.read()
        whole = content[: content.rfind(b"\n") + 1]
        if not whole:
            first = f"{header.model_dump_json()}\n".encode()
            if not first.startswith(content):
                raise InvalidInput(option, f"{path} holds something else. Name another {option}, or remove it.")
            file.truncate(0)
            file.write(first)
            yield GrowingFile(file, [])
            return
        found, lines = _read(path, whole, type(header), line_type, option)
        if found != header:
            raise InvalidInput(
                option, f"{path} has {found}, and would get {header}. They stay apart: name another {option}."
            )
        file.truncate(len(whole))
        yield GrowingFile(file, lines)


def read_growing_file(
    path: Path, header_type: type[HeaderT], line_type: type[LineT], option: str
) -> tuple[HeaderT, list[LineT]]:
    """Return the header and the lines. Raise `InvalidInput` for a damaged line; one that was cut off is none."""
    return _read(path, path.read_bytes(), header_type, line_type, option)


def _read(
    path: Path, content: bytes, header_type: type[HeaderT], line_type: type[LineT], option: str
) -> tuple[HeaderT, list[LineT]]:
    first, *rest = content[: content.rfind(b"\n") + 1].split(b"\n")[:-1] or [b""]
    header, lines = None, list[LineT]()
    try:
        header = header_type.model_validate_json(first)
        lines += map(line_type.model_validate_json, rest)
    except ValidationError as error:
        fault, number = first_fault(error, "the line"), 1 if header is None else len(lines) + 2
        raise InvalidInput(
            option,
            f"{path}, line {number}, is damaged ({fault.place}: {fault.reason}). Remove the file, and run the command "
            "again: it asks for everything anew.",
        ) from None
    return header, lines
