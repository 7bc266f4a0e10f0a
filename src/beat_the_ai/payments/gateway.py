"""The one protocol that money goes through."""

from __future__ import annotations

from typing import Protocol

from beat_the_ai.requester import BookedBonus


class PaymentGateway(Protocol):
    """The payer of the workers. All methods raise `PaymentError`; ids are the crowd's own."""

    def send_bonus(self, worker: str, assignment: str, cents: int, reason: str, token: str) -> None:
        """Pay, at most once for a token while the crowd remembers it (MTurk: 24 hours)."""

    def bonuses_paid(self, assignment: str) -> list[BookedBonus]:
        """Every bonus ever paid for an assignment."""

    def approve(self, assignment: str) -> None:
        """Release the reward. Approving what is approved already is success."""

    def balance_cents(self) -> int:
        """Return the amount that can be spent."""
