"""Passages with their questions, in files: SQuAD's JSON (v1.1 or 2.0), rows as AdversarialQA's, and ours.

| shape | fields |
|---|---|
| SQuAD's articles, perhaps under `data`, or paragraphs | title, paragraphs [{context, qas [{id, question, answers}]}] |
| rows of SQuAD and AdversarialQA on the Hugging Face hub | id, title, context, question, answers {text, answer_start} |
| Dynabench's | uid, context, question, answer: a text or several, each where it first stands in the passage |
| MRQA 2019's, after a line with a header | context, qas [{qid, question, answers: texts, detected_answers}] |
| passages to write about, with questions that are known | id, title, context, questions [{question, answer}] |

Questions of SQuAD 2.0 that cannot be answered (Rajpurkar et al. 2018) are those without an answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError, model_validator
from pydantic_core import PydanticCustomError

from beat_the_ai.errors import InvalidInput, first_fault
from beat_the_ai.files.datasets import read_dataset
from beat_the_ai.files.records import Record, row_of
from beat_the_ai.files.values import Id, Whole, shown, with_id

SQUAD_FIELDS = {"paragraphs", "qas", "answers"}  # no passage to write about has them
ROW_FIELDS = "context, question and answers {text: [], answer_start: []}"


@dataclass(frozen=True)
class Answer:
    """A gold answer; `start` counts code points of the passage."""

    text: str
    start: int

    def stands_in(self, passage: str) -> bool:
        """Return whether the answer is where it says; files that count in other units are wrong there."""
        return self.start >= 0 and passage.startswith(self.text, self.start)


@dataclass(frozen=True)
class Question:
    """`marks` are what its file says of it: `{"model in the loop": "bert"}`, `{"skill": "lookup"}`."""

    id: str
    text: str
    answers: tuple[Answer, ...]
    marks: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Passage:
    """One paragraph of an article, with its questions. `id` is `title/index` or the file's own, unique within it.

    `part` is that of a dataset in a folder.
    """

    id: str
    title: str
    text: str
    questions: tuple[Question, ...]
    part: str = ""


def load(path: Path, key: str = "contexts") -> list[Passage]:
    """Return every passage of a file, or of all parts of a folder, in any of the shapes above.

    Raises `InvalidInput` under `key` that names the place which is not as it should be.
    """
    return passages_of(read_dataset(path, key, ROW_FIELDS if path.suffix == ".jsonl" else ""), path, key)


def passages_of(records: Iterable[Record], path: Path, key: str) -> list[Passage]:
    """Return the passages of a dataset's records.

    Questions about the same text of the same title and part are of one passage.
    """
    found = _Passages()
    for record in records:
        if "paragraphs" in record.fields:
            article = _squad(record, _Article, path, key)
            for paragraph in article.paragraphs:
                found.add(article.title, paragraph, record.part)
        elif "qas" in record.fields:
            title = str(record.fields.get("title", ""))
            found.add(title, _squad(_with_places_in(record), _Paragraph, path, key), record.part)
        elif record.fields.keys() == {"header"}:
            continue
        elif "questions" in record.fields:
            known = row_of(record, _WithQuestions, key, "'id', 'context' and 'questions'")
            found.add_known(known, record.part)
        else:
            found.add_row(_row(record, path, key), record)
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

    @model_validator(mode="before")
    @classmethod
    def _with_id(cls, fields: Any) -> Any:
        return with_id(fields)

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
        self._found: list[tuple[Passage, list[Question]]] = []
        self._of_rows: dict[tuple[str, str, str], list[Question]] = {}
        self._titles: Counter[str] = Counter()
        self._questions = 0

    @property
    def passages(self) -> list[Passage]:
        return [replace(passage, questions=tuple(questions)) for passage, questions in self._found]

    def add(self, title: str, paragraph: _Paragraph, part: str) -> None:
        questions = self._open(title, paragraph.context, part)
        for asked in paragraph.qas:
            self._questions += 1
            questions.append(asked.named(str(self._questions), {}))

    def add_row(self, row: _Row, record: Record) -> None:
        place = row.title, row.context, record.part
        if place not in self._of_rows:
            self._of_rows[place] = self._open(*place)
        self._of_rows[place].append(row.named(str(record.number), row.marks))

    def add_known(self, row: _WithQuestions, part: str) -> None:
        questions = [_known(f"{row.id}/{number}", one) for number, one in enumerate(row.questions)]
        self._found.append((Passage(row.id, row.title, row.context, (), part), questions))

    def _open(self, title: str, text: str, part: str) -> list[Question]:
        questions: list[Question] = []
        passage = Passage(f"{title}/{self._titles[title]}", title.replace("_", " "), text, (), part)
        self._found.append((passage, questions))
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
    fields = _with_places(record.fields, record.fields.get("context"))
    return row_of(replace(record, fields=fields), _Row, key, ROW_FIELDS)


def _with_places_in(record: Record) -> Record:
    """Return a passage whose questions have the places of their answers."""
    asked, context = record.fields["qas"], record.fields.get("context")
    if not isinstance(asked, list) or not all(isinstance(each, Mapping) for each in asked):
        return record
    return replace(record, fields={**record.fields, "qas": [_with_places(each, context) for each in asked]})


def _with_places(fields: Mapping[str, Any], context: object) -> dict[str, Any]:
    """Return a question of Dynabench or MRQA, whose answers are texts, as one of SQuAD; any other as it is."""
    given = fields.get("answers", fields.get("answer"))
    texts = [given] if isinstance(given, str) else given
    if not isinstance(context, str) or not isinstance(texts, list) or not all(isinstance(each, str) for each in texts):
        return dict(fields)
    places = _detected(fields.get("detected_answers"))
    answers = [{"text": each, "answer_start": places.get(each, context.find(each))} for each in texts]
    return {**fields, "answers": answers}


def _detected(answers: object) -> dict[str, int]:
    """Return where MRQA's answers begin, by their texts: `[{text, char_spans: [[first, last], ...]}, ...]`."""
    found: dict[str, int] = {}
    for each in answers if isinstance(answers, list) else []:
        match each:
            case {"text": str(text), "char_spans": [[int(first), *_], *_]}:
                found.setdefault(text, first)
    return found


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
