"""Language models' answers: one for each question, and no cost left out, on both databases."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from beat_the_ai.store import Campaign, ModelQuestion, OverSpent, Spending, Store, now, open_store
from tests.store.builders import accepted, at_once, attempt, context

QUESTION = ModelQuestion("pilot", "m" * 64, "q" * 64)
FIRST, SECOND = {"text": "Rome", "start": 0}, {"text": "Athens", "start": 9}


@pytest.fixture
def store(store: Store) -> Store:
    for name in ("pilot", "other"):
        store.campaigns.create(Campaign(name, "nli", 1, "key", {}, now()), {}, first_round=1)
    return store


def asked(store: Store, question: ModelQuestion = QUESTION, most: int = 100) -> int:
    return store.model_answers.ask(question, "a", Spending(most), now())


def test_the_first_answer_stands_whoever_asked_first(store: Store) -> None:
    early, late = asked(store), asked(store)
    assert store.model_answers.find(QUESTION) is None
    assert store.model_answers.answer(late, QUESTION, SECOND, 7) == SECOND
    assert store.model_answers.answer(early, QUESTION, FIRST, 5) == SECOND
    assert store.model_answers.find(QUESTION) == SECOND
    assert store.model_answers.spent_microcents("pilot") == 12


def test_of_many_at_once_all_get_the_same(store: Store) -> None:
    def answered(number: int) -> object:
        row = asked(store)
        return store.model_answers.answer(row, QUESTION, {"text": str(number), "start": 0}, 1)["text"]

    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(answered, range(16)))
    assert len(set(found)) == 1
    assert store.model_answers.spent_microcents("pilot") == 16


def test_other_models_questions_and_campaigns_have_their_own(store: Store) -> None:
    store.model_answers.answer(asked(store), QUESTION, FIRST, 5)
    for other in (
        replace(QUESTION, model_hash="n" * 64),
        replace(QUESTION, query_hash="r" * 64),
        replace(QUESTION, campaign_id="other"),
    ):
        assert store.model_answers.find(other) is None
    assert store.model_answers.spent_microcents("other") == 0


def test_what_was_never_answered_counts_at_its_most_and_what_was_not_sent_not_at_all(store: Store) -> None:
    asked(store, most=100)
    store.model_answers.forget(asked(store, most=50))
    assert store.model_answers.spent_microcents("pilot") == 100


def test_nothing_is_asked_beyond_the_limit_also_by_many_at_once(store: Store) -> None:
    def outcome(_: int) -> bool | int:
        try:
            return store.model_answers.ask(QUESTION, "a", Spending(100, limit=450), now())
        except OverSpent as error:
            return error.own

    with ThreadPoolExecutor(8) as threads:
        outcomes = list(threads.map(outcome, range(16)))
    assert outcomes.count(False) == 12
    assert store.model_answers.spent_microcents("pilot") == 400


TRIES, PER_TRY = 3, 100


def spend(store: Store, assignment: str, number: int = 0, share: float = 1.0) -> str:
    """Ask a question whose cost nobody will know, and say which limit it would pass, if any."""
    question = replace(QUESTION, query_hash=f"{assignment}{number}")
    try:
        store.model_answers.ask(question, assignment, Spending(PER_TRY, 10**9, PER_TRY, TRIES, share), now())
    except OverSpent as error:
        return "own" if error.own else "campaign's"
    return ""


def test_an_assignment_may_spend_what_its_tries_can_cost_also_by_many_questions_at_once(store_url: str) -> None:
    store = open_store(store_url)
    assignment = accepted(store).id
    outcomes = at_once(16, lambda number: spend(store, assignment, number))
    assert sorted(outcomes) == [""] * TRIES + ["own"] * (16 - TRIES)
    assert store.model_answers.spent_microcents("pilot") == TRIES * PER_TRY
    assert spend(store, store.attempts.accept(hit_of(store, assignment), "w2", "r2", now())[0].id) == ""
    store.close()


def test_a_worker_may_spend_no_more_in_the_next_assignment_until_tries_are_made(store_url: str) -> None:
    store = open_store(store_url)
    first = accepted(store).id
    [hit] = store.campaigns.offer("pilot", [context("rome/1")], round_number=1, slots=1)
    second = store.attempts.accept(hit, "w1", "r2", now())[0].id
    assert [spend(store, first, number) for number in range(TRIES)] == [""] * TRIES
    assert spend(store, second) == "own"
    store.attempts.add(attempt(first, 1))
    assert [spend(store, second, number) for number in range(2)] == ["", "own"]
    store.close()


def test_drafts_may_spend_half_of_that(store_url: str) -> None:
    store = open_store(store_url)
    assignment = accepted(store).id
    assert [spend(store, assignment, number, share=0.5) for number in range(3)] == ["", "", "own"]
    assert spend(store, assignment, 9) == ""
    store.close()


def test_a_failure_is_kept_with_what_it_cost_and_an_answer_that_comes_later_stands(store: Store) -> None:
    store.model_answers.fail(asked(store), 7, unreadable=False)
    assert not store.model_answers.is_unreadable(QUESTION)
    store.model_answers.fail(asked(store, most=50), None, unreadable=True)
    assert store.model_answers.is_unreadable(QUESTION)
    assert store.model_answers.find(QUESTION) is None
    assert store.model_answers.spent_microcents("pilot") == 57
    store.model_answers.answer(asked(store), QUESTION, FIRST, 5)
    assert store.model_answers.find(QUESTION) == FIRST


def hit_of(store: Store, assignment: str) -> str:
    return store.assignments.get(assignment).hit
