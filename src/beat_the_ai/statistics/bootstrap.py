"""Means of values that stand alone, with intervals by a bootstrap."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from beat_the_ai.statistics.figure import Estimate
from beat_the_ai.statistics.intervals import QUANTILE, TAILS, Interval

RESAMPLES = 1000
MOST_DISTINCT = 1000  # more take seconds in the tables of 100,000 attempts


def bootstrap_mean(values: Sequence[float]) -> Estimate | None:
    """Return the mean with its 95% percentile bootstrap interval (Efron 1979); None of no values.

    There is no interval of values that are all the same: nothing tells how they vary.
    """
    return Estimate(fmean(values), _interval(values)) if values else None


def _interval(values: Sequence[float]) -> Interval | None:
    """Return the interval, with a fixed seed.

    A resample is drawn as the number of times that each distinct value occurs in it, so equal values cost nothing.
    With more than `MOST_DISTINCT` of them the interval is the normal one, to which the bootstrap's comes.
    """
    import numpy as np  # a tenth of a second, for what most processes never ask

    distinct, counts = np.unique(np.asarray(values, dtype=float), return_counts=True)
    if len(distinct) == 1:
        return None
    total = len(values)
    if len(distinct) > MOST_DISTINCT:
        average = counts @ distinct / total
        error = QUANTILE * float(np.sqrt(counts @ (distinct - average) ** 2)) / total
        return float(average - error), float(average + error)
    draw = np.random.default_rng(0)
    means = [draw.multinomial(total, counts / total) @ distinct / total for _ in range(RESAMPLES)]
    low, high = np.quantile(means, TAILS)
    return float(low), float(high)
