"""The clock. A rehearsal sees months go by; the marketplace itself never asks the operating system.

No thread waits for anything: events due by `now()` are caught up with before the next request is answered.
"""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import Protocol


class Clock(Protocol):
    """A source of `now`: aware, in UTC, never going back."""

    def now(self) -> datetime: ...


class SystemClock:
    """The time of day."""

    def now(self) -> datetime:
        return datetime.now(timezone.utc)


class ShiftedClock:
    """The time of day and something on top, which `advance` adds to: a rehearsal's clock keeps running."""

    def __init__(self, ahead: timedelta = timedelta()) -> None:
        self.ahead = ahead

    def now(self) -> datetime:
        return datetime.now(timezone.utc) + self.ahead

    def advance(self, by: timedelta) -> None:
        self.ahead += forward(by)


class FrozenClock:
    """Stands still but for `advance`."""

    def __init__(self, start: datetime) -> None:
        self._now = start

    def now(self) -> datetime:
        return self._now

    def advance(self, by: timedelta) -> None:
        self._now += forward(by)


def forward(by: timedelta) -> timedelta:
    if by < timedelta():
        raise ValueError(f"A clock is advanced by {by}; it can only go forward.")
    return by
