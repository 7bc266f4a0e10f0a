"""The purposes of payments: the ledger is searched by them for what `bonuses` make of attempts."""

from __future__ import annotations

REWARD = "reward"
WINS = "wins"
VERIFIED_WIN = "verified:"  # and the ordinal of the attempt
ADMITTED_WIN = "admitted:"  # and the ordinal of the attempt


def streak_purpose(length: int) -> str:
    return f"streak:{length}"
