"""The tables of attempts, edits and votes of an exported campaign, as far as reports read them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from pydantic import BaseModel

from beat_the_ai.dataset.names import ATTEMPTS, EDITS, VOTES
from beat_the_ai.dataset.trials import TriedRow
from beat_the_ai.files.folders import table_files
from beat_the_ai.files.records import RowT, read_rows
from beat_the_ai.kinds.quizbowl.guesses import Prediction
from beat_the_ai.kinds.quizbowl.playing import Play as Said
from beat_the_ai.kinds.quizbowl.report.evidence import Written
from beat_the_ai.kinds.quizbowl.report.plays import Play
from beat_the_ai.kinds.quizbowl.writing import Work
from beat_the_ai.rules.answers import KeptAnswers
from beat_the_ai.rules.drafts import AnsweredDraft

KEY = "DATASET"


class _Model(BaseModel):
    name: str


class _Attempt(TriedRow):
    attempt_id: str
    assignment: str
    ordinal: int
    work: Work
    prediction: Prediction
    model: _Model
    validation: str | None = None


class _Edit(BaseModel):
    assignment: str
    attempt: int
    ordinal: int
    draft: Work
    prediction: Prediction | None = None
    model_hash: str | None = None
    at: datetime


class _Vote(BaseModel):
    attempt_id: str | None = None
    dropped: str | None = None
    vote: Said
    agrees: bool
    steps: int


@dataclass(frozen=True)
class ExportedAttempts:
    """The attempts of an export, and its folder."""

    folder: Path
    attempts: list[_Attempt]

    @classmethod
    def read(cls, folder: Path) -> ExportedAttempts | None:
        """Return None for what is no export. Raises `InvalidInput` that names the file, the line and the field."""
        if not table_files(folder, ATTEMPTS):
            return None
        return cls(folder, list(_rows(folder, ATTEMPTS, _Attempt)))

    @property
    def in_the_loop(self) -> list[KeptAnswers]:
        """Return what each model in the loop has answered to the questions of the dataset."""
        answers: dict[str, dict[str, object]] = {}
        for each in self._kept:
            answers.setdefault(each.model.name, {})[each.attempt_id] = each.prediction.model_dump()
        return [KeptAnswers(model, f"{model}, in the loop", answers[model]) for model in sorted(answers)]

    @property
    def written(self) -> list[Written]:
        return [Written(each.attempt_id, each.work.text, each.work.answer, each.prediction) for each in self._kept]

    def drafts(self) -> Iterator[AnsweredDraft]:
        """Yield the drafts on the way to attempts that count, as far as models have answered them."""
        tried = {(each.assignment, each.ordinal) for each in self.attempts if each.is_trial}
        for row in _rows(self.folder, EDITS, _Edit):
            if row.prediction is not None and (row.assignment, row.attempt) in tried:
                draft, prediction = row.draft.model_dump(), row.prediction.model_dump()
                yield AnsweredDraft(row.assignment, row.attempt, row.ordinal, draft, prediction, row.model_hash, row.at)

    def plays(self) -> list[Play]:
        """Return the turns of players that count, at regular questions and at written ones that were checked."""
        checked = {each.attempt_id for each in self.attempts if each.validation is not None}
        return [
            Play(row.attempt_id is None, row.vote.words, row.steps, row.vote.said is not None, row.agrees)
            for row in _rows(self.folder, VOTES, _Vote)
            if row.dropped is None and (row.attempt_id is None or row.attempt_id in checked)
        ]

    @property
    def _kept(self) -> Iterator[_Attempt]:
        return (each for each in self.attempts if each.dropped is None)


def _rows(folder: Path, table: str, row_type: type[RowT]) -> Iterator[RowT]:
    """Yield the rows of a table of an export; none where it has no such table."""
    for path in table_files(folder, table):
        for _, row in read_rows(path, row_type, KEY, f"the columns of Quizbowl's {table}"):
            yield row
