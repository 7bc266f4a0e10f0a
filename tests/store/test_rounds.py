"""Rounds on every database."""

from __future__ import annotations

import pytest

from beat_the_ai.errors import UnknownName
from beat_the_ai.store import Round, Store
from tests.store.builders import NEW_YEAR, accepted, at_once, campaign, context

LATER = NEW_YEAR.replace(year=2021)


def test_a_campaign_begins_with_its_first_round(store: Store) -> None:
    made = store.campaigns.create(campaign(), {"pay": {"reward_cents": 200}}, first_round=2)
    first = Round("pilot", 2, {"pay": {"reward_cents": 200}}, made.created_at, models=[])
    assert store.rounds.of_campaign("pilot") == [first]
    assert store.rounds.current("pilot") == store.rounds.get("pilot", 2) == first
    store.campaigns.create(campaign(), {"pay": {"reward_cents": 300}})  # again: it is there
    assert store.rounds.of_campaign("pilot") == [first]


def test_rounds_follow_each_other_with_terms_of_their_own(store: Store) -> None:
    store.campaigns.create(campaign(), {"terms": 1})
    second = store.rounds.open(Round("pilot", 2, {"terms": 2}, LATER))
    assert store.rounds.open(Round("pilot", 2, {"terms": 3}, LATER)) == second
    assert [each.config for each in store.rounds.of_campaign("pilot")] == [{"terms": 1}, {"terms": 2}]
    assert store.rounds.current("pilot") == second
    with pytest.raises(UnknownName, match="Available: 1, 2"):
        store.rounds.get("pilot", 3)
    with pytest.raises(UnknownName):
        store.rounds.open(Round("nobody", 1, {}, LATER))
    with pytest.raises(UnknownName):
        store.campaigns.offer("pilot", [context()], round_number=3, slots=1)


def test_a_round_that_is_opened_by_many_at_once_is_one(store: Store) -> None:
    store.campaigns.create(campaign())
    opened = at_once(4, lambda number: store.rounds.open(Round("pilot", 2, {"by": number}, LATER)))
    assert len({each.config["by"] for each in opened}) == 1


def test_closing_and_freezing_happen_once(store: Store) -> None:
    store.campaigns.create(campaign())
    store.rounds.open(Round("pilot", 2, {}, NEW_YEAR))
    for at in (NEW_YEAR, LATER):
        assert store.rounds.freeze("pilot", 1, "writing", at) == (at == NEW_YEAR)
        store.rounds.close("pilot", at)
    first, second = store.rounds.of_campaign("pilot")
    assert (dict(first.frozen), first.is_closed) == ({"writing": NEW_YEAR}, False)
    assert (dict(second.frozen), second.closed_at) == ({}, NEW_YEAR)
    store.rounds.thaw("pilot", 1, "writing")
    assert store.rounds.get("pilot", 1).frozen == {}


def test_assignments_name_the_round_of_their_context(store: Store) -> None:
    assert accepted(store).round == 1
    store.rounds.open(Round("pilot", 2, {}, LATER))
    [hit] = store.campaigns.offer("pilot", [context("goths")], round_number=2, slots=1)
    made = store.attempts.accept(hit, "w2", "r2", LATER)[0]
    assert (made.round, store.assignments.get(made.id).round) == (2, 2)
    assert set(store.campaigns.hits("pilot").values()) == {1, 2}
    assert store.campaigns.offered("pilot", 2) == {hit: "goths"}
