"""Tests of a difference: Fisher's exact test for shares, Welch's t-test for means, the sign test for pairs.

All are two-sided. Several p values are adjusted together by Holm's procedure.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TypeVar

import numpy as np

from beat_the_ai.statistics import student

TIE = 1 + 1e-9  # tables that are as probable but for rounding
KeyT = TypeVar("KeyT")


def fisher_exact(one: tuple[int, int], other: tuple[int, int]) -> float:
    """Return the p-value of (successes, failures) of two groups: the probability of a table no more probable than it.

    All tables have the same margins (Fisher 1935). Raises `ValueError` for negative counts.
    """
    if min(*one, *other) < 0:
        raise ValueError(f"{one} and {other}: no count can be negative")
    first, second, successes = sum(one), sum(other), one[0] + other[0]
    total = math.comb(first + second, successes)

    def probability(of_first: int) -> float:
        return math.comb(first, of_first) * math.comb(second, successes - of_first) / total

    seen = probability(one[0])
    possible = range(max(0, successes - second), min(first, successes) + 1)
    return min(1.0, sum(p for p in map(probability, possible) if p <= seen * TIE))


def sign_test(more: int, less: int) -> float:
    """Return the p-value of a difference between pairs, of which so many are more and so many less; ties are left out.

    For pairs of right and wrong it is McNemar's exact test (McNemar 1947). Raises `ValueError` for negative counts.
    """
    if min(more, less) < 0:
        raise ValueError(f"{more} and {less}: no count can be negative")
    pairs, tail, term = more + less, 0, 1
    for count in range(min(more, less) + 1):
        tail += term
        term = term * (pairs - count) // (count + 1)
    return min(1.0, 2 * tail / (1 << pairs))


def welch_t(one: Sequence[float], other: Sequence[float]) -> float | None:
    """Return the p-value of a difference in means, whatever the variances (Welch 1947).

    None where that cannot be told: of fewer than two values, and of values that are all the same.
    """
    if len(one) < 2 or len(other) < 2:
        return None
    squares = [float(np.var(values, ddof=1)) / len(values) for values in (one, other)]
    if sum(squares) == 0:
        return None
    t = abs(float(np.mean(one)) - float(np.mean(other))) / math.sqrt(sum(squares))
    freedom = sum(squares) ** 2 / sum(
        square**2 / (len(values) - 1) for square, values in zip(squares, (one, other), strict=True)
    )
    return student.beyond(t, freedom)


def holm(values: Mapping[KeyT, float]) -> dict[KeyT, float]:
    """Return p values adjusted for their number, at most 1 (Holm 1979)."""
    ordered = sorted(values, key=lambda key: values[key])
    adjusted: dict[KeyT, float] = {}
    largest = 0.0
    for rank, key in enumerate(ordered):
        largest = max(largest, min(1.0, (len(ordered) - rank) * values[key]))
        adjusted[key] = largest
    return adjusted
