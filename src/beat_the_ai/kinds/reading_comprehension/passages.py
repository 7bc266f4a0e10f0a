"""Passages with their questions, in files: SQuAD's JSON (v1.1 or 2.0), rows as AdversarialQA's, and ours.

| shape | fields |
|---|---|
| SQuAD's articles, perhaps under `data`, or paragraphs | title, paragraphs [{context, qas [{id, question, answers}]}] |
| rows of SQuAD and AdversarialQA on the Hugging Face hub | id, title, context, question, answers {text, answer_start} |
| passages to write about, with questions that are known | id, title, context, questions [{question, answer}] |

Questions of SQuAD 2.0 that cannot be answered (Rajpurkar et al. 2018) are those without an answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError
from pydantic_core import PydanticCustomError

from beat_the_ai.errors import InvalidInput, first_fault
from beat_the_ai.files.records import Record, read_records, row_of
from beat_the_ai.files.values import Id, Whole, shown

SQUAD_FIELDS = {"paragraphs", "qas", "answers"}  # no passage to write about has them
ROW_FIELDS = "context, question and answers {text: [], answer_start: []}"


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


def load(path: Path, key: str = "contexts") -> list[Passage]:
    """Return every passage of a file, in any of the shapes above.

    Raises `InvalidInput` under `key` that names the place which is not as it should be.
    """
    return passages_of(read_records(path, key, ROW_FIELDS if path.suffix == ".jsonl" else ""), path, key)


def passages_of(records: Iterable[Record], path: Path, key: str) -> list[Passage]:
    """Return the passages of a file's records. Questions about the same text of the same title are of one passage."""
    found = _Passages()
    for record in records:
        if "paragraphs" in record.fields:
            article = _squad(record, _Article, path, key)
            for paragraph in article.paragraphs:
                found.add(article.title, paragraph)
        elif "qas" in record.fields:
            found.add(str(record.fields.get("title", "")), _squad(record, _Paragraph, path, key))
        elif "questions" in record.fields:
            found.add_known(row_of(record, _WithQuestions, key, "'id', 'context' and 'questions'"))
        else:
            found.add_row(_row(record, path, key), record.number)
    return found.passages


class _Known(BaseModel):
    class Span(BaseModel):
        model_config = ConfigDict(strict=True)

        text: str
        start: Whole

    model_config = ConfigDict(strict=True)

    question: str
    answer: Span
    skill: str | None = None


class _WithQuestions(BaseModel):
    """A passage to write about."""

    model_config = ConfigDict(strict=True)

    id: Id
    title: Id = ""
    context: str
    questions: list[_Known] = []


class _Gold(BaseModel):
    model_config = ConfigDict(strict=True)

    text: str
    answer_start: Whole


def _listed(answers: object) -> object:
    """Return answers as SQuAD has them for those in two lists, as the hub has them."""
    if not isinstance(answers, Mapping):
        return answers
    columns: list[list[Any]] = []
    for name in _Gold.model_fields:
        if not isinstance(column := answers.get(name), list):
            raise PydanticCustomError(
                "answers", "answers.{name} has to be a list, and is {given}", {"name": name, "given": shown(column)}
            )
        columns.append(column)
    if len(columns[0]) != len(columns[1]):
        raise PydanticCustomError("answers", "answers.text and answers.answer_start differ in length")
    return [dict(zip(_Gold.model_fields, gold, strict=True)) for gold in zip(*columns, strict=True)]


class _Asked(BaseModel):
    model_config = ConfigDict(strict=True)

    id: Id = ""
    question: str
    answers: Annotated[list[_Gold], BeforeValidator(_listed)]
    is_impossible: bool | None = None

    def named(self, name: str, marks: Mapping[str, str]) -> Question:
        """Return the question; it has no answer where it is impossible to answer, and no empty ones."""
        golds = [] if self.is_impossible else self.answers
        answers = tuple(Answer(gold.text, gold.answer_start) for gold in golds if gold.text.strip())
        return Question(self.id or name, self.question, answers, marks)


class _Paragraph(BaseModel):
    model_config = ConfigDict(strict=True)

    context: str
    qas: list[_Asked]


class _Article(BaseModel):
    model_config = ConfigDict(strict=True)

    title: Id = ""
    paragraphs: list[_Paragraph]


class _Row(_Asked):
    """A question in the columns of AdversarialQA."""

    title: Id = ""
    context: str
    metadata: Any = None

    @property
    def marks(self) -> dict[str, str]:
        model = self.metadata.get("model_in_the_loop") if isinstance(self.metadata, Mapping) else None
        return {} if model is None else {"model in the loop": str(model)}


class _Passages:
    """The passages and questions read so far. A question without an id is named by its line, or by its place in SQuAD's
    JSON.
    """

    def __init__(self) -> None:
        self._found: list[tuple[str, str, str, list[Question]]] = []
        self._of_rows: dict[tuple[str, str], list[Question]] = {}
        self._titles: Counter[str] = Counter()
        self._questions = 0

    @property
    def passages(self) -> list[Passage]:
        return [Passage(name, title, text, tuple(questions)) for name, title, text, questions in self._found]

    def add(self, title: str, paragraph: _Paragraph) -> None:
        questions = self._open(title, paragraph.context)
        for asked in paragraph.qas:
            self._questions += 1
            questions.append(asked.named(str(self._questions), {}))

    def add_row(self, row: _Row, number: int) -> None:
        place = row.title, row.context
        if place not in self._of_rows:
            self._of_rows[place] = self._open(*place)
        self._of_rows[place].append(row.named(str(number), row.marks))

    def add_known(self, row: _WithQuestions) -> None:
        questions = [_known(f"{row.id}/{number}", one) for number, one in enumerate(row.questions)]
        self._found.append((row.id, row.title, row.context, questions))

    def _open(self, title: str, text: str) -> list[Question]:
        questions: list[Question] = []
        self._found.append((f"{title}/{self._titles[title]}", title.replace("_", " "), text, questions))
        self._titles[title] += 1
        return questions


_SquadT = TypeVar("_SquadT", bound=BaseModel)


def _known(name: str, known: _Known) -> Question:
    marks = {} if known.skill is None else {"skill": known.skill}
    return Question(name, known.question, (Answer(known.answer.text, known.answer.start),), marks)


def _row(record: Record, path: Path, key: str) -> _Row:
    """Return a row, or say what of SQuAD's shape is missing in a document that is no JSON Lines."""
    if path.suffix == ".json" and not {"context", "question"} & set(record.fields):
        return _squad(record, _Row, path, key)
    return row_of(record, _Row, key, ROW_FIELDS)


def _squad(record: Record, model: type[_SquadT], path: Path, key: str) -> _SquadT:
    try:
        return model.model_validate(record.fields)
    except ValidationError as error:
        fault = first_fault(error, "row")
        place = record.place.removeprefix(f"{path}, ")
        raise InvalidInput(
            key,
            f"{path} is not SQuAD v1.1 JSON (data → paragraphs → context, qas): {place}, {fault.place}: "
            f"{fault.reason}. Its fields: {', '.join(record.fields)[:120] or 'none'}.",
        ) from None
