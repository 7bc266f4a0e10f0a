"""The files from which authors choose their answers: a category and a closed list of answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from beat_the_ai.errors import InvalidInput
from beat_the_ai.files.datasets import read_dataset_rows
from beat_the_ai.files.values import Id, check_unique
from beat_the_ai.kinds.quizbowl.answers import Answer
from beat_the_ai.kinds.quizbowl.collection import Question
from beat_the_ai.rules.protocol import Context


class _Category(BaseModel):
    """One line."""

    model_config = ConfigDict(strict=True)

    id: Id = Field(min_length=1, max_length=255)
    category: str = Field(pattern=r"\S", max_length=80)
    text: str = ""
    answers: list[Answer] = Field(min_length=1)


def load_categories(path: Path, regular: Sequence[Question] = ()) -> list[Context]:
    """Return the categories of a file or folder: `id`, `category`, `answers`, and perhaps `text`, which authors read.

    A line with one answer asks for a question on that. A context's `private` has the category, the answers, and the
    `regular` questions on any of them, if there are some. Raises `InvalidInput` that names file, line and rule.
    """
    rows = read_dataset_rows(path, _Category, "contexts", "'id', 'category' and 'answers'")
    contexts = [_context(record, where, regular) for where, record in rows]
    if not contexts:
        raise InvalidInput("contexts", f"{path} holds no categories.")
    check_unique((context.id for context in contexts), path, "contexts", "categories")
    return contexts


def _context(record: _Category, where: str, regular: Sequence[Question]) -> Context:
    if "\0" in record.model_dump_json().replace("\\u0000", "\0"):
        raise InvalidInput("contexts", f"{where}: the category has a NUL, which no store can keep.")
    for page, times in Counter(answer.page for answer in record.answers).items():
        if times > 1:
            raise InvalidInput("contexts", f"{where}: the answer {page!r} stands there {times} times.")
    text = record.text or (
        f"Write about {record.answers[0].name}."
        if len(record.answers) == 1
        else f"Choose an answer from {record.category}, and write a question that only knowledge of it answers."
    )
    private = {"category": record.category, "answers": [answer.model_dump() for answer in record.answers]}
    pages = {answer.page for answer in record.answers}
    if played := [{"text": each.text, "answer": each.page} for each in regular if each.page in pages]:
        private["regular"] = played
    return Context(record.id, text, record.category, private)
