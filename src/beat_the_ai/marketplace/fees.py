"""The fees that the marketplace charges its requesters; whoever runs it may turn them off."""

from __future__ import annotations

from beat_the_ai.marketplace import settings
from beat_the_ai.marketplace.moment import Moment
from beat_the_ai.marketplace.money import assignment_fee_cents, bonus_fee_cents

CHARGES_FEES = "charges_fees"


def are_charged(moment: Moment) -> bool:
    """Return True unless they were turned off in this store."""
    value = settings.get(moment, CHARGES_FEES)
    return value is None or bool(value)


def charge(moment: Moment, charged: bool) -> None:
    """Turn fees on or off, for HITs and bonuses from now on."""
    settings.put(moment, CHARGES_FEES, charged)


def of_assignment(moment: Moment, reward_cents: int, max_assignments: int, *, masters: bool) -> int:
    """Return the fee of one assignment, in cents."""
    return assignment_fee_cents(reward_cents, max_assignments, masters=masters) if are_charged(moment) else 0


def of_bonus(moment: Moment, cents: int) -> int:
    """Return the fee of one bonus, in cents."""
    return bonus_fee_cents(cents) if are_charged(moment) else 0
