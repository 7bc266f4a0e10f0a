"""Differences between ways of training, by the chance of seeds and of examples."""

from __future__ import annotations

import numpy as np
import pytest

from beat_the_ai.statistics.multi_bootstrap import Difference, Runs, multi_bootstrap

DRAW = np.random.default_rng(3)


def apart(one: Runs, other: Runs) -> Difference:
    """Compare runs on examples that share no context."""
    return multi_bootstrap(one, other, [str(number) for number in range(one.shape[1])])


def test_sides_that_are_the_same_differ_by_nothing() -> None:
    runs = DRAW.integers(0, 2, (4, 200)).astype(float)
    difference = apart(runs, runs.copy())
    assert difference.value == 0
    assert difference.low < 0 < difference.high
    assert difference.p > 0.5


def test_a_difference_on_every_example_is_certain() -> None:
    runs = DRAW.integers(0, 2, (4, 200)).astype(float)
    difference = apart(runs + 1, runs)
    assert difference.value == pytest.approx(1)
    assert difference.low > 0.7
    assert difference.p == pytest.approx(2 / 2001)


def test_the_spread_of_examples_alone_is_that_of_a_paired_mean() -> None:
    """One seed on each side: the standard error is that of the mean of differences."""
    one, other = DRAW.normal(1.0, 1.0, (1, 400)), DRAW.normal(0.0, 1.0, (1, 400))
    difference = apart(one, other)
    error = (one - other).std() / 20
    assert (difference.high - difference.low) / (2 * 1.96) == pytest.approx(error, rel=0.1)


def test_the_spread_of_seeds_counts_however_many_examples_there_are() -> None:
    """Runs that differ from each other on all examples alike: more examples make nothing more certain."""
    levels = np.array([0.0, 10.0, 20.0, 30.0])
    few, many = (apart(np.tile(levels[:, None], (1, n)), np.zeros((4, n))) for n in (10, 1000))
    assert few.high - few.low == pytest.approx(many.high - many.low, rel=0.15)
    assert many.high - many.low > 15  # the standard error of four such runs is 5.6


@pytest.mark.parametrize("shapes", [((2, 3), (2, 4)), ((0, 3), (2, 3)), ((2, 0), (2, 0))])
def test_sides_without_runs_or_with_other_examples_are_refused(shapes: tuple[tuple[int, int], ...]) -> None:
    with pytest.raises(ValueError, match="same examples"):
        apart(np.zeros(shapes[0]), np.zeros(shapes[1]))


def test_examples_that_share_a_context_count_as_one() -> None:
    """Ten questions of each passage that are all alike say no more than one of them."""
    one, other = DRAW.normal(1.0, 1.0, (1, 40)), DRAW.normal(0.0, 1.0, (1, 40))
    few = apart(one, other)
    many = multi_bootstrap(np.repeat(one, 10, 1), np.repeat(other, 10, 1), [f"{n // 10}" for n in range(400)])
    assert (many.value, many.low, many.high, many.p) == pytest.approx((few.value, few.low, few.high, few.p))
    naive = apart(np.repeat(one, 10, 1), np.repeat(other, 10, 1))
    assert naive.high - naive.low < 0.5 * (many.high - many.low)


def test_a_context_weighs_as_much_as_it_has_examples() -> None:
    uneven = np.array([[1.0] * 9 + [0.0]])
    found = multi_bootstrap(uneven, np.zeros((1, 10)), ["long"] * 9 + ["short"])
    assert (found.value, found.low, found.high) == (0.9, 0.0, 1.0)
    with pytest.raises(ValueError, match="same examples"):
        multi_bootstrap(uneven, uneven, ["long"] * 9)
