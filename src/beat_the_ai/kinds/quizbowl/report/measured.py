"""Lengths of questions as figures of items, which `analysis.breakdown` gives intervals and groups."""

from __future__ import annotations

from collections.abc import Sequence

from beat_the_ai.kinds.quizbowl.collection import Question
from beat_the_ai.kinds.quizbowl.report.overlap import names
from beat_the_ai.kinds.quizbowl.wording import sentences, words
from beat_the_ai.rules.evaluation import Measure, Measured, MeasuredItem

MEANS = (
    Measure("words_mean", "words", unit=""),
    Measure("sentences_mean", "sentences", unit=""),
    Measure("names_mean", "names", unit=""),
)


def measured_questions(parts: Sequence[tuple[str, Sequence[Question]]]) -> Measured:
    """Return the questions of all parts, each with its numbers; several parts are groups, too."""
    items = [
        _item(question, {"part": part} if len(parts) > 1 else {}) for part, questions in parts for question in questions
    ]
    return Measured(items, MEANS, "questions", "answers", 0, 0)


def _item(question: Question, part: dict[str, str]) -> MeasuredItem:
    counts = (len(some(question.text)) for some in (words, sentences, names))
    marks = {measure.name: float(count) for measure, count in zip(MEANS, counts, strict=True)}
    return MeasuredItem(question.name, str(question.page), None, None, marks, {**part, **question.groups})
