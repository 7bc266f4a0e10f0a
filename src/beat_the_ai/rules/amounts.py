"""Money in dollars, as texts: for people, and as the protocol's CurrencyAmount."""

from __future__ import annotations

from beat_the_ai.errors import Unanswered


def show(cents: int) -> str:
    """Return an amount for people: $1,101.42."""
    return f"${cents // 100:,}.{cents % 100:02}"


def dollars(cents: int) -> str:
    """As the service model's CurrencyAmount wants them: 101.42."""
    return f"{cents // 100}.{cents % 100:02}"


def cents_of(amount: str) -> int:
    """From a CurrencyAmount: "5", "0.1", "101.42". Raises `Unanswered` for anything else."""
    whole, _, rest = amount.partition(".")
    if not (whole.isascii() and whole.isdigit() and len(rest) <= 2 and (rest == "" or rest.isdigit())):
        raise Unanswered(f"The crowd gave {amount[:40]!r} for an amount; dollars like 0.25 were expected.")
    return int(whole) * 100 + int(rest.ljust(2, "0"))
