"""The terms of a round, as far as they are no campaign's."""

from __future__ import annotations

import pytest

from beat_the_ai.terms.round import RoundTerms

ROUND = {
    **{"number": 1, "hits_per_context": 1, "max_hits": None, "wins_wanted": 1, "max_wins": 1, "max_tries": 10},
    **{"time_limit_seconds": 600, "arms": {"human": {}, "short": {"round": {"max_tries": 3}}}},
}


@pytest.mark.parametrize(("arm", "tries"), [(None, 10), ("human", 10), ("short", 3)])
def test_an_arm_has_the_tries_of_its_round_or_its_own(arm: str | None, tries: int) -> None:
    assert RoundTerms.model_validate({"round": ROUND}).max_tries(arm) == tries


def test_terms_without_a_round_say_no_tries() -> None:
    assert RoundTerms().max_tries(None) is None
