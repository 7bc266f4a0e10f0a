"""Premises in files, with what is known of them: hypotheses, gold for verifiers and what simulated people write."""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from beat_the_ai.errors import InvalidInput
from beat_the_ai.files.datasets import read_dataset_rows
from beat_the_ai.files.values import Id, check_unique
from beat_the_ai.kinds.nli.labels import Label
from beat_the_ai.rules.protocol import Context


class _Hypothesis(BaseModel):
    """A known hypothesis of a premise; other fields of a file, such as `skill` and `reason`, are kept."""

    model_config = ConfigDict(strict=True, extra="allow")

    text: str = Field(pattern=r"\S")
    label: Label
    gold: bool = False


class _Premise(BaseModel):
    """One line."""

    model_config = ConfigDict(strict=True)

    id: Id = Field(min_length=1, max_length=255)
    title: Id = ""
    genre: str = Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")
    context: str = Field(pattern=r"\S")
    hypotheses: list[_Hypothesis] = []


def load_premises(path: Path, min_chars: int, max_chars: int) -> list[Context]:
    """Return the premises of a file or folder: `id`, `genre`, `context`, and perhaps `title` and `hypotheses`.

    A hypothesis has a `text` and a `label`; one that is `gold` is put before verifiers to see how they do. A context's
    `private` has the genre and the hypotheses. Raises `InvalidInput` that names file, line and rule.
    """
    rows = read_dataset_rows(path, _Premise, "contexts", "'id', 'genre' and 'context'")
    premises = [_premise(record, where, min_chars, max_chars) for where, record in rows]
    if not premises:
        raise InvalidInput("contexts", f"{path} holds no premises.")
    check_unique((premise.id for premise in premises), path, "contexts", "premises")
    return premises


def _premise(record: _Premise, where: str, min_chars: int, max_chars: int) -> Context:
    if "\0" in record.id + record.title + record.context:
        raise InvalidInput("contexts", f"{where}: the premise has a NUL, which no store can keep.")
    if not min_chars <= len(record.context) <= max_chars:
        raise InvalidInput(
            "contexts",
            f"{where}: the premise {record.id[:80]!r} has {len(record.context):,} characters; {min_chars:,} to "
            f"{max_chars:,} are allowed. Cut or lengthen it, or set task.options.min_premise_chars and "
            "max_premise_chars.",
        )
    hypotheses = [hypothesis.model_dump() for hypothesis in record.hypotheses]
    return Context(record.id, record.context, record.title, {"genre": record.genre, "hypotheses": hypotheses})
