"""Intervals of coefficients of agreement: against a bootstrap that leaves nothing out, and against the truth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pytest

from beat_the_ai.statistics.agreement import cohens_kappa, krippendorff_alpha

KINDS = 3


def alpha(units: Sequence[Sequence[int]]) -> float:
    """By its definition."""
    counts = Counter(value for unit in units for value in unit)
    total = counts.total()
    expected = (total**2 - sum(count**2 for count in counts.values())) / 2
    observed = sum(sum(one != two for one, two in combinations(unit, 2)) / (len(unit) - 1) for unit in units)
    return 1 - (total - 1) * observed / expected


def voted(draw: np.random.Generator, units: int, right: float) -> list[list[int]]:
    """Three votes on each unit, each right so often and else at random among all."""
    truth = draw.integers(0, KINDS, units)
    return [
        [int(label) if draw.random() < right else int(draw.integers(0, KINDS)) for _ in range(3)] for label in truth
    ]


def test_the_interval_is_that_of_drawn_units() -> None:
    """To first order: with 300 units, a resample that compares all its pairs gives the same ends."""
    draw = np.random.default_rng(3)
    units = voted(draw, 300, 0.7)
    estimate = krippendorff_alpha(units)
    assert estimate is not None
    drawn = [alpha([units[place] for place in draw.integers(0, 300, 300)]) for _ in range(1000)]
    assert estimate.value == pytest.approx(alpha(units))
    assert estimate.interval == pytest.approx(np.quantile(drawn, [0.025, 0.975]), abs=0.01)


def test_the_interval_of_alpha_covers_the_truth() -> None:
    """Two people agree beyond chance where both are right: 0.6 squared."""
    draw = np.random.default_rng(5)
    found = [krippendorff_alpha(voted(draw, 40, 0.6)) for _ in range(200)]
    intervals = [each.interval for each in found if each is not None and each.interval is not None]
    assert 183 <= sum(low <= 0.36 <= high for low, high in intervals) <= len(intervals) == 200


def test_neither_the_order_of_units_nor_that_of_votes_makes_a_difference() -> None:
    units = voted(np.random.default_rng(1), 50, 0.7)
    assert krippendorff_alpha(units) == krippendorff_alpha([unit[::-1] for unit in reversed(units)])


def test_the_interval_of_kappa_is_near_that_of_its_standard_error() -> None:
    """Fleiss, Cohen and Everitt 1969: of the textbook table 0.4 with a standard error of 0.127."""
    pairs = [("y", "y")] * 20 + [("y", "n")] * 5 + [("n", "y")] * 10 + [("n", "n")] * 15
    estimate = cohens_kappa(pairs)
    assert estimate is not None
    assert estimate.value == pytest.approx(0.4)
    assert estimate.interval == pytest.approx((0.4 - 1.96 * 0.127, 0.4 + 1.96 * 0.127), abs=0.03)


def test_a_single_unit_has_no_interval() -> None:
    one = krippendorff_alpha([["a", "b"]])
    assert one is not None
    assert one.interval is None
