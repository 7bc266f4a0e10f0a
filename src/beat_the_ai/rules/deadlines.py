"""The grace of a HIT after its time limit: work on its way, or written before, is not lost."""

from __future__ import annotations

from datetime import datetime, timedelta

ANSWER_GRACE = timedelta(minutes=2)  # for an attempt, a vote or a response
HAND_IN_GRACE = timedelta(minutes=10)


def may_be_handed_in(accepted_at: datetime, time_limit_seconds: float, at: datetime) -> bool:
    """Return whether the time of a HIT accepted at that moment still allows its submission."""
    return at < accepted_at + timedelta(seconds=time_limit_seconds) + HAND_IN_GRACE
