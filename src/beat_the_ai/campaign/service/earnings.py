"""The procedure by which a worker's page asks for the worker's own pay in the campaign, screening included."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from beat_the_ai.campaign.money.payables import verified_wins_of
from beat_the_ai.mephisto.procedures import Procedure, worker_id
from beat_the_ai.mephisto.shim import Agent
from beat_the_ai.payments import Earnings, earnings_of, page_earnings
from beat_the_ai.terms.campaign import BoundCampaign


def earnings_procedure(campaign: BoundCampaign) -> Procedure:
    """Return the procedure. No argument of a page says whose pay it is: only its session does."""

    def earnings(agent: Agent, _arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        return {"earnings": page_earnings(current_earnings(campaign, worker_id(agent.get_worker())))}

    return earnings


def current_earnings(campaign: BoundCampaign, worker: str) -> Earnings:
    """Return what a worker has earned in the campaign and in its screening, by the terms of today."""
    today = BoundCampaign.open(campaign.store, campaign.id)
    total, samples = _earnings(today, worker), today.samples
    return total if samples is None else total + _earnings(samples, worker)


def _earnings(campaign: BoundCampaign, worker: str) -> Earnings:
    verified = verified_wins_of(campaign, worker)
    return earnings_of(campaign, worker, verified)
