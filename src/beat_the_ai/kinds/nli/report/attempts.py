"""Every attempt of an exported campaign, from its second table (`attempts.jsonl` or `attempts.parquet`)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from beat_the_ai.dataset.names import ATTEMPTS, DISCARDED
from beat_the_ai.dataset.trials import TriedRow
from beat_the_ai.files.folders import table_files
from beat_the_ai.files.records import read_rows
from beat_the_ai.kinds.nli.labels import Label
from beat_the_ai.rules.adjudication import Validity, is_confirmed
from beat_the_ai.rules.dataset import Trial
from beat_the_ai.rules.protocol import Context

TABLES = tuple(f"{ATTEMPTS}{end}" for end in (".jsonl", ".parquet"))
FIELDS = "the columns of attempts.jsonl as `export` writes them"


class _Columns(BaseModel):
    model_config = ConfigDict(frozen=True)


class _Work(_Columns):
    hypothesis: str
    target: Label


class _Prediction(_Columns):
    label: Label


class _Ballot(_Columns):
    label: Label | None = None


class _Vote(_Columns):
    vote: _Ballot
    counts: bool


class Attempt(TriedRow, _Columns):
    """The columns that tables are made of."""

    attempt_id: str
    context_id: str
    context: str
    work: _Work
    prediction: _Prediction
    fooled: bool
    exclusive: bool
    admitted: bool | None = None
    assignment: str
    ordinal: int
    tries_left: int | None = None
    round: int
    genre: str = ""
    seconds: float
    is_checked: bool
    validation: Validity | None = None
    votes: tuple[_Vote, ...] = ()

    @cached_property
    def trial(self) -> Trial:
        return Trial(
            Context(self.context_id, self.context, private={"genre": self.genre}),
            self.round,
            self.assignment,
            self.ordinal,
            self.seconds,
            self.fooled,
            is_confirmed(self.validation, self.admitted),
            self.is_checked,
            self.exclusive,
            self.dropped == DISCARDED,
            self.tries_left,
        )


def read_attempts(path: Path) -> Sequence[Attempt]:
    """Return the attempts of an export's table of them, or of an export's folder; none of any other path.

    Raises `InvalidInput` that names the place for rows without the columns.
    """
    tables = [path] if is_table(path) else table_files(path, ATTEMPTS)
    return [row for table in tables for _, row in read_rows(table, Attempt, "data", FIELDS)]


def is_table(path: Path) -> bool:
    """Return whether a file is an export's table of attempts, by its name."""
    return path.name in TABLES and path.is_file()
