"""First HITs: how many there are until they have been reviewed."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from beat_the_ai.errors import Refused
from beat_the_ai.messages import said
from beat_the_ai.store import Store
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.workforce import Probation, Reviewing
from tests.store.builders import NEW_YEAR
from tests.workforce.builders import offer, submit

LIMIT_SECONDS = 3600


def waits(store: Store, worker: str, first_hits: int = 3, at: datetime = NEW_YEAR) -> bool:
    try:
        Probation(store, "pilot", first_hits, LIMIT_SECONDS, lambda: at).check(worker)
    except Refused as refused:
        return str(refused) == said("refusals.probation")
    return False


def test_there_are_no_more_than_the_first_until_all_of_their_sample_is_reviewed(store: Store) -> None:
    submit(store, "aa")
    assert not waits(store, "a")
    submit(store, "a")
    assert waits(store, "a")
    assert not waits(store, "b")
    reviewing = Reviewing(BoundCampaign.open(store, "pilot"))
    drawn = reviewing.draw()
    assert len(drawn) == 3
    for draw in drawn:
        assert waits(store, "a")
        reviewing.accept(draw.assignment_id, "ann")
    assert not waits(store, "a")
    submit(store, "a" * 20)
    assert not waits(store, "a"), "later HITs are sampled, and waited for no more"


def test_a_verdict_that_was_taken_back_is_none(store: Store) -> None:
    submit(store, "a")
    reviewing = Reviewing(BoundCampaign.open(store, "pilot"))
    [draw] = reviewing.draw()
    reviewing.reject(draw.assignment_id, "ann", "copies")
    assert not waits(store, "a", first_hits=1), "whether a rejected worker goes on is a matter of standing"
    reviewing.undo(draw.assignment_id, "ann")
    assert waits(store, "a", first_hits=1)


def test_a_hit_that_is_being_worked_on_is_one_of_the_first_until_its_time_is_over(store: Store) -> None:
    for number, hit in enumerate(offer(store, 3)):
        store.attempts.accept(hit, "a", f"r{number}", NEW_YEAR)
    assert waits(store, "a", at=NEW_YEAR + timedelta(minutes=69))  # it may still be handed in
    assert not waits(store, "a", at=NEW_YEAR + timedelta(minutes=71))


def test_what_the_crowd_has_not_confirmed_holds_nobody_up_where_names_are_not_vouched_for(store: Store) -> None:
    """Whoever holds HITs could do so in anybody's name."""
    first, *others = offer(store, 4)
    for number, hit in enumerate(others):
        held = store.attempts.accept(hit, "victim", f"r{number}", NEW_YEAR)[0]
        if number == 0:
            store.assignments.submit(held.id, None, NEW_YEAR, awaits_crowd=True)
    probation = Probation(store, "pilot", 1, LIMIT_SECONDS, lambda: NEW_YEAR)
    with pytest.raises(Refused):
        probation.check("victim")
    probation.check("victim", identity_verified=False)
    store.assignments.submit(store.attempts.accept(first, "victim", "own", NEW_YEAR)[0].id, None, NEW_YEAR)
    with pytest.raises(Refused):
        probation.check("victim", identity_verified=False)


@pytest.mark.parametrize("first_hits", [1, 5])
def test_other_campaigns_are_another_matter(store: Store, first_hits: int) -> None:
    submit(store, "a" * 6, "second")
    submit(store, "b")
    assert not waits(store, "a", first_hits)
