"""Amounts in integer cents, and what the marketplace charges on top of them."""

from __future__ import annotations

import re

BASE_FEE_PERCENT = 20
LARGE_HIT_FEE_PERCENT = 20
LARGE_HIT_ASSIGNMENTS = 10
MASTERS_FEE_PERCENT = 5
MINIMUM_FEE_CENTS = 1

# The service model's own pattern for CurrencyAmount; `Decimal` would also take "1e3" and "NaN".
AMOUNT = re.compile(r"[0-9]+(\.)?[0-9]{0,2}", re.ASCII)


def parse_cents(text: str) -> int:
    """Dollars as the protocol writes them ("5", "0.1", "101.42") in cents. Raises `ValueError`."""
    if not AMOUNT.fullmatch(text):
        raise ValueError(f"{text!r} is not an amount in dollars; write it like 0.25.")
    dollars, _, rest = text.partition(".")
    return int(dollars) * 100 + int(rest.ljust(2, "0"))


def show_dollars(cents: int) -> str:
    return f"{cents // 100}.{cents % 100:02}"


def assignment_fee_cents(reward_cents: int, max_assignments: int, *, masters: bool) -> int:
    """20% of the reward, another 20% from ten assignments per HIT, 5% for Masters; at least a cent [seen]."""
    percent = BASE_FEE_PERCENT
    if max_assignments >= LARGE_HIT_ASSIGNMENTS:
        percent += LARGE_HIT_FEE_PERCENT
    if masters:
        percent += MASTERS_FEE_PERCENT
    return _fee_cents(reward_cents, percent)


def bonus_fee_cents(amount_cents: int) -> int:
    """20% of the bonus; at least a cent [seen]."""
    return _fee_cents(amount_cents, BASE_FEE_PERCENT)


def _fee_cents(amount_cents: int, percent: int) -> int:
    """Half a cent is rounded up [assumed]."""
    return max(MINIMUM_FEE_CENTS, (amount_cents * percent + 50) // 100)
