"""Reading datasets to analyse: SQuAD v1.1 JSON, JSON Lines in the columns of AdversarialQA, or a folder of parts."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from beat_the_ai.errors import InvalidInput
from beat_the_ai.json_lines import read_json_lines
from beat_the_ai.kinds.reading_comprehension import squad
from beat_the_ai.rules.corpora import part_files


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
    part = Part(path.stem)
    if _is_json_lines(path):
        for example in _from_json_lines(path):
            part.add(example)
        return part
    for passage in squad.load(path):
        part.passages.add(passage.text)
        for question in passage.questions:
            answer = question.answers[0].text if question.answers else None
            part.add(Example(question.id, passage.text, question.text, answer))
    return part


def read_parts(path: Path) -> list[Part]:
    """The parts of a dataset: of a folder its train, dev and test files, or those of an export; of a file itself."""
    return [read_part(file) for file in part_files(path, {"jsonl": ".jsonl", "squad": ".json"})]


def _is_json_lines(path: Path) -> bool:
    """By the name, or because the first line is an object of its own and not SQuAD's."""
    if path.suffix == ".jsonl":
        return True
    try:
        with path.open(encoding="utf-8") as file:
            first = json.loads(next((line for line in file if line.strip()), ""))
    except (OSError, ValueError, RecursionError):
        return False  # not one object a line; the reader of SQuAD says what is wrong
    return isinstance(first, dict) and "data" not in first


class _Answers(BaseModel):
    model_config = ConfigDict(strict=True)

    text: list[str]
    answer_start: list[int]


class _Row(BaseModel):
    model_config = ConfigDict(strict=True)

    id: str | int = ""
    context: str
    question: str
    answers: _Answers


def _from_json_lines(path: Path) -> Iterator[Example]:
    needed = "context, question and answers {text: [], answer_start: []}"
    for where, row in read_json_lines(path, _Row, "DATASET", needed):
        if len(row.answers.text) != len(row.answers.answer_start):
            raise InvalidInput("DATASET", f"{where}: answers.text and answers.answer_start differ in length.")
        yield Example(str(row.id), row.context, row.question, next(iter(row.answers.text), None))
