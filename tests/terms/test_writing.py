from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from beat_the_ai.errors import InvalidInput
from beat_the_ai.terms.writing import Terms


def test_the_defaults_are_those_of_the_paper() -> None:
    terms = Terms()
    assert (terms.wins_wanted, terms.max_wins, terms.reward_cents) == (3, 5, 200)


@pytest.mark.parametrize(
    ("wins_wanted", "max_wins", "max_tries"), [(0, 5, 25), (-1, 5, 25), (4, 3, 25), (3, 5, 4), (1, 0, 25)]
)
def test_limits_that_contradict_each_other_are_refused(wins_wanted: int, max_wins: int, max_tries: int) -> None:
    with pytest.raises(InvalidInput, match=rf"wins_wanted={wins_wanted}, max_wins={max_wins}"):
        Terms(wins_wanted=wins_wanted, max_wins=max_wins, max_tries=max_tries)


@pytest.mark.parametrize("name", ["reward_cents", "time_limit_seconds"])
def test_negative_amounts_are_refused_by_name(name: str) -> None:
    below: dict[str, Any] = {name: -1}
    with pytest.raises(InvalidInput, match=f"{name}=-1 was given") as caught:
        replace(Terms(), **below)
    assert caught.value.field == name


def test_one_win_in_one_try_for_nothing_is_possible() -> None:
    assert Terms(wins_wanted=1, max_wins=1, max_tries=1, reward_cents=0).max_tries == 1
