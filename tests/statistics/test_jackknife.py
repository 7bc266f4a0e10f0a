"""Intervals over clusters: how often they hold the truth, and their ends."""

from __future__ import annotations

import numpy as np
import pytest

from beat_the_ai.statistics.intervals import wilson
from beat_the_ai.statistics.jackknife import Matrix, Scale, estimated

SAMPLES = 400


def uneven(rng: np.random.Generator, clusters: int) -> Matrix:
    """Return the sizes of clusters of which a few have most, as those of writers."""
    sizes: Matrix = np.maximum(1, np.round(np.exp(rng.normal(2, 1, clusters))))
    return sizes


@pytest.mark.parametrize("clusters", [2, 5, 12, 40])
@pytest.mark.parametrize(("share", "alike"), [(0.1, 0.1), (0.5, 0.3), (0.95, 0.1)])
def test_intervals_of_shares_hold_the_truth_nine_times_in_ten_even_with_few_uneven_clusters(
    clusters: int, share: float, alike: float
) -> None:
    """The percentiles of a bootstrap, widened for few clusters, hold it in three of four samples of 3 clusters."""
    rng, held = np.random.default_rng(1), 0
    for _ in range(SAMPLES):
        sizes = uneven(rng, clusters)
        skills = rng.beta(share * (1 - alike) / alike, (1 - share) * (1 - alike) / alike, clusters)
        found = estimated(np.stack([rng.binomial(sizes.astype(int), skills), sizes], axis=1), Scale.SHARE)
        assert found is not None
        assert found.interval is not None
        held += found.interval[0] <= share <= found.interval[1]
    assert held >= 0.89 * SAMPLES


@pytest.mark.parametrize("clusters", [3, 12, 40])
def test_intervals_of_skewed_amounts_hold_the_truth_about_as_often(clusters: int) -> None:
    rng, held = np.random.default_rng(2), 0
    for _ in range(SAMPLES):
        seconds = np.exp(rng.normal(-0.32, 0.8, (clusters, 10))).sum(axis=1)
        found = estimated(np.stack([seconds, np.full(clusters, 10.0)], axis=1), Scale.AMOUNT)
        assert found is not None
        assert found.interval is not None
        held += found.interval[0] <= 1 <= found.interval[1]
    assert 0.9 * SAMPLES <= held <= 0.98 * SAMPLES


def test_the_more_clusters_the_shorter_the_interval_and_shares_stay_shares() -> None:
    widths = []
    for clusters in (2, 4, 16, 64):
        found = estimated(np.array([[1.0, 4.0], [3.0, 4.0]] * (clusters // 2)), Scale.SHARE)
        assert found is not None
        assert found.interval is not None
        assert 0 <= found.interval[0] < 0.5 < found.interval[1] <= 1
        widths.append(found.interval[1] - found.interval[0])
    assert widths == sorted(widths, reverse=True)
    assert widths[0] > 0.95


@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_where_clusters_are_all_alike_each_is_one_trial_with_students_quantile(share: float) -> None:
    found = estimated(np.array([[8 * share, 8.0]] * 3), Scale.SHARE)
    assert found is not None
    assert found.interval == pytest.approx(wilson(3 * share, 3, 4.302653), rel=1e-5)
    amount = estimated(np.array([[8 * share, 8.0]] * 3), Scale.AMOUNT)
    assert amount is not None
    assert amount.interval is None


@pytest.mark.parametrize("scale", Scale)
def test_a_row_of_zeros_is_no_cluster(scale: Scale) -> None:
    clusters = np.array([[1.0, 4.0], [3.0, 4.0], [2.0, 9.0]])
    assert estimated(np.vstack([clusters, np.zeros((5, 2))]), scale) == estimated(clusters, scale)
    assert estimated(np.zeros((3, 2)), scale) is None
