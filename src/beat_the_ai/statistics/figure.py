"""A figure with its interval, and both as a text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from beat_the_ai.statistics.intervals import Interval

Shown = Callable[[float], str]
"""Return a number as readers see it."""


def decimals(digits: int, *, plus: bool = False) -> Shown:
    """Return how to show numbers with so many decimals; `plus`: positive ones and 0 have a sign.

    The minus sign is no hyphen, and what rounds to 0 has none.
    """
    sign = "+" if plus else ""
    return lambda number: f"{round(number, digits) + 0.0:{sign}.{digits}f}".replace("-", "−")


def percent(share: float) -> str:
    """Return a share in percent: 12.3%."""
    return f"{decimals(1)(100 * share)}%"


def points(share: float) -> str:
    """Return a difference of shares in percentage points, with its sign: +12.3."""
    return decimals(1, plus=True)(100 * share)


def with_interval(value: float, interval: Interval | None, shown: Shown, unit: str = "", called: str = "") -> str:
    """Return a value with its unit and its interval, if it has one, which may be called something.

    70.0% (39.7 to 89.2)
    """
    within = "" if interval is None else f" ({called}{' to '.join(map(shown, interval))})"
    return f"{shown(value)}{unit}{within}"


@dataclass(frozen=True)
class Estimate:
    """A value with its 95% interval; None where there is none."""

    value: float
    interval: Interval | None

    def text(self, shown: Shown, unit: str = "") -> str:
        """Return the value with its unit and its interval, if it has one."""
        return with_interval(self.value, self.interval, shown, unit)


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
        ends = share.interval
        interval = None if ends is None else (100 * ends[0], 100 * ends[1])
        return cls(name, 100 * share.value, interval, observations, "%")

    def text(self, digits: int = 1) -> str:
        """Return the value with its interval, and without its unit; a dash where they say nothing."""
        return "–" if self.value is None else with_interval(self.value, self.interval, decimals(digits))
