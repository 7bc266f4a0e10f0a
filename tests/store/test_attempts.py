"""The contract of assignments and attempts, on both databases."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
from dataclasses import replace
from datetime import timedelta
from itertools import chain
from pathlib import Path

import pytest
import sqlalchemy as sa

from beat_the_ai.errors import Refused, UnknownName
from beat_the_ai.rules.stage import Stage
from beat_the_ai.store import Assignment, Attempt, Store, open_store, tables
from beat_the_ai.store.assignments import row_of
from tests.store.builders import (
    NEW_YEAR,
    VIENNA_SUMMER,
    accepted,
    at_once,
    attempt,
    campaign,
    context,
)

ROOT = Path(__file__).parents[2]


def test_an_assignment_comes_back_as_it_was_stored(store: Store) -> None:
    made = accepted(store)
    assert (made.worker, made.registration, made.accepted_at) == ("w1", "r1", NEW_YEAR)
    assert (made.submitted_at, made.feedback) == (None, None)
    assert store.assignments.get(made.id) == made


def test_accepting_again_with_the_same_registration_gives_the_same_assignment(store: Store) -> None:
    made = accepted(store)
    assert store.attempts.accept(made.hit, "w1", "r1", NEW_YEAR + timedelta(hours=1))[0] == made
    assert store.attempts.accept(made.hit, "w1", "r2", NEW_YEAR)[0].id != made.id


def test_a_registration_of_another_worker_is_refused(store: Store) -> None:
    assignment = accepted(store, "w1", "r1")
    with pytest.raises(Refused, match="another worker"):
        store.attempts.accept(assignment.hit, "w2", "r1", NEW_YEAR)


def test_a_worker_has_had_a_context_in_that_campaign_alone(store: Store) -> None:
    for name in ("pilot", "main"):
        store.campaigns.create(campaign(name))
    offered = store.campaigns.offer("pilot", [context("a"), context("b")], round_number=1, slots=2)
    store.campaigns.offer("main", [context("a")], round_number=1, slots=2)
    hit, offered_context = next(iter(offered.items()))
    store.attempts.accept(hit, "w1", "r1", NEW_YEAR)
    assert store.attempts.contexts_had_by("w1") == {("pilot", offered_context)}
    assert store.attempts.contexts_had_by("w2") == set()


def test_a_registration_that_many_accept_at_once_gives_one_assignment(store: Store) -> None:
    hit_id = accepted(store).hit
    made = at_once(
        16, lambda number: store.attempts.accept(hit_id, "w2", "r2", NEW_YEAR + timedelta(seconds=number))[0]
    )
    assert set(map(repr, made)) == {repr(store.assignments.get(made[0].id))}


def test_an_unknown_assignment_is_named(store: Store) -> None:
    with pytest.raises(UnknownName, match="Unknown assignment 'nothing'"):
        store.assignments.get("nothing")


def test_an_attempt_comes_back_as_it_was_stored_from_another_connection_too(store: Store, store_url: str) -> None:
    assignment = accepted(store)
    marked = attempt(
        assignment.id, 2, retracted_at=NEW_YEAR, flag_reason="other", flag_note="“note” 𝄞", scores={}, prediction={}
    )
    explained = attempt(assignment.id, 3, explanation={"why": "“note” 𝄞 e\u0301"})
    for record in (attempt(assignment.id, 1), marked, explained):
        assert store.attempts.add(record) == record
    again = open_store(store_url)
    assert again.attempts.of_assignment(assignment.id) == [attempt(assignment.id, 1), marked, explained]
    assert again.attempts.session(assignment.id) == (assignment, [attempt(assignment.id, 1), marked, explained])
    again.close()


def test_times_come_back_aware_and_in_utc(store: Store) -> None:
    assignment = accepted(store)
    store.attempts.add(attempt(assignment.id, 1, retracted_at=NEW_YEAR.replace(tzinfo=VIENNA_SUMMER)))
    store.assignments.submit(assignment.id, None, NEW_YEAR)
    [stored] = store.attempts.of_assignment(assignment.id)
    closed = store.assignments.get(assignment.id)
    times = [stored.created_at, stored.retracted_at, closed.accepted_at, closed.submitted_at]
    times.append(store.campaigns.get("pilot").created_at)
    assert [moment and moment.isoformat() for moment in times] == [
        "2019-12-31T22:30:15.123456+00:00",
        "2019-12-31T22:30:15.123456+00:00",
        "2020-01-01T00:30:15.123456+00:00",
        "2020-01-01T00:30:15.123456+00:00",
        "2020-01-01T00:30:15.123456+00:00",
    ]


def test_the_same_key_again_gives_the_stored_attempt_and_changes_nothing(store: Store) -> None:
    assignment = accepted(store)
    first = store.attempts.add(attempt(assignment.id, 1))
    other_verdict = replace(first, ordinal=2, fooled=not first.fooled, member="third")
    assert store.attempts.add(other_verdict) == first
    assert store.attempts.of_assignment(assignment.id) == [first]


def test_the_same_key_may_be_used_in_another_assignment(store: Store) -> None:
    for name in ("1", "2"):
        made = accepted(store, f"w{name}", f"r{name}")
        store.attempts.add(attempt(made.id, 1, key="a"))
        assert len(store.attempts.of_assignment(made.id)) == 1


def test_nothing_is_added_after_submission_but_stored_attempts_are_still_given_back(store: Store) -> None:
    assignment = accepted(store)
    first = store.attempts.add(attempt(assignment.id, 1))
    store.assignments.submit(assignment.id, None, NEW_YEAR)
    with pytest.raises(Refused, match="submitted already"):
        store.attempts.add(attempt(assignment.id, 2))
    assert store.attempts.add(attempt(assignment.id, 1)) == first
    assert store.attempts.of_assignment(assignment.id) == [first]


def test_a_hit_has_one_holder_and_whoever_lost_it_changes_nothing_in_it(store: Store) -> None:
    first = accepted(store)
    made = store.attempts.add(attempt(first.id, 1))
    second = accepted(store, "w2", "r2")
    with pytest.raises(Refused, match="Somebody else has got this task"):
        store.attempts.add(attempt(first.id, 2))
    with pytest.raises(Refused, match="Somebody else has got this task"):
        store.attempts.mark(first.id, made.id, retracted_at=NEW_YEAR)
    assert store.attempts.add(attempt(first.id, 1)) == made  # a page that asks again is told
    assert accepted(store).place is None
    store.attempts.add(attempt(second.id, 1))
    rows = sa.select(tables.assignments.c.place).order_by(tables.assignments.c.worker)
    with store.database.reading() as connection:
        assert connection.scalars(rows).all() == [None, second.hit]


def test_no_door_makes_a_second_live_assignment_of_a_place(store: Store) -> None:
    made = accepted(store)
    checked = Assignment("v1", "pilot", Stage.VALIDATION, "hit", "w3", "r3", NEW_YEAR, place="a place")
    for first in (made, checked):
        second = replace(first, id=f"another {first.id}", worker="w2", registration="r2")
        with pytest.raises(sa.exc.IntegrityError), store.database.writing() as connection:
            connection.execute(sa.insert(tables.assignments), [row_of(checked), row_of(second)])


def test_an_assignment_of_writing_has_a_row_in_hits_and_one_of_validation_has_none(store: Store) -> None:
    made = accepted(store)
    for stage, hit_id in ((Stage.WRITING, None), (Stage.SCREENING, None), (Stage.VALIDATION, made.hit)):
        row = {**row_of(replace(made, id="another", registration="r2", stage=stage, place=None)), "hit_id": hit_id}
        with pytest.raises(sa.exc.IntegrityError), store.database.writing() as connection:
            connection.execute(sa.insert(tables.assignments), [row])


def test_of_many_who_take_a_hit_at_once_one_holds_it(store: Store) -> None:
    accepted(store)
    made = at_once(8, lambda number: accepted(store, f"w{number}", f"of {number}"))
    standing = [store.assignments.get(one.id) for one in made]
    assert sum(one.place is not None for one in standing) == 1


def test_all_who_take_a_shared_hit_have_places_of_their_own(store: Store) -> None:
    hit_id = accepted(store).hit
    made = [store.attempts.accept(hit_id, f"w{n}", f"of {n}", NEW_YEAR, stage=Stage.SCREENING)[0] for n in range(3)]
    for one in made:
        store.attempts.add(attempt(one.id, 1))


@pytest.mark.parametrize("ordinal", [0, 1, 3])
def test_an_ordinal_out_of_order_is_refused(store: Store, ordinal: int) -> None:
    assignment = accepted(store)
    store.attempts.add(attempt(assignment.id, 1))
    with pytest.raises(Refused, match="Another attempt in this task is being checked"):
        store.attempts.add(attempt(assignment.id, ordinal, key="new"))
    assert len(store.attempts.of_assignment(assignment.id)) == 1


def test_nothing_is_added_to_an_assignment_that_does_not_exist(store: Store) -> None:
    with pytest.raises(UnknownName, match="Unknown assignment 'nothing'"):
        store.attempts.add(attempt("nothing", 1))


def test_marks_are_set_on_an_attempt_of_the_assignment_only(store: Store) -> None:
    ones = accepted(store)
    made = store.attempts.add(attempt(ones.id, 1))
    store.attempts.mark(ones.id, made.id, flag_reason="other", flag_note="é")
    store.attempts.mark(ones.id, made.id, retracted_at=NEW_YEAR)
    store.attempts.mark(ones.id, made.id, explanation={"why": "“é”"})
    marked = replace(made, flag_reason="other", flag_note="é", retracted_at=NEW_YEAR, explanation={"why": "“é”"})
    assert store.attempts.of_assignment(ones.id) == [marked]
    assert marked.retracted
    with pytest.raises(UnknownName):
        store.attempts.mark(ones.id, "nothing", flag_reason="ai_was_right")
    twos = accepted(store, "w2", "r2")
    with pytest.raises(UnknownName):
        store.attempts.mark(twos.id, made.id, flag_reason="ai_was_right")
    assert store.attempts.of_assignment(ones.id) == [marked]


def test_nothing_is_marked_after_submission(store: Store) -> None:
    assignment = accepted(store)
    made = store.attempts.add(attempt(assignment.id, 1))
    store.assignments.submit(assignment.id, None, NEW_YEAR)
    with pytest.raises(Refused, match="submitted already"):
        store.attempts.mark(assignment.id, made.id, retracted_at=NEW_YEAR)
    with pytest.raises(Refused, match="submitted already"):
        store.attempts.mark(assignment.id, made.id, explanation={"why": "Late."})
    assert store.attempts.of_assignment(assignment.id) == [made]


def test_only_the_first_submission_counts(store: Store) -> None:
    assignment = accepted(store)
    closed = store.assignments.submit(assignment.id, "Thanks 𝄞", NEW_YEAR)
    assert closed == replace(assignment, submitted_at=NEW_YEAR, feedback="Thanks 𝄞", confirmed_at=NEW_YEAR, place=None)
    assert store.assignments.submit(assignment.id, "Changed", NEW_YEAR + timedelta(days=1)) == closed
    with pytest.raises(UnknownName):
        store.assignments.submit("nothing", None, NEW_YEAR)


def test_hits_are_done_in_which_something_was_tried_and_counts(store: Store) -> None:
    submitted = {}
    for name in ("pilot", "main"):
        store.campaigns.create(campaign(name))
        first, empty, open_one = store.campaigns.offer(name, [context()], round_number=1, slots=3)
        for registration in ("r1", "r2"):
            done = store.attempts.accept(first, "w1", registration, NEW_YEAR)[0]
            store.attempts.add(attempt(done.id, 1))
            store.assignments.submit(done.id, None, NEW_YEAR)
        store.assignments.submit(store.attempts.accept(empty, "w1", "r4", NEW_YEAR)[0].id, None, NEW_YEAR)
        store.attempts.accept(open_one, "w1", "r3", NEW_YEAR)
        submitted[name] = first
    assert store.attempts.done_hits("pilot") == {submitted["pilot"]}
    assert store.attempts.done_hits("nobody") == set()


def test_attempts_of_a_campaign_come_with_what_they_belong_to(store: Store) -> None:
    assignment = accepted(store)
    made = store.attempts.add(attempt(assignment.id, 1))
    [row] = store.attempts.of_campaign("pilot")
    assert (row.attempt, row.assignment, row.hit) == (made, assignment, store.campaigns.hit(assignment.hit))
    assert list(store.attempts.of_campaign("nobody")) == []


def test_what_is_counted_by_model_leaves_out_people_who_tried_nothing(store: Store) -> None:
    hits = _offered(store, 3)
    for hit_id, worker, tries in zip(hits, ("w1", "w2", "w3"), (2, 1, 0), strict=True):
        assignment = store.attempts.accept(hit_id, worker, "r", NEW_YEAR)[0]
        for ordinal in range(1, tries + 1):
            store.attempts.add(attempt(assignment.id, ordinal))
        store.assignments.submit(assignment.id, None, NEW_YEAR)
    made = attempt("any", 1)
    counts, writers = store.attempts.counts("pilot")
    assert [(one.name, one.hash, one.attempts, one.retracted) for one in counts] == [
        (made.model_name, made.model_hash, 3, 0)
    ]
    assert writers == {"w1": (1, 2), "w2": (1, 1)}
    assert store.attempts.counts("nobody") == ([], {})


def _offered(store: Store, slots: int) -> list[str]:
    store.campaigns.create(campaign("pilot"))
    return list(store.campaigns.offer("pilot", [context()], round_number=1, slots=slots))


def insert_shuffled(store: Store, name: str, draw: random.Random) -> None:
    """A campaign whose contexts, assignments and attempts come in an order of its own."""
    contexts = [context(context_id) for context_id in ("b/0", "B/1", "a", "é", "Z", "a/10", "a/2", "_", "𝄞")]
    store.campaigns.create(campaign(name))
    draw.shuffle(contexts)
    hits = list(store.campaigns.offer(name, contexts, round_number=1, slots=2))
    draw.shuffle(hits)
    accepted_hits = [
        store.attempts.accept(hit, f"w{number}", f"r{number}", NEW_YEAR, stage=Stage.SCREENING)[0]
        for hit in hits
        for number in (1, 2)
    ]
    draw.shuffle(accepted_hits)
    for ordinal in (1, 2):
        for assignment in accepted_hits:
            store.attempts.add(attempt(assignment.id, ordinal))


def test_attempts_of_a_campaign_come_in_the_same_order_whatever_the_database_and_the_order_of_insertion(
    store: Store,
) -> None:
    insert_shuffled(store, "pilot", random.Random(1))
    rows = list(store.attempts.of_campaign("pilot"))
    places = [(row.hit.context.id, row.hit.slot, row.assignment.id, row.attempt.ordinal) for row in rows]
    assert len(places) == 9 * 2 * 2 * 2
    assert places == sorted(places)


def test_of_many_threads_that_add_the_same_key_all_get_the_one_attempt(store: Store) -> None:
    assignment = accepted(store)
    made = at_once(16, lambda number: store.attempts.add(attempt(assignment.id, 1, key="same", member=f"m{number}")))
    assert store.attempts.of_assignment(assignment.id) == [made[0]]
    assert all(one == made[0] for one in made)


def test_of_many_threads_that_add_their_own_keys_and_try_again_none_is_lost(store: Store) -> None:
    assignment = accepted(store)

    def add(number: int) -> Attempt:
        while True:
            next_ordinal = len(store.attempts.of_assignment(assignment.id)) + 1
            try:
                return store.attempts.add(attempt(assignment.id, next_ordinal, key=f"k{number}"))
            except Refused:
                continue

    made = at_once(16, add)
    stored = store.attempts.of_assignment(assignment.id)
    assert sorted(made, key=lambda one: one.ordinal) == stored
    assert [one.ordinal for one in stored] == list(range(1, 17))


def test_what_is_refused_because_of_a_submission_at_the_same_moment_is_not_stored(store: Store) -> None:
    assignments = [accepted(store, registration=f"r{number}") for number in range(8)]

    def add_or_submit(number: int) -> Attempt | Assignment | None:
        assignment = assignments[number // 2]
        if number % 2:
            return store.assignments.submit(assignment.id, None, NEW_YEAR)
        try:
            return store.attempts.add(attempt(assignment.id, 1))
        except Refused:
            return None

    outcomes = at_once(16, add_or_submit)
    for assignment, outcome in zip(assignments, outcomes[::2], strict=True):
        assert store.attempts.of_assignment(assignment.id) == ([outcome] if outcome else [])


def test_every_attempt_that_was_acknowledged_survives_a_kill(store: Store, store_url: str) -> None:
    assignment = accepted(store)
    acknowledged: list[str] = []
    draw = random.Random(476)
    for _ in range(3):
        command = [sys.executable, "-m", "tests.store.add_until_killed", store_url, assignment.id]
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout
            before_the_kill = [process.stdout.readline() for _ in range(draw.randint(1, 15))]
            process.send_signal(signal.SIGKILL)
            lines = chain(before_the_kill, process.stdout)
            acknowledged += [line.strip() for line in lines if line.endswith("\n")]
        assert process.returncode == -signal.SIGKILL
    again = open_store(store_url)
    stored = again.attempts.of_assignment(assignment.id)
    again.close()
    assert len(acknowledged) >= 3
    assert {one.key for one in stored} >= set(acknowledged)
    assert len(stored) <= len(acknowledged) + 3  # a commit may come before its acknowledgement, once a kill
    assert [one.ordinal for one in stored] == list(range(1, len(stored) + 1))


def test_writers_are_those_with_an_attempt_that_counts_each_once(store: Store) -> None:
    assignment = accepted(store, worker="w1")
    for ordinal in (1, 2):
        store.attempts.add(attempt(assignment.id, ordinal))
    assert store.attempts.writers("pilot") == []
    store.assignments.submit(assignment.id, None, NEW_YEAR)
    assert store.attempts.writers("pilot") == [("rome/0", "w1")]
    assert store.attempts.writers("another") == []
