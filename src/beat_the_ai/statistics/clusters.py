"""Intervals over few clusters, such as workers.

Fewer than two clusters have no interval. Two have one: Student's quantile, 12.7 there, makes it so wide that it says
how little they tell, and keeps its promise (`jackknife`). A least number that is larger would hide figures of small
campaigns, and still be arbitrary (Cameron, Gelbach and Miller 2008: what is few depends on how clusters differ).

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
from numpy.typing import NDArray

from beat_the_ai.statistics import student

FEWEST_CLUSTERS = 2


def expanded_interval(
    draws: Sequence[float] | NDArray[np.float64], clusters: int, confidence: float
) -> tuple[float, float]:
    """Return the expanded percentile interval of draws, of which there are some.

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
    t = student.quantile(confidence, clusters - 1)
    return NormalDist().cdf(-t * math.sqrt(clusters / (clusters - 1)))


def too_few(called: str) -> str:
    """Return a sentence on figures without intervals; `called` is what clusters are."""
    return f"No intervals: {FEWEST_CLUSTERS} {called} are the fewest for one."
