"""The drafts that writers showed a model on the way to their attempts, and what it said of each."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby
from typing import Generic, TypeVar

from pydantic import Field

from beat_the_ai.dataset.further import FurtherTable
from beat_the_ai.dataset.names import EDITS
from beat_the_ai.dataset.records import checked_row, pseudonym
from beat_the_ai.rules.protocol import PredictionT, Value
from beat_the_ai.terms.campaign import BoundCampaign

DraftT = TypeVar("DraftT", bound=Value)


class EditRow(Value, Generic[DraftT, PredictionT]):
    """In the table of attempts the one that it led to has the same `assignment`, and `attempt` as its ordinal."""

    assignment: str = Field(description="as in the table of attempts")
    worker: str = Field(description="the writer's pseudonym, as in the table of attempts")
    ordinal: int = Field(description="the edit's number within the assignment, from 1")
    attempt: int = Field(description="the ordinal of the attempt that the draft led to")
    cause: str = Field(description="the reason why the model was asked: pause, words or request")
    draft: DraftT = Field(description="the draft so far")
    prediction: PredictionT | None = Field(description="the prediction; empty if a newer draft overtook this one")
    model_hash: str | None = Field(description="a hash of the model's weights; empty without a prediction")
    at: str = Field(description="the time of the edit (ISO 8601, UTC)")


def edits(campaign: BoundCampaign) -> FurtherTable:
    """Return the edits by assignment, in order, for a kind of task with hints; those of discarded workers, too."""
    kind = campaign.kind
    assert kind.hints is not None, "nothing is sent before the work"
    prediction: type[Value] = kind.writing.prediction_type
    row_type = _edit_type(kind.hints.draft_type, prediction)
    about = "The table of edits has the drafts on the way to the attempts, each with what the model said of it."
    return FurtherTable(EDITS, row_type, _rows(campaign, row_type), about)


@lru_cache
def _edit_type(draft: type[Value], prediction: type[Value]) -> type[Value]:
    return EditRow[draft, prediction]  # type: ignore[valid-type]


def _rows(campaign: BoundCampaign, row_type: type[Value]) -> Iterator[Value]:
    """Raises `InvalidInput` for a stored draft that is not as its kind of task says."""
    store = campaign.store
    for assignment, edits in groupby(store.edits.of_campaign(campaign.id), key=lambda edit: edit.assignment_id):
        worker = pseudonym(store.assignments.get(assignment).worker, campaign.record)
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
            yield checked_row(row_type, fields, f"Edit {edit.ordinal} of {assignment}", campaign.kind)
