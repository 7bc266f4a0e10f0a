"""Standings and what the crowd answered: events that only grow, and the work that leaves with a revocation."""

from __future__ import annotations

from datetime import timedelta

import pytest
import sqlalchemy as sa

from beat_the_ai.errors import Refused, UnknownName
from beat_the_ai.store import StandingEvent, Store, Telemetry
from beat_the_ai.store.tables import metadata
from tests.store.builders import NEW_YEAR, accepted, at_once, attempt, campaign, draw


def add(store: Store, worker: str, standing: str, campaign_id: str = "pilot") -> StandingEvent:
    return store.standings.add(campaign_id, worker, standing, by="ann", reason="naïve 𝄞", at=NEW_YEAR)


def test_the_last_event_is_the_standing_and_all_are_kept(store: Store) -> None:
    store.campaigns.create(campaign())
    made = [add(store, "w1", standing) for standing in ("candidate", "qualified", "revoked")]
    other = add(store, "w2", "candidate")
    assert store.standings.history("pilot", "w1") == made
    assert store.standings.history("pilot") == [*made, other]
    assert store.standings.last("pilot", "w1") == made[-1]
    assert store.standings.current("pilot") == {"w1": made[-1], "w2": other}
    assert store.standings.last("pilot", "w3") is None
    assert (made[0].reason, made[0].at, made[0].answer) == ("naïve 𝄞", NEW_YEAR, None)


def test_a_standing_is_of_one_campaign(store: Store) -> None:
    store.campaigns.create(campaign())
    store.campaigns.create(campaign("second"))
    add(store, "w1", "revoked")
    add(store, "w1", "qualified", "second")
    assert store.standings.discarded("pilot") == {"w1"}
    assert store.standings.discarded("second") == set()
    with pytest.raises(UnknownName, match="campaign"):
        add(store, "w1", "qualified", "third")


def test_the_crowds_last_answer_stands_beside_its_event(store: Store) -> None:
    store.campaigns.create(campaign())
    first, second = add(store, "w1", "qualified"), add(store, "w1", "revoked")
    store.standings.answer(first.id, "unanswered", "no reply", NEW_YEAR)
    store.standings.answer(first.id, "confirmed", None, NEW_YEAR + timedelta(1))
    store.standings.answer(second.id, "declined", "no such worker", NEW_YEAR)
    answers = [(event.answer, event.answer_note) for event in store.standings.history("pilot")]
    assert answers == [("confirmed", None), ("declined", "no such worker")]


def test_a_check_sees_the_last_event_and_nobody_comes_between(store: Store) -> None:
    store.campaigns.create(campaign())

    def only_the_first(last: StandingEvent | None) -> None:
        if last is not None:
            raise Refused("second")

    def enter(number: int) -> str:
        try:
            store.standings.add(
                "pilot",
                "w1",
                "candidate",
                by="x",
                reason="",
                at=NEW_YEAR,
                registration=str(number),
                check=only_the_first,
            )
        except Refused:
            return "refused"
        return "entered"

    assert sorted(at_once(4, enter)) == ["entered", "refused", "refused", "refused"]


def test_revoked_work_leaves_at_once_and_comes_back(store: Store) -> None:
    assignment = accepted(store)
    store.attempts.add(attempt(assignment.id, 1))
    store.assignments.submit(assignment.id, None, NEW_YEAR)
    everything = list(store.attempts.of_campaign("pilot"))
    assert list(store.attempts.kept("pilot")) == everything
    for standing, kept in (("revoked", []), ("qualified", everything), ("blocked", everything)):
        add(store, "w1", standing)
        assert list(store.attempts.kept("pilot")) == kept
        assert list(store.attempts.of_campaign("pilot")) == everything


def test_telemetry_is_stored_with_its_attempt(store: Store) -> None:
    assignment = accepted(store)
    told = Telemetry(pastes=1, pasted_chars=20, keystrokes=3, focused_seconds=4.5, first_key_seconds=None)
    first = store.attempts.add(attempt(assignment.id, 1), told)
    store.attempts.add(attempt(assignment.id, 1), Telemetry(9, 9, 9, 9.0))
    store.attempts.add(attempt(assignment.id, 2))
    assert store.attempts.telemetry("pilot") == {first.id: told}
    assert store.attempts.telemetry("other") == {}


@pytest.mark.parametrize("table", ["standing_events", "standing_answers", "review_draws", "reviews"])
@pytest.mark.parametrize("verb", ["update", "delete"])
def test_the_database_itself_keeps_history(store: Store, table: str, verb: str) -> None:
    assignment = accepted(store)
    store.assignments.submit(assignment.id, None, NEW_YEAR)
    event = add(store, "w1", "qualified")
    store.standings.answer(event.id, "confirmed", None, NEW_YEAR)
    draw(store, lambda _worker, submitted, _drawn: submitted)
    store.reviews.add("pilot", assignment.id, "ann", "accept", "", NEW_YEAR)
    rows = metadata.tables[table]
    change = sa.delete(rows) if verb == "delete" else sa.update(rows).values(at=NEW_YEAR)
    with pytest.raises(sa.exc.DatabaseError, match=f"{table} can only be added to"), store.database.writing() as link:
        link.execute(change)
