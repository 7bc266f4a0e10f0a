"""Collections of questions with their answers, in files: what models are built from and measured on.

| shape | fields |
|---|---|
| QANTA's JSON, under `questions` | text, page, answer, qanta_id, category, tournament … |
| QANTA on the Hugging Face hub, in full, by sentences or by runs of characters | text, page, raw_answer, id … |
| pairs of lists without names | [text, page] |
| Trick Me's first release | Question, Answer; or question, answer: the page |
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

from pydantic import AliasChoices, BaseModel, BeforeValidator, ConfigDict, Field, PrivateAttr, model_validator

from beat_the_ai.errors import InvalidInput
from beat_the_ai.files.datasets import read_dataset
from beat_the_ai.files.records import Record, row_of
from beat_the_ai.files.values import Id, with_id
from beat_the_ai.kinds.quizbowl.answers import page_name

FIELDS = "'text' and 'page'"
LISTED = ("text", "page")
WHOLE = -1  # where a part of a question stands, of whole ones on the hub
SHIPPED = Path(__file__).resolve().parent / "collections"


class Question(BaseModel):
    """As in QANTA (Rodriguez et al. 2019); whatever else a file says of a question is passed over.

    `page` is None in collections some of whose answers have no page, and has underscores for spaces. `id` is "" where
    the file has none. `model` is the one that the question was written against, as exported campaigns have it.
    """

    model_config = ConfigDict(frozen=True)

    text: str = Field(pattern=r"\S", validation_alias=AliasChoices("text", "question", "Question"))
    page: Annotated[str | None, BeforeValidator(page_name)] = Field(default=None, max_length=255)
    answer: Id = Field(default="", validation_alias=AliasChoices("answer", "Answer"))
    answer_prompt: Id | None = None
    category: Id | None = None
    tournament: Id | None = None
    difficulty: Id | None = None
    model: Id | None = None
    id: Id = ""
    _number: int = PrivateAttr(0)
    _part: str = PrivateAttr("")

    @model_validator(mode="before")
    @classmethod
    def _with_id(cls, fields: Any) -> Any:
        return with_id(fields)

    @classmethod
    def of_record(cls, record: Record, key: str) -> Question:
        """Return the question of a record. Raises `InvalidInput` under `key` that names the place."""
        question = row_of(_in_columns_of_qanta(record), cls, key, FIELDS)
        question._number, question._part = record.number, record.part
        return question

    @property
    def part(self) -> str:
        """Its part of a dataset in a folder."""
        return self._part

    @property
    def name(self) -> str:
        """Its id, or else its line or row in its file."""
        return self.id or str(self._number)

    @property
    def groups(self) -> Mapping[str, str]:
        """Return the groups that its figures count in, as far as the file tells, as in `{"category": "History"}`."""
        groups = {
            "category": self.category,
            "round": self.tournament,
            "difficulty": self.difficulty,
            "model in the loop": self.model,
        }
        return {name: group for name, group in groups.items() if group}


def _in_columns_of_qanta(record: Record) -> Record:
    """Return a question in QANTA's columns.

    In Trick Me's first release the answer is the page. On the hub it is, too, and a part of a question has an id of its
    own.
    """
    fields = record.fields
    if "text" not in fields and "page" not in fields:
        return replace(record, fields={**fields, "page": fields.get("answer", fields.get("Answer"))})
    if "raw_answer" in fields:
        is_whole = {str(fields.get(place, WHOLE)) for place in ("char_idx", "sentence_idx")} == {str(WHOLE)}
        name = fields.get("qanta_id") if is_whole else fields.get("id")
        return replace(record, fields={**fields, "answer": fields["raw_answer"], "qanta_id": name})
    return record


@dataclass(frozen=True)
class Collection:
    """The questions of a file that have a page; the names of those that have none."""

    questions: list[Question]
    left_out: list[str]

    @property
    def notes(self) -> Sequence[str]:
        """Return the sentences that belong beside figures of these questions."""
        return [f"{len(self.left_out):,} questions without a page are left out."] if self.left_out else []


def collection_file(source: str) -> Path | None:
    """Return the file of a shipped collection, by its name, or of a path; None where there is neither."""
    return next((each for each in (SHIPPED / f"{source}.jsonl", Path(source)) if each.is_file()), None)


def missing(source: str) -> str:
    """Return the fault of a source that has no file."""
    shipped = ", ".join(sorted(each.stem for each in SHIPPED.glob("*.jsonl")))
    return f"{source[:200]!r} is no file of questions, and no collection that ships ({shipped})."


def read_questions(path: Path, key: str = "questions") -> list[Question]:
    """Return those that have a page. Raises `InvalidInput` under `key` that names the file and what is wrong there."""
    return read_usable(path, key).questions


def read_usable(path: Path, key: str) -> Collection:
    """Read a collection that has a question with a page. Raises as `read_questions`."""
    read = read_collection(path, key)
    if not read.questions:
        raise InvalidInput(
            key,
            f"{path} holds no question with a page ({len(read.left_out):,} without one). Call the column page that has "
            "the title of the answer's page in Wikipedia.",
        )
    return read


def read_collection(path: Path, key: str) -> Collection:
    """Read a file, or all parts of a folder. Raises as `read_questions`."""
    found = [Question.of_record(record, key) for record in read_dataset(path, key, FIELDS, LISTED)]
    questions = [question for question in found if question.page]
    return Collection(questions, [question.name for question in found if not question.page])


def pages(questions: Sequence[Question]) -> Iterator[str]:
    """Their pages, each once, in order."""
    yield from dict.fromkeys(question.page for question in questions if question.page)


def questions_of(sources: Iterable[str], option: str) -> list[Question]:
    """Return the questions of an option of the task: shipped collections, by their names, or files.

    Raises `InvalidInput` for a source that is missing or cannot be read.
    """
    key, found = f"task.options.{option}", list[Question]()
    for source in sources:
        if (path := collection_file(source)) is None:
            raise InvalidInput(key, missing(source))
        found += read_questions(path, key)
    return found
