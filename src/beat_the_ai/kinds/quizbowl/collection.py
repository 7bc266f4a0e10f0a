"""Collections of questions with their answers, in files: what models are built from and measured on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import AliasChoices, BaseModel, BeforeValidator, ConfigDict, Field, PrivateAttr

from beat_the_ai.errors import InvalidInput
from beat_the_ai.files.records import Record, read_records, row_of
from beat_the_ai.files.values import Id
from beat_the_ai.kinds.quizbowl.answers import page_name

FIELDS = "'text' and 'page'"
SHIPPED = Path(__file__).resolve().parent / "collections"


class Question(BaseModel):
    """As in QANTA (Rodriguez et al. 2019); whatever else a file says of a question is passed over.

    `page` is None in collections some of whose answers have no page, and has underscores for spaces. `id` is "" where
    the file has none.
    """

    model_config = ConfigDict(frozen=True)

    text: str = Field(pattern=r"\S")
    page: Annotated[str | None, BeforeValidator(page_name)] = Field(default=None, max_length=255)
    answer: Id = ""
    answer_prompt: Id | None = None
    category: Id | None = None
    tournament: Id | None = None
    difficulty: Id | None = None
    id: Id = Field(default="", validation_alias=AliasChoices("qanta_id", "id", "qid"))
    _number: int = PrivateAttr(0)

    @classmethod
    def of_record(cls, record: Record, key: str) -> Question:
        """Return the question of a record. Raises `InvalidInput` under `key` that names the place."""
        question = row_of(record, cls, key, FIELDS)
        question._number = record.number
        return question

    @property
    def name(self) -> str:
        """Its id, or else its line or row in its file."""
        return self.id or str(self._number)


@dataclass(frozen=True)
class Collection:
    """The questions of a file that have a page; the names of those that have none."""

    questions: list[Question]
    left_out: list[str]


def collection_file(source: str) -> Path | None:
    """Return the file of a shipped collection, by its name, or of a path; None where there is neither."""
    return next((each for each in (SHIPPED / f"{source}.jsonl", Path(source)) if each.is_file()), None)


def missing(source: str) -> str:
    """Return the fault of a source that has no file."""
    shipped = ", ".join(sorted(each.stem for each in SHIPPED.glob("*.jsonl")))
    return f"{source[:200]!r} is no file of questions, and no collection that ships ({shipped})."


def read_questions(path: Path, key: str = "questions") -> list[Question]:
    """Return those that have a page. Raises `InvalidInput` under `key` that names the file and what is wrong there."""
    read = read_collection(path, key)
    if not read.questions:
        raise InvalidInput(key, f"{path} holds no question with a page ({len(read.left_out):,} without one).")
    return read.questions


def read_collection(path: Path, key: str) -> Collection:
    """Read QANTA JSON, a list of its questions, or JSON Lines, perhaps compressed (.gz). Raises as `read_questions`."""
    found = [Question.of_record(record, key) for record in read_records(path, key, FIELDS)]
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
