"""Reading datasets to analyse: files as `squad.load` reads them, or a folder of parts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from beat_the_ai.files.folders import parts_of
from beat_the_ai.kinds.reading_comprehension import squad


@dataclass(frozen=True)
class Example:
    """A question about a passage, with its first answer (None where the dataset gives none)."""

    id: str
    context: str
    question: str
    answer: str | None


@dataclass(frozen=True)
class Part:
    """One part of a dataset. `passages` holds the distinct passages, those without a question included."""

    name: str
    examples: list[Example] = field(default_factory=list)
    passages: set[str] = field(default_factory=set)

    def add(self, example: Example) -> None:
        self.passages.add(example.context)
        self.examples.append(example)


def read_part(path: Path) -> Part:
    """A whole file. Raises `InvalidInput` that names the file, the line or place, and what is wrong with it."""
    return _part(path.stem, [path])


def read_parts(path: Path) -> list[Part]:
    """The parts of a dataset: of a folder its train, dev and test files, or those of an export; of a file itself."""
    return [_part(name, files) for name, files in parts_of(path).parts.items()]


def _part(name: str, files: Iterable[Path]) -> Part:
    part = Part(name)
    for passage in (passage for file in files for passage in squad.load(file, "DATASET")):
        part.passages.add(passage.text)
        for question in passage.questions:
            answer = question.answers[0].text if question.answers else None
            part.add(Example(question.id, passage.text, question.text, answer))
    return part
