"""Amounts of a campaign in its unit, as texts for people, and as the protocol's CurrencyAmount.

An amount is an integer of hundredths: cents of a currency, or hundredths of a point or an hour.
"""

from __future__ import annotations

from beat_the_ai.errors import Unanswered

UNIT = r"^([A-Z]{3}|points|hours)$"  # a currency by its code (ISO 4217), or what volunteers and students get
DOLLARS = "USD"
NO_MONEY = ("points", "hours")
SIGNS = {DOLLARS: "$", "GBP": "£", "EUR": "€"}


def show(cents: int, unit: str) -> str:
    """Return an amount for people: $1,101.42, £2.00, CHF 2.00, 1 point, 0.5 hours; -$0.50 of what is overpaid."""
    if cents < 0:
        return f"-{show(-cents, unit)}"
    if unit in NO_MONEY:
        number = f"{cents // 100:,}" + f".{cents % 100:02}".rstrip("0").rstrip(".")
        return f"{number} {unit.removesuffix('s') if cents == 100 else unit}"
    return f"{SIGNS.get(unit, f'{unit} ')}{cents // 100:,}.{cents % 100:02}"


def dollars(cents: int) -> str:
    """As the service model's CurrencyAmount wants them: 101.42."""
    return f"{cents // 100}.{cents % 100:02}"


def cents_of(amount: str) -> int:
    """From a CurrencyAmount: "5", "0.1", "101.42". Raises `Unanswered` for anything else."""
    whole, _, rest = amount.partition(".")
    if not (whole.isascii() and whole.isdigit() and len(rest) <= 2 and (rest == "" or rest.isdigit())):
        raise Unanswered(f"The crowd gave {amount[:40]!r} for an amount; dollars like 0.25 were expected.")
    return int(whole) * 100 + int(rest.ljust(2, "0"))
