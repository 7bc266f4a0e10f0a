"""Intervals of proportions and of their differences."""

from __future__ import annotations

import math
from statistics import NormalDist


def wilson(successes: int, trials: int, confidence: float = 0.95) -> tuple[float, float]:
    """The Wilson score interval of a proportion (Wilson 1927); (0, 1) when there were no trials."""
    if trials == 0:
        return 0.0, 1.0
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    rate, spread = successes / trials, z * z / trials
    centre = (rate + spread / 2) / (1 + spread)
    margin = z / (1 + spread) * math.sqrt(rate * (1 - rate) / trials + spread / (4 * trials))
    return max(0.0, centre - margin), min(1.0, centre + margin)


def newcombe(one: tuple[int, int], other: tuple[int, int], confidence: float = 0.95) -> tuple[float, float]:
    """The hybrid score interval of one proportion less another (Newcombe 1998, method 10), each of independent trials.

    Each is (successes, trials). Raises `ZeroDivisionError` for one without trials.
    """
    rate, other_rate = (successes / trials for successes, trials in (one, other))
    (low, high), (other_low, other_high) = wilson(*one, confidence), wilson(*other, confidence)
    difference = rate - other_rate
    below, above = math.hypot(rate - low, other_high - other_rate), math.hypot(high - rate, other_rate - other_low)
    return difference - below, difference + above
