"""Ratios over clusters and their differences, against scipy and what is known of them."""

from __future__ import annotations

import math
from itertools import repeat

import numpy as np
import pytest
from scipy import stats
from scipy.special import expit, logit

from beat_the_ai.statistics.figure import Estimate
from beat_the_ai.statistics.jackknife import Scale
from beat_the_ai.statistics.ratios import Pair, difference, ratio

WRITERS: list[Pair] = [(10, 4), (3, 3), (25, 5), (8, 6), (4, 1), (12, 9), (7, 2), (5, 5), (9, 3), (6, 4)]


def interval(clusters: list[Pair], scale: Scale) -> tuple[float, float]:
    found = ratio(clusters, scale)
    assert found is not None
    assert found.interval is not None
    return found.interval


def test_a_ratio_is_that_of_the_sums_and_not_a_mean_of_ratios() -> None:
    found = ratio([(10, 1), (0, 9)], Scale.AMOUNT)
    assert found is not None
    assert found.value == 1.0


@pytest.mark.parametrize("scale", Scale)
def test_the_interval_is_that_of_a_jackknife_with_students_quantile(scale: Scale) -> None:
    pairs = [(won, tries) for tries, won in WRITERS]
    above, below = map(sum, zip(*pairs, strict=True))
    value = above / below
    apart = [(above - won) / (below - tries) - value for won, tries in pairs]
    margin = stats.t.ppf(0.975, 9) * math.sqrt(9 / 10 * sum(each**2 for each in apart))
    ends = {
        Scale.SHARE: expit(logit(value) + np.array([-1, 1]) * margin / (value * (1 - value))),
        Scale.AMOUNT: value * np.exp(np.array([-1, 1]) * margin / value),
        Scale.DIFFERENCE: value + np.array([-1, 1]) * margin,
    }
    assert interval(pairs, scale) == pytest.approx(tuple(ends[scale]), rel=1e-6)


def test_equal_clusters_have_students_interval_of_a_mean() -> None:
    values = [3.0, 1.5, 2.25, 8.0, 4.0]
    theirs = stats.ttest_1samp(values, 0).confidence_interval()
    assert interval([(each, 1) for each in values], Scale.DIFFERENCE) == pytest.approx((theirs.low, theirs.high))


def test_a_difference_has_its_interval_by_those_of_both() -> None:
    """Compare with Newcombe 1998, Table II (a): 56 of 70 less 48 of 80."""
    one, other = Estimate(0.8, (0.6923, 0.8770)), Estimate(0.6, (0.4905, 0.7003))
    found = difference(one, other)
    assert found is not None
    assert found.interval == pytest.approx((0.0524, 0.3339), abs=5e-4)
    assert difference(one, None) is None
    assert difference(None, one) is None
    assert difference(one, Estimate(0.75, None)) == Estimate(0.8 - 0.75, None)


def test_one_writer_of_much_work_makes_the_interval_wide() -> None:
    """Clusters are left out, not tries: 400 tries of one person are one observation."""
    one: list[Pair] = [*repeat((10, 10), 19), (210, 10)]
    alike = ratio([(20, 10)] * 20, Scale.AMOUNT)
    assert alike is not None
    assert (alike.value, alike.interval) == (2.0, None)
    low, high = interval(one, Scale.AMOUNT)
    assert low < 1.0
    assert high > 4.0


@pytest.mark.parametrize("clusters", [[], [(3, 0)], [(0, 0), (5, 0)]])
def test_without_a_denominator_there_is_no_ratio(clusters: list[Pair]) -> None:
    assert ratio(clusters, Scale.AMOUNT) is None


@pytest.mark.parametrize("clusters", [[(6, 3)], [(6, 3), (5, 0), (4, 0)]])
def test_there_is_no_interval_of_one_cluster_nor_where_one_has_all(clusters: list[Pair]) -> None:
    found = ratio(clusters, Scale.AMOUNT)
    assert found is not None
    assert found.interval is None
