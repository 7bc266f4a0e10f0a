"""The contract of validation HITs and votes, on both databases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
import sqlalchemy as sa

from beat_the_ai.errors import InvalidInput, Refused, UnknownName
from beat_the_ai.rules.adjudication import Adjudication
from beat_the_ai.rules.stage import Stage
from beat_the_ai.store import (
    Assignment,
    CountingRules,
    Store,
    ValidationItem,
    open_store,
    tables,
)
from beat_the_ai.store.validations import Chosen
from tests.store.builders import NEW_YEAR, VIENNA_SUMMER, accepted, at_once, attempt, context

GOLD: Mapping[str, Any] = {"question": "When? 𝄞", "answer": {"text": "476", "start": 13}}
VOTE: Mapping[str, Any] = {"answer": {"text": "476 𝄞", "start": 13}}


def written(store: Store) -> str:
    """A submitted attempt that beat the model, on the only context."""
    assignment = accepted(store)
    made = store.attempts.add(attempt(assignment.id, 1))
    store.attempts.add(attempt(assignment.id, 2))  # did not beat it
    store.attempts.add(attempt(assignment.id, 3, retracted_at=NEW_YEAR))
    store.assignments.submit(assignment.id, None, NEW_YEAR)
    return made.id


def adjudicate(_work: object, _prediction: object, votes: Sequence[object]) -> Adjudication:
    return Adjudication("open", None, max(0, 1 - len(votes)), bool(votes))


ONE_VOTE = CountingRules("one vote", adjudicate, lambda _answers: True, adaptive=False, lot=str)
LONG_AGO = NEW_YEAR - timedelta(days=1)


def take(store: Store, hit: str = "h1", worker: str = "v1", registration: str = "r1") -> Assignment:
    """With all questions that nobody has, and then gold."""
    store.works.ask("pilot", 1, None)
    store.works.adjudicate("pilot", 1, ONE_VOTE)
    while (taken := store.validations.taken("pilot", hit, worker, registration)) is None:
        held = store.works.held("pilot", 1, LONG_AGO, but_of=hit)
        wanted = [each for each in store.works.open_to("pilot", 1, worker, without=()) if each.attempt_id not in held]
        chosen: list[Chosen] = [(each.context_id, each.attempt_id, None) for each in wanted]
        name = store.validations.next_id("pilot", worker)
        made = Assignment(name, "pilot", Stage.VALIDATION, hit, worker, registration, NEW_YEAR)
        store.validations.accept(made, [*chosen, ("rome/0", None, GOLD)], LONG_AGO)
    return taken


def items(store: Store, assignment: Assignment) -> list[ValidationItem]:
    return store.validations.session(assignment.id)[1]


def test_a_hit_and_its_questions_come_back_as_they_were_stored(store: Store, store_url: str) -> None:
    question = written(store)
    made = take(store)
    assert made == Assignment(made.id, "pilot", Stage.VALIDATION, "h1", "v1", "r1", NEW_YEAR, place=made.place)
    again = open_store(store_url)
    stored, found, votes = again.validations.session(made.id)
    assert (stored, votes) == (made, {})
    assert [(item.position, item.context_id, item.attempt_id, item.gold) for item in found] == [
        (0, "rome/0", question, None),
        (1, "rome/0", None, GOLD),
    ]
    contexts, works = again.validations.material(made.id)
    assert contexts == {"rome/0": context()}
    assert works == {found[0].id: attempt("x", 1).work, found[1].id: GOLD}
    again.close()


def test_only_what_was_kept_submitted_and_beat_the_model_is_a_question(store: Store) -> None:
    question = written(store)
    [only] = store.validations.snapshot("pilot").outcomes
    assert (only.attempt_id, only.context_id, only.writer, only.work) == (
        question,
        "rome/0",
        "w1",
        attempt("x", 1).work,
    )


def test_works_that_nobody_was_asked_about_can_be_left_out(store: Store) -> None:
    question = written(store)
    assert len(store.validations.snapshot("pilot").outcomes) == 1
    assert store.validations.snapshot("pilot", only_asked=True).outcomes == ()
    take(store)
    [only] = store.validations.snapshot("pilot", only_asked=True).outcomes
    assert only.attempt_id == question


def test_taking_a_hit_again_gives_the_same_and_draws_nothing(store: Store) -> None:
    written(store)
    assert take(store) == take(store)
    assert len(store.validations.snapshot("pilot").placed) == 2
    with pytest.raises(Refused, match="another worker"):
        take(store, worker="v2")


def test_a_registration_that_many_accept_at_once_gives_one_hit(store: Store) -> None:
    written(store)
    made = at_once(8, lambda _: take(store))
    assert {each.id for each in made} == {made[0].id}
    assert len(store.validations.snapshot("pilot").placed) == 2


def test_what_somebody_else_asked_about_meanwhile_stays_found_out(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until it is found out again, nobody would get it."""
    written(store)
    database = store.database
    write = database.write

    def write_late(change: Any) -> Any:
        monkeypatch.undo()
        store.works.ask("pilot", 1, None)
        store.works.adjudicate("pilot", 1, ONE_VOTE)
        return write(change)

    monkeypatch.setattr(database, "write", write_late)
    store.works.ask("pilot", 1, None)
    assert len(store.works.open_to("pilot", 1, "v1", without=())) == 1


def test_no_question_is_given_to_two_who_come_at_once(store: Store) -> None:
    question = written(store)
    at_once(8, lambda number: take(store, f"h{number}", f"v{number}"))
    placed = store.validations.snapshot("pilot").placed
    assert [each.item.attempt_id for each in placed].count(question) == 1


def test_what_others_took_meanwhile_is_not_given_and_leaves_nothing(store: Store) -> None:
    question = written(store)
    name = store.validations.next_id("pilot", "v2")
    late = Assignment(name, "pilot", Stage.VALIDATION, "h2", "v2", "r2", NEW_YEAR)
    chosen: list[Chosen] = [("rome/0", question, None)]
    first = take(store)
    assert store.validations.accept(late, chosen, LONG_AGO) is None
    assert store.validations.taken("pilot", "h2", "v2", "r2") is None
    store.validations.release(first.id)
    assert store.validations.accept(replace(late, id="another"), chosen, LONG_AGO) is None
    made = store.validations.accept(late, chosen, LONG_AGO)
    assert made is not None
    assert made == replace(late, place=made.place)
    with pytest.raises(UnknownName, match="campaign"):
        store.validations.accept(replace(late, campaign_id="nobody"), chosen, LONG_AGO)
    assert len({take(store, f"h{number}", "v", "r").id for number in range(3)}) == 3


def test_the_last_vote_stands_and_a_repeated_key_changes_nothing(store: Store) -> None:
    written(store)
    made = take(store)
    first, gold = items(store, made)
    cast = store.validations.vote(made.id, first.id, "a", VOTE, NEW_YEAR.replace(tzinfo=VIENNA_SUMMER))
    assert store.validations.vote(made.id, first.id, "b", {"answer": None}, NEW_YEAR).ordinal == 2
    assert store.validations.vote(made.id, first.id, "a", {"answer": None}, NEW_YEAR) == cast
    store.validations.vote(made.id, gold.id, "a", VOTE, NEW_YEAR)
    _, _, votes = store.validations.session(made.id)
    assert {name: (vote.ordinal, vote.vote) for name, vote in votes.items()} == {
        first.id: (2, {"answer": None}),
        gold.id: (1, VOTE),
    }
    assert votes[gold.id].created_at == NEW_YEAR
    placed = store.validations.snapshot("pilot").placed
    assert [(each.worker, each.held, each.vote) for each in placed] == [
        ("v1", True, votes[first.id]),
        ("v1", True, votes[gold.id]),
    ]


def test_a_key_that_many_send_at_once_is_one_vote(store: Store) -> None:
    written(store)
    made = take(store)
    [first, _] = items(store, made)
    at_once(8, lambda number: store.validations.vote(made.id, first.id, f"k{number % 2}", VOTE, NEW_YEAR))
    assert store.validations.session(made.id)[2][first.id].ordinal == 2


def test_votes_belong_to_the_hit_and_end_with_it(store: Store) -> None:
    written(store)
    mine, theirs = take(store), take(store, "h2", "v2")
    [first, _] = items(store, mine)
    with pytest.raises(InvalidInput, match="no such item"):
        store.validations.vote(theirs.id, first.id, "a", VOTE, NEW_YEAR)
    with pytest.raises(UnknownName, match="assignment"):
        store.validations.vote("nothing", first.id, "a", VOTE, NEW_YEAR)
    kept = store.validations.vote(mine.id, first.id, "a", VOTE, NEW_YEAR)
    later = NEW_YEAR + timedelta(hours=1)
    assert store.assignments.submit(mine.id, "fine", later).submitted_at == later
    assert store.assignments.submit(mine.id, "again", NEW_YEAR).feedback == "fine"
    assert store.validations.vote(mine.id, first.id, "a", VOTE, NEW_YEAR) == kept
    with pytest.raises(Refused, match="submitted already"):
        store.validations.vote(mine.id, first.id, "b", VOTE, NEW_YEAR)
    assert [each.id for each in store.assignments.confirmed("pilot", Stage.VALIDATION)] == [mine.id]


def test_a_released_hit_holds_nothing_any_more_but_keeps_its_votes(store: Store) -> None:
    written(store)
    made = take(store)
    [first, _] = items(store, made)
    store.validations.vote(made.id, first.id, "a", VOTE, NEW_YEAR)
    store.validations.release(made.id)
    store.validations.release(made.id)
    assert store.assignments.get(made.id).place is None
    assert [(each.held, each.vote is not None) for each in store.validations.snapshot("pilot").placed] == [
        (False, True),
        (False, False),
    ]
    with pytest.raises(Refused, match="given back"):
        store.validations.vote(made.id, first.id, "b", VOTE, NEW_YEAR)


def test_releasing_a_submitted_hit_changes_nothing(store: Store) -> None:
    written(store)
    made = take(store)
    submitted = store.assignments.submit(made.id, None, NEW_YEAR, awaits_crowd=True)
    store.validations.release(made.id)
    assert store.assignments.get(made.id) == submitted
    assert [each.held for each in store.validations.snapshot("pilot").placed] == [True, True]


def test_who_takes_a_hit_that_another_held_gets_it(store: Store) -> None:
    written(store)
    first = take(store)
    second = take(store, "h1", "v2", "r2")
    assert store.assignments.get(first.id).place is None
    assert store.assignments.get(second.id).place == first.place


def test_an_item_is_either_an_attempt_or_gold(store: Store) -> None:
    written(store)
    made = take(store)
    row = {"assignment_id": made.id, "campaign_id": "pilot", "context_id": "rome/0", "position": 9, "id": "x"}
    with pytest.raises(sa.exc.IntegrityError), store.database.writing() as connection:
        connection.execute(sa.insert(tables.validation_items).values(**row, attempt_id=None, gold=None))
