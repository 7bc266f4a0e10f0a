"""The dataset as QANTA is released: `qanta.json` with all parts, each question with its `fold`, and a file for each."""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from beat_the_ai.dataset.files import replacing
from beat_the_ai.dataset.spool import Spool, spool
from beat_the_ai.rules.dataset import Dataset, Example
from beat_the_ai.terms.division import PARTS


class QantaFiles:
    """`qanta.json` and `qanta/<part>.json`: questions by fold, which lie in a spool until all are there."""

    def __init__(self, folder: Path, dataset: Dataset, lines: Spool) -> None:
        self._files = {folder / "qanta" / f"{part}.json": [part] for part in PARTS}
        self._files[folder / "qanta.json"] = sorted(PARTS)
        self._dataset = dataset
        self._lines = lines
        self._places = {part: array("Q") for part in PARTS}

    @property
    def paths(self) -> Sequence[Path]:
        return list(self._files)

    def write(self, part: str, examples: Sequence[Example]) -> None:
        for example in examples:
            question = {**self._dataset.row(example).model_dump(), "fold": part}
            self._places[part].append(self._lines.put(json.dumps(question, ensure_ascii=False).encode()))

    def end(self) -> None:
        """Write the files."""
        for path, parts in self._files.items():
            self._write(path, parts)

    def _write(self, path: Path, parts: Sequence[str]) -> None:
        with replacing(path) as file:
            file.write(b'{"questions": [')
            places = (place for part in parts for place in self._places[part])
            for number, question in enumerate(self._lines.lines(places)):
                file.write((b",\n" if number else b"\n") + question)
            file.write(b"\n]}\n")


@contextmanager
def qanta_files(folder: Path, dataset: Dataset) -> Iterator[QantaFiles]:
    with spool(folder) as lines:
        files = QantaFiles(folder, dataset, lines)
        yield files
        files.end()
