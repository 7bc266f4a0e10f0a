"""The groups of questions that reports and scores tell apart by rules on their words."""

from __future__ import annotations

from beat_the_ai.kinds.reading_comprehension.report.answer_types import answer_type
from beat_the_ai.kinds.reading_comprehension.report.words import wh_word


def question_groups(question: str, answer: str) -> dict[str, str]:
    """Return the group of an English question with its answer in each of these divisions."""
    return {"begins with": wh_word(question), "type of answer": answer_type(answer)}
