"""The drafts that writers showed a model on the way to their attempts, and what it said of each: a third table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import groupby, islice
from typing import Generic, TypeVar

from pydantic import Field

from beat_the_ai.dataset.format import Rows
from beat_the_ai.dataset.jsonl_files import json_lines
from beat_the_ai.dataset.records import checked_row, pseudonym
from beat_the_ai.rules.kind import Kind
from beat_the_ai.rules.protocol import PredictionT, Value
from beat_the_ai.store import Campaign, Store

EDITS = "edits"
BATCH_ROWS = 1000

DraftT = TypeVar("DraftT", bound=Value)


class EditRow(Value, Generic[DraftT, PredictionT]):
    """In the table of attempts the one that it led to has the same `assignment`, and `attempt` as its ordinal."""

    assignment: str
    worker: str = Field(description="as in the table of attempts")
    ordinal: int = Field(description="which edit of the assignment, from 1")
    attempt: int = Field(description="the ordinal of the attempt that it might become")
    cause: str = Field(description="why the model was asked: pause, words or request")
    draft: DraftT = Field(description="what was typed until then")
    prediction: PredictionT | None = Field(
        description="what the model said; empty where a newer draft overtook this one"
    )
    model_hash: str | None
    at: str = Field(description="ISO 8601, UTC")


def edit_type(kind: Kind) -> type[Value]:
    """The columns of the third table, for a kind of task with hints."""
    assert kind.hints is not None, "nothing is sent before the work"
    prediction: type[Value] = kind.writing.prediction_type
    return _edit_type(kind.hints.draft_type, prediction)


@lru_cache
def _edit_type(draft: type[Value], prediction: type[Value]) -> type[Value]:
    return EditRow[draft, prediction]  # type: ignore[valid-type]


def write_edits(store: Store, campaign: Campaign, kind: Kind, tables: Sequence[Rows]) -> None:
    """By assignment, in their order. Those of discarded workers are among them, as their attempts are."""
    rows = _rows(store, campaign, kind)
    while tables and (batch := list(islice(rows, BATCH_ROWS))):
        lines = json_lines(batch)
        for table in tables:
            table.write(lines)


def _rows(store: Store, campaign: Campaign, kind: Kind) -> Iterator[Value]:
    """Raises `InvalidInput` for a stored draft that is not as its kind of task says."""
    row_type = edit_type(kind)
    for assignment, edits in groupby(store.edits.of_campaign(campaign.id), key=lambda edit: edit.assignment_id):
        worker = pseudonym(store.attempts.assignment(assignment).worker, campaign)
        for edit in edits:
            fields = {
                "assignment": assignment,
                "worker": worker,
                "ordinal": edit.ordinal,
                "attempt": edit.attempt,
                "cause": edit.cause,
                "draft": edit.draft,
                "prediction": edit.prediction,
                "model_hash": edit.model_hash,
                "at": edit.at.isoformat(),
            }
            yield checked_row(row_type, fields, f"Edit {edit.ordinal} of {assignment}", kind)
