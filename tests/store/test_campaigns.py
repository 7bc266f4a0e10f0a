"""The contract of campaigns, contexts and HITs, on both databases."""

from __future__ import annotations

import time
from datetime import timedelta, timezone
from typing import Any

import pytest
import sqlalchemy as sa

from beat_the_ai.errors import Refused, UnknownName
from beat_the_ai.rules.ids import short_hash
from beat_the_ai.rules.protocol import Context
from beat_the_ai.store import Deed, Hit, Round, Store, now, open_store, tables
from beat_the_ai.store.campaigns import nothing_particular
from tests.store.builders import NEW_YEAR, at_once, campaign, context


def test_a_campaign_comes_back_as_it_was_stored(store: Store, store_url: str) -> None:
    stored = store.campaigns.create(campaign())
    assert stored == campaign()
    again = open_store(store_url)
    assert again.campaigns.get("pilot") == campaign()
    again.close()


def test_creating_a_campaign_again_gives_the_first_one(store: Store) -> None:
    store.campaigns.create(campaign())
    later = campaign(pseudonym_key="other", created_at=now(), config={})
    assert store.campaigns.create(later) == campaign()
    assert store.campaigns.get("pilot") == campaign()


@pytest.mark.parametrize("change", [{"seed": 8}, {"task": "nli"}])
def test_a_campaign_of_the_same_name_but_other_rules_is_refused(store: Store, change: dict[str, Any]) -> None:
    store.campaigns.create(campaign())
    with pytest.raises(Refused, match=r"already holds a campaign 'pilot' with task 'reading_comprehension' and seed 7"):
        store.campaigns.create(campaign(**change))


def test_a_campaign_that_many_create_at_once_is_created_once(store: Store) -> None:
    made = at_once(16, lambda number: store.campaigns.create(campaign(pseudonym_key=f"key {number}")))
    assert set(map(repr, made)) == {repr(store.campaigns.get("pilot"))}
    assert store.campaigns.ids() == ["pilot"]


def test_an_unknown_campaign_is_answered_with_those_that_exist(store: Store) -> None:
    store.campaigns.create(campaign("pilot"))
    store.campaigns.create(campaign("main"))
    with pytest.raises(UnknownName, match=r"'pliot'. Available: main, pilot\. Did you mean 'pilot'\?"):
        store.campaigns.get("pliot")


def test_campaigns_are_listed_by_code_point(store: Store) -> None:
    for name in ("b", "é", "A", "a", "Z", "_"):
        store.campaigns.create(campaign(name))
    assert store.campaigns.ids() == ["A", "Z", "_", "a", "b", "é"]


def test_every_context_gets_as_many_hits_as_it_has_slots(store: Store) -> None:
    store.campaigns.create(campaign(), first_round=3)
    contexts = [context("rome/0"), context("goths/0", title="", private={})]
    hit_ids = list(store.campaigns.offer("pilot", contexts, round_number=3, slots=2))
    assert [store.campaigns.hit(hit_id) for hit_id in hit_ids] == [
        Hit(hit_ids[0], "pilot", contexts[0], 3, 0),
        Hit(hit_ids[1], "pilot", contexts[1], 3, 0),
        Hit(hit_ids[2], "pilot", contexts[0], 3, 1),
        Hit(hit_ids[3], "pilot", contexts[1], 3, 1),
    ]
    assert len(set(hit_ids)) == 4


def test_offering_again_changes_nothing_and_gives_the_same_hits(store: Store) -> None:
    store.campaigns.create(campaign())
    first = store.campaigns.offer("pilot", [context()], round_number=1, slots=2)
    again = store.campaigns.offer("pilot", [context(text="Another text.")], round_number=1, slots=2)
    assert list(again) == list(first)
    assert store.campaigns.hit(next(iter(first))).context == context()


def test_offering_more_contexts_or_slots_later_adds_only_those(store: Store) -> None:
    store.campaigns.create(campaign())
    first = store.campaigns.offer("pilot", [context("a")], round_number=1, slots=1)
    more = store.campaigns.offer("pilot", [context("a"), context("b")], round_number=1, slots=2)
    assert set(first) < set(more)
    assert sorted((hit.context.id, hit.slot) for hit in map(store.campaigns.hit, more)) == [
        ("a", 0),
        ("a", 1),
        ("b", 0),
        ("b", 1),
    ]


def test_hits_that_many_offer_at_once_are_there_once(store: Store) -> None:
    store.campaigns.create(campaign())
    offers = at_once(
        8, lambda _: list(store.campaigns.offer("pilot", [context("a"), context("b")], round_number=1, slots=3))
    )
    assert all(offer == offers[0] for offer in offers)
    assert {store.campaigns.hit(hit_id).id for hit_id in offers[0]} == set(offers[0])


def test_two_campaigns_may_offer_the_same_context(store: Store) -> None:
    hits: list[str] = []
    for name in ("pilot", "main"):
        store.campaigns.create(campaign(name))
        hits += store.campaigns.offer(name, [context()], round_number=1, slots=1)
    assert [store.campaigns.hit(hit_id).campaign_id for hit_id in hits] == ["pilot", "main"]


def test_an_unknown_campaign_can_offer_nothing(store: Store) -> None:
    with pytest.raises(UnknownName, match="'nobody'"):
        store.campaigns.offer("nobody", [context()], round_number=1, slots=1)


def test_an_unknown_hit_is_named(store: Store) -> None:
    with pytest.raises(UnknownName, match="Unknown HIT 'nothing'"):
        store.campaigns.hit("nothing")


def test_short_hashes_are_the_same_in_every_run_and_keep_their_parts_apart() -> None:
    assert short_hash("pilot", "rome/0", 1) == "fd4790d5c606edcfb4d88cbb"
    assert len({short_hash("a", "bc"), short_hash("ab", "c"), short_hash("abc"), short_hash("a", "b", "c")}) == 4


def test_now_is_in_utc_whatever_the_machines_time_zone(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "Asia/Kolkata")
        time.tzset()
        moment = now()
    time.tzset()
    assert moment.tzinfo == timezone.utc
    assert moment.utcoffset() == timedelta(0)


def test_a_context_never_crosses_rounds(store: Store) -> None:
    store.campaigns.create(campaign())
    store.rounds.open(Round("pilot", 2, {}, NEW_YEAR))
    store.campaigns.offer("pilot", [context("a")], round_number=1, slots=1)
    with pytest.raises(Refused, match="belongs to round 1"):
        store.campaigns.offer("pilot", [context("b"), context("a")], round_number=2, slots=1)
    assert store.campaigns.offer("pilot", [context("b")], round_number=2, slots=1)


def test_contexts_are_given_by_round(store: Store) -> None:
    store.campaigns.create(campaign())
    store.rounds.open(Round("pilot", 2, {}, NEW_YEAR))
    store.campaigns.offer("pilot", [context("b"), context("B")], round_number=2, slots=2)
    store.campaigns.offer("pilot", [context("a")], round_number=1, slots=1)
    found = store.campaigns.contexts("pilot")
    assert {number: [one.id for one in contexts] for number, contexts in found.items()} == {1: ["a"], 2: ["B", "b"]}
    assert found[1] == [context("a")]
    assert store.campaigns.contexts("another") == {}


def test_a_campaign_on_which_nobody_has_worked_can_be_forgotten(store: Store) -> None:
    for name in ("pilot", "other"):
        store.campaigns.create(campaign(name))
        store.campaigns.offer(name, [context("rome")], round_number=1, slots=2)
    assert store.campaigns.forget("pilot")
    assert store.campaigns.forget("never there")
    assert store.campaigns.ids() == ["other"]
    assert len(store.campaigns.hits("other")) == 2
    [offered, _] = sorted(store.campaigns.hits("other"))
    store.attempts.accept(offered, "ANN", "registration", now())
    assert not store.campaigns.forget("other")
    assert store.campaigns.ids() == ["other"]
    assert len(store.campaigns.hits("other")) == 2


def _count(store: Store) -> None:
    """Every HIT is done."""
    with store.database.writing() as connection:
        connection.execute(sa.update(tables.hits).values(outcome="without_win"))


def test_each_hit_keeps_what_it_asks_for_in_particular(store: Store) -> None:
    def brief(of: Context, slot: int) -> dict[str, str]:
        return {"target": f"{of.title} {slot}"}

    store.campaigns.create(campaign())
    [first] = store.campaigns.offer("pilot", [context()], round_number=1, slots=1, brief=brief)
    assert store.campaigns.offer("pilot", [context()], round_number=1, slots=1)
    for again in (brief, nothing_particular):
        _count(store)
        store.campaigns.offer_again("pilot", [context().id], brief=again)
        store.campaigns.offer_again("pilot", [context().id])  # somebody else has offered it: there is none more
    briefs = [store.campaigns.hit(hit).task_item.brief for hit in store.campaigns.offered("pilot", 1)]
    assert briefs == [{"target": "Rome 0"}, {"target": "Rome 1"}, {}]
    assert store.campaigns.hit(first).task_item.context == context()


def test_a_campaign_is_paused_and_continued_once_by_whoever_is_first(store: Store) -> None:
    store.campaigns.create(campaign())
    deeds = [Deed(NEW_YEAR, f"w{number}", "pause", "pilot") for number in range(4)]
    assert sum(at_once(4, lambda number: store.acts.pause("pilot", deeds[number]))) == 1
    assert (store.campaigns.is_paused("pilot"), store.campaigns.get("pilot").paused_at) == (True, NEW_YEAR)
    assert not store.campaigns.is_paused("another")
    assert [store.acts.unpause("pilot", deeds[0]) for _ in range(2)] == [True, False]
    assert not store.campaigns.is_paused("pilot")
    assert (len(store.audit.entries()), store.audit.check().broken) == (2, None)
