"""Blind reviews, undo, agreement."""

from __future__ import annotations

import pytest

from beat_the_ai.errors import InvalidInput, Refused, UnknownName
from beat_the_ai.store import Store
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.workforce import Reviewing
from beat_the_ai.workforce.verdicts import accepted, standing_reviews
from tests.workforce.builders import submit


@pytest.fixture
def reviewing(store: Store) -> Reviewing:
    submit(store, "ab")
    made = Reviewing(BoundCampaign.open(store, "pilot"))
    made.draw()
    return made


def test_the_queue_shows_everything_that_was_written_by_worker_in_order(store: Store) -> None:
    made = submit(store, "babab")
    reviewing = Reviewing(BoundCampaign.open(store, "pilot"))
    assert reviewing.queue("ann") == []
    assert len(reviewing.draw()) == 5
    queue = reviewing.queue("ann")
    assert [one.assignment for one in queue] == [made[1], made[3], made[0], made[2], made[4]]
    assert [attempt.ordinal for attempt in queue[0].attempts] == [1, 2]
    assert queue[0].hit.context.text.startswith("Rome fell")
    assert (queue[0].drawn.completed, queue[0].mine, queue[0].others) == (2, None, ())
    assert [one.assignment for one in reviewing.queue("ann", worker="a")] == [made[1], made[3]]


def test_a_reviewer_sees_others_verdicts_only_after_their_own(reviewing: Reviewing) -> None:
    first = reviewing.queue("ann")[0].assignment.id
    reviewing.reject(first, "ann", "asks nothing")
    blind, own = reviewing.queue("bob")[0], reviewing.queue("ann")[0]
    assert (blind.mine, blind.others) == (None, ())
    assert own.mine is not None
    assert (own.mine.verdict, own.mine.reason, own.others) == ("reject", "asks nothing", ())
    theirs = reviewing.accept(first, "bob")
    assert reviewing.queue("bob")[0].others == (own.mine,)
    assert reviewing.queue("ann")[0].others == (theirs,)
    reviewing.undo(first, "bob")
    assert reviewing.queue("bob")[0].others == ()


def test_the_last_word_counts_and_nothing_is_forgotten(store: Store, reviewing: Reviewing) -> None:
    first = reviewing.queue("ann")[0].assignment.id
    reviewing.accept(first, "ann")
    changed = reviewing.reject(first, "ann", "asks nothing")
    assert reviewing.reject(first, "ann", " asks  nothing ") == changed  # clicked twice
    assert reviewing.queue("ann")[0].mine == changed
    reviewing.undo(first, "ann")
    assert reviewing.queue("ann")[0].mine is None
    with pytest.raises(Refused, match="no verdict"):
        reviewing.undo(first, "ann")
    assert [event.verdict for event in store.reviews.of_campaign("pilot")] == ["accept", "reject", "undo"]


def test_what_cannot_be_reviewed_is_refused(store: Store, reviewing: Reviewing) -> None:
    first = reviewing.queue("ann")[0].assignment.id
    with pytest.raises(InvalidInput, match="needs a reason"):
        reviewing.reject(first, "ann", " ")
    with pytest.raises(InvalidInput, match="reviewer is empty"):
        reviewing.accept(first, " ")
    with pytest.raises(InvalidInput, match="changes the direction"):
        reviewing.reject(first, "ann", "bad \u202e text")
    [later] = submit(store, "a")  # not drawn yet
    with pytest.raises(UnknownName, match="sampled assignment"):
        reviewing.accept(later.id, "ann")
    assert store.reviews.of_campaign("pilot") == []


def test_a_tie_is_for_the_worker_and_a_majority_decides(store: Store, reviewing: Reviewing) -> None:
    first = reviewing.queue("ann")[0].assignment.id

    def is_accepted() -> bool:
        return accepted(standing_reviews(store.reviews.of_campaign("pilot"))[first].values())

    reviewing.reject(first, "ann", "asks nothing")
    assert not is_accepted()
    reviewing.accept(first, "bob")
    assert is_accepted()
    reviewing.reject(first, "cat", "asks nothing")
    assert not is_accepted()


def test_agreement_is_over_what_two_have_judged(reviewing: Reviewing) -> None:
    one, two = (sampled.assignment.id for sampled in reviewing.queue("ann"))
    reviewing.accept(one, "ann")
    assert (reviewing.agreement().units, reviewing.agreement().percent) == (0, None)
    reviewing.accept(one, "bob")
    reviewing.reject(two, "ann", "asks nothing")
    reviewing.accept(two, "bob")
    found = reviewing.agreement()
    kappa = found.kappa["ann", "bob"]
    assert (found.units, found.percent, kappa and kappa.value) == (2, 50.0, 0.0)
