"""Shares and means by cluster, against figures that are known."""

from __future__ import annotations

import numpy as np

from beat_the_ai.statistics.clustered import Clustered
from beat_the_ai.statistics.intervals import wilson
from beat_the_ai.statistics.jackknife import Scale
from beat_the_ai.statistics.ratios import ratio


def test_a_share_has_the_interval_of_its_clusters() -> None:
    share = Clustered()
    for cluster, found, of in (("b", 3, 10), ("a", 9, 10), ("c", 5, 20), ("a", 1, 10)):
        share.add(cluster, found, of)
    estimate = share.share
    assert estimate is not None
    assert (share.found, share.of, share.clusters, estimate.value) == (18, 50, 3, 0.36)
    assert estimate == ratio([(3, 10), (5, 20), (10, 20)], Scale.SHARE)
    assert share.bounded == (0.36, *(estimate.interval or ()))


def test_neither_names_nor_order_make_a_difference() -> None:
    one = Clustered({"a": (1, 4), "b": (3, 4), "c": (2, 9)})
    other = Clustered({"x": (2, 9), "y": (1, 4), "z": (3, 4)})
    assert one.share == other.share


def test_there_is_no_interval_of_fewer_than_two_clusters() -> None:
    alone = Clustered({"a": (1, 4), "b": (0, 0)})
    assert (alone.clusters, alone.bounded) == (1, (0.25, None, None))
    assert Clustered().bounded is None
    assert Clustered({"a": (0, 0)}).share is None


def test_things_are_counted_by_cluster_also_those_that_never_occur() -> None:
    found = Clustered.of_things("xyxx", "aabb", "xz")
    assert found == {"x": Clustered({"a": (1, 2), "b": (2, 2)}), "z": Clustered({"a": (0, 2), "b": (0, 2)})}
    assert Clustered.of_values([2.5, 1, 4], "aba") == Clustered({"a": (6.5, 2), "b": (1, 1)})


def test_several_are_added_up_by_cluster() -> None:
    merged = Clustered.merged([Clustered({"a": (1, 2), "b": (0, 1)}), Clustered({"a": (1, 1)})])
    assert merged == Clustered({"a": (2, 3), "b": (0, 1)})


def test_the_interval_covers_where_clusters_differ_and_that_of_attempts_does_not() -> None:
    """Thirty writers of very different skill, fifty attempts each: the mean skill is one half."""
    draw, covered, too_short = np.random.default_rng(1), 0, 0
    for _ in range(100):
        skills = draw.beta(1, 1, 30)
        wins = draw.binomial(50, skills)
        share = Clustered({f"{number}": (int(won), 50) for number, won in enumerate(wins)}).share
        assert share is not None
        assert share.interval is not None
        covered += share.interval[0] <= 0.5 <= share.interval[1]
        low, high = wilson(int(wins.sum()), 1500)
        too_short += not low <= 0.5 <= high
    assert covered >= 88
    assert too_short > 40
