"""What votes come to is kept beside each work, is never older than the votes, and is found out by the rules at hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta
from functools import partial
from threading import Thread

import pytest
import sqlalchemy as sa

from beat_the_ai.errors import Refused
from beat_the_ai.rules.adjudication import Adjudication
from beat_the_ai.store import CountingRules, Store, tables, works
from beat_the_ai.store.adjudication import adjudicate_some
from tests.store.builders import NEW_YEAR, accepted, at_once, attempt
from tests.store.plans import read_whole
from tests.store.test_validations import GOLD, LONG_AGO, ONE_VOTE, VOTE, items, take, written

BAD_VOTE = {"answer": None}


def adjudicate(_work: object, _prediction: object, votes: Sequence[object]) -> Adjudication:
    status, is_kept = "voted" if votes else "open", VOTE in votes
    return Adjudication(status, None, 3 - len(votes), bool(votes), kept=is_kept, confirmed=is_kept)


def answers_gold_right(answers: object) -> bool:
    return (GOLD, BAD_VOTE) not in answers  # type: ignore[operator]  # what the store gives is a sequence of them


STRICT = CountingRules("strict", adjudicate, answers_gold_right, adaptive=False, lot=str)
LENIENT = CountingRules("lenient", adjudicate, lambda _answers: True, adaptive=False, lot=str)


def rows(store: Store) -> dict[str, tuple[str | None, int]]:
    """`{attempt: (status, votes)}`."""
    with store.database.reading() as connection:
        return {row.attempt_id: (row.status, row.votes) for row in connection.execute(sa.select(tables.works))}


def voted(store: Store, hit: str, worker: str, question: object = VOTE, gold: object = VOTE) -> str:
    """A validation HIT that was handed in and waits for the crowd."""
    made = take(store, hit, worker)
    for item in items(store, made):
        vote = question if item.attempt_id else gold
        store.validations.vote(made.id, item.id, "k", vote, NEW_YEAR)  # type: ignore[arg-type]
    return store.assignments.submit(made.id, None, NEW_YEAR, awaits_crowd=True).id


def test_a_work_is_there_from_the_moment_on_at_which_it_counts(store: Store) -> None:
    assignment = accepted(store)
    for made in (attempt(assignment.id, 1), attempt(assignment.id, 2), attempt(assignment.id, 3, doubts=["short"])):
        store.attempts.add(made)
    store.assignments.submit(assignment.id, None, NEW_YEAR, awaits_crowd=True)
    assert rows(store) == {}
    assert store.assignments.confirm(assignment.id, NEW_YEAR)
    first, doubted = attempt(assignment.id, 1).id, attempt(assignment.id, 3).id
    assert rows(store) == {first: (None, 0)}
    for _ in range(2):
        store.attempts.settle_doubts(doubted, admitted=True)
        assert rows(store) == {first: (None, 0), doubted: (None, 0)}
    store.attempts.settle_doubts(doubted, admitted=False)
    assert rows(store) == {first: (None, 0)}


def test_a_work_that_is_admitted_while_it_begins_to_count_is_there(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    assignment = accepted(store)
    store.attempts.add(doubted := attempt(assignment.id, 1, doubts=["short"]))
    store.assignments.submit(assignment.id, None, NEW_YEAR, awaits_crowd=True)
    begin = works.begin_to_count
    admitting = Thread(target=partial(store.attempts.settle_doubts, doubted.id, admitted=True))

    def begin_slowly(connection: sa.Connection, assignment_id: str) -> None:
        begin(connection, assignment_id)
        admitting.start()
        admitting.join(0.5)  # as long as it takes where nothing makes it wait

    monkeypatch.setattr(works, "begin_to_count", begin_slowly)
    assert store.assignments.confirm(assignment.id, NEW_YEAR)
    admitting.join()
    assert rows(store) == {doubted.id: (None, 0)}


def test_a_vote_that_begins_to_count_unmakes_what_was_found_out(store: Store) -> None:
    question = written(store)
    made = voted(store, "h1", "v1")
    store.works.adjudicate("pilot", 1, LENIENT)
    assert rows(store) == {question: ("open", 0)}
    assert store.assignments.confirm(made, NEW_YEAR)
    assert rows(store)[question][0] is None
    store.works.adjudicate("pilot", 1, LENIENT)
    assert rows(store) == {question: ("voted", 1)}
    assert store.works.confirmed("pilot") == store.works.confirmed("pilot", "w1") == {question}
    assert store.works.confirmed("pilot", "w2") == set()


def test_two_processes_with_other_rules_do_not_keep_each_other_busy_for_ever(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(store)
    write: Callable[[Callable[[sa.Connection], object]], object] = store.database.write

    def write_beside_the_other(change: Callable[[sa.Connection], object]) -> object:
        done = write(change)
        write(lambda connection: adjudicate_some(connection, "pilot", 1, STRICT))
        return done

    with monkeypatch.context() as patched:
        patched.setattr(store.database, "write", write_beside_the_other)
        with pytest.raises(Refused, match="Two versions"):
            store.works.adjudicate("pilot", 1, LENIENT)
    assert store.works.adjudicate("pilot", 1, LENIENT) > 0


def test_other_rules_find_out_everything_anew(store: Store) -> None:
    question = written(store)
    assert store.assignments.confirm(voted(store, "h1", "v1", gold=BAD_VOTE), NEW_YEAR)
    for rules, votes in ((LENIENT, 1), (STRICT, 0), (LENIENT, 1)):
        store.works.adjudicate("pilot", 1, rules)
        assert rows(store)[question][1] == votes
        assert store.works.uncounted_validators("pilot", 1) == ({"v1"} if rules is STRICT else set())


def test_who_answers_gold_badly_loses_the_votes_given_before(store: Store) -> None:
    question = written(store)
    assert store.assignments.confirm(voted(store, "h1", "v1"), NEW_YEAR)
    store.works.adjudicate("pilot", 1, STRICT)
    assert rows(store) == {question: ("voted", 1)}
    later = voted(store, "h2", "v1", gold=BAD_VOTE)  # gold alone
    store.works.adjudicate("pilot", 1, STRICT)
    assert store.assignments.confirm(later, NEW_YEAR)
    store.works.adjudicate("pilot", 1, STRICT)
    assert rows(store) == {question: ("open", 0)}


def test_votes_that_come_while_others_find_out_are_never_lost(store: Store) -> None:
    question = written(store)
    made = voted(store, "h1", "v1")

    def turn(number: int) -> None:
        if number == 3:
            store.assignments.confirm(made, NEW_YEAR)
        store.works.adjudicate("pilot", 1, LENIENT)

    at_once(8, turn)
    assert rows(store) == {question: ("voted", 1)}


def test_works_are_wanted_only_where_validators_are_asked(store: Store) -> None:
    question = written(store)

    def wanted() -> list[str]:
        store.works.adjudicate("pilot", 1, ONE_VOTE)
        return [work.attempt_id for work in store.works.open_to("pilot", 1, None, without=())]

    assert wanted() == []
    for contexts, asked in ((["rome/0"], [question]), ([], []), (None, [question])):
        store.works.ask("pilot", 1, contexts)
        assert wanted() == asked
        assert [work.attempt_id for work in store.works.asked("pilot", 1, without=())] == asked
    assert store.works.open_to("pilot", 1, "w1", without=()) == []
    assert store.works.open_to("pilot", 1, None, without={"w1"}) == []
    assert store.works.open_to("pilot", 1, "v1", without=(), contexts=["athens/0"]) == []


def test_a_hit_is_held_until_its_time_is_over_or_the_crowd_has_decided(store: Store) -> None:
    question = written(store)
    made = voted(store, "h1", "v1")
    assert store.works.held("pilot", 1, NEW_YEAR + timedelta(days=1)) == {question: {"v1"}}
    assert store.assignments.set_aside(made, "nobody knows it", NEW_YEAR)
    assert store.works.held("pilot", 1, LONG_AGO) == {}
    take(store, "h2", "v2")
    assert store.works.held("pilot", 1, LONG_AGO) == {question: {"v2"}}
    assert store.works.held("pilot", 1, LONG_AGO, but_of="h2") == {}
    assert store.works.held("pilot", 1, NEW_YEAR + timedelta(seconds=1)) == {}


def test_what_is_asked_all_the_time_reads_no_table_whole(store: Store) -> None:
    question = written(store)
    made = take(store)

    def everything() -> None:
        store.works.adjudicate("pilot", 1, ONE_VOTE)
        store.works.open_to("pilot", 1, "v2", without={"w9"}, most=8)
        store.works.asked("pilot", 1, without={"w9"}, attempts=[question])
        store.works.held("pilot", 1, LONG_AGO, but_of="h9")
        store.works.had_by("v2", [question])
        store.works.uncounted_validators("pilot", 1)
        store.works.confirmed("pilot", "w1")
        store.validations.taken("pilot", "h1", "v1", "r1")
        store.validations.next_id("pilot", "v1")
        store.validations.session(made.id)

    large = {"attempts", "assignments", "hits", "contexts", "works", "validation_items", "validation_votes"}
    assert read_whole(store, everything) & large == set()
