"""Collections of questions with their answers, in files: what models are built from and measured on."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from beat_the_ai.errors import InvalidInput, first_fault
from beat_the_ai.json_lines import read_json_lines

FIELDS = "'text' and 'page'"
SHIPPED = Path(__file__).resolve().parent / "collections"


class Question(BaseModel):
    """As in QANTA (Rodriguez et al. 2019); whatever else a file says of a question is passed over.

    `page` is None in collections some of whose answers have no page.
    """

    model_config = ConfigDict(frozen=True)

    text: str = Field(pattern=r"\S")
    page: str | None
    answer: str = ""
    answer_prompt: str | None = None
    category: str | None = None
    tournament: str | None = None
    difficulty: str | None = None
    id: str | int | None = Field(default=None, alias="qanta_id")


class _Qanta(BaseModel):
    questions: list[Question]


def collection_file(source: str) -> Path | None:
    """Of a collection that ships, by its name, or of a path; None where there is neither."""
    return next((each for each in (SHIPPED / f"{source}.jsonl", Path(source)) if each.is_file()), None)


def missing(source: str) -> str:
    """What is wrong with a source that has no file."""
    shipped = ", ".join(sorted(each.stem for each in SHIPPED.glob("*.jsonl")))
    return f"{source[:200]!r} is no file of questions, and no collection that ships ({shipped})."


def read_questions(path: Path, key: str = "questions") -> list[Question]:
    """Those that have a page: from QANTA JSON or a list of its questions, perhaps compressed (.gz), or JSON Lines.

    Raises `InvalidInput` under `key` that names the file and what is wrong with it.
    """
    if path.suffix == ".jsonl":
        found = [question for _, question in read_json_lines(path, Question, key, FIELDS)]
    else:
        found = _json(path, key)
    questions = [question for question in found if question.page]
    if not questions:
        raise InvalidInput(key, f"{path} holds no question with a page.")
    return questions


def _json(path: Path, key: str) -> list[Question]:
    try:
        content = path.read_bytes()
        parsed = json.loads(gzip.decompress(content) if path.name.endswith(".gz") else content)
        return _Qanta.model_validate(parsed if isinstance(parsed, dict) else {"questions": parsed}).questions
    except (OSError, EOFError, ValueError, RecursionError) as error:
        reason = first_fault(error, "the whole file").reason if isinstance(error, ValidationError) else str(error)
        raise InvalidInput(key, f"{path} cannot be read as questions with {FIELDS}: {reason}") from error


def pages(questions: Sequence[Question]) -> Iterator[str]:
    """Their pages, each once, in order."""
    yield from dict.fromkeys(question.page for question in questions if question.page)


def questions_of(sources: Iterable[str], option: str) -> list[Question]:
    """Those of an option of the task: collections that ship, by their names, or files.

    Raises `InvalidInput` for one that is not there, or cannot be read.
    """
    key, found = f"task.options.{option}", list[Question]()
    for source in sources:
        if (path := collection_file(source)) is None:
            raise InvalidInput(key, missing(source))
        found += read_questions(path, key)
    return found
