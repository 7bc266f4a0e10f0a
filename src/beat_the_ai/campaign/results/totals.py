"""The totals of a campaign over all of its stages, its screening among them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from beat_the_ai.campaign.results.progress import Progress
from beat_the_ai.rules.stage import Stage
from beat_the_ai.terms.campaign import BoundCampaign


@dataclass(frozen=True)
class StageTotals:
    """`submissions` are the submitted HITs that count, by stage. Amounts are hundredths of `unit`, with fees."""

    campaign: str
    submissions: Mapping[Stage, int]
    attempts: int
    unit: str
    paid_cents: int
    owed_cents: int
    models_cents: int
    cap_cents: int


def totals_of(campaign: BoundCampaign, progress: Iterable[Progress]) -> StageTotals:
    """Return the totals of a campaign. `progress` is its own and, if it has a screening, that of the sample HITs."""
    places = [each.id for each in (campaign, campaign.samples) if each is not None]
    found = [one for one in progress if one.campaign in places]
    completed = campaign.store.assignments.completed
    return StageTotals(
        campaign=campaign.id,
        submissions={
            stage: count for stage in Stage if (count := sum(sum(completed(place, stage).values()) for place in places))
        },
        attempts=sum(one.attempts for one in found),
        unit=campaign.crowd.unit,
        paid_cents=sum(one.money["confirmed_cents"] for one in found),
        owed_cents=sum(one.unpaid_cents for one in found),
        models_cents=sum(one.money["models_cents"] for one in found),
        cap_cents=max(one.money["cap_cents"] for one in found),
    )
