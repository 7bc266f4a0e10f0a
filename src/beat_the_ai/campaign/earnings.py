"""The procedure by which a worker's page asks for the worker's own pay in the campaign, screening included."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

from beat_the_ai.campaign.accounts import asks_for_verification, tariffs
from beat_the_ai.campaign.validated import Findings
from beat_the_ai.mephisto.procedures import ProcedureState, worker_id
from beat_the_ai.mephisto.shim import Agent
from beat_the_ai.payments import Earnings, earnings_of, page_earnings
from beat_the_ai.store import Campaign, Store
from beat_the_ai.workforce.screening import sample_campaign_id

VERIFIED_SECONDS = 120  # finding out which wins are verified reads all votes of the campaign


def show_earnings(state: ProcedureState, store: Store, campaign: Campaign) -> None:
    """Let the pages of a stage ask. No argument of a page says whose pay it is: only its session does."""
    desk = EarningsDesk(store, campaign)

    def earnings(agent: Agent, _arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        return {"earnings": page_earnings(desk.of(worker_id(agent.get_worker())))}

    state.procedures = {**state.procedures, "earnings": earnings}


class EarningsDesk:
    """The pay of a campaign's workers, one by one. Safe to use from threads."""

    def __init__(self, store: Store, campaign: Campaign, clock: Callable[[], float] = time.monotonic) -> None:
        self._store = store
        self._campaign = campaign
        self._clock = clock
        self._verified: set[str] = set()
        self._verified_until = float("-inf")
        self._verifying = threading.Lock()

    def of(self, worker: str) -> Earnings:
        total = Earnings()
        for campaign_id in (self._campaign.id, sample_campaign_id(self._campaign.id)):
            if campaign_id in self._store.campaigns.ids():
                paid = tariffs(self._store, campaign_id)
                verified = self._verified_wins() if asks_for_verification(paid) else set()
                total += earnings_of(self._store, campaign_id, worker, paid, verified)
        return total

    def _verified_wins(self) -> set[str]:
        """At most so old; whoever asks while they are found gets what was known before."""
        if self._clock() >= self._verified_until and self._verifying.acquire(blocking=False):
            try:
                self._verified = Findings(self._store, self._campaign).verified_wins
                self._verified_until = self._clock() + VERIFIED_SECONDS
            finally:
                self._verifying.release()
        return self._verified
