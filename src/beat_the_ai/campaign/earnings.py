"""The procedure by which a worker's page asks for the worker's own pay in the campaign, screening included."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from beat_the_ai.campaign.accounts import tariffs, verified_wins_of
from beat_the_ai.mephisto.procedures import ProcedureState, worker_id
from beat_the_ai.mephisto.shim import Agent
from beat_the_ai.payments import Earnings, earnings_of, page_earnings
from beat_the_ai.store import Campaign, Store
from beat_the_ai.workforce.screening import sample_campaign_id


def show_earnings(state: ProcedureState, store: Store, campaign: Campaign) -> None:
    """Let the pages of a stage ask. No argument of a page says whose pay it is: only its session does."""
    desk = EarningsDesk(store, campaign)

    def earnings(agent: Agent, _arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        return {"earnings": page_earnings(desk.of(worker_id(agent.get_worker())))}

    state.procedures = {**state.procedures, "earnings": earnings}


class EarningsDesk:
    """The pay of a campaign's workers, one by one. Safe to use from threads."""

    def __init__(self, store: Store, campaign: Campaign) -> None:
        self._store = store
        self._campaign = campaign

    def of(self, worker: str) -> Earnings:
        total = Earnings()
        for campaign_id in (self._campaign.id, sample_campaign_id(self._campaign.id)):
            if campaign_id in self._store.campaigns.ids():
                paid = tariffs(self._store, campaign_id)
                verified = verified_wins_of(self._store, self._campaign, paid, worker)
                total += earnings_of(self._store, campaign_id, worker, paid, verified)
        return total
