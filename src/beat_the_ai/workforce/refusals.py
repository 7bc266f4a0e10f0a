"""Newcomers who were refused, told from workers who were revoked: standing says "revoked" of both."""

from __future__ import annotations

from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.workforce.standing import Standing


def refused_newcomers(campaign: BoundCampaign) -> set[str]:
    """Return the revoked workers who were never let in and have no work that counts."""
    store, campaign_id = campaign.store, campaign.id
    let_in = {
        event.worker for event in store.standings.history(campaign_id) if event.standing == Standing.QUALIFIED.value
    }
    have_worked = store.assignments.workers(campaign_id)
    return store.standings.discarded(campaign_id) - let_in - have_worked
