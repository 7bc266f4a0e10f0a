"""Sets of questions that reports compare: adversarial ones, those against each model, and regular ones."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from beat_the_ai.kinds.quizbowl.collection import Question
from beat_the_ai.rules.ids import short_hash
from beat_the_ai.rules.text import folded

ADVERSARIAL, REGULAR = "adversarial", "regular"


@dataclass(frozen=True)
class QuestionSet:
    """Questions with a page under the name of a report's row."""

    name: str
    questions: Sequence[Question]


def gold_id(question: Question) -> str:
    """Return what the table of votes calls a regular question, whatever file it is from."""
    return short_hash(folded(question.text))


def written_sets(questions: Iterable[Question]) -> list[QuestionSet]:
    """Return adversarial questions as a set, and apart by the model that each was written against, if by several."""
    every = list(questions)
    by_model: dict[str, list[Question]] = defaultdict(list)
    for question in every:
        by_model[question.model or "no model that is named"].append(question)
    apart = [QuestionSet(f"against {model}", by_model[model]) for model in sorted(by_model)]
    return [QuestionSet(ADVERSARIAL, every), *(apart if len(apart) > 1 else [])]


def compared_sets(written: Iterable[Question], regular: Sequence[Question]) -> list[QuestionSet]:
    """Return the sets that a report compares: regular questions, if there are any, and adversarial ones."""
    return [*([QuestionSet(REGULAR, regular)] if regular else []), *written_sets(written)]
