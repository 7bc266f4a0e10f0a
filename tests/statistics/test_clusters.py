"""Intervals of a bootstrap over few clusters."""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
import pytest

from beat_the_ai.statistics.clusters import expanded_interval

NORMAL = NormalDist()
DRAWS = [NORMAL.inv_cdf((number + 0.5) / 20_000) for number in range(20_000)]


@pytest.mark.parametrize(("clusters", "t"), [(6, 2.0150), (11, 1.8125), (31, 1.6973)])  # of tables, 5% on either side
def test_it_is_as_wide_as_students_interval_of_a_mean(clusters: int, t: float) -> None:
    low, high = expanded_interval(DRAWS, clusters, 0.9)
    assert (low, high) == pytest.approx((-t * math.sqrt(clusters / (clusters - 1)), -low), rel=2e-3)


def test_with_many_clusters_it_is_the_percentile_interval() -> None:
    assert expanded_interval(DRAWS, 100_000, 0.9) == pytest.approx(np.quantile(DRAWS, [0.05, 0.95]), rel=1e-3)


def test_of_one_cluster_it_is_everything_that_was_drawn() -> None:
    assert expanded_interval([3.0, 1.0, 2.0], 1, 0.9) == (1.0, 3.0)
