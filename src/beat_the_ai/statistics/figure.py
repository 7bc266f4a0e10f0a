"""A figure with its interval."""

from __future__ import annotations

from dataclasses import dataclass

from beat_the_ai.statistics.intervals import Interval


@dataclass(frozen=True)
class Estimate:
    """A value with its 95% interval; None where there is none."""

    value: float
    interval: Interval | None


@dataclass(frozen=True)
class Figure:
    """A figure of so many observations; None where they say nothing. The interval is at 95%, None where there is none.

    `unit` is what stands behind the value, such as "%".
    """

    name: str
    value: float | None
    interval: Interval | None = None
    observations: int = 0
    unit: str = ""

    @classmethod
    def of(cls, name: str, estimate: Estimate | None, observations: int = 0) -> Figure:
        """Return an estimate as a figure."""
        value, interval = (None, None) if estimate is None else (estimate.value, estimate.interval)
        return cls(name, value, interval, observations)

    @classmethod
    def percent(cls, name: str, share: Estimate | None, observations: int) -> Figure:
        """Return a share as a figure in percent."""
        if share is None:
            return cls(name, None, unit="%")
        low, high = share.interval or (None, None)
        interval = None if low is None or high is None else (100 * low, 100 * high)
        return cls(name, 100 * share.value, interval, observations, "%")
