"""Resamples and permutations of sums over clusters, against known values and other ways to count."""

from __future__ import annotations

import math
from itertools import product
from statistics import NormalDist

import numpy as np
import pytest

from beat_the_ai.statistics.jackknife import Matrix, mean_of
from beat_the_ai.statistics.resampling import expanded_interval, interval_of, permutation_p, resampled

ONE = np.array([[3, 4], [1, 2], [2, 2], [0, 3], [4, 5], [2, 3]], dtype=float)
OTHER = np.array([[1, 4], [1, 2], [1, 2], [1, 3], [2, 5], [0, 3]], dtype=float)
NORMAL = NormalDist()
DRAWS = [NORMAL.inv_cdf((number + 0.5) / 20_000) for number in range(20_000)]


def test_a_cluster_is_drawn_with_all_that_is_in_it() -> None:
    draws = resampled(np.array([[1.0, 10.0], [0.0, 20.0], [7.0, 70.0]]))
    assert draws.shape == (4000, 2)
    assert set(draws[:, 0]) == {1.0 * a + 7.0 * c for a, b, c in product(range(4), repeat=3) if a + b + c == 3}
    assert draws.mean(axis=0) == pytest.approx([8, 100], rel=0.03)


def test_equal_clusters_are_drawn_as_often_as_different_ones() -> None:
    equal = np.array([[1.0, 1.0]] * 30 + [[0.0, 1.0]] * 50)
    apart = equal + np.arange(80)[:, None] * [0, 1e-9]
    for confidence in (0.05, 0.5, 0.95):
        one, other = (np.quantile(mean_of(resampled(each)), confidence) for each in (equal, apart))
        assert one == pytest.approx(other, abs=0.02)


def test_many_clusters_are_drawn_in_parts_that_fit_into_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = resampled(ONE)
    monkeypatch.setattr("beat_the_ai.statistics.resampling.MOST_AT_ONCE", 70)
    assert np.array_equal(resampled(ONE), whole)


def test_the_permutation_test_is_that_of_all_exchanges() -> None:
    def difference(swaps: tuple[bool, ...]) -> float:
        sides = [np.where(np.array(swaps)[:, None], *pair).sum(axis=0) for pair in ((OTHER, ONE), (ONE, OTHER))]
        return float(sides[0][0] / sides[0][1] - sides[1][0] / sides[1][1])

    every = [abs(difference(swaps)) for swaps in product((False, True), repeat=len(ONE))]
    exact = sum(each >= every[0] - 1e-12 for each in every) / len(every)
    assert permutation_p(ONE, OTHER, mean_of) == pytest.approx(exact, abs=0.015)
    assert permutation_p(OTHER, ONE, mean_of) == permutation_p(ONE, OTHER, mean_of)


def test_sides_that_are_the_same_have_no_difference_to_test() -> None:
    assert permutation_p(ONE, ONE, mean_of) == 1.0


def test_the_permutation_test_seldom_finds_what_is_not_there() -> None:
    rng, found = np.random.default_rng(7), 0
    for _ in range(60):
        passages = rng.normal(0.5, 0.2, 30)
        one, other = (np.stack([passages + rng.normal(0, 0.1, 30), np.ones(30)], axis=1) for _ in range(2))
        found += permutation_p(one, other, mean_of) < 0.05
    assert found <= 8


def test_a_figure_that_most_draws_lack_has_no_interval() -> None:
    draws: Matrix = np.array([np.nan] * 10 + [1.0] * 90)
    assert interval_of(draws, 20) is None
    assert interval_of(draws[6:], 20) == (1.0, 1.0)
    assert interval_of(draws[10:], 1) is None


@pytest.mark.parametrize(("clusters", "t"), [(6, 2.0150), (11, 1.8125), (31, 1.6973)])  # of tables, 5% on either side
def test_the_expanded_interval_is_as_wide_as_students_interval_of_a_mean(clusters: int, t: float) -> None:
    low, high = expanded_interval(DRAWS, clusters, 0.9)
    assert (low, high) == pytest.approx((-t * math.sqrt(clusters / (clusters - 1)), -low), rel=2e-3)


def test_with_many_clusters_the_expanded_interval_is_the_percentile_interval() -> None:
    assert expanded_interval(DRAWS, 100_000, 0.9) == pytest.approx(np.quantile(DRAWS, [0.05, 0.95]), rel=1e-3)


def test_of_one_cluster_the_interval_is_everything_that_was_drawn() -> None:
    assert expanded_interval([3.0, 1.0, 2.0], 1, 0.9) == (1.0, 3.0)
