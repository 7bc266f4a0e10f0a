"""Intervals of means."""

from __future__ import annotations

from collections.abc import Sequence

CONFIDENCE = 0.95
RESAMPLES = 1000


def bootstrap_mean(values: Sequence[float]) -> tuple[float, float]:
    """Return the 95% percentile bootstrap interval of a mean (Efron 1979). Raises `ValueError` without values.

    The seed is fixed. A resample is drawn as the number of times that each distinct value occurs in it, so equal values
    cost nothing.
    """
    import numpy as np  # a tenth of a second, for what most processes never ask

    if not values:
        raise ValueError("The mean of no values has no interval.")
    distinct, counts = np.unique(np.asarray(values, dtype=float), return_counts=True)
    total = len(values)
    draw = np.random.default_rng(0)
    means = [draw.multinomial(total, counts / total) @ distinct / total for _ in range(RESAMPLES)]
    low, high = np.quantile(means, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2])
    return float(low), float(high)
