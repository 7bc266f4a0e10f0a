"""Passages on which nobody beat the model are offered again, and no others."""

from __future__ import annotations

from collections.abc import Callable, Collection

import pytest

from beat_the_ai.store import PayDecision, Store
from beat_the_ai.store.works import EMPTY_HAND_INS
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.writing import Offers, OpenHits
from tests.store.builders import NEW_YEAR, attempt, campaign, context


@pytest.fixture
def first(store: Store) -> dict[str, str]:
    store.campaigns.create(campaign())
    return store.campaigns.offer("pilot", [context("rome/0"), context("rome/1")], round_number=1, slots=1)


def hand_in(store: Store, hit: str, worker: str, *, won: bool | None = False, awaits_crowd: bool = False) -> str:
    """`won` is None for a HIT in which nothing was tried."""
    assignment = store.attempts.accept(hit, worker, f"3-{worker}", NEW_YEAR)[0]
    if won is not None:
        store.attempts.add(attempt(assignment.id, 1, fooled=won))
    store.assignments.submit(assignment.id, None, NEW_YEAR, awaits_crowd=awaits_crowd)
    return assignment.id


def again(times: int) -> Callable[[], Offers]:
    """Offer each context so many times more."""
    return lambda: Offers(reoffers=times)


def contexts(offer: OpenHits) -> list[str]:
    offer.renew()
    return list(offer.hits().values())


def test_a_round_of_which_nothing_is_on_offer_yet_is_not_done(store: Store) -> None:
    """Validation may be served before the writing."""
    store.campaigns.create(campaign())
    assert not OpenHits(BoundCampaign.open(store, "pilot"), {}).done()


def test_a_passage_without_a_win_is_offered_so_many_times_more(store: Store, first: dict[str, str]) -> None:
    offer = OpenHits(BoundCampaign.open(store, "pilot"), first, offers=again(2))
    lost, beaten = first
    hand_in(store, beaten, "w0", won=True)
    for number in range(1, 4):
        assert contexts(offer) == ["rome/0", "rome/1", *["rome/0"] * (number - 1)]
        assert not offer.done()
        newest = list(offer.hits())[-1] if number > 1 else lost
        hand_in(store, newest, f"w{number}")
    assert contexts(offer) == ["rome/0", "rome/1", "rome/0", "rome/0"]
    assert offer.done()


@pytest.mark.parametrize("reoffers", [0, 1])
@pytest.mark.parametrize("awaits_crowd", [False, True])
def test_a_hit_in_which_nothing_was_tried_needs_somebody_again(
    store: Store, first: dict[str, str], reoffers: int, awaits_crowd: bool
) -> None:
    """Whoever hands in nothing takes a passage from nobody."""
    offer = OpenHits(BoundCampaign.open(store, "pilot"), first, offers=again(reoffers))
    empty, beaten = first
    hand_in(store, beaten, "w0", won=True)
    for number in range(1, EMPTY_HAND_INS):
        made = hand_in(store, empty, f"w{number}", won=None, awaits_crowd=awaits_crowd)
        if awaits_crowd:
            assert offer.handed_in() == {empty, beaten}
            assert offer.open() == set()
            store.assignments.confirm(made, NEW_YEAR)
        assert contexts(offer) == ["rome/0", "rome/1"]
        assert (offer.handed_in(), offer.open()) == ({beaten}, {empty})
        assert not offer.done()
    hand_in(store, empty, "honest", won=True)
    assert contexts(offer) == ["rome/0", "rome/1"]
    assert offer.done()
    hand_in(store, empty, "late", won=None)
    assert offer.done()


def test_it_goes_to_somebody_else_only_where_both_can_be_paid(store: Store, first: dict[str, str]) -> None:
    asked, cents = [], [0]

    def affords(hits: Collection[str]) -> bool:
        asked.append(set(hits))
        return bool(cents[0])

    offer = OpenHits(BoundCampaign.open(store, "pilot"), first, affords=affords)
    empty, other = first
    assert offer.open() == {empty, other}
    assert not asked
    made = hand_in(store, empty, "w1", won=None)
    assert (offer.open(), offer.handed_in(), offer.done()) == ({other}, {empty}, False)
    assert {frozenset(each) for each in asked} == {frozenset({empty})}
    cents[0] = 1
    assert (offer.open(), offer.handed_in()) == ({empty, other}, set())
    cents[0] = 0
    store.pay_decisions.add(PayDecision(made, False, "ann", "nothing there", NEW_YEAR))
    assert (offer.open(), offer.handed_in()) == ({empty, other}, set())


def test_nobody_is_asked_for_ever_to_try_a_passage_that_nobody_tries(store: Store, first: dict[str, str]) -> None:
    offer = OpenHits(BoundCampaign.open(store, "pilot"), first)
    for number, hit in enumerate([*first] * EMPTY_HAND_INS):
        assert not offer.done()
        hand_in(store, hit, f"w{number}", won=None)
    assert contexts(offer) == ["rome/0", "rome/1"]
    assert offer.done()


def test_nothing_is_offered_again_before_the_crowd_has_confirmed_that_nothing_was_won(
    store: Store, first: dict[str, str]
) -> None:
    offer, (hit, _) = OpenHits(BoundCampaign.open(store, "pilot"), first, offers=again(1)), first
    waiting = hand_in(store, hit, "w1", awaits_crowd=True)
    assert len(contexts(offer)) == 2
    assert offer.handed_in() == {hit} == offer.hits().keys() - offer.open()
    store.assignments.confirm(waiting, NEW_YEAR)
    assert len(contexts(offer)) == 3


def test_a_hit_whose_hand_in_was_set_aside_needs_somebody_again(store: Store, first: dict[str, str]) -> None:
    offer, (hit, other) = OpenHits(BoundCampaign.open(store, "pilot"), first), first
    forged = hand_in(store, hit, "w1", awaits_crowd=True)
    hand_in(store, other, "w2")
    store.assignments.set_aside(forged, "the crowd never received it", NEW_YEAR)
    assert offer.handed_in() == {other}
    assert offer.open() == {hit}
    assert not offer.done()
    hand_in(store, hit, "w3")
    assert offer.done()


def test_another_process_sees_the_same_offer_and_does_not_add_to_it(store: Store, first: dict[str, str]) -> None:
    here, there = (OpenHits(BoundCampaign.open(store, "pilot"), first, offers=again(1)) for _ in range(2))
    for number, hit in enumerate(first):
        hand_in(store, hit, f"w{number}")
    assert not there.done()
    assert contexts(here) == contexts(there)
    assert here.hits() == there.hits()
    assert len(contexts(here)) == 4
    assert not here.done()


def test_without_reoffers_a_campaign_is_done_with_its_hits(store: Store, first: dict[str, str]) -> None:
    offer = OpenHits(BoundCampaign.open(store, "pilot"), first)
    for number, hit in enumerate(first):
        hand_in(store, hit, f"w{number}")
    offer.renew()
    assert offer.hits() == first
    assert offer.done()


def test_two_operators_who_find_the_same_passage_without_a_win_offer_it_once(
    store: Store, first: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = (OpenHits(BoundCampaign.open(store, "pilot"), first, offers=again(3)) for _ in range(2))
    for number, hit in enumerate(first):
        hand_in(store, hit, f"w{number}")
    found = store.campaigns.contexts_without_win

    def found_by_both(campaign_id: str, round_number: int, most: int) -> list[str]:
        contexts = found(campaign_id, round_number, most)
        monkeypatch.undo()
        one.renew()
        return contexts

    monkeypatch.setattr(store.campaigns, "contexts_without_win", found_by_both)
    other.renew()
    assert sorted(other.hits().values()) == ["rome/0", "rome/0", "rome/1", "rome/1"]


def test_a_round_is_not_done_that_somebody_goes_on_with_meanwhile(
    store: Store, first: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    offer = OpenHits(BoundCampaign.open(store, "pilot"), first, offers=again(1))
    for number, hit in enumerate(first):
        hand_in(store, hit, f"w{number}")
    found = store.campaigns.contexts_without_win

    def offered_first(campaign_id: str, round_number: int, most: int) -> list[str]:
        monkeypatch.undo()
        offer.renew()
        return found(campaign_id, round_number, most)

    monkeypatch.setattr(store.campaigns, "contexts_without_win", offered_first)
    assert not offer.done()
