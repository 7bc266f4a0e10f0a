"""What a campaign's work has earned."""

from __future__ import annotations

from datetime import timedelta

import pytest

from beat_the_ai.payments import Cap, Cause, Ledger, PaidWork, earnings_of, held_back, owed_by
from beat_the_ai.payments.held_back import AWAITS_CROWD, EMPTY, OPEN
from beat_the_ai.rules.stage import Stage
from beat_the_ai.store import Assignment, PayDecision, Store
from beat_the_ai.terms.writing import Terms
from tests.payments.builders import offer, submitted, tariffs
from tests.payments.paid import Paid
from tests.store.builders import NEW_YEAR, attempt


def test_every_hit_in_which_something_was_tried_earns_its_reward_even_without_a_win(store: Store) -> None:
    first, second, third = offer(store, 3)
    submitted(store, first, "L", worker="A1", crowd_id="3X")
    submitted(store, second, "LLL", worker="A2", crowd_id="3Y", minutes=31)
    store.attempts.accept(third, "A3", "3Z-A3", NEW_YEAR)
    found = owed_by(Paid(store, "pilot", tariffs(cents_per_win=10)))
    assert [(one.key.worker, one.key.assignment, one.cents, one.fee_cents) for one in found] == [
        ("A1", "3X", 200, 40),
        ("A2", "3Y", 200, 40),
    ]


def decide(store: Store, assignment: Assignment, *, pays: bool) -> None:
    store.pay_decisions.add(PayDecision(assignment.id, pays, "ann", "looked at it", NEW_YEAR))


def test_an_empty_hit_is_paid_when_a_person_says_so(store: Store) -> None:
    empty = submitted(store, offer(store, 1)[0], "", worker="A1", crowd_id="3X")
    pilot = Paid(store, "pilot", tariffs())
    assert [(held.assignment.id, held.reason) for held in held_back(pilot)] == [(empty.id, EMPTY)]
    assert owed_by(Paid(store, "pilot", tariffs())) == []
    for pays in (True, False, True):
        decide(store, empty, pays=pays)
        assert [owed.key.worker for owed in owed_by(Paid(store, "pilot", tariffs()))] == (["A1"] if pays else [])


def test_whoever_hands_in_before_the_tries_that_a_hit_takes_waits_for_a_person(store: Store) -> None:
    asked = tariffs(terms=Terms(min_tries=3, time_limit_seconds=3600))
    first, second, third = offer(store, 3)
    early = submitted(store, first, "LL", worker="A1", minutes=59)
    submitted(store, second, "LL", worker="A2", minutes=60)
    submitted(store, third, "LLL", worker="A3", minutes=1)
    assert [(held.assignment.id, held.cause) for held in held_back(Paid(store, "pilot", asked))] == [
        (early.id, Cause.TOO_FEW)
    ]
    assert {owed.key.worker for owed in owed_by(Paid(store, "pilot", asked))} == {"A2", "A3"}
    decide(store, early, pays=True)
    assert {owed.key.worker for owed in owed_by(Paid(store, "pilot", asked))} == {"A1", "A2", "A3"}


def test_whoever_leaves_a_win_unexplained_with_time_left_waits_for_a_person(store: Store) -> None:
    asked = tariffs(terms=Terms(explains_wins=True, time_limit_seconds=3600))
    hits = offer(store, 4)
    early = submitted(store, hits[0], "LW", worker="A1", minutes=59)
    submitted(store, hits[1], "W", worker="A2", minutes=60)
    submitted(store, hits[2], "LR", worker="A3", minutes=1)
    explained = store.attempts.accept(hits[3], "A4", "3X-A4", NEW_YEAR)[0]
    store.attempts.add(attempt(explained.id, 1, explanation={"why": "It cannot count."}))
    store.assignments.submit(explained.id, None, NEW_YEAR + timedelta(minutes=1))
    assert store.attempts.of_assignment(explained.id)[0].fooled
    assert store.attempts.unexplained("pilot", "A2") == {
        store.assignments.confirmed("pilot", Stage.WRITING, worker="A2")[0].id
    }
    assert [(held.assignment.id, held.cause) for held in held_back(Paid(store, "pilot", asked))] == [
        (early.id, Cause.UNEXPLAINED)
    ]
    assert held_back(Paid(store, "pilot", tariffs(terms=Terms(time_limit_seconds=3600)))) == []
    assert {owed.key.worker for owed in owed_by(Paid(store, "pilot", asked))} == {"A2", "A3", "A4"}
    decide(store, early, pays=True)
    assert {owed.key.worker for owed in owed_by(Paid(store, "pilot", asked))} == {"A1", "A2", "A3", "A4"}


def test_what_is_not_confirmed_earns_nothing_until_it_is_or_a_person_says_so(store: Store) -> None:
    hits = offer(store, 4)
    at_work, waiting, aside, counting = (
        store.attempts.accept(hit, f"A{number}", f"3{number}-A{number}", NEW_YEAR)[0] for number, hit in enumerate(hits)
    )
    for assignment in (at_work, waiting, aside, counting):
        store.attempts.add(attempt(assignment.id, 1))
    for assignment in (waiting, aside, counting):
        store.assignments.submit(assignment.id, None, NEW_YEAR, awaits_crowd=True)
    assert {hand_in.worker for hand_in in store.assignments.waiting("pilot", Stage.WRITING)} == {"A1", "A2", "A3"}
    assert store.assignments.confirm(counting.id, NEW_YEAR)
    assert store.assignments.set_aside(aside.id, "forged", NEW_YEAR)
    assert not store.assignments.confirm(aside.id, NEW_YEAR)
    assert not store.assignments.set_aside(counting.id, "forged", NEW_YEAR)
    assert not store.assignments.confirm(at_work.id, NEW_YEAR)
    assert {held.assignment.worker: held.reason for held in held_back(Paid(store, "pilot", tariffs()))} == {
        "A0": OPEN,
        "A1": AWAITS_CROWD,
        "A2": "forged",
    }
    assert [owed.key.worker for owed in owed_by(Paid(store, "pilot", tariffs()))] == ["A3"]
    decide(store, aside, pays=True)
    decide(store, counting, pays=False)
    assert [owed.key.worker for owed in owed_by(Paid(store, "pilot", tariffs()))] == ["A2"]


def test_rewards_come_first_then_bonuses_each_in_the_order_of_submission(store: Store) -> None:
    first, second = offer(store, 2)
    late = submitted(store, first, "WLW", worker="A1", crowd_id="3X", minutes=20)
    submitted(store, second, "WRL", worker="A2", crowd_id="3Y", minutes=10)
    won = store.attempts.of_assignment(late.id)[2]
    found = owed_by(Paid(store, "pilot", tariffs(cents_per_win=10, cents_per_verified_win=50)), verified={won.id})
    assert [(one.key.purpose, one.key.worker, one.cents) for one in found] == [
        ("reward", "A2", 200),
        ("reward", "A1", 200),
        ("wins", "A2", 10),
        ("wins", "A1", 20),
        ("verified:3", "A1", 50),
    ]


@pytest.mark.parametrize("said_before", [[], [False], [True, False]])
def test_a_win_that_is_admitted_after_its_hit_was_paid_is_owed_once(store: Store, said_before: list[bool]) -> None:
    paid = tariffs(cents_per_win=10)
    made = submitted(store, offer(store, 1)[0], "WWH")
    doubted = store.attempts.of_assignment(made.id)[2].id
    ledger = Ledger(store.database, "pilot")

    def pay() -> dict[str, int]:
        ledger.intend(PaidWork.read_unpaid(Paid(store, "pilot", paid)).owed(), Cap(10**9).choose)
        payments = {payment.key.purpose: payment.cents for payment in ledger.payments()}
        assert earnings_of(Paid(store, "pilot", paid), "A1").earned_cents == sum(payments.values())
        return payments

    for admitted in said_before:
        store.attempts.settle_doubts(doubted, admitted=admitted)
        before = pay()
        assert before.pop("admitted:3", 0) == (10 if True in said_before else 0)
        assert before == {"reward": 200, "wins": 20}
    pay()
    store.attempts.settle_doubts(doubted, admitted=True)
    for _ in range(2):
        assert pay() == {"reward": 200, "wins": 20, "admitted:3": 10}


def test_the_reason_says_what_for_and_ends_with_the_key(store: Store) -> None:
    [hit] = offer(store, 1)
    submitted(store, hit, "WW")
    reasons = [one.reason for one in owed_by(Paid(store, "pilot", tariffs(cents_per_win=10, streak_cents={2: 5})))]
    assert reasons == [
        "Reward of a submitted task. [pilot/reward/A1/3X]",
        "Bonus for 2 wins against the AI. Thank you! [pilot/wins/A1/3X]",
        "Bonus for 2 wins in a row. Thank you! [pilot/streak:2/A1/3X]",
    ]


def test_volunteers_without_a_reward_are_owed_nothing(store: Store) -> None:
    [hit] = offer(store, 1)
    submitted(store, hit, "W")
    assert owed_by(Paid(store, "pilot", tariffs(reward_cents=0))) == []


def test_the_crowds_own_id_is_read_from_the_registration(store: Store) -> None:
    [hit] = offer(store, 1)
    made = store.attempts.accept(hit, "A-1", "3-X-A-1", NEW_YEAR)[0]
    assert made.crowd_assignment == "3-X"
