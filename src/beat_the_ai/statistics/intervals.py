"""Intervals of proportions and of their differences."""

from __future__ import annotations

import math
from statistics import NormalDist

CONFIDENCE = 0.95
TAILS = ((1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2)
"""The shares of draws below the ends of an interval."""
Interval = tuple[float, float]
QUANTILE = NormalDist().inv_cdf(TAILS[1])


def wilson(successes: float, trials: int, quantile: float = QUANTILE) -> Interval:
    """Return the 95% Wilson score interval of a proportion (Wilson 1927); (0, 1) when there were no trials."""
    if trials == 0:
        return 0.0, 1.0
    rate, spread = successes / trials, quantile * quantile / trials
    centre = (rate + spread / 2) / (1 + spread)
    margin = quantile / (1 + spread) * math.sqrt(rate * (1 - rate) / trials + spread / (4 * trials))
    return max(0.0, centre - margin), min(1.0, centre + margin)


def difference_interval(one: tuple[float, Interval], other: tuple[float, Interval]) -> Interval:
    """Return the interval of one figure less another one, independent of it, by those of both (Zou and Donner 2008).

    Each is (value, interval). Of shares with Wilson's intervals it is the hybrid score interval of Newcombe 1998,
    method 10.
    """
    (value, (low, high)), (other_value, (other_low, other_high)) = one, other
    difference = value - other_value
    below, above = math.hypot(value - low, other_high - other_value), math.hypot(high - value, other_value - other_low)
    return difference - below, difference + above
