"""The pay of one worker for that worker's page: in all, and never that of others."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from beat_the_ai.payments.held_back import held_back, undecided
from beat_the_ai.payments.ledger import Ledger
from beat_the_ai.payments.owed import owed_by
from beat_the_ai.payments.paid_campaign import PaidCampaign
from beat_the_ai.payments.statement import Hourly, hourly, statements


@dataclass(frozen=True)
class Earnings:
    """The earnings of one worker, in US cents. `hits_waiting` were submitted, and neither confirmed nor decided on."""

    earned_cents: int = 0
    paid_cents: int = 0
    hits_waiting: int = 0
    rates: tuple[float, ...] = ()

    def __add__(self, other: Earnings) -> Earnings:
        return Earnings(
            self.earned_cents + other.earned_cents,
            self.paid_cents + other.paid_cents,
            self.hits_waiting + other.hits_waiting,
            self.rates + other.rates,
        )

    @property
    def pending_cents(self) -> int:
        return self.earned_cents - self.paid_cents

    @property
    def hourly(self) -> Hourly | None:
        return hourly(self.rates)


def earnings_of(campaign: PaidCampaign, worker: str, verified: Collection[str] = ()) -> Earnings:
    """As `statements` has it, read for this worker alone."""
    owed = owed_by(campaign, verified, worker)
    ledger = Ledger(campaign.store.database, campaign.id).payments(worker=worker)
    held = undecided(held_back(campaign, worker))
    waiting = sum(one.assignment.set_aside_at is None for one in held)  # what was set aside need not be this worker's
    made, _ = statements(campaign, owed, ledger, worker)
    return sum(
        (Earnings(one.earned_cents, one.paid_cents, 0, one.rates) for one in made), Earnings(hits_waiting=waiting)
    )


def page_earnings(earnings: Earnings) -> dict[str, object]:
    rate = earnings.hourly
    return {
        "earned_cents": earnings.earned_cents,
        "paid_cents": earnings.paid_cents,
        "pending_cents": earnings.pending_cents,
        "hits_waiting": earnings.hits_waiting,
        "hourly": rate and {"median_cents": rate.median_cents, "assignments": rate.assignments},
    }
