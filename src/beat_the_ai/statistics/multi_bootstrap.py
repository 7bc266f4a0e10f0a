"""The difference of two ways of training, beyond the chance of their seeds and of their test examples.

The multi-bootstrap (Sellam et al. 2022, "The MultiBERTs", §4, unpaired seeds) resamples both. It resamples the runs of
each side by themselves. It resamples the examples, which both sides answer, for both at once: examples that share a
context, such as questions about one passage, together. With a test over seeds
alone, more runs of the same test set would settle anything. A test over examples alone would take one run's luck for
the way of training. With fewer than about five seeds the spread among them is underestimated, and so are intervals and
p.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from beat_the_ai.statistics.intervals import TAILS

Runs = NDArray[np.float64]
"""Scores by runs and examples, (seeds, examples)."""
RESAMPLES = 2000
CHUNK = 100


@dataclass(frozen=True)
class Difference:
    """The difference of one side's mean from the other's: 95% percentile interval, two-sided p."""

    value: float
    low: float
    high: float
    p: float


def multi_bootstrap(one: Runs, other: Runs, contexts: Sequence[str]) -> Difference:
    """Compare runs on examples with these contexts, with a fixed seed.

    Raises `ValueError` where there are no runs, or the sides have not the same examples.
    """
    if not (one.size and other.size and one.shape[1] == other.shape[1] == len(contexts)):
        raise ValueError(
            f"Runs on the same examples are needed, not {one.shape} and {other.shape} of {len(contexts)} contexts."
        )
    draw = np.random.default_rng(0)
    numbers = {context: number for number, context in enumerate(dict.fromkeys(contexts))}
    places, count = np.array([numbers[context] for context in contexts]), len(numbers)
    sizes = np.bincount(places).astype(float)
    sides = [np.stack([np.bincount(places, weights=run) for run in runs]).astype(float) for runs in (one, other)]
    drawn = []
    for start in range(0, RESAMPLES, CHUNK):
        number = min(CHUNK, RESAMPLES - start)
        weights = draw.multinomial(count, np.full(count, 1 / count), size=number).astype(float)
        weights /= (weights @ sizes)[:, None]
        drawn.append(_means(sides[0], weights, draw) - _means(sides[1], weights, draw))
    differences = np.concatenate(drawn)
    low, high = np.quantile(differences, TAILS)
    beyond = min(np.count_nonzero(differences <= 0), np.count_nonzero(differences >= 0))
    p = min(1.0, 2 * (beyond + 1) / (RESAMPLES + 1))
    return Difference(float(one.mean() - other.mean()), float(low), float(high), p)


def _means(runs: Runs, weights: Runs, draw: np.random.Generator) -> Runs:
    """Return the mean of resampled runs, summed by context, on resampled contexts, for each row of `weights`."""
    seeds = len(runs)
    chosen = draw.multinomial(seeds, np.full(seeds, 1 / seeds), size=len(weights)) / seeds
    means: Runs = np.einsum("bs,sb->b", chosen, runs @ weights.T)
    return means
