"""SQuAD: questions in its file format and others, and its official evaluation (exact match and word-overlap F1).

Questions of SQuAD 2.0 that cannot be answered (Rajpurkar et al. 2018) are those without an answer.

The evaluation follows Rajpurkar et al. 2016, §6.1, and the script that the dataset's authors published with v1.1: each
prediction is compared with every gold answer of its question and the best one counts; a missing prediction is wrong.
"""

from __future__ import annotations

import json
import re
import string
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import starmap
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import BaseModel, ConfigDict

from beat_the_ai.errors import InvalidInput
from beat_the_ai.json_lines import read_json_lines

_ARTICLES = re.compile(r"\b(a|an|the)\b")
_PUNCTUATION = str.maketrans("", "", string.punctuation)


@dataclass(frozen=True)
class Answer:
    """A gold answer; `start` counts code points of the passage."""

    text: str
    start: int


@dataclass(frozen=True)
class Question:
    """`marks` are what its file says of it: `{"model in the loop": "bert"}`, `{"skill": "lookup"}`."""

    id: str
    text: str
    answers: tuple[Answer, ...]
    marks: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Passage:
    """One paragraph of an article, with its questions. `id` is `title/index` or the file's own, unique within it."""

    id: str
    title: str
    text: str
    questions: tuple[Question, ...]


def normalise(answer: str) -> str:
    """Lower-cased, without punctuation, articles and extra white space."""
    return " ".join(_ARTICLES.sub(" ", answer.lower().translate(_PUNCTUATION)).split())


def majority(answers: Sequence[Answer]) -> Answer:
    """The answer that occurs most often after normalisation; of equals, and of its forms, the first."""
    counts = Counter(normalise(answer.text) for answer in answers)
    [(most, _)] = counts.most_common(1)
    return next(answer for answer in answers if normalise(answer.text) == most)


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


class Match(NamedTuple):
    """Of a prediction with its question's gold answers, 0 to 1 each."""

    exact: float
    f1: float


def scored(question: Question, prediction: str | None) -> Match:
    """Of the gold answers the best one counts; no prediction matches none. Raises `InvalidInput` without an answer."""
    if not question.answers:
        raise InvalidInput("gold", f"Question {question.id!r} has no answer; SQuAD v1.1 gives each at least one.")
    if prediction is None:
        return Match(0.0, 0.0)
    golds = [gold.text for gold in question.answers]
    return Match(
        float(max(exact_match(prediction, gold) for gold in golds)), max(f1(prediction, gold) for gold in golds)
    )


def evaluate(questions: list[Question], predictions: Mapping[str, str]) -> Scores:
    """Score `{question id: text}` against gold questions. Raises `InvalidInput` when one has no answer, or
    when there is no question."""
    if not questions:
        raise InvalidInput("gold", "The gold file holds no questions; SQuAD v1.1 JSON with at least one is needed.")
    matches = [scored(question, predictions.get(question.id)) for question in questions]
    missing = sum(question.id not in predictions for question in questions)
    exact, overlap = (100 * sum(column) / len(questions) for column in zip(*matches, strict=True))
    return Scores(exact, overlap, len(questions), missing)


def load(path: Path) -> list[Passage]:
    """Every passage of a file: SQuAD's JSON (v1.1 or 2.0), or JSON Lines in the columns of AdversarialQA or of passages
    to write about with questions that are known.

    Raises `InvalidInput` that names the place which is not as it should be.
    """
    first = _first_line(path)
    if first is not None:
        return _from_passages(path) if "questions" in first else _from_rows(path)
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
    """None where it is impossible to answer, and no empty ones."""
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


def _first_line(path: Path) -> dict[str, Any] | None:
    """The first object of JSON Lines, known by the file's name or because it has a passage; None of anything else."""
    try:
        with path.open(encoding="utf-8") as file:
            first = json.loads(next((line for line in file if line.strip()), ""))
    except (OSError, ValueError, RecursionError):
        first = None  # not one object a line; whoever reads it says what is wrong
    if path.suffix == ".jsonl":
        return first if isinstance(first, dict) else {}
    return first if isinstance(first, dict) and "context" in first else None


class _Answers(BaseModel):
    model_config = ConfigDict(strict=True)

    text: list[str]
    answer_start: list[int]


class _Metadata(BaseModel):
    model_config = ConfigDict(strict=True)

    model_in_the_loop: str | None = None


class _Row(BaseModel):
    """A question in the columns of AdversarialQA."""

    model_config = ConfigDict(strict=True)

    id: str | int = ""
    title: str = ""
    context: str
    question: str
    answers: _Answers
    metadata: _Metadata = _Metadata()


class _Span(BaseModel):
    model_config = ConfigDict(strict=True)

    text: str
    start: int


class _Known(BaseModel):
    model_config = ConfigDict(strict=True)

    question: str
    answer: _Span
    skill: str | None = None


class _WithQuestions(BaseModel):
    """A passage to write about."""

    model_config = ConfigDict(strict=True)

    id: str
    title: str = ""
    context: str
    questions: list[_Known] = []


def _from_rows(path: Path) -> list[Passage]:
    """Questions about the same text of the same title are of one passage. One without an id has its line's number."""
    passages: dict[tuple[str, str], list[Question]] = {}
    needed = "context, question and answers {text: [], answer_start: []}"
    for where, row in read_json_lines(path, _Row, "DATASET", needed):
        if len(row.answers.text) != len(row.answers.answer_start):
            raise InvalidInput("DATASET", f"{where}: answers.text and answers.answer_start differ in length.")
        given = starmap(Answer, zip(row.answers.text, row.answers.answer_start, strict=True))
        answers = tuple(answer for answer in given if answer.text.strip())
        model = row.metadata.model_in_the_loop
        marks = {} if model is None else {"model in the loop": model}
        question = Question(str(row.id) or where.rpartition(" ")[2], row.question, answers, marks)
        passages.setdefault((row.title, row.context), []).append(question)
    seen: Counter[str] = Counter()
    found = []
    for (title, text), questions in passages.items():
        found.append(Passage(f"{title}/{seen[title]}", title.replace("_", " "), text, tuple(questions)))
        seen[title] += 1
    return found


def _from_passages(path: Path) -> list[Passage]:
    rows = read_json_lines(path, _WithQuestions, "contexts", "'id', 'context' and 'questions'")
    return [
        Passage(
            row.id,
            row.title,
            row.context,
            tuple(_known(f"{row.id}/{number}", one) for number, one in enumerate(row.questions)),
        )
        for _, row in rows
    ]


def _known(name: str, known: _Known) -> Question:
    marks = {} if known.skill is None else {"skill": known.skill}
    return Question(name, known.question, (Answer(known.answer.text, known.answer.start),), marks)
