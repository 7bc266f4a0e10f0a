"""Tables of newcomers' answers and works before they were let in. They hold the answer key of the quiz."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import Field

from beat_the_ai.dataset.further import FurtherTable
from beat_the_ai.dataset.placement import uncounted
from beat_the_ai.dataset.records import Placed, attempt_row, attempt_type, pseudonym
from beat_the_ai.rules.kind import Kind
from beat_the_ai.rules.protocol import Value
from beat_the_ai.terms.campaign import BoundCampaign

SAMPLE = "sample"  # an attempt of a sample HIT, which is in no dataset


class ResponseRow(Value):
    """One try at one step of the quiz."""

    assignment: str = Field(description="in which the screening is, or ended")
    worker: str = Field(description="as in the table of attempts")
    ordinal: int = Field(description="which try of the screening, from 1")
    step: str
    work: str = Field(description="what was answered, with what the step gave, as JSON")
    mistake: str | None = Field(description="what was wrong with it; empty where it was right")
    evidence: str = Field(description="what the model's answer says of it, as JSON")
    outcome: str | None = Field(
        description="of the screening: passed, failed (a step's tries were used up) or incomplete; empty until it is "
        "handed in"
    )
    dropped: str | None = Field(
        description="why the screening does not count: not_handed_in, not_confirmed or set_aside; empty where it does"
    )
    created_at: str = Field(description="ISO 8601, UTC")


def screenings(campaign: BoundCampaign, samples: BoundCampaign) -> list[FurtherTable]:
    """Return the tables of a campaign whose newcomers wrote in `samples`. No future newcomer should see them."""
    return [
        FurtherTable("screening_responses", ResponseRow, _responses(campaign)),
        FurtherTable("screening_attempts", attempt_type(campaign.kind), _attempts(samples, campaign.kind)),
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


def _attempts(samples: BoundCampaign, kind: Kind) -> Iterator[Value]:
    for row in samples.store.attempts.of_campaign(samples.id):
        placed = Placed(row, None, uncounted(row.assignment) or SAMPLE, None)
        yield attempt_row(placed, samples.record, kind)


def _json(content: Mapping[str, Any]) -> str:
    return json.dumps(content, ensure_ascii=False, sort_keys=True)
