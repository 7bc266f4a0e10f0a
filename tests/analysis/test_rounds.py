"""Rounds beside each other, on figures that are worked out by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from beat_the_ai.analysis.cells import clustered_cell
from beat_the_ai.analysis.rounds import rounds_section
from beat_the_ai.rules.dataset import Trial
from beat_the_ai.rules.protocol import Context
from beat_the_ai.statistics.clustered import Clustered
from beat_the_ai.statistics.ratios import difference

MODELS = {1: "first", 2: "second"}


def trials(number: int, beaten: int, missed: int, *, confirmed: bool | None = True) -> list[Trial]:
    """HITs of one attempt each, by as many writers."""
    return [
        Trial(
            Context("c", "text"),
            number,
            f"{number}/{one}",
            1,
            1.0,
            one < beaten,
            confirmed,
            is_checked=True,
            exclusive=False,
            writer=f"{number}/{one}",
        )
        for one in range(beaten + missed)
    ]


def test_a_later_model_that_is_beaten_less_is_said_to_be_harder_to_beat() -> None:
    section = rounds_section([*trials(1, 60, 40), *trials(2, 30, 70)], MODELS)
    first, second = section.table.rows
    one, other = (Clustered({f"{n}": (n < beaten, 1) for n in range(100)}) for beaten in (60, 30))
    assert first[:4] == ["1", "first", clustered_cell(one), "–"]
    less = difference(other.share, one.share)
    assert less is not None
    low, high = less.interval or (0, 0)
    assert (low, high) == pytest.approx((-0.4206, -0.1642), abs=0.01)  # Newcombe's, of 30 and 60 of 100
    points = f"−30.0 points (−{-100 * low:.1f} to −{-100 * high:.1f})"
    assert second == ["2", "second", clustered_cell(other), points, clustered_cell(other), points]
    assert f"the model of round 2, second, is harder to beat than that of the first: {points}." in section.text


def test_a_difference_that_chance_may_make_is_not_said_to_be_one() -> None:
    section = rounds_section([*trials(1, 6, 4), *trials(2, 3, 7)], MODELS)
    assert section.text.count("is not shown to be harder or easier to beat") == 2
    section = rounds_section([*trials(1, 30, 70), *trials(2, 60, 40)], MODELS)
    assert section.text.count("is easier to beat") == 2


def test_a_round_against_the_same_model_is_compared_with_no_other() -> None:
    section = rounds_section([*trials(1, 60, 40), *trials(2, 30, 70)], {1: "first", 2: "first"})
    assert section.text.startswith("Round 2 was played against the same model as the first. The share")


def test_what_nobody_confirmed_is_no_verified_error_and_what_is_open_does_not_count() -> None:
    section = rounds_section([*trials(1, 60, 40), *trials(2, 50, 50, confirmed=False)], MODELS)
    assert section.table.rows[1][4].startswith("0.0%")
    section = rounds_section([*trials(1, 60, 40), *trials(2, 50, 0, confirmed=None)], MODELS)
    assert section.table.rows[1][4:] == ["–", "–"]
    assert "By the verified rate" not in section.text


def test_attempts_of_one_writer_are_no_independent_draws() -> None:
    by_one = [replace(trial, writer="w") for trial in trials(2, 30, 70)]
    section = rounds_section([*trials(1, 60, 40), *by_one], MODELS)
    assert section.table.rows[1][2:4] == ["30.0%, 30", "−30.0 points"]
    assert "is not shown to be harder or easier to beat" in section.text


def test_a_round_without_attempts_has_no_rates() -> None:
    section = rounds_section(trials(1, 6, 4), MODELS)
    assert section.table.rows[1] == ["2", "second", "–", "–", "–", "–"]
