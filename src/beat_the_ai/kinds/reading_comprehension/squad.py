"""SQuAD's official evaluation: exact match and word-overlap F1.

It follows Rajpurkar et al. 2016, §6.1, and the script that the dataset's authors published with v1.1: each
prediction is compared with every gold answer of its question and the best one counts; a missing prediction is wrong.
"""

from __future__ import annotations

import re
import string
import unicodedata
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from beat_the_ai.errors import InvalidInput
from beat_the_ai.kinds.reading_comprehension.passages import Answer, Passage, Question, load
from beat_the_ai.rules.languages import is_english

__all__ = ["Answer", "Passage", "Question", "load"]

Normal = Callable[[str], str]

_ARTICLES = re.compile(r"\b(a|an|the)\b")
_PUNCTUATION = str.maketrans("", "", string.punctuation)


def normalise(answer: str) -> str:
    """Lower-cased, without punctuation, articles and extra white space."""
    return " ".join(_ARTICLES.sub(" ", answer.lower().translate(_PUNCTUATION)).split())


def normalise_any(answer: str) -> str:
    """Lower-cased, without punctuation of any script and extra white space: `normalise` for all but English."""
    return " ".join("".join(char for char in answer.lower() if unicodedata.category(char)[0] != "P").split())


def normaliser(language: str) -> Normal:
    """Return the form in which answers in a language are compared: SQuAD's own knows the articles of English."""
    return normalise if is_english(language) else normalise_any


def majority(answers: Sequence[Answer]) -> Answer:
    """The answer that occurs most often after normalisation; of equals, and of its forms, the first."""
    counts = Counter(normalise(answer.text) for answer in answers)
    [(most, _)] = counts.most_common(1)
    return next(answer for answer in answers if normalise(answer.text) == most)


def exact_match(prediction: str, gold: str, normal: Normal = normalise) -> bool:
    return normal(prediction) == normal(gold)


def f1(prediction: str, gold: str, normal: Normal = normalise) -> float:
    """Word-overlap F1, 0 to 1: the harmonic mean of word precision and recall, 2·common / (words + words)."""
    predicted, expected = normal(prediction).split(), normal(gold).split()
    common = sum((Counter(predicted) & Counter(expected)).values())
    return 2 * common / (len(predicted) + len(expected)) if common else 0.0


@dataclass(frozen=True)
class Scores:
    """Percentages over all questions of the gold file. `missing` have no prediction."""

    exact_match: float
    f1: float
    questions: int
    missing: int


class Match(NamedTuple):
    """The match of a prediction with its question's gold answers, 0 to 1 each."""

    exact: float
    f1: float


def scored(question: Question, prediction: str | None, normal: Normal = normalise) -> Match:
    """Score a prediction by the best gold answer; none scores 0. Raises `InvalidInput` without gold answers."""
    if not question.answers:
        raise InvalidInput("gold", f"Question {question.id!r} has no answer; SQuAD v1.1 gives each at least one.")
    return best_match([gold.text for gold in question.answers], prediction, normal)


def best_match(golds: Sequence[str], prediction: str | None, normal: Normal = normalise) -> Match:
    """Return the match with the gold answer that a prediction suits best; none scores 0."""
    if prediction is None:
        return Match(0.0, 0.0)
    return Match(
        float(max(exact_match(prediction, gold, normal) for gold in golds)),
        max(f1(prediction, gold, normal) for gold in golds),
    )


def evaluate(questions: list[Question], predictions: Mapping[str, str], normal: Normal = normalise) -> Scores:
    """Score `{question id: text}` against gold questions. Raises `InvalidInput` when one has no answer, or
    when there is no question."""
    if not questions:
        raise InvalidInput("gold", "The gold file holds no questions; SQuAD v1.1 JSON with at least one is needed.")
    matches = [scored(question, predictions.get(question.id), normal) for question in questions]
    missing = sum(question.id not in predictions for question in questions)
    exact, overlap = (100 * sum(column) / len(questions) for column in zip(*matches, strict=True))
    return Scores(exact, overlap, len(questions), missing)
