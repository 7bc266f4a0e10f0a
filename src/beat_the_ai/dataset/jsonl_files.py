"""The dataset and the table of attempts as JSON Lines."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from beat_the_ai.dataset.files import replacing
from beat_the_ai.dataset.format import Format
from beat_the_ai.rules.dataset import Dataset, Parts
from beat_the_ai.rules.kind import Kind
from beat_the_ai.rules.protocol import Value


class JsonLines:
    """Rows to a file that is open for writing, in UTF-8."""

    def __init__(self, path: Path, file: BinaryIO) -> None:
        self.path = path
        self._file = file

    def write(self, rows: Sequence[Value]) -> None:
        self._file.writelines((json.dumps(row.model_dump(), ensure_ascii=False) + "\n").encode() for row in rows)


@contextmanager
def json_lines(path: Path) -> Iterator[JsonLines]:
    """A file that takes rows; it is there once all of them are."""
    with replacing(path) as file:
        yield JsonLines(path, file)


@contextmanager
def table(folder: Path, name: str, _row_type: type[Value]) -> Iterator[JsonLines]:
    with json_lines(folder / f"{name}.jsonl") as rows:
        yield rows


def write_examples(folder: Path, parts: Parts, kind: Kind) -> list[Path]:
    return write_parts(folder / "jsonl", parts, kind.dataset)


def write_parts(folder: Path, parts: Parts, dataset: Dataset) -> list[Path]:
    """`<folder>/<part>.jsonl`."""
    written = []
    for name, examples in parts.items():
        path = folder / f"{name}.jsonl"
        with json_lines(path) as rows:
            rows.write([dataset.row(example) for example in examples])
        written.append(path)
    return written


FORMAT = Format(write_examples, table)
