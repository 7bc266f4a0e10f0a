"""SQuAD: its file format, and its official evaluation (exact match and word-overlap F1 after normalisation).

Questions of SQuAD 2.0 that cannot be answered are those without an answer (Rajpurkar et al. 2018).

The evaluation follows Rajpurkar et al. 2016, §6.1, and the script that the dataset's authors published with v1.1: each
prediction is compared with every gold answer of its question and the best one counts; a missing prediction is wrong.
"""

from __future__ import annotations

import json
import re
import string
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from beat_the_ai.errors import InvalidInput

_ARTICLES = re.compile(r"\b(a|an|the)\b")
_PUNCTUATION = str.maketrans("", "", string.punctuation)


@dataclass(frozen=True)
class Answer:
    """A gold answer; `start` counts code points of the passage."""

    text: str
    start: int


@dataclass(frozen=True)
class Question:
    id: str
    text: str
    answers: tuple[Answer, ...]


@dataclass(frozen=True)
class Passage:
    """One paragraph of an article, with its questions. `id` is `title/index`, unique within the file."""

    id: str
    title: str
    text: str
    questions: tuple[Question, ...]


def reference(question: Question) -> Answer:
    """The answer that most annotators gave; of equals the first."""
    return Counter(question.answers).most_common(1)[0][0]


def normalise(answer: str) -> str:
    """Lower-cased, without punctuation, articles and extra white space."""
    return " ".join(_ARTICLES.sub(" ", answer.lower().translate(_PUNCTUATION)).split())


def exact_match(prediction: str, gold: str) -> bool:
    return normalise(prediction) == normalise(gold)


def f1(prediction: str, gold: str) -> float:
    """Word-overlap F1, 0 to 1: the harmonic mean of word precision and recall, 2·common / (words + words)."""
    predicted, expected = normalise(prediction).split(), normalise(gold).split()
    common = sum((Counter(predicted) & Counter(expected)).values())
    return 2 * common / (len(predicted) + len(expected)) if common else 0.0


@dataclass(frozen=True)
class Scores:
    """Percentages over all questions of the gold file."""

    exact_match: float
    f1: float
    questions: int
    missing: int


def evaluate(questions: list[Question], predictions: Mapping[str, str]) -> Scores:
    """Score `{question id: text}` against gold questions. Raises `InvalidInput` when one has no answer, or
    when there is no question."""
    if not questions:
        raise InvalidInput("gold", "The gold file holds no questions; SQuAD v1.1 JSON with at least one is needed.")
    matched = overlap = 0.0
    missing = 0
    for question in questions:
        if not question.answers:
            raise InvalidInput("gold", f"Question {question.id!r} has no answer; SQuAD v1.1 gives each at least one.")
        given = predictions.get(question.id)
        if given is None:
            missing += 1
            continue
        matched += max(exact_match(given, gold.text) for gold in question.answers)
        overlap += max(f1(given, gold.text) for gold in question.answers)
    total = len(questions)
    return Scores(100 * matched / total, 100 * overlap / total, total, missing)


def load(path: Path) -> list[Passage]:
    """Every passage of a SQuAD file. Raises `InvalidInput` that names the place which is not as it should be."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:  # not JSON, not UTF-8, absurdly long or nested
        raise InvalidInput("contexts", f"{path} cannot be read as JSON: {error}") from error
    try:
        return list(_passages(content["data"]))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InvalidInput(
            "contexts",
            f"{path} is not SQuAD v1.1 JSON (data → paragraphs → context, qas): {error!r} is missing or wrong.",
        ) from error


def _passages(articles: list[dict[str, Any]]) -> Iterator[Passage]:
    seen: Counter[str] = Counter()
    for article in articles:
        title = str(article.get("title", ""))
        for paragraph in article["paragraphs"]:
            index = seen[title]
            seen[title] += 1
            yield Passage(
                id=f"{title}/{index}",
                title=title.replace("_", " "),
                text=_text(paragraph["context"]),
                questions=tuple(
                    Question(
                        id=str(qa["id"]),
                        text=_text(qa["question"]),
                        answers=tuple(_answers(qa)),
                    )
                    for qa in paragraph["qas"]
                ),
            )


def _answers(qa: dict[str, Any]) -> Iterator[Answer]:
    """None of what is impossible to answer, as SQuAD 2.0 has it, nor empty ones."""
    if qa.get("is_impossible") is True:
        return
    for gold in qa["answers"]:
        answer = Answer(_text(gold["text"]), _place(gold["answer_start"]))
        if answer.text.strip():
            yield answer


def _place(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"a whole number instead of {str(value)[:40]!r}")
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"a text instead of {str(value)[:40]!r}")
    return value
