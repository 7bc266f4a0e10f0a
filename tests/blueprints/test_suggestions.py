"""Suggestions by the calls of pages: where an arm has any, whatever a page says of them."""

from __future__ import annotations

from typing import Any

import pytest

from beat_the_ai.errors import InvalidInput, Refused
from beat_the_ai.store import Round, Store, now
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.writing import ArmPage, OpenHits
from blueprints.writing import writing_state
from blueprints.writing.blueprint import WritingState
from tests.blueprints.test_writing import opened
from tests.writing.fakes import PASSAGE, new_desk, offer_hits, payload
from tests.writing.test_suggestions import ARMS, FILE, desks


@pytest.fixture
def pages(store: Store) -> tuple[WritingState, dict[str, Any]]:
    """The state of a run whose arms are assisted and not, and the agent of a writer in each."""
    hits = offer_hits(store, slots=2)
    store.rounds.open(Round("pilot", 1, {}, now()))
    desk, suggestions = desks(store)
    arms = {name: ArmPage(config={}, words={}, suggests=name == "assisted") for name in ARMS}
    offer = OpenHits(BoundCampaign.open(store, "pilot"), dict.fromkeys(hits, PASSAGE.id))
    state = writing_state(desk, offer, {}, arms=arms, suggestions=suggestions)
    agents = [opened(state, hit, f"w{hit}", f"r{hit}") for hit in hits]
    return state, {("assisted" if agent.state.page["arm"]["suggests"] else "alone"): agent for agent in agents}


def test_a_page_gets_works_and_no_more_of_them(pages: tuple[WritingState, dict[str, Any]]) -> None:
    state, agents = pages
    told = state.procedures["suggestions"](agents["assisted"], {"ordinal": 1})
    [one] = told["suggestions"]
    assert (one["ordinal"], told["more"]) == (1, True)
    assert one["work"] in [each.content.model_dump() for each in FILE]
    assert one.keys() == {"ordinal", "work"}
    assert state.procedures["take_suggestion"](agents["assisted"], {"ordinal": 1}) == {}


@pytest.mark.parametrize("target", ["suggestions", "take_suggestion"])
def test_a_page_of_another_arm_is_refused(pages: tuple[WritingState, dict[str, Any]], target: str) -> None:
    state, agents = pages
    with pytest.raises(Refused, match="There are no suggestions"):
        state.procedures[target](agents["alone"], {"ordinal": 1})
    for wrong in ({}, {"ordinal": "1"}, {"ordinal": [1]}, {"ordinal": -3}, {"ordinal": 10**30}):
        with pytest.raises(InvalidInput):
            state.procedures[target](agents["assisted"], wrong)


def test_what_a_page_claims_of_a_source_is_not_read(pages: tuple[WritingState, dict[str, Any]], store: Store) -> None:
    state, agents = pages
    claimed = {"id": "s1", "model": "gpt", "edited": False, "distance": 0}
    call = {"attempt_key": "k", "context_id": PASSAGE.id, "work": payload("Why did Rome fall at all?")}
    state.procedures["submit_attempt"](agents["assisted"], {**call, "suggestion": claimed})
    [row] = store.attempts.of_campaign("pilot")
    assert row.attempt.suggestion is None
    work = payload("Why did Rome fall then?", suggestion=claimed)
    with pytest.raises(InvalidInput):
        state.procedures["submit_attempt"](agents["assisted"], {**call, "attempt_key": "k2", "work": work})


def test_a_run_without_suggestions_has_no_such_calls(store: Store) -> None:
    hits = offer_hits(store)
    offer = OpenHits(BoundCampaign.open(store, "pilot"), dict.fromkeys(hits, PASSAGE.id))
    assert not {"suggestions", "take_suggestion"} & writing_state(new_desk(store), offer, {}).procedures.keys()
