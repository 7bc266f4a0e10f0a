"""Tests against values that are known, and against other ways to count."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beat_the_ai.statistics.significance import fisher_exact, holm, sign_test, welch_t

COUNTS = st.tuples(st.integers(0, 5), st.integers(0, 5))


@pytest.mark.parametrize(
    ("one", "other", "p"),
    [
        ((3, 1), (1, 3), 0.4857),  # Fisher's tea
        ((2, 10), (15, 3), 0.0005367),  # convictions of twins, as R's documentation has them
        ((0, 0), (3, 4), 1.0),
        ((5, 0), (5, 0), 1.0),
    ],
)
def test_fishers_exact_test(one: tuple[int, int], other: tuple[int, int], p: float) -> None:
    assert fisher_exact(one, other) == pytest.approx(p, rel=2e-3)
    assert fisher_exact(other, one) == pytest.approx(fisher_exact(one, other))


@given(COUNTS, COUNTS)
@settings(max_examples=40)
def test_fishers_test_counts_the_ways_in_which_successes_may_fall(one: tuple[int, int], other: tuple[int, int]) -> None:
    first, everybody, successes = sum(one), sum(one) + sum(other), one[0] + other[0]
    drawn = [sum(person < first for person in drawing) for drawing in combinations(range(everybody), successes)]
    frequency = {count: drawn.count(count) for count in set(drawn)}
    as_rare = sum(times for times in frequency.values() if times <= frequency[one[0]])
    assert fisher_exact(one, other) == pytest.approx(as_rare / len(drawn))


@pytest.mark.parametrize(
    ("more", "less", "p"),
    [(0, 0, 1.0), (3, 3, 1.0), (1, 5, 0.21875), (0, 6, 0.03125), (0, 2, 0.5), (45, 15, 0.000135)],
)
def test_the_sign_test_is_that_of_a_fair_coin(more: int, less: int, p: float) -> None:
    assert sign_test(more, less) == sign_test(less, more) == pytest.approx(p, rel=0.05)


@given(st.integers(0, 12), st.integers(0, 12))
def test_the_sign_test_counts_the_ways_in_which_a_coin_may_fall(more: int, less: int) -> None:
    tosses = more + less
    uneven = [heads for heads in range(tosses + 1) if abs(2 * heads - tosses) >= abs(more - less)]
    assert sign_test(more, less) == pytest.approx(sum(math.comb(tosses, heads) for heads in uneven) / 2**tosses)


def test_the_sign_test_of_many_pairs_is_told_quickly() -> None:
    assert 0 < sign_test(10_000, 9_500) < 0.001
    with pytest.raises(ValueError, match="negative"):
        sign_test(-1, 2)


def test_negative_counts_are_refused() -> None:
    with pytest.raises(ValueError, match="negative"):
        fisher_exact((1, -1), (2, 2))


def test_welchs_test_on_the_sleep_of_student() -> None:
    """As R gives it for its data set `sleep` (Student 1908): p = 0.07939."""
    one = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]
    other = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]
    assert welch_t(one, other) == pytest.approx(0.07939, abs=1e-5)
    assert welch_t(other, one) == welch_t(one, other)


@pytest.mark.parametrize(
    ("one", "other"), [([1.0], [1.0, 2.0]), ([], []), ([1.0, 1.0], [1.0, 1.0]), ([1.0] * 3, [2.0] * 3)]
)
def test_nothing_can_be_told_of_too_little(one: list[float], other: list[float]) -> None:
    assert welch_t(one, other) is None


def test_with_much_data_it_is_the_normal_distribution() -> None:
    values = np.linspace(-1.7320508, 1.7320508, 5000)  # of variance 1
    p = welch_t(list(values), list(values + 0.04))
    assert p == pytest.approx(math.erfc(0.04 / math.sqrt(2 / 5000) / math.sqrt(2)), rel=5e-3)


def test_holm_adjusts_as_in_a_worked_example() -> None:
    assert holm({"a": 0.01, "b": 0.04, "c": 0.03, "d": 0.005}) == pytest.approx(
        {"d": 0.02, "a": 0.03, "c": 0.06, "b": 0.06}
    )


@given(st.dictionaries(st.integers(), st.floats(0, 1), max_size=8))
def test_holm_never_lowers_p_nor_changes_an_order(values: dict[int, float]) -> None:
    adjusted = holm(values)
    assert all(values[key] <= adjusted[key] <= 1 for key in values)
    ordered = sorted(values, key=lambda key: values[key])
    assert [adjusted[key] for key in ordered] == sorted(adjusted.values())
