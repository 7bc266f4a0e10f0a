"""Ratios over clusters, against a plain bootstrap and what is known of them."""

from __future__ import annotations

import random
from itertools import repeat

import pytest

from beat_the_ai.statistics.ratios import difference, ratio

WRITERS = [(10, 4), (3, 3), (25, 5), (8, 6), (4, 1), (12, 9), (7, 2), (5, 5), (9, 3), (6, 4)]
OTHERS = [(4, 4), (6, 5), (9, 8), (3, 2), (7, 7), (5, 3), (8, 6), (4, 2)]


def resampled(clusters: list[tuple[int, int]], rng: random.Random) -> float:
    some = rng.choices(clusters, k=len(clusters))
    return sum(above for above, _ in some) / sum(below for _, below in some)


def test_a_ratio_is_that_of_the_sums_and_not_a_mean_of_ratios() -> None:
    found = ratio([(10, 1), (0, 9)])
    assert found is not None
    assert found.value == 1.0


def test_the_interval_is_that_of_a_bootstrap_of_the_clusters_a_little_wider() -> None:
    found, rng = ratio(WRITERS), random.Random(1)
    assert found is not None
    assert found.interval is not None
    drawn = sorted(resampled(WRITERS, rng) for _ in range(20_000))
    low, high = drawn[500], drawn[-501]
    assert found.interval[0] == pytest.approx(low, abs=0.12)
    assert found.interval[1] == pytest.approx(high, abs=0.3)
    assert found.interval[0] < low < found.value < high < found.interval[1]


def test_a_difference_is_of_two_independent_groups() -> None:
    found, back, rng = difference(WRITERS, OTHERS), difference(OTHERS, WRITERS), random.Random(2)
    assert found is not None
    assert back is not None
    assert found.interval is not None
    assert found.value == pytest.approx(89 / 42 - 46 / 37) == pytest.approx(-back.value)
    drawn = sorted(resampled(WRITERS, rng) - resampled(OTHERS, rng) for _ in range(20_000))
    assert found.interval[0] == pytest.approx(drawn[500], abs=0.12)
    assert found.interval[1] == pytest.approx(drawn[-501], abs=0.3)


def test_one_writer_of_much_work_makes_the_interval_wide() -> None:
    """Clusters are drawn, not tries: 400 tries of one person are one observation."""
    even, one = ratio([(20, 10)] * 20), ratio([*repeat((10, 10), 19), (210, 10)])
    assert even is not None
    assert one is not None
    assert even.value == one.value == 2.0
    assert even.interval == (2.0, 2.0)
    assert one.interval is not None
    assert one.interval[0] == 1.0
    assert one.interval[1] > 3.0


def test_it_covers_the_truth_as_often_as_it_says_of_few_writers() -> None:
    rng, covered = random.Random(3), 0
    for _ in range(200):
        skills = [rng.uniform(0.2, 0.8) for _ in range(8)]
        writers = [(20, sum(rng.random() < skill for _ in range(20))) for skill in skills]
        found = ratio([(wins, tries) for tries, wins in writers])
        assert found is not None
        assert found.interval is not None
        covered += found.interval[0] <= 0.5 <= found.interval[1]
    assert 0.9 * 200 <= covered <= 200


@pytest.mark.parametrize("clusters", [[], [(3, 0)], [(0, 0), (5, 0)]])
def test_without_a_denominator_there_is_no_ratio(clusters: list[tuple[int, int]]) -> None:
    assert ratio(clusters) is None
    assert difference(clusters, WRITERS) is None
    assert difference(WRITERS, clusters) is None


def test_there_is_no_interval_of_one_cluster_nor_where_many_draws_have_no_ratio() -> None:
    for clusters in ([(6, 3)], [(6, 3), (5, 0), (4, 0)]):
        found = ratio(clusters)
        assert found is not None
        assert found.interval is None
    less = difference([(6, 3)], WRITERS)
    assert less is not None
    assert less.interval is None
