"""Error rates as a report has them: from every attempt with its place in the dataset."""

from __future__ import annotations

from beat_the_ai.analysis.rounds import Errors, by_hit
from beat_the_ai.campaign.results.outcomes import CampaignOutcomes
from beat_the_ai.dataset.names import DISCARDED
from beat_the_ai.dataset.placement import trial
from beat_the_ai.terms.campaign import BoundCampaign


def reported(campaign: BoundCampaign) -> Errors:
    """Return the error rates of all rounds together."""
    errors = Errors()
    with CampaignOutcomes.at_one_moment(campaign) as outcomes:
        placement = outcomes.placement
        revoked = campaign.store.standings.discarded(campaign.id)
        trials = [
            trial(placed)
            for placed in placement.attempts()
            if (placed.example is not None or placed.dropped == DISCARDED)
            and not placed.row.attempt.retracted
            and placed.row.assignment.worker not in revoked
        ]
    for hit in by_hit(trials):
        errors.add(hit)
    return errors
