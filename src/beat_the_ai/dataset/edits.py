"""The drafts that writers showed a model on the way to their attempts, and what it said of each: `edits.jsonl`."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from pydantic import Field

from beat_the_ai.dataset.jsonl_files import json_lines
from beat_the_ai.dataset.records import pseudonym
from beat_the_ai.rules.protocol import Json, Value
from beat_the_ai.store import Campaign, Store

EDITS_FILE = "edits.jsonl"


class EditRow(Value):
    """In the table of attempts the one that it led to has the same `assignment`, and `attempt` as its ordinal."""

    assignment: str
    worker: str = Field(description="as in the table of attempts")
    ordinal: int = Field(description="which edit of the assignment, from 1")
    attempt: int
    cause: str = Field(description="why the model was asked: pause, words or request")
    draft: Json
    prediction: Json | None = Field(description="what the model said; none where a newer draft overtook this one")
    model_hash: str | None
    at: str = Field(description="ISO 8601, UTC")


def write_edits(store: Store, campaign: Campaign, folder: Path) -> Path:
    """By assignment, in their order. Those of discarded workers are among them, as their attempts are."""
    with json_lines(folder / EDITS_FILE) as file:
        for row in _rows(store, campaign):
            file.write([row])
    return file.path


def _rows(store: Store, campaign: Campaign) -> Iterator[EditRow]:
    for assignment, edits in groupby(store.edits.of_campaign(campaign.id), key=lambda edit: edit.assignment_id):
        worker = pseudonym(store.attempts.assignment(assignment).worker, campaign)
        for edit in edits:
            yield EditRow(
                assignment=assignment,
                worker=worker,
                ordinal=edit.ordinal,
                attempt=edit.attempt,
                cause=edit.cause,
                draft=dict(edit.draft),
                prediction=None if edit.prediction is None else dict(edit.prediction),
                model_hash=edit.model_hash,
                at=edit.at.isoformat(),
            )
