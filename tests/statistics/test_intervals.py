"""Intervals against published values and their own definitions."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from beat_the_ai.statistics.bootstrap import MOST_DISTINCT, bootstrap_mean
from beat_the_ai.statistics.figure import Estimate
from beat_the_ai.statistics.intervals import Interval, difference_interval, wilson

Z = 1.959963984540054


def newcombe(one: tuple[int, int], other: tuple[int, int]) -> Interval:
    """Return the interval of the difference of two shares with Wilson's intervals."""
    first, second = ((successes / trials, wilson(successes, trials)) for successes, trials in (one, other))
    return difference_interval(first, second)


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [
        (81, 263, 0.2553, 0.3662),  # Newcombe 1998, table I, method 3
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_it_gives_the_published_intervals(successes: int, trials: int, low: float, high: float) -> None:
    assert wilson(successes, trials) == pytest.approx((low, high), abs=5e-5)


def test_without_trials_anything_is_possible() -> None:
    assert wilson(0, 0) == (0.0, 1.0)


@given(st.integers(1, 10_000), st.data())
def test_its_ends_are_the_rates_at_which_the_observation_is_just_z_standard_errors_away(
    trials: int, data: st.DataObject
) -> None:
    successes = data.draw(st.integers(0, trials))
    rate = successes / trials
    low, high = wilson(successes, trials)
    assert 0 <= low <= rate + 1e-12
    assert rate - 1e-12 <= high <= 1
    for end in (low, high):
        distance = abs(rate - end)
        assert math.isclose(distance, Z * math.sqrt(end * (1 - end) / trials), rel_tol=1e-6, abs_tol=1e-7)


def drawn(values: Sequence[float]) -> Interval:
    found = bootstrap_mean(values)
    assert found is not None
    assert found.interval is not None
    return found.interval


def test_the_bootstrap_of_a_mean_is_close_to_the_normal_interval_of_a_large_sample() -> None:
    values = [(number * 7919) % 100 for number in range(5000)]
    average = sum(values) / len(values)
    error = math.sqrt(sum((value - average) ** 2 for value in values)) / len(values)
    assert drawn(values) == pytest.approx((average - Z * error, average + Z * error), abs=0.1 * error * Z)


def test_the_interval_of_many_different_values_is_the_normal_one_and_goes_over_into_it() -> None:
    many = [math.sqrt(number) for number in range(MOST_DISTINCT + 1)]
    average, error = float(np.mean(many)), float(np.std(many)) / math.sqrt(len(many))
    normal = (average - Z * error, average + Z * error)
    assert drawn(many) == pytest.approx(normal)
    assert drawn(many[1:]) == pytest.approx(normal, abs=0.15 * error * Z)  # drawn


def test_the_bootstrap_gives_the_same_ends_again_and_none_without_spread() -> None:
    assert bootstrap_mean([1, 2, 9]) == bootstrap_mean([9, 2, 1])
    assert bootstrap_mean([3.5, 3.5]) == Estimate(3.5, None)
    assert bootstrap_mean([]) is None


@pytest.mark.parametrize(
    ("one", "other", "low", "high"),
    [
        ((56, 70), (48, 80), 0.0524, 0.3339),  # Newcombe 1998b, table II, method 10
        ((9, 10), (3, 10), 0.1705, 0.8090),
        ((6, 7), (2, 7), 0.0582, 0.8062),
        ((5, 56), (0, 29), -0.0381, 0.1926),
    ],
)
def test_differences_have_the_published_intervals(
    one: tuple[int, int], other: tuple[int, int], low: float, high: float
) -> None:
    assert newcombe(one, other) == pytest.approx((low, high), abs=5e-5)


TRIALS = st.integers(1, 300).flatmap(lambda trials: st.tuples(st.integers(0, trials), st.just(trials)))


@given(TRIALS, TRIALS)
def test_an_interval_of_a_difference_holds_it_and_turns_with_it(one: tuple[int, int], other: tuple[int, int]) -> None:
    low, high = newcombe(one, other)
    assert -1 - 1e-12 <= low <= one[0] / one[1] - other[0] / other[1] <= high <= 1 + 1e-12
    assert newcombe(other, one) == pytest.approx((-high, -low))
