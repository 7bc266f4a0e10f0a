"""Intervals for proportions and means."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist

import numpy as np


def wilson(successes: int, trials: int, confidence: float = 0.95) -> tuple[float, float]:
    """The Wilson score interval of a proportion (Wilson 1927); (0, 1) when there were no trials."""
    if trials == 0:
        return 0.0, 1.0
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    rate, spread = successes / trials, z * z / trials
    centre = (rate + spread / 2) / (1 + spread)
    margin = z / (1 + spread) * math.sqrt(rate * (1 - rate) / trials + spread / (4 * trials))
    return max(0.0, centre - margin), min(1.0, centre + margin)


def bootstrap_mean(values: Sequence[float], confidence: float = 0.95, resamples: int = 1000) -> tuple[float, float]:
    """The percentile bootstrap interval of a mean (Efron 1979), with a fixed seed. Raises `ValueError` without values.

    A resample is drawn as the number of times that each distinct value occurs in it, so equal values cost nothing.
    """
    if not values:
        raise ValueError("The mean of no values has no interval.")
    distinct, counts = np.unique(np.asarray(values, dtype=float), return_counts=True)
    total = len(values)
    draw = np.random.default_rng(0)
    means = [draw.multinomial(total, counts / total) @ distinct / total for _ in range(resamples)]
    low, high = np.quantile(means, [(1 - confidence) / 2, (1 + confidence) / 2])
    return float(low), float(high)
