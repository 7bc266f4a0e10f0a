"""Ratios of sums over clusters, such as tries and wins of workers, with intervals by a jackknife of the clusters."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from beat_the_ai.statistics.figure import Estimate
from beat_the_ai.statistics.intervals import difference_interval
from beat_the_ai.statistics.jackknife import Scale, estimated

Pair = tuple[float, float]


def ratio(clusters: Sequence[Pair], scale: Scale) -> Estimate | None:
    """Return the ratio of the sums of (numerator, denominator) of all clusters; None where the denominator is 0."""
    return estimated(np.asarray(clusters, dtype=float).reshape(-1, 2), scale)


def difference(one: Estimate | None, other: Estimate | None) -> Estimate | None:
    """Return by how much an estimate is above another one, of clusters that are independent of its own."""
    if one is None or other is None:
        return None
    value = one.value - other.value
    if one.interval is None or other.interval is None:
        return Estimate(value, None)
    return Estimate(value, difference_interval((one.value, one.interval), (other.value, other.interval)))
