"""Intervals of proportions and of their differences."""

from __future__ import annotations

import math
from statistics import NormalDist

CONFIDENCE = 0.95


def wilson(successes: int, trials: int) -> tuple[float, float]:
    """The 95% Wilson score interval of a proportion (Wilson 1927); (0, 1) when there were no trials."""
    if trials == 0:
        return 0.0, 1.0
    z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
    rate, spread = successes / trials, z * z / trials
    centre = (rate + spread / 2) / (1 + spread)
    margin = z / (1 + spread) * math.sqrt(rate * (1 - rate) / trials + spread / (4 * trials))
    return max(0.0, centre - margin), min(1.0, centre + margin)


def newcombe(one: tuple[int, int], other: tuple[int, int]) -> tuple[float, float]:
    """Return the 95% hybrid score interval of one proportion less another (Newcombe 1998, method 10).

    Each is (successes, trials), of independent trials. Raises `ZeroDivisionError` for one without trials.
    """
    rate, other_rate = (successes / trials for successes, trials in (one, other))
    (low, high), (other_low, other_high) = wilson(*one), wilson(*other)
    difference = rate - other_rate
    below, above = math.hypot(rate - low, other_high - other_rate), math.hypot(high - rate, other_rate - other_low)
    return difference - below, difference + above
