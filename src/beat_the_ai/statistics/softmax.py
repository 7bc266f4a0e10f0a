"""Logistic regression on features that are there or not, for any number of classes.

The log loss of all rows with half the squared weights is least, as in scikit-learn with C=1; intercepts are free. The
least is unique, so figures depend on the rows alone. It stands here because a data card's figures should need no
extra: scikit-learn would bring 160 MB, with scipy.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

FeatureT = TypeVar("FeatureT", bound=Hashable)
Floats = NDArray[np.float64]
Whole = NDArray[np.intp]

REMEMBERED = 10  # steps, for the curvature
MOST_STEPS = 300
ENOUGH = 1e-4  # of the slope of the mean loss, as in scikit-learn
DECREASE, SHORTER, SHORTEST = 1e-4, 0.5, 1e-10  # of a step along its direction


@dataclass(frozen=True)
class _Bags:
    """Rows of features in one list of `columns`; every row ends with an intercept, so that none is empty."""

    columns: Whole
    starts: Whole
    width: int

    @classmethod
    def of(cls, rows: Sequence[Sequence[FeatureT]], numbers: dict[FeatureT, int]) -> _Bags:
        columns: list[int] = []
        starts: list[int] = []
        for row in rows:
            starts.append(len(columns))
            columns.extend({numbers[feature] for feature in row if feature in numbers})
            columns.append(len(numbers))
        return cls(np.array(columns, dtype=np.intp), np.array(starts, dtype=np.intp), len(numbers) + 1)

    def times(self, weights: Floats) -> Floats:
        """Return the sum of the weights of each row, (rows, classes)."""
        return _sums(weights, self.columns, self.starts)


class _ByColumn:
    """The same, the other way: sums over the rows that have a feature."""

    def __init__(self, bags: _Bags) -> None:
        sizes = np.diff(np.append(bags.starts, len(bags.columns)))
        order = np.argsort(bags.columns, kind="stable")
        self._rows = np.repeat(np.arange(len(sizes)), sizes)[order]
        self._there, self._starts = np.unique(bags.columns[order], return_index=True)
        self._width = bags.width

    def times(self, values: Floats) -> Floats:
        """Return the sums of the rows' values for each feature, (features, classes)."""
        sums = np.zeros((self._width, values.shape[1]))
        sums[self._there] = _sums(values, self._rows, self._starts)
        return sums


def _sums(values: Floats, places: Whole, starts: Whole) -> Floats:
    """Return the sums of the values at the places from each start to the next, (starts, classes).

    One class after the other, which is three times as fast as all at once.
    """
    sums = np.zeros((len(starts), values.shape[1]))
    if len(starts):
        for column, of_class in enumerate(np.ascontiguousarray(values.T)):
            sums[:, column] = np.add.reduceat(np.take(of_class, places), starts)
    return sums


@dataclass(frozen=True)
class Regression(Generic[FeatureT]):
    """Fitted weights, (features and the intercept, classes). Features that no row had count nothing."""

    numbers: dict[FeatureT, int]
    weights: Floats

    def scores(self, rows: Sequence[Sequence[FeatureT]]) -> Floats:
        """Return the logarithm of the probability of each class up to a constant of the row, (rows, classes)."""
        return _Bags.of(rows, self.numbers).times(self.weights)


def fit(
    rows: Sequence[Sequence[FeatureT]], classes: Sequence[int], times: Sequence[int] | None = None
) -> Regression[FeatureT]:
    """Fit rows of features and the number of the class of each, from 0; each counts so many `times`, or once.

    Raises `ValueError` without rows.
    """
    if not rows:
        raise ValueError("No rows: there is nothing to fit.")
    numbers: dict[FeatureT, int] = {}
    for row in rows:
        for feature in row:
            numbers.setdefault(feature, len(numbers))
    bags = _Bags.of(rows, numbers)
    by_column = _ByColumn(bags)
    named = np.asarray(classes, dtype=np.intp)
    counts = np.ones(len(rows)) if times is None else np.asarray(times, dtype=float)
    total, shape, every = counts.sum(), (bags.width, int(named.max()) + 1), np.arange(len(rows))

    def loss(flat: Floats) -> tuple[float, Floats]:
        weights = flat.reshape(shape)
        logits = bags.times(weights)
        logits -= logits.max(axis=1, keepdims=True)
        exponentials = np.exp(logits)
        sums = exponentials.sum(axis=1)
        lost = _dot(counts, np.log(sums) - logits[every, named])
        residuals = exponentials / sums[:, None]
        residuals[every, named] -= 1
        slope = by_column.times(residuals * counts[:, None])
        slope[:-1] += weights[:-1]
        return (lost + 0.5 * float(np.sum(weights[:-1] ** 2))) / total, slope.ravel() / total

    return Regression(numbers, _least(loss, np.zeros(shape[0] * shape[1])).reshape(shape))


def _least(function: Callable[[Floats], tuple[float, Floats]], start: Floats) -> Floats:
    """Return where a smooth convex function is least, by L-BFGS (Nocedal and Wright 2006, algorithm 7.5)."""
    place = start
    value, slope = function(place)
    moves: list[tuple[Floats, Floats, float]] = []
    for _ in range(MOST_STEPS):
        if np.abs(slope).max() < ENOUGH:
            break
        direction = _direction(slope, moves)
        step = _step(function, place, value, slope, direction)
        if step is None:
            break
        moved, next_value, next_slope = step
        change, bend = moved - place, next_slope - slope
        if (curvature := _dot(change, bend)) > 0:
            moves = [*moves[1 - REMEMBERED :], (change, bend, curvature)]
        place, value, slope = moved, next_value, next_slope
    return place


def _direction(slope: Floats, moves: Sequence[tuple[Floats, Floats, float]]) -> Floats:
    """Return minus the slope, by the curvature that the last moves have shown."""
    direction, shares = -slope, []
    for change, bend, curvature in reversed(moves):
        share = _dot(change, direction) / curvature
        direction = direction - share * bend
        shares.append(share)
    if moves:
        _, bend, curvature = moves[-1]
        direction = direction * (curvature / _dot(bend, bend))
    for (change, bend, curvature), share in zip(moves, reversed(shares), strict=True):
        direction = direction + (share - _dot(bend, direction) / curvature) * change
    return direction


def _step(
    function: Callable[[Floats], tuple[float, Floats]], place: Floats, value: float, slope: Floats, direction: Floats
) -> tuple[Floats, float, Floats] | None:
    """Return the next place, its value and slope; None where no step is a gain any more."""
    size, expected = 1.0, _dot(slope, direction)
    while size > SHORTEST:
        moved = place + size * direction
        next_value, next_slope = function(moved)
        if next_value <= value + DECREASE * size * expected:
            return moved, next_value, next_slope
        size *= SHORTER
    return None


def _dot(one: Floats, other: Floats) -> float:
    """Return the inner product, without the threads of a BLAS: they wait for each other on a busy machine."""
    return float(np.einsum("i,i", one, other))
