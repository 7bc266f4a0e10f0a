"""The dataset and its tables as JSON Lines, in UTF-8."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import BinaryIO

from beat_the_ai.dataset.files import replacing
from beat_the_ai.dataset.format import Format, PartFiles, part_files
from beat_the_ai.rules.dataset import Dataset, Parts
from beat_the_ai.rules.protocol import Value


def json_lines(rows: Iterable[Value]) -> bytes:
    """Return each row as a line of JSON."""
    return "".join(f"{row.model_dump_json()}\n" for row in rows).encode()


class JsonLines:
    """Rows to a file that is open for writing."""

    def __init__(self, path: Path, file: BinaryIO) -> None:
        self.path = path
        self._file = file

    def write(self, lines: bytes) -> None:
        self._file.write(lines)


@contextmanager
def table(folder: Path, name: str, _row_type: type[Value]) -> Iterator[JsonLines]:
    """Open `<folder>/<name>.jsonl`, which is there once all rows are."""
    path = folder / f"{name}.jsonl"
    with replacing(path) as file:
        yield JsonLines(path, file)


def parts(folder: Path, names: Sequence[str], row_type: type[Value]) -> AbstractContextManager[PartFiles]:
    """Open `jsonl/<part>.jsonl`."""
    return part_files(folder / "jsonl", names, row_type, table)


def write_parts(folder: Path, parts: Parts, dataset: Dataset) -> list[Path]:
    """Write `<folder>/<part>.jsonl`, and return the files."""
    written = []
    for name, examples in parts.items():
        with table(folder, name, dataset.example_type) as rows:
            rows.write(json_lines(map(dataset.row, examples)))
        written.append(rows.path)
    return written


FORMAT = Format(parts, table)
