"""Rounds beside each other, on figures that are worked out by hand."""

from __future__ import annotations

from beat_the_ai.analysis.rounds import rounds_section
from beat_the_ai.rules.dataset import Trial
from beat_the_ai.rules.protocol import Context
from beat_the_ai.statistics.intervals import newcombe

MODELS = {1: "first", 2: "second"}


def trials(number: int, beaten: int, missed: int, *, confirmed: bool | None = True) -> list[Trial]:
    """HITs of one attempt each."""
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
        )
        for one in range(beaten + missed)
    ]


def test_a_later_model_that_is_beaten_less_is_said_to_be_harder_to_beat() -> None:
    section = rounds_section([*trials(1, 60, 40), *trials(2, 30, 70)], MODELS)
    first, second = section.table.rows
    assert first[:4] == ["1", "first", "60.0% (50.2% to 69.1%), 60", "–"]
    low, high = newcombe((30, 100), (60, 100))
    points = f"−30.0 points (−{-100 * low:.1f} to −{-100 * high:.1f})"
    assert second == ["2", "second", "30.0% (21.9% to 39.6%), 30", points, "30.0% (21.9% to 39.6%), 30", points]
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


def test_a_round_without_attempts_has_no_rates() -> None:
    section = rounds_section(trials(1, 6, 4), MODELS)
    assert section.table.rows[1] == ["2", "second", "–", "–", "–", "–"]
