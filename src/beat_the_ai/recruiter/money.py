"""Amounts in integer cents, and what the recruiter charges on top of them.

Prolific's fee and its tax differ by account and country; these are plausible ones for rehearsals.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

FEE_PERCENT = 33  # of what participants get; about that of an academic account
TAX_PERCENT = 20  # of the fee: the United Kingdom's VAT
SIGNS = {"GBP": "£", "USD": "$"}

# `Decimal` would also take "1e3" and "NaN".
AMOUNT = re.compile(r"([0-9]{1,7})(?:\.([0-9]{1,2}))?", re.ASCII)


@dataclass(frozen=True)
class Price:
    """The cents that participants get, and what comes on top."""

    cents: int = 0
    fee_cents: int = 0
    tax_cents: int = 0

    @property
    def total(self) -> int:
        return self.cents + self.fee_cents + self.tax_cents

    def __add__(self, other: Price) -> Price:
        return Price(self.cents + other.cents, self.fee_cents + other.fee_cents, self.tax_cents + other.tax_cents)

    def __mul__(self, count: int) -> Price:
        return Price(self.cents * count, self.fee_cents * count, self.tax_cents * count)


def price_of(cents: int) -> Price:
    """Return the price of one payment. Half a cent is rounded up."""
    fee = _percent(cents, FEE_PERCENT)
    return Price(cents, fee, _percent(fee, TAX_PERCENT))


def parse_cents(text: str) -> int:
    """Return an amount in units ("4.25", "5") in cents. Raises `ValueError`."""
    amount = AMOUNT.fullmatch(text)
    if amount is None:
        raise ValueError(f"{text[:40]!r} is not an amount; write it like 4.25.")
    units, rest = amount.groups(default="")
    return int(units) * 100 + int(rest.ljust(2, "0"))


def show(cents: int, currency: str) -> str:
    """Return an amount for people: £1,101.42."""
    return f"{SIGNS[currency]}{cents // 100:,}.{cents % 100:02}"


def _percent(cents: int, percent: int) -> int:
    return (cents * percent + 50) // 100
