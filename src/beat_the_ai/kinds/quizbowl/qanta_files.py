"""The dataset as QANTA is released: `qanta.json`, one file for all parts, each question with its `fold`."""

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


class QantaFile:
    """Questions by fold, which lie in a spool until all are there."""

    def __init__(self, folder: Path, dataset: Dataset, lines: Spool) -> None:
        self.paths = [folder / "qanta.json"]
        self._dataset = dataset
        self._lines = lines
        self._places = {part: array("Q") for part in PARTS}

    def write(self, part: str, examples: Sequence[Example]) -> None:
        for example in examples:
            question = {**self._dataset.row(example).model_dump(), "fold": part}
            self._places[part].append(self._lines.put(json.dumps(question, ensure_ascii=False).encode()))

    def end(self) -> None:
        """Write the file."""
        with replacing(self.paths[0]) as file:
            file.write(b'{"questions": [')
            places = (place for part in sorted(PARTS) for place in self._places[part])
            for number, question in enumerate(self._lines.lines(places)):
                file.write((b",\n" if number else b"\n") + question)
            file.write(b"\n]}\n")


@contextmanager
def qanta_file(folder: Path, dataset: Dataset) -> Iterator[QantaFile]:
    with spool(folder) as lines:
        file = QantaFile(folder, dataset, lines)
        yield file
        file.end()
