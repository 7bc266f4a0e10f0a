"""The requester and the workers, as Mephisto sees them."""

from __future__ import annotations

from typing import Any

from beat_the_ai.crowds import crowd_of
from beat_the_ai.errors import Refused
from beat_the_ai.mephisto.shim import MTurkRequester, MTurkWorker


class CampaignRequester(MTurkRequester):  # type: ignore[misc]  # Mephisto is untyped
    """A name in Mephisto's database. Its keys are those that boto3 finds; none are ever written to disk."""

    def register(self, _args: Any = None) -> None:
        if not self.is_registered():
            raise Refused(
                "There are no keys for the marketplace. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or any other "
                "place where boto3 looks for them."
            )

    def is_registered(self) -> bool:
        return crowd_of(self.datastore.crowd).has_keys(self.datastore.crowd)

    def get_available_budget(self) -> float:
        return float(self.datastore.requester.balance_cents() / 100)


class CampaignWorker(MTurkWorker):  # type: ignore[misc]
    """Bonuses go through the payments ledger alone: Mephisto's would be paid again by every repetition."""

    def bonus_worker(self, _amount: float, _reason: str, _unit: Any = None) -> tuple[bool, str]:
        return False, "Bonuses are paid by `beat-the-ai pay`, which keeps a ledger."

    def is_blocked(self, _requester: Any) -> bool:
        return any(block["WorkerId"] == self._worker_name for block in self.datastore.requester.blocks())
