"""Reading comprehension as in "Beat the AI" (Bartolo et al. 2020): a question, an answer span, a word-overlap verdict.

The model wins when its answer and the writer's overlap with a word F1 above 40% (§3.1, Figure 2), after the
normalisation of SQuAD's evaluation (`word_overlap` says where more is a match); everything else beats it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field

from beat_the_ai.errors import InvalidInput
from beat_the_ai.files.datasets import read_dataset
from beat_the_ai.files.records import Record, row_of
from beat_the_ai.files.values import Id, check_unique
from beat_the_ai.kinds.reading_comprehension import squad
from beat_the_ai.kinds.reading_comprehension.borders import POSSESSIVE, cuts_words, words
from beat_the_ai.kinds.reading_comprehension.passages import SQUAD_FIELDS, passages_of
from beat_the_ai.kinds.reading_comprehension.question_floor import QuestionFloor
from beat_the_ai.kinds.reading_comprehension.saying import said
from beat_the_ai.kinds.scripts import is_unspaced
from beat_the_ai.rules.languages import ENGLISH, is_english
from beat_the_ai.rules.options import NO_OPTION
from beat_the_ai.rules.protocol import Context, Json, TaskItem, Value, Verdict
from beat_the_ai.rules.text import clean_line, folded

NAME = "reading_comprehension"
NOWHERE = -1  # where an answer begins that is not in the passage
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")


class Span(Value):
    """A stretch of the passage."""

    text: str
    start: int = Field(description="the start of the answer in the passage, in Unicode code points")


class Work(Value):
    """A question and the span of the passage that answers it."""

    question: str
    answer: Span


class Query(Value):
    """The query to a model."""

    context: str
    question: str


class Prediction(Value):
    """The model's answer and its confidence. A model that gives spans answers with one; others may say anything."""

    text: str
    start: int = Field(
        description="the start of the answer in the passage, in Unicode code points; -1 if it is not in the passage"
    )
    score: float | None = Field(description="the model's confidence, 0 to 1; empty if it gives none")


class Scores(Value):
    """The figures on which the verdict depended. Attempts of long ago do not tell the threshold."""

    f1: float = Field(description="word-overlap F1 of the model's answer and the writer's")
    f1_threshold: float | None = Field(default=None, description="the F1 up to which the model is beaten")


@dataclass(frozen=True)
class ReadingComprehension:
    """The rules of writing questions. `f1_threshold` is the paper's 0.4; `QuestionFloor` keeps questions questions."""

    work_type: ClassVar[type[Work]] = Work
    query_type: ClassVar[type[Query]] = Query
    stray: ClassVar[str] = "not in the passage"
    prediction_type: ClassVar[type[Prediction]] = Prediction
    scores_type: ClassVar[type[Scores]] = Scores
    explanation_type: ClassVar[None] = None

    f1_threshold: float = 0.4
    max_question_chars: int = 300
    max_answer_words: int = 30
    max_passage_chars: int = 10_000
    min_question_words: int = 3
    min_known_share: float = 0.5
    question_shape: bool = True
    passage_script: bool = True
    language: str = field(default=ENGLISH, metadata=NO_OPTION)

    def __post_init__(self) -> None:
        _ = self._floor  # checked once, when the campaign starts

    @cached_property
    def _floor(self) -> QuestionFloor:
        options = (self.min_question_words, self.min_known_share, self.question_shape, self.passage_script)
        return QuestionFloor(*options, english=is_english(self.language))

    @property
    def normal(self) -> squad.Normal:
        """The form in which answers are compared."""
        return squad.normaliser(self.language)

    def load_contexts(self, path: Path) -> list[Context]:
        """Read passages: those of datasets of questions (`passages`), or records with id, context, title?, questions?.

        A folder is read as one of a dataset's parts.
        """
        records = read_dataset(path, "contexts", "'id' and 'context'")
        has_answers = any(SQUAD_FIELDS & set(record.fields) for record in records)
        contexts = list(_from_questions(records, path) if has_answers else _from_passages(records))
        if not contexts:
            raise InvalidInput("contexts", f"{path} holds no passages.")
        self._check_lengths(contexts)
        check_unique((context.id for context in contexts), path, "contexts", "passages")
        return contexts

    def _check_lengths(self, contexts: Sequence[Context]) -> None:
        for context in contexts:
            if len(context.text) > self.max_passage_chars:
                raise InvalidInput(
                    "contexts",
                    f"The passage {context.id[:80]!r} has {len(context.text):,} characters; at most "
                    f"{self.max_passage_chars:,} are allowed, so that people can read and models answer them. "
                    "Cut it, or set task.options.max_passage_chars.",
                )

    def is_stray(self, prediction: Mapping[str, Any]) -> bool:
        return bool(prediction["start"] == NOWHERE)

    def brief(self, _context: Context, _slot: int, _seed: int) -> Mapping[str, Any]:
        """Every HIT on a passage asks for the same."""
        return {}

    def shown(self, _piece: TaskItem) -> Mapping[str, Any]:
        return {}

    def check(self, work: Work, task_item: TaskItem) -> Work:
        cleaned = self.clean(work, task_item.context)
        flaw = self.flaw(cleaned, task_item.context)
        if flaw is not None:
            raise InvalidInput("question", flaw)
        return cleaned

    def flaw(self, work: Work, context: Context) -> str | None:
        """Why a work that is clean asks no question about the passage, and what to do about it."""
        return self._floor.flaw(work.question, context.text)

    def clean(self, work: Work, context: Context) -> Work:
        """`check` without the floor for what a question is, where falling through it is a mistake to learn from."""
        question = self._clean_question(work.question, context)
        self.check_answer(work.answer, context)
        return Work(question=question, answer=work.answer)

    def _clean_question(self, question: str, context: Context) -> str:
        cleaned = clean_line("question", question, max_chars=self.max_question_chars, context=context.text)
        if not any(char.isalpha() for char in cleaned):
            raise InvalidInput("question", said("reading_refusals.no_words"))
        return cleaned

    def check_question(self, question: str, context: Context) -> str:
        """The question, cleaned, whatever its answer. Raises `InvalidInput`."""
        cleaned = self._clean_question(question, context)
        flaw = self._floor.flaw(cleaned, context.text)
        if flaw is not None:
            raise InvalidInput("question", flaw)
        return cleaned

    def check_answer(self, answer: Span, context: Context) -> None:
        """Raises `InvalidInput` for what cannot be marked as an answer."""
        if not answer.text.strip():
            raise InvalidInput("answer", said("reading_refusals.answer.none"))
        end = answer.start + len(answer.text)
        if answer.start < 0 or end > len(context.text) or context.text[answer.start : end] != answer.text:
            raise InvalidInput("answer", said("reading_refusals.answer.elsewhere"))
        if not self.normal(answer.text):
            raise InvalidInput("answer", said("reading_refusals.answer.no_words"))
        if cuts_words_of(context, answer):
            raise InvalidInput("answer", said("reading_refusals.answer.cut"))
        length = len(answer.text.split())
        if length > self.max_answer_words:
            told = said("reading_refusals.answer.long", count=length, most=self.max_answer_words)
            raise InvalidInput("answer", told)

    def fingerprint(self, work: Work) -> str:
        """Return the fingerprint of the question, whatever its answer."""
        return blake2b(folded(work.question).encode(), digest_size=16).hexdigest()

    def gold(self, context: Context) -> list[Work]:
        """Return the questions that stand with a passage, but for those with `"gold": false`."""
        known = context.private.get("questions", [])
        return [Work(question=each["question"], answer=Span(**each["answer"])) for each in known if is_gold(each)]

    @property
    def repeated(self) -> tuple[str, str]:
        return "question", said("reading_refusals.repeated")

    def typed(self, work: Mapping[str, Any]) -> str:
        return str(work["question"])

    def chosen(self, work: Mapping[str, Any]) -> str:
        return self.normal(work["answer"]["text"])

    def query(self, work: Work, task_item: TaskItem) -> Query:
        return Query(context=task_item.context.text, question=work.question)

    def judge(self, work: Work, prediction: Prediction, _piece: TaskItem) -> Verdict:
        overlap = word_overlap(prediction, work.answer, self.normal)
        return Verdict(overlap <= self.f1_threshold, Scores(f1=overlap, f1_threshold=self.f1_threshold))


def is_gold(known: Json) -> bool:
    """Say whether a question that stands with a passage is gold, as all of SQuAD's are."""
    return bool(known.get("gold", True))


def word_overlap(prediction: Prediction, answer: Span, normal: squad.Normal = squad.normalise) -> float:
    """SQuAD's F1 (Bartolo et al. 2020, §3.1). Where one of the two lies within the other in the passage, that of the
    words that may be marked apart, if it is higher.

    SQuAD takes "16-year-old" and "Rome's" for words of their own, so that "16" and "Rome" out of them would have none
    in common with them, and beat a model that was right.
    """
    plain = squad.f1(prediction.text, answer.text, normal)
    if not _lies_within(prediction, answer) or any(map(is_unspaced, prediction.text + answer.text)):
        return plain
    return max(plain, squad.f1(_parted(prediction.text), _parted(answer.text), normal))


def _lies_within(prediction: Prediction, answer: Span) -> bool:
    """Either in the other."""
    if prediction.start == NOWHERE:
        return False
    starts = answer.start - prediction.start
    ends = starts + len(answer.text) - len(prediction.text)
    return starts <= 0 <= ends or ends <= 0 <= starts


def _parted(text: str) -> str:
    """Its words, without what stands between them and without "'s"."""
    parts = (text[start:end] for start, end in words(text))
    return " ".join(part for part in parts if any(map(str.isalnum, part)) and not POSSESSIVE.match(part))


def cuts_words_of(context: Context, answer: Span) -> bool:
    return cuts_words(context.text, answer.start, answer.start + len(answer.text))


class _Reference(BaseModel):
    """A question that is known beforehand, with its answer; whatever else a file says of it is kept."""

    model_config = ConfigDict(strict=True, extra="allow")

    question: str
    answer: Span
    gold: bool = True


class _Record(BaseModel):
    """A record of a file of passages."""

    model_config = ConfigDict(strict=True)

    id: Id = Field(min_length=1, max_length=255)
    context: str = Field(pattern=r"\S")
    title: Id = ""
    questions: list[_Reference] = []


def _from_questions(records: Sequence[Record], path: Path) -> Iterator[Context]:
    for passage in passages_of(records, path, "contexts"):
        questions = [
            {"question": question.text, "answer": {"text": gold.text, "start": gold.start}}
            for question in passage.questions
            for gold in question.answers[:1]
        ]
        where = f"{path}, passage {passage.id}"
        yield _checked(Context(passage.id, passage.text, passage.title, {"questions": questions}), where)


def _from_passages(records: Sequence[Record]) -> Iterator[Context]:
    for record in records:
        row = row_of(record, _Record, "contexts", "'id' and 'context'")
        questions = [reference.model_dump() for reference in row.questions]
        yield _checked(Context(row.id, row.context, row.title, {"questions": questions}), record.place)


def _checked(context: Context, where: str) -> Context:
    if _UNSTORABLE.search(context.id + context.title + context.text):
        raise InvalidInput("contexts", f"{where}: the passage has a NUL or a lone surrogate, which no store can keep.")
    for reference in context.private["questions"]:
        text, start = reference["answer"]["text"], reference["answer"]["start"]
        if start < 0 or context.text[start : start + len(text)] != text:
            raise InvalidInput("contexts", f"{where}: {text!r} does not stand at {start}.")
    return context
