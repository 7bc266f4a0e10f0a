"""Files of questions as models are trained and measured on: those without an answer are left out, and counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from beat_the_ai.kinds.reading_comprehension import squad
from beat_the_ai.kinds.reading_comprehension.squad import Passage, Question


@dataclass(frozen=True)
class Answerable:
    """The passages of a file with the questions that have an answer; the ids of those that have none."""

    passages: list[Passage]
    left_out: Sequence[str]

    @property
    def unanswerable(self) -> int:
        """Return how many questions have no answer."""
        return len(self.left_out)

    @property
    def notes(self) -> Sequence[str]:
        """Return the sentences that belong beside figures of these questions."""
        return [f"{self.unanswerable:,} questions without an answer are left out."] if self.left_out else []

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
    passages, left_out = list[Passage](), list[str]()
    for passage in squad.load(path):
        questions = tuple(question for question in passage.questions if question.answers)
        left_out += [question.id for question in passage.questions if not question.answers]
        passages.append(replace(passage, questions=questions))
    return Answerable(passages, left_out)
