"""Intervals of medians over clusters, by what they promise."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from beat_the_ai.statistics.medians import median_interval


@pytest.mark.parametrize("total", [21, 100, 1_001])
def test_of_values_that_stand_alone_it_is_about_that_of_order_statistics(total: int) -> None:
    theirs = stats.quantile_test(range(total), p=0.5).confidence_interval(0.95)
    ours = median_interval(range(total), range(total))
    assert ours == pytest.approx((theirs.low, theirs.high), abs=0.01 * total + 1)


@pytest.mark.parametrize("total", [0, 1, 2, 6])
def test_six_clusters_or_fewer_do_not_bound_it(total: int) -> None:
    assert median_interval(range(total), range(total)) is None
    assert median_interval([*range(total)] * 5, [*range(total)] * 5) is None


def test_it_holds_the_median_where_values_of_a_writer_are_alike() -> None:
    """Twenty writers with ten values each: order statistics of single values would hold it in half of all samples."""
    rng, held, alone = np.random.default_rng(1), 0, 0
    writers = np.repeat(np.arange(20), 10).tolist()
    for _ in range(150):
        values = (np.repeat(rng.normal(0, 1, 20), 10) + rng.normal(0, 0.5, 200)).tolist()
        found = median_interval(values, writers)
        assert found is not None
        held += found[0] <= 0 <= found[1]
        theirs = stats.quantile_test(values, p=0.5).confidence_interval(0.95)
        alone += theirs.low <= 0 <= theirs.high
    assert held >= 0.9 * 150
    assert alone <= 0.75 * 150


def test_tied_values_are_one_end() -> None:
    assert median_interval([1, 2, 2, 2, 3] * 20, [n // 5 for n in range(100)]) == (2, 2)
