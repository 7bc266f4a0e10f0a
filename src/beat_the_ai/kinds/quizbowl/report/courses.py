"""The accuracy of models in the course of questions, set by set (Wallace et al. 2019, §5.1, §5.2, Figures 4 and 5)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any

from beat_the_ai.analysis.cells import mean_cell, share_cell
from beat_the_ai.analysis.drawings import Course, panels
from beat_the_ai.kinds.quizbowl.collection import Question
from beat_the_ai.kinds.quizbowl.evaluation import Turns, turns_of
from beat_the_ai.kinds.quizbowl.report.sets import ADVERSARIAL, QuestionSet, gold_id
from beat_the_ai.kinds.quizbowl.wording import words
from beat_the_ai.rules.answers import KeptAnswers
from beat_the_ai.statistics.intervals import wilson
from beat_the_ai.statistics.section import Section, Table

TITLE = "Models in the course of the questions"
STEPS = 20
SHOWN = (5, 10, 15, 20)  # of the steps, in the table
HEADER = ("questions", "model", "answered", *(f"right at {100 * step // STEPS}%" for step in SHOWN), "first right at")
TEXT = (
    "How often the best guess of each model is right when so much of a question is read, with 95% Wilson intervals; "
    "questions are taken for independent. The last column is the mean share of the words at which a best guess that is "
    "ever right first is, with its 95% bootstrap interval. In the paper all models are right on about 10% after a "
    "quarter, and the DAN falls from 54.1% on regular to 32.4% on adversarial whole questions (§5.1)."
)
LOOP_TEXT = (
    "A model in the loop has answered only what beat it, so that it is low by choice. beat-the-ai rescore has it and "
    "others answer these and the regular questions."
)


@dataclass(frozen=True)
class Read:
    """A question that a model has read: of how many words it is, and the words at which the best guess turns."""

    question: Question
    words: int
    turns: Turns

    def right(self) -> Iterator[bool]:
        """Yield for each step whether the best guess is right when so much is read."""
        ends = [*(word for word, _ in self.turns[1:]), self.words + 1]
        spans = [(word, end) for (word, page), end in zip(self.turns, ends, strict=False) if page == self.question.page]
        for step in range(STEPS + 1):
            word = ceil(self.words * step / STEPS)
            yield any(start <= word < end for start, end in spans)

    @property
    def first_right(self) -> float | None:
        """Return the share of the words at which the best guess is first right, if it ever is."""
        return next((word / self.words for word, page in self.turns if page == self.question.page), None)


@dataclass(frozen=True)
class Answered:
    """A model's answers to the questions of a set, of those that it has answered."""

    questions: str
    model: str
    read: Sequence[Read]

    def right(self) -> list[int]:
        """Return the number of right best guesses at each step."""
        counts = [0] * (STEPS + 1)
        for each in self.read:
            for step, right in enumerate(each.right()):
                counts[step] += right
        return counts


def courses_section(
    sets: Sequence[QuestionSet], in_the_loop: Sequence[KeptAnswers], others: Sequence[KeptAnswers]
) -> Section:
    """Return the paper's curves. A model in the loop that has answered again stands there once, with all its answers.

    It is shown on sets all of which it has answered. Raises `InvalidInput` for answers that are no guesses by position.
    """
    again = {each.model for each in others}
    loop = [each for each in in_the_loop if each.model not in again]
    found = [
        answered for one in sets for each in loop if len((answered := _answered(one, each)).read) == len(one.questions)
    ]
    found += [answered for one in sets for each in others if (answered := _answered(one, each)).read]
    found = [each for one in sets for each in found if each.questions == one.name and each.read]
    rows = [_row(each, each.right()) for each in found]
    text = f"{TEXT} {LOOP_TEXT}" if loop else TEXT
    plot = panels(_panels(found), "Accuracy in the course of the questions", "of the words") if found else None
    return Section(TITLE, text, Table(HEADER, rows), plot, "Figures 4 and 5, §5.1, §5.2")


def _answered(one: QuestionSet, model: KeptAnswers) -> Answered:
    return Answered(one.name, model.label, list(_read(one, model.answers)))


def _read(one: QuestionSet, answers: Mapping[str, Any]) -> Iterator[Read]:
    for question in one.questions:
        names = (question.name, f"{question.part}/{question.name}", gold_id(question))  # as predict, rescore and votes
        name = next((name for name in names if name in answers), None)
        turns = None if name is None else turns_of(name, answers[name])
        if turns is not None:
            yield Read(question, len(words(question.text)), turns)


def _row(answered: Answered, right: Sequence[int]) -> tuple[str, ...]:
    first = [share for each in answered.read if (share := each.first_right) is not None]
    total = len(answered.read)
    shares = (share_cell(right[step], total) for step in SHOWN)
    return answered.questions, answered.model, f"{total:,}", *shares, mean_cell(first)


def _panels(found: Sequence[Answered]) -> dict[str, list[Course]]:
    """Return the courses by set; without all adversarial questions together where they stand apart."""
    names = dict.fromkeys(each.questions for each in found)
    shown = [name for name in names if name != ADVERSARIAL or not any(other.startswith("against ") for other in names)]
    return {name: [_course(each) for each in found if each.questions == name] for name in shown}


def _course(answered: Answered) -> Course:
    total = len(answered.read)
    right = answered.right()
    return Course(
        answered.model,
        [(step / STEPS, count / total, *wilson(count, total)) for step, count in enumerate(right)],
    )
