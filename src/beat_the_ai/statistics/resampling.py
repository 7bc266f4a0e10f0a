"""Figures of sums over clusters, such as the questions of a passage: resamples and paired permutation tests.

A figure is a function of sums, such as right answers over all answers. A cluster is drawn with all that is in it, so
that items which share a context do not count as independent (Davison and Hinkley 1997, §3.8). Seeds are fixed.
Intervals by resamples are those of coefficients of agreement and of forecasts; others are by `jackknife`.

The percentile interval of a bootstrap over n clusters is too short where n is small. Hesterberg 2015 ("What teachers
should know about the bootstrap", §4.3) widens it: it takes the percentiles at which a normal interval that is wrong by
the same factor would be right.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cache
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from beat_the_ai.statistics import student
from beat_the_ai.statistics.intervals import CONFIDENCE, Interval
from beat_the_ai.statistics.jackknife import FEWEST_CLUSTERS, TIE, FigureOf, Matrix

RESAMPLES = 4000
PERMUTATIONS = 10_000
FEWEST_DRAWS = 0.95  # of the resamples have a figure; where fewer have one, the others would bias the interval
MOST_AT_ONCE = 2_000_000  # numbers of a matrix of draws


def resampled(clusters: Matrix, seed: int = 0) -> Matrix:
    """Return the sums of each bootstrap resample of the rows, (resamples, columns).

    Where many rows are equal, it is drawn how often each distinct row occurs: that costs less.
    """
    draw, count = np.random.default_rng(seed), len(clusters)
    distinct, times = np.unique(clusters, axis=0, return_counts=True)
    if 4 * len(distinct) < count:
        drawn = [draw.multinomial(count, times / count, size=size) for size in _chunks(RESAMPLES, len(distinct))]
        return np.concatenate([each.astype(float) @ distinct for each in drawn])
    sums = []
    for size in _chunks(RESAMPLES, count):
        places = draw.integers(0, count, (size, count)) + count * np.arange(size)[:, None]
        times = np.bincount(places.ravel(), minlength=size * count).reshape(size, count)
        sums.append(times.astype(float) @ clusters)
    return np.concatenate(sums)


def interval_of(draws: Matrix, clusters: int) -> Interval | None:
    """Return the 95% interval of a figure by its draws over so many clusters.

    There is none of fewer than `FEWEST_CLUSTERS`, nor where too many draws have no figure.
    """
    known = draws[~np.isnan(draws)]
    if clusters < FEWEST_CLUSTERS or len(known) < FEWEST_DRAWS * len(draws):
        return None
    return expanded_interval(known, clusters, CONFIDENCE)


def expanded_interval(draws: Sequence[float] | NDArray[np.float64], clusters: int, confidence: float) -> Interval:
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


def permutation_p(one: Matrix, other: Matrix, figure: FigureOf) -> float:
    """Return the two-sided p of a paired permutation test of a figure's difference between two sides.

    Rows are clusters. Under the null hypothesis the sides of a cluster are exchangeable (Fisher 1935, §21). The p is
    that of random permutations, with the observed one among them (Phipson and Smyth 2010).
    """
    sums = np.stack([one.sum(axis=0), other.sum(axis=0)])
    observed = abs(np.subtract(*figure(sums)))
    change = (other - one)[(other != one).any(axis=1)]
    draw, beyond = np.random.default_rng(0), 0
    for size in _chunks(PERMUTATIONS, len(change)):
        moved = draw.integers(0, 2, (size, len(change))).astype(float) @ change
        differences = figure(sums[0] + moved) - figure(sums[1] - moved)
        beyond += size - int(np.count_nonzero(np.abs(differences) < observed - TIE))
    return float((beyond + 1) / (PERMUTATIONS + 1))


def _chunks(total: int, width: int) -> Iterator[int]:
    """Yield the sizes of parts of so many draws that fit into memory."""
    size = max(1, MOST_AT_ONCE // max(width, 1))
    for start in range(0, total, size):
        yield min(size, total - start)
