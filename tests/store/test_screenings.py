"""The contract of screenings and their responses, on both databases."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
import sqlalchemy as sa

from beat_the_ai.errors import Refused, UnknownName
from beat_the_ai.rules.ids import short_hash
from beat_the_ai.store import Screening, ScreeningResponse, Store, open_store
from tests.store.builders import NEW_YEAR, VIENNA_SUMMER, accepted, at_once


def response(screening: Screening, ordinal: int, key: str | None = None, **changes: Any) -> ScreeningResponse:
    record = ScreeningResponse(
        id=short_hash(screening.id, key or ordinal),
        screening_id=screening.id,
        key=key or f"key-{ordinal}",
        ordinal=ordinal,
        step="question-1",
        work={"question": "Who? 𝄞", "answer": {"text": "nuns", "start": 3}},
        mistake="copied",
        evidence={"f1": 1 / 3, "model_answer": "é"},
        created_at=NEW_YEAR.replace(tzinfo=VIENNA_SUMMER),
    )
    return replace(record, **changes)


def begun(store: Store, worker: str = "w1", registration: str = "r1") -> Screening:
    assignment = accepted(store, worker, registration)
    return store.screenings.open("pilot", worker, assignment.id, "d" * 64, NEW_YEAR)


def test_a_screening_and_its_responses_come_back_as_they_were_stored(store: Store, store_url: str) -> None:
    screening = begun(store)
    right = response(screening, 2, mistake=None, evidence={})
    for made in (response(screening, 1), right):
        assert store.screenings.add(made) == made
    again = open_store(store_url)
    assert again.screenings.session(screening.assignment_id) == (screening, [response(screening, 1), right])
    assert (right.right, response(screening, 1).right) == (True, False)
    again.close()


def test_a_worker_has_one_screening_in_a_campaign(store: Store) -> None:
    first = begun(store)
    assert begun(store) == first
    moved = begun(store, registration="r2")
    assert (moved.id, moved.started_at) == (first.id, first.started_at)
    assert moved.assignment_id != first.assignment_id
    with pytest.raises(Refused, match="another task"):
        store.screenings.session(first.assignment_id)
    assert begun(store, "w2", "r3").id != first.id
    assert [screening.worker for screening in store.screenings.of_campaign("pilot")] in (["w1", "w2"], ["w2", "w1"])


def unverified(store: Store, registration: str) -> Screening:
    """Begun by a page of which the crowd has not said whose it is."""
    assignment = accepted(store, "w1", registration)
    return store.screenings.open("pilot", "w1", assignment.id, "d" * 64, NEW_YEAR, identity_verified=False)


def test_screenings_in_an_unverified_name_stand_apart_until_one_is_claimed(store: Store) -> None:
    forged, mine = unverified(store, "r1"), unverified(store, "r2")
    assert forged.id != mine.id
    assert unverified(store, "r2") == mine
    assert store.screenings.of_worker("pilot", "w1") == mine
    again = unverified(store, "r3")
    assert store.screenings.of_campaign("pilot") == [again]
    assert store.screenings.claim(mine.assignment_id, NEW_YEAR)
    assert store.screenings.claim(mine.assignment_id, NEW_YEAR)
    [counting] = store.screenings.of_campaign("pilot")
    assert counting.id == mine.id
    assert store.screenings.session(again.assignment_id)[0].set_aside_at == NEW_YEAR


def test_once_a_screening_counts_no_other_of_its_worker_is_begun_or_claimed(store: Store) -> None:
    forged, mine = unverified(store, "r1"), unverified(store, "r2")
    store.assignments.submit(mine.assignment_id, None, NEW_YEAR)
    assert store.screenings.confirmed("pilot") == {"w1"}
    with pytest.raises(Refused, match="taken this screening before"):
        unverified(store, "r3")
    assert not store.screenings.claim(forged.assignment_id, NEW_YEAR)
    assert [each.id for each in store.screenings.of_campaign("pilot")] == [mine.id]


def test_claims_at_once_leave_one_screening(store: Store) -> None:
    begun_by = [unverified(store, f"r{number}") for number in range(4)]
    at_once(4, lambda number: store.screenings.claim(begun_by[number].assignment_id, NEW_YEAR))
    assert len(store.screenings.of_campaign("pilot")) == 1


def test_many_pages_of_one_worker_begin_one_screening(store: Store) -> None:
    taken = [accepted(store, "w1", f"r{number}") for number in range(8)]
    made = at_once(8, lambda number: store.screenings.open("pilot", "w1", taken[number].id, "d", NEW_YEAR))
    assert len({screening.id for screening in made}) == 1
    [screening] = store.screenings.of_campaign("pilot")
    assert store.screenings.session(screening.assignment_id) == (screening, [])


def test_the_same_key_again_changes_nothing(store: Store) -> None:
    screening = begun(store)
    first = store.screenings.add(response(screening, 1))
    assert store.screenings.add(response(screening, 2, key="key-1", mistake=None)) == first
    with pytest.raises(Refused, match="being checked"):
        store.screenings.add(response(screening, 1, key="other"))
    with pytest.raises(Refused, match="being checked"):
        store.screenings.add(response(screening, 5))


def test_responses_at_once_take_one_place(store: Store) -> None:
    screening = begun(store)

    def add(number: int) -> bool:
        try:
            return store.screenings.add(response(screening, 1, key=f"k{number}")).key == f"k{number}"
        except Refused:
            return False

    assert sum(at_once(8, add)) == 1
    assert len(store.screenings.session(screening.assignment_id)[1]) == 1


def test_the_end_is_the_end(store: Store) -> None:
    screening = begun(store)
    ended = store.screenings.submit(screening.assignment_id, "passed", NEW_YEAR + timedelta(hours=1))
    assert ended == replace(screening, submitted_at=NEW_YEAR + timedelta(hours=1), outcome="passed")
    assert store.screenings.submit(screening.assignment_id, "failed", NEW_YEAR + timedelta(hours=2)) == ended
    assert store.screenings.of_worker("pilot", "w1") == ended
    with pytest.raises(Refused, match="submitted already"):
        store.screenings.add(response(screening, 1))
    with pytest.raises(Refused, match="taken this screening before"):
        begun(store, registration="r2")
    assert begun(store) == ended


def test_what_does_not_exist_is_named(store: Store) -> None:
    screening = begun(store)
    assert store.screenings.of_worker("pilot", "nobody") is None
    with pytest.raises(UnknownName, match="screening"):
        store.screenings.add(response(replace(screening, id="nothing"), 1))
    with pytest.raises(UnknownName, match="campaign"):
        store.screenings.open("nothing", "w1", screening.assignment_id, "d", NEW_YEAR)


def test_the_database_knows_the_outcomes(store: Store) -> None:
    screening = begun(store)
    with pytest.raises(sa.exc.IntegrityError):
        store.screenings.submit(screening.assignment_id, "brilliant", NEW_YEAR)
