"""Tables of newcomers' answers and works before they were let in. They hold the answer key of the quiz."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import Field

from beat_the_ai.dataset.further import FurtherTable
from beat_the_ai.dataset.placement import uncounted
from beat_the_ai.dataset.records import Placed, attempt_row, attempt_type, pseudonym
from beat_the_ai.rules.protocol import Value
from beat_the_ai.terms.campaign import BoundCampaign

SAMPLE = "sample"  # an attempt of a sample HIT, which is in no dataset


class ResponseRow(Value):
    """One try at one step of the quiz."""

    assignment: str = Field(description="the assignment in which the screening is or ended")
    worker: str = Field(description="the newcomer's pseudonym, as in the table of attempts")
    ordinal: int = Field(description="the try's number within the screening, from 1")
    step: str = Field(description="the step of the quiz")
    work: str = Field(description="the response, with what the step gave, as JSON")
    mistake: str | None = Field(description="the mistake in the response; empty if it was right")
    evidence: str = Field(description="the model's prediction on it, as JSON")
    outcome: str | None = Field(
        description="the screening's outcome: passed, failed (a step's tries were used up) or incomplete; empty until "
        "submission"
    )
    dropped: str | None = Field(
        description="the reason why the screening does not count: not_handed_in, not_confirmed or set_aside; else empty"
    )
    created_at: str = Field(description="the time of the try (ISO 8601, UTC)")


def screenings(campaign: BoundCampaign, samples: BoundCampaign) -> list[FurtherTable]:
    """Return the tables of a campaign whose newcomers wrote in `samples`. No future newcomer should see them."""
    return [
        FurtherTable("screening_responses", ResponseRow, _responses(campaign)),
        FurtherTable("screening_attempts", attempt_type(campaign.kind), _attempts(samples)),
    ]


def _responses(campaign: BoundCampaign) -> Iterator[Value]:
    for screening, response, assignment in campaign.store.screenings.responses(campaign.id):
        yield ResponseRow(
            assignment=assignment.id,
            worker=pseudonym(screening.worker, campaign.record),
            ordinal=response.ordinal,
            step=response.step,
            work=_json(response.work),
            mistake=response.mistake,
            evidence=_json(response.evidence),
            outcome=screening.outcome,
            dropped="set_aside" if screening.set_aside_at is not None else uncounted(assignment),
            created_at=response.created_at.isoformat(),
        )


def _attempts(samples: BoundCampaign) -> Iterator[Value]:
    for row in samples.store.attempts.of_campaign(samples.id):
        placed = Placed(row, None, uncounted(row.assignment) or SAMPLE, None)
        yield attempt_row(placed, samples)


def _json(content: Mapping[str, Any]) -> str:
    return json.dumps(content, ensure_ascii=False, sort_keys=True)
