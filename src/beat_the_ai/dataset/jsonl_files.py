"""The dataset and the table of attempts as JSON Lines."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from beat_the_ai.dataset.files import replacing
from beat_the_ai.dataset.format import Format, Parts

ATTEMPTS_FILE = "attempts.jsonl"


class JsonLines:
    """Rows to a file that is open for writing, in UTF-8."""

    def __init__(self, path: Path, file: BinaryIO) -> None:
        self.path = path
        self._file = file

    def write(self, rows: Sequence[Mapping[str, Any]]) -> None:
        self._file.writelines((json.dumps(row, ensure_ascii=False) + "\n").encode() for row in rows)


@contextmanager
def _json_lines(path: Path) -> Iterator[JsonLines]:
    with replacing(path) as file:
        yield JsonLines(path, file)


@contextmanager
def attempts_table(folder: Path) -> Iterator[JsonLines]:
    with _json_lines(folder / ATTEMPTS_FILE) as rows:
        yield rows


def write_examples(folder: Path, parts: Parts) -> list[Path]:
    """`jsonl/<part>.jsonl`, in the columns of AdversarialQA."""
    written = []
    for name, examples in parts.items():
        path = folder / "jsonl" / f"{name}.jsonl"
        with _json_lines(path) as rows:
            rows.write([example.row() for example in examples])
        written.append(path)
    return written


FORMAT = Format(write_examples, attempts_table)
