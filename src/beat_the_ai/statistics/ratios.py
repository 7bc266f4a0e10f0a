"""Ratios of sums over clusters, such as tries and wins of workers, with intervals from a bootstrap of the clusters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from beat_the_ai.statistics.bootstrap import CONFIDENCE
from beat_the_ai.statistics.clusters import expanded_interval

RESAMPLES = 4000
FEWEST_DRAWS = 0.95  # of the resamples have a ratio; where fewer have one, the others would bias the interval
Pair = tuple[float, float]


@dataclass(frozen=True)
class Estimate:
    """A value with its 95% interval; None where there is none."""

    value: float
    interval: tuple[float, float] | None


def ratio(clusters: Sequence[Pair]) -> Estimate | None:
    """Return the ratio of the sums of (numerator, denominator) of all clusters; None where the denominator is 0.

    Leave clusters out that have no share in either. There is no interval of fewer than two clusters.
    """
    value = _ratio(clusters)
    return None if value is None else Estimate(value, _interval([_drawn(clusters, 0)], len(clusters)))


def difference(clusters: Sequence[Pair], first: Sequence[Pair]) -> Estimate | None:
    """Return by how much the ratio of some clusters is above that of other clusters, drawn independently of them."""
    value, other = _ratio(clusters), _ratio(first)
    if value is None or other is None:
        return None
    draws = [_drawn(clusters, 0), _drawn(first, 1)]
    return Estimate(value - other, _interval(draws, min(len(clusters), len(first))))


def _ratio(clusters: Sequence[Pair]) -> float | None:
    below = sum(denominator for _, denominator in clusters)
    return sum(numerator for numerator, _ in clusters) / below if below else None


def _drawn(clusters: Sequence[Pair], seed: int) -> list[float | None]:
    """Return the ratio in each resample; None where its denominator is 0. The seed is fixed."""
    import numpy as np  # a tenth of a second, for what most processes never ask

    times = np.random.default_rng(seed).multinomial(len(clusters), [1 / len(clusters)] * len(clusters), RESAMPLES)
    above, below = (times @ np.asarray(column, dtype=float) for column in zip(*clusters, strict=True))
    return [float(one / other) if other else None for one, other in zip(above, below, strict=True)]


def _interval(draws: Sequence[Sequence[float | None]], clusters: int) -> tuple[float, float] | None:
    """Return the interval of the first ratios less the second ones, if there are any."""
    if clusters < 2:
        return None
    known = []
    for each in zip(*draws, strict=True):
        ratios = [one for one in each if one is not None]
        if len(ratios) == len(draws):
            known.append(ratios[0] - sum(ratios[1:]))
    if len(known) < FEWEST_DRAWS * RESAMPLES:
        return None
    return expanded_interval(known, clusters, CONFIDENCE)
