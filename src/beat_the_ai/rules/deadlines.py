"""How long a HIT takes anything once its time is over: what was on its way then, or was written before, is not lost."""

from __future__ import annotations

from datetime import datetime, timedelta

ANSWER_GRACE = timedelta(minutes=2)  # for an attempt, a vote or a response
HAND_IN_GRACE = timedelta(minutes=10)


def may_be_handed_in(accepted_at: datetime, time_limit_seconds: float, at: datetime) -> bool:
    """Whether whoever accepted a HIT then may still hand it in, as far as its time goes."""
    return at < accepted_at + timedelta(seconds=time_limit_seconds) + HAND_IN_GRACE
