"""Lines that are put aside in a file without a name until they are wanted in another order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from typing import BinaryIO

from beat_the_ai.files.permissions import make_shared_folder


class Spool:
    """Lines by the places at which they were put."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._end = 0

    def put(self, line: bytes) -> int:
        """Keep a line, which has no line break in it. Returns its place."""
        place = self._end
        self._end += self._file.write(line + b"\n")
        return place

    def lines(self, places: Iterable[int]) -> Iterator[bytes]:
        """Yield the lines at these places, without their line breaks."""
        for place in places:
            self._file.seek(place)
            yield self._file.readline()[:-1]


@contextmanager
def spool(folder: Path) -> Iterator[Spool]:
    """Yield a spool on the disk of that folder; nothing of it stays, however the process ends."""
    make_shared_folder(folder)
    with TemporaryFile(dir=folder) as file:
        yield Spool(file)
