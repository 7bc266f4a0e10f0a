"""Questions with gold answers in files: SQuAD's JSON (v1.1 and 2.0), or JSON Lines in the columns of AdversarialQA."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from beat_the_ai.errors import InvalidInput
from beat_the_ai.json_lines import read_json_lines
from beat_the_ai.kinds.reading_comprehension import squad
from beat_the_ai.kinds.reading_comprehension.squad import Answer, Passage, Question


@dataclass(frozen=True)
class Answerable:
    """The passages of a file with the questions that have an answer; how many have none, and are left out."""

    passages: list[Passage]
    unanswerable: int

    @property
    def questions(self) -> list[Question]:
        return [question for passage in self.passages for question in passage.questions]

    @property
    def contents(self) -> str:
        """In words."""
        left_out = f" ({self.unanswerable:,} without an answer left out)" if self.unanswerable else ""
        return f"{len(self.questions):,} questions{left_out}"


def read_answerable(path: Path) -> Answerable:
    """Raises `InvalidInput` for what cannot be read."""
    passages, unanswerable = list[Passage](), 0
    for passage in load(path):
        questions = [question for question in passage.questions if question.answers]
        unanswerable += len(passage.questions) - len(questions)
        passages.append(replace(passage, questions=tuple(questions)))
    return Answerable(passages, unanswerable)


def load(path: Path) -> list[Passage]:
    """Every passage, with all its questions. Raises `InvalidInput` that names the place where something is wrong."""
    return list(_from_json_lines(path)) if _is_json_lines(path) else squad.load(path)


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
    title: str = ""
    context: str
    question: str
    answers: _Answers


def _from_json_lines(path: Path) -> Iterator[Passage]:
    needed = "context, question and answers {text: [], answer_start: []}"
    rows = read_json_lines(path, _Row, "DATASET", needed)
    for number, ((title, context), group) in enumerate(groupby(rows, lambda row: (row[1].title, row[1].context))):
        yield Passage(str(number), title, context, tuple(_question(where, row) for where, row in group))


def _question(where: str, row: _Row) -> Question:
    texts, starts = row.answers.text, row.answers.answer_start
    if len(texts) != len(starts):
        raise InvalidInput("DATASET", f"{where}: answers.text and answers.answer_start differ in length.")
    answers = (Answer(text, start) for text, start in zip(texts, starts, strict=True) if text.strip())
    return Question(str(row.id), row.question, tuple(answers))
