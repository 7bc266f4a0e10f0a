"""Intervals of means."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import NormalDist

CONFIDENCE = 0.95
RESAMPLES = 1000
MOST_DISTINCT = 1000  # more take seconds in the tables of 100,000 attempts


def bootstrap_mean(values: Sequence[float]) -> tuple[float, float]:
    """Return the 95% percentile bootstrap interval of a mean (Efron 1979). Raises `ValueError` without values.

    The seed is fixed. A resample is drawn as the number of times that each distinct value occurs in it, so equal values
    cost nothing. With more than `MOST_DISTINCT` of them the interval is the normal one, to which the bootstrap's comes.
    """
    import numpy as np  # a tenth of a second, for what most processes never ask

    if not values:
        raise ValueError("The mean of no values has no interval.")
    distinct, counts = np.unique(np.asarray(values, dtype=float), return_counts=True)
    total = len(values)
    if len(distinct) > MOST_DISTINCT:
        average = counts @ distinct / total
        error = NormalDist().inv_cdf((1 + CONFIDENCE) / 2) * float(np.sqrt(counts @ (distinct - average) ** 2)) / total
        return float(average - error), float(average + error)
    draw = np.random.default_rng(0)
    means = [draw.multinomial(total, counts / total) @ distinct / total for _ in range(RESAMPLES)]
    low, high = np.quantile(means, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2])
    return float(low), float(high)
