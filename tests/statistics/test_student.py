"""Student's distribution, against scipy."""

from __future__ import annotations

import pytest
from scipy import stats

from beat_the_ai.statistics import student


@pytest.mark.parametrize("freedom", [1, 2, 5, 30, 4000])
def test_tails_and_quantiles_are_those_of_scipy(freedom: int) -> None:
    for t in (0.0, 0.5, 2.0, 12.7):
        assert student.beyond(t, freedom) == pytest.approx(2 * stats.t.sf(t, freedom), rel=1e-4, abs=1e-12)
    for confidence in (0.5, 0.9, 0.95):
        assert student.quantile(confidence, freedom) == pytest.approx(stats.t.ppf((1 + confidence) / 2, freedom), 1e-5)
