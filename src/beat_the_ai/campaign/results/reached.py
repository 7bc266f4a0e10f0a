"""The figures of a campaign by the names under which they are forecast: so many of everything so far."""

from __future__ import annotations

from beat_the_ai.analysis.campaign import Cost
from beat_the_ai.campaign.results.progress import Progress
from beat_the_ai.campaign.results.totals import StageTotals
from beat_the_ai.dataset.tally import Tally
from beat_the_ai.payments import PaidWork
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.terms.division import PARTS
from beat_the_ai.validation import AdjudicatedWorks


def reached_by_status(progress: Progress, totals: StageTotals) -> dict[str, float]:
    """Return what `status` knows."""
    return {
        "hits": progress.hits_submitted,
        "attempts": progress.attempts,
        "wins": progress.fooled,
        "total_cents": totals.paid_cents + totals.owed_cents + totals.models_cents,
    }


def reached_by_report(campaign: BoundCampaign, tally: Tally, cost: Cost | None) -> dict[str, float]:
    """Return what the report knows; amounts only where the terms state the pay."""
    _, submitted = campaign.store.campaigns.numbers_of_hits(campaign.id)
    models, _ = campaign.store.attempts.counts(campaign.id, AdjudicatedWorks(campaign).discarded_writers)
    examples = {part: tally.kept_wins(part) for part in PARTS}
    found: dict[str, float] = {
        "hits": submitted,
        "attempts": sum(one.attempts for one in models),
        "wins": sum(one.fooled for one in models),
        **{f"examples_{part}": number for part, number in examples.items()},
        "examples": sum(examples.values()),
    }
    if cost is not None:
        seconds = [
            (each.submitted_at - each.accepted_at).total_seconds()
            for each in PaidWork.read(campaign).writing.assignments
            if each.submitted_at is not None
        ]
        earned = cost.screening_cents + cost.writing_cents + cost.validation_cents
        found["total_cents"] = earned + cost.models_cents
        if not campaign.record.simulated:  # simulated people take no real time
            found["writing_hours"] = sum(seconds) / 3600
    return found
