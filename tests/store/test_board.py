"""Names on the leader board and the results it counts, on both databases."""

from __future__ import annotations

from datetime import timedelta

import pytest

from beat_the_ai.errors import Refused, UnknownName
from beat_the_ai.messages import said
from beat_the_ai.rules.ids import new_pseudonym
from beat_the_ai.rules.stage import Stage
from beat_the_ai.store import BoardName, Store
from beat_the_ai.store.board import TAKEN, TAKEN_OFF
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.validation import AdjudicatedWorks
from tests.store.builders import NEW_YEAR, accepted, at_once, campaign
from tests.store.plans import read_whole
from tests.store.test_plans import LARGE
from tests.validation.written import YESTERDAY, answer_all, new_campaign, new_desk, write


def choose(store: Store, worker: str, name: str) -> None:
    store.board.choose("pilot", worker, name, NEW_YEAR)


def test_a_name_is_chosen_changed_and_left(store: Store) -> None:
    store.campaigns.create(campaign())
    assert store.board.of_worker("pilot", "w1") is None
    choose(store, "w1", "Owl")
    choose(store, "w1", "OWL")
    assert store.board.of_worker("pilot", "w1") == BoardName("w1", "OWL", NEW_YEAR)
    choose(store, "w1", "Fox")
    choose(store, "w2", "Owl")
    assert store.board.listed("pilot") == {"w1": "Fox", "w2": "Owl"}
    store.board.leave("pilot", ["w1", "w3"])
    assert [one.worker for one in store.board.of_campaign("pilot")] == ["w2"]
    choose(store, "w3", "Fox")


@pytest.mark.parametrize(
    "other", ["Night Owl", "night owl", "NIGHT-OWL", "ｎｉｇｈｔ　ｏｗｌ", "𝐍ight Owl", "Nightowl!"]
)
def test_one_worker_has_a_name_however_it_is_written(store: Store, other: str) -> None:
    store.campaigns.create(campaign())
    choose(store, "w1", "Night Owl")
    with pytest.raises(Refused, match=said(TAKEN)):
        choose(store, "w2", other)
    assert store.board.listed("pilot") == {"w1": "Night Owl"}


def test_one_of_many_gets_a_name_that_all_want_at_once(store: Store) -> None:
    store.campaigns.create(campaign())

    def want(number: int) -> str:
        try:
            choose(store, f"w{number}", "Owl")
        except Refused as refused:
            return str(refused)
        return ""

    assert sorted(at_once(6, want)) == ["", *[said(TAKEN)] * 5]
    assert len(store.board.listed("pilot")) == 1


@pytest.mark.parametrize("name", ["AWRITER1", "awriter1", "A-writer 1", "AOUTSIDE"])
def test_no_name_is_a_workers_id_not_even_ones_own(store: Store, name: str) -> None:
    accepted(store, worker="AWRITER1")
    store.standings.add("pilot", "AOUTSIDE", "revoked", by="ann", reason="why", at=NEW_YEAR)
    for worker in ("AWRITER1", "w2"):
        with pytest.raises(Refused, match=said(TAKEN)):
            choose(store, worker, name)


def test_a_name_that_was_taken_off_is_free_and_its_worker_out(store: Store) -> None:
    store.campaigns.create(campaign())
    choose(store, "w1", "Rude")
    later = NEW_YEAR + timedelta(days=1)
    store.board.take_off("pilot", "w1", later)
    assert store.board.of_worker("pilot", "w1") == BoardName("w1", None, later)
    assert store.board.listed("pilot") == {}
    store.board.leave("pilot", ["w1"])
    with pytest.raises(Refused, match=said(TAKEN_OFF)):
        choose(store, "w1", "Ruder")
    with pytest.raises(UnknownName):
        store.board.take_off("pilot", "w1", later)
    store.board.allow("pilot", "w1")
    choose(store, "w1", "Kind")
    with pytest.raises(UnknownName):
        store.board.allow("pilot", "w1")
    assert store.board.listed("pilot") == {"w1": "Kind"}


def test_those_who_may_not_work_are_not_listed_and_come_back(store: Store) -> None:
    store.campaigns.create(campaign())
    for worker, name in (("w1", "Owl"), ("w2", "fox"), ("w3", "Bat")):
        choose(store, worker, name)
    for worker, standing in (("w1", "revoked"), ("w2", "blocked"), ("w3", "revoked"), ("w3", "qualified")):
        store.standings.add("pilot", worker, standing, by="ann", reason="why", at=NEW_YEAR)
    assert store.board.listed("pilot") == {"w3": "Bat"}
    store.standings.add("pilot", "w1", "qualified", by="ann", reason="why", at=NEW_YEAR)
    assert store.board.listed("pilot") == {"w3": "Bat", "w1": "Owl"}


def test_results_follow_the_votes_in_the_order_of_submission(store: Store) -> None:
    new_campaign(store)
    won, lost = write(store, writer="w1", answers=("1807", "Oxbow"))
    [first] = write(store, "mill/1", "w1", ("Dray",), submitted=False)
    [waiting] = (one for one in store.assignments.taken_by("pilot", Stage.WRITING, "w1") if not one.submitted_at)
    store.assignments.submit(waiting.id, None, YESTERDAY - timedelta(hours=1))
    desk = new_desk(store, store.campaigns.get("pilot"), works_per_hit=3)
    adjudicated = AdjudicatedWorks(BoundCampaign.open(store, "pilot"))
    assert adjudicated.results(["w1", "w2"]) == {"w1": [None] * 3}
    for worker, answer in (("v1", "1807"), ("v2", None), ("v3", None)):
        answer_all(desk, worker, {won: answer, lost: "1807", first: "Dray"})
        assert adjudicated.results(["w1"]) == {"w1": [True, True, False if worker == "v3" else None]}
    assert adjudicated.verified_wins_of("w1") == {won, first}
    store.standings.add("pilot", "v1", "revoked", by="ann", reason="why", at=NEW_YEAR)
    assert adjudicated.results(["w1"]) == {"w1": [True, None, None]}, "the votes of a revoked validator do not count"


def test_one_workers_results_are_looked_up(store: Store) -> None:
    new_campaign(store)
    write(store)
    choose(store, "w1", "Owl")

    def ask() -> None:
        store.board.results("pilot", ["writer-secret"])
        store.board.listed("pilot")
        store.board.of_worker("pilot", "w1")

    assert read_whole(store, ask) & LARGE == set()


def test_a_name_goes_with_its_owner(store: Store) -> None:
    accepted(store)
    choose(store, "w1", "Owl")
    choose(store, "w2", "Fox")
    store.erasure.erase("w1", new_pseudonym(), NEW_YEAR)
    assert [one.worker for one in store.board.of_campaign("pilot")] == ["w2"]
    assert store.erasure.holdings("w1").is_empty
