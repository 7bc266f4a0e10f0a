"""Known values of Cohen's kappa and Krippendorff's alpha."""

from __future__ import annotations

import pytest

from beat_the_ai.statistics.agreement import cohens_kappa, krippendorff_alpha
from beat_the_ai.statistics.figure import Estimate
from beat_the_ai.workforce.agreement import agreement


def value(of: Estimate | None) -> float | None:
    return None if of is None else of.value


def test_cohens_kappa_of_the_textbook_table() -> None:
    """20 both yes, 15 both no, 5 and 10 apart: observed 0.7, by chance 0.5, kappa 0.4."""
    pairs = [("y", "y")] * 20 + [("y", "n")] * 5 + [("n", "y")] * 10 + [("n", "n")] * 15
    assert value(cohens_kappa(pairs)) == pytest.approx(0.4)


def test_krippendorffs_alpha_of_his_own_example() -> None:
    """Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability", part A: binary, two judges."""
    first = [1, 1, 0, 0, 0, 0, 0, 0, 0, 0]
    second = [0, 1, 1, 0, 0, 1, 0, 1, 0, 0]
    assert value(krippendorff_alpha(list(zip(first, second, strict=True)))) == pytest.approx(0.095, abs=5e-4)


@pytest.mark.parametrize("units", [[], [{"a": "x"}], [{"a": "x", "b": "x"}]])
def test_what_is_not_defined_is_none(units: list[dict[str, str]]) -> None:
    assert agreement(units).alpha is None


def test_perfect_agreement_is_1_and_perfect_disagreement_below_chance() -> None:
    same = agreement([{"a": "x", "b": "x"}, {"a": "y", "b": "y", "c": "y"}])
    assert (same.units, same.percent, value(same.alpha)) == (2, 100.0, 1.0)
    assert {pair: value(of) for pair, of in same.kappa.items()} == {("a", "b"): 1.0, ("a", "c"): None, ("b", "c"): None}
    apart = agreement([{"a": "x", "b": "y"}, {"a": "y", "b": "x"}])
    assert (apart.percent, value(apart.kappa["a", "b"])) == (0.0, -1.0)
    assert (value(apart.alpha) or 0.0) < 0
