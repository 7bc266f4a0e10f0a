"""Intervals from a bootstrap over few clusters, such as workers.

The percentile interval of a bootstrap over n clusters is too short where n is small. Hesterberg 2015 ("What teachers
should know about the bootstrap", §4.3) widens it: it takes the percentiles at which a normal interval that is wrong by
the same factor would be right.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from statistics import NormalDist

import numpy as np

from beat_the_ai.statistics.significance import student_beyond

STEPS = 60


def expanded_interval(draws: Sequence[float], clusters: int, confidence: float) -> tuple[float, float]:
    """Return the expanded percentile interval. Raises `ValueError` without draws.

    With fewer than two clusters it is what was drawn least and most.
    """
    tail = _tail(clusters, confidence)
    low, high = np.quantile(np.asarray(draws, dtype=float), [tail, 1 - tail])
    return float(low), float(high)


@cache
def _tail(clusters: int, confidence: float) -> float:
    """Return the share of draws on either side of the interval."""
    if clusters < 2:
        return 0.0
    t = _student_quantile(confidence, clusters - 1)
    return NormalDist().cdf(-t * math.sqrt(clusters / (clusters - 1)))


def _student_quantile(confidence: float, freedom: int) -> float:
    """Return t so that |T| < t with this probability, by bisection."""
    low, high = 0.0, 1e4
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if student_beyond(middle, freedom) > 1 - confidence else (low, middle)
    return high
