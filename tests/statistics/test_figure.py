"""Figures as texts."""

from __future__ import annotations

import pytest

from beat_the_ai.statistics.figure import Estimate, Figure, Shown, decimals, percent, points, with_interval


@pytest.mark.parametrize(
    ("shown", "number", "text"),
    [
        (decimals(2), 1.005, "1.00"),
        (decimals(0), -2.7, "−3"),
        (decimals(1), -0.04, "0.0"),
        (decimals(1, plus=True), -0.04, "+0.0"),
        (decimals(1, plus=True), 12.34, "+12.3"),
        (percent, 0.12345, "12.3%"),
        (points, -0.5, "−50.0"),
    ],
)
def test_a_minus_sign_is_no_hyphen_and_0_has_none(shown: Shown, number: float, text: str) -> None:
    assert shown(number) == text


def test_an_interval_stands_behind_the_value_and_its_unit() -> None:
    assert with_interval(70, (40, 89), decimals(0), " points", "95% interval ") == "70 points (95% interval 40 to 89)"
    assert Estimate(0.5, (-0.25, 1.0)).text(decimals(2)) == "0.50 (−0.25 to 1.00)"
    assert Estimate(0.5, None).text(percent) == "50.0%"
    assert (Figure("F1", None).text(), Figure("F1", 80.0, (70.0, 90.0), 5, "%").text()) == ("–", "80.0 (70.0 to 90.0)")
