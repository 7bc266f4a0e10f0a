"""What a worker is told of the worker's own pay."""

from __future__ import annotations

from beat_the_ai.payments import Cap, Ledger, earnings_of, owed_by, page_earnings, statements
from beat_the_ai.store import Store
from tests.payments.builders import offer, submitted, tariffs
from tests.payments.paid import Paid
from tests.store.builders import NEW_YEAR

TARIFFS = tariffs(200, cents_per_win=25, cents_per_verified_win=50)


def test_a_worker_is_told_what_the_statement_says_and_nothing_of_others(store: Store) -> None:
    hits = offer(store, 5)
    submitted(store, hits[0], "WLW", worker="A1", crowd_id="3X", minutes=30)
    submitted(store, hits[1], "L", worker="A1", crowd_id="3Y", minutes=60)
    others = submitted(store, hits[2], "WW", worker="A2", crowd_id="3Z", minutes=15)
    verified = {store.attempts.of_assignment(others.id)[0].id}
    ledger = Ledger(store.database, "pilot")
    owed = owed_by(Paid(store, "pilot", TARIFFS), verified)
    ledger.intend(owed, Cap(10**9).choose)
    for payment in ledger.payments()[:2]:
        ledger.confirm(payment)
    told, _ = statements(Paid(store, "pilot", TARIFFS), owed, ledger.payments())
    for statement in told:
        earnings = earnings_of(Paid(store, "pilot", TARIFFS), statement.worker, verified)
        assert (earnings.earned_cents, earnings.paid_cents) == (statement.earned_cents, statement.paid_cents)
        assert earnings.hourly == statement.hourly
    assert page_earnings(earnings_of(Paid(store, "pilot", TARIFFS), "A1", verified)) == {
        "earned_cents": 450,
        "paid_cents": 200,
        "pending_cents": 250,
        "hits_waiting": 0,
        "hourly": {"median_cents": 350, "assignments": 2},
    }


def test_somebody_new_has_earned_nothing_and_has_no_pay_by_the_hour(store: Store) -> None:
    submitted(store, offer(store, 1)[0], "W", worker="A1")
    told = page_earnings(earnings_of(Paid(store, "pilot", TARIFFS), "A2"))
    assert told == {"earned_cents": 0, "paid_cents": 0, "pending_cents": 0, "hits_waiting": 0, "hourly": None}


def test_what_waits_is_told_but_not_what_others_handed_in_under_the_name(store: Store) -> None:
    empty, unconfirmed, forged, at_work = offer(store, 4)
    submitted(store, empty, "", worker="A1", crowd_id="3W")
    for number, hit in enumerate((unconfirmed, forged, at_work)):
        assignment = store.attempts.accept(hit, "A1", f"3{number}-A1", NEW_YEAR)[0]
        if hit != at_work:
            store.assignments.submit(assignment.id, None, NEW_YEAR, awaits_crowd=True)
        if hit == forged:
            store.assignments.set_aside(assignment.id, "forged", NEW_YEAR)
    earnings = earnings_of(Paid(store, "pilot", TARIFFS), "A1")
    assert (earnings.earned_cents, earnings.hits_waiting, earnings.hourly) == (0, 2, None)
