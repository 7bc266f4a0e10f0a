"""Reading datasets to analyse: files as `squad.load` reads them, or a folder of parts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from beat_the_ai.files.folders import parts_of
from beat_the_ai.kinds.reading_comprehension import squad


@dataclass(frozen=True)
class Example:
    """A question about a passage, with its first answer (None where the dataset gives none) and where this begins.

    `marks` are its file's.
    """

    id: str
    context: str
    question: str
    answer: str | None
    start: int = 0
    marks: Mapping[str, str] = field(default_factory=dict)


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
    """Return a whole file, or all parts of a folder: there the marks of an example name its part.

    Raises `InvalidInput` that names the file, the line or place, and what is wrong with it.
    """
    parts = read_parts(path)
    if not path.is_dir():
        return parts[0]
    whole = Part(path.name)
    for part in parts:
        whole.passages.update(part.passages)
        whole.examples.extend(replace(each, marks={"part": part.name, **each.marks}) for each in part.examples)
    return whole


def read_parts(path: Path) -> list[Part]:
    """Return the parts of a dataset: the train, dev and test files of a folder or an export, or a file itself."""
    parts = {name: Part(name) for name in parts_of(path).parts}
    for passage in squad.load(path, "DATASET"):
        _add(parts[passage.part], passage)
    return list(parts.values())


def _add(part: Part, passage: squad.Passage) -> None:
    part.passages.add(passage.text)
    for question in passage.questions:
        answer, start = (question.answers[0].text, question.answers[0].start) if question.answers else (None, 0)
        part.add(Example(question.id, passage.text, question.text, answer, start, question.marks))
