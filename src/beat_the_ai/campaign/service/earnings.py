"""The procedure by which a worker's page asks for the worker's own pay in the campaign, screening included."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from beat_the_ai.campaign.money.payables import verified_wins_of
from beat_the_ai.mephisto.procedures import ProcedureState, worker_id
from beat_the_ai.mephisto.shim import Agent
from beat_the_ai.payments import Earnings, earnings_of, page_earnings
from beat_the_ai.store import Store
from beat_the_ai.terms.campaign import BoundCampaign


def show_earnings(state: ProcedureState, store: Store, campaign_id: str) -> None:
    """Let the pages of a stage ask. No argument of a page says whose pay it is: only its session does."""
    desk = EarningsDesk(store, campaign_id)

    def earnings(agent: Agent, _arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        return {"earnings": page_earnings(desk.of(worker_id(agent.get_worker())))}

    state.procedures = {**state.procedures, "earnings": earnings}


class EarningsDesk:
    """The pay of a campaign's workers, one by one. Safe to use from threads."""

    def __init__(self, store: Store, campaign_id: str) -> None:
        self._store = store
        self._campaign_id = campaign_id

    def of(self, worker: str) -> Earnings:
        """Return what a worker has earned in the campaign and in its screening, by the terms of today."""
        campaign = BoundCampaign.open(self._store, self._campaign_id)
        total, samples = _earnings(campaign, worker), campaign.samples
        return total if samples is None else total + _earnings(samples, worker)


def _earnings(campaign: BoundCampaign, worker: str) -> Earnings:
    verified = verified_wins_of(campaign, worker)
    return earnings_of(campaign.store, campaign.id, worker, campaign.tariffs, verified)
