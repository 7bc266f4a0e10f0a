"""Statements of workers and their pay by the hour."""

from __future__ import annotations

import pytest

from beat_the_ai.payments import Cap, Hourly, Ledger, owed_by, statements
from beat_the_ai.payments.statement import hourly
from beat_the_ai.store import Store
from tests.payments.builders import offer, submitted, tariffs
from tests.payments.paid import Paid

TARIFFS = tariffs(200, cents_per_win=25)


@pytest.fixture
def worked(store: Store) -> Store:
    """A1: $2.50 in 30 minutes and $2.00 in 60; A2: $2.25 in 15."""
    first, second, third = offer(store, 3)
    submitted(store, first, "WLW", worker="A1", crowd_id="3X", minutes=30)
    submitted(store, second, "L", worker="A1", crowd_id="3Y", minutes=60)
    submitted(store, third, "W", worker="A2", crowd_id="3Z", minutes=15)
    return store


def test_every_amount_stands_with_its_reason_and_state(worked: Store) -> None:
    owed = owed_by(Paid(worked, "pilot", TARIFFS))
    ledger = Ledger(worked.database, "pilot")
    ledger.intend([one for one in owed if one.key.worker == "A1"], Cap(10**9).choose)
    ledger.confirm(ledger.payments()[0])
    (one, two), _ = statements(Paid(worked, "pilot", TARIFFS), owed, ledger.payments())
    assert [(line.assignment, line.purpose, line.cents, line.state) for line in one.lines] == [
        ("3X", "reward", 200, "confirmed"),
        ("3Y", "reward", 200, "intent"),
        ("3X", "wins", 50, "intent"),
    ]
    assert (one.paid_cents, one.earned_cents) == (200, 450)
    assert one.lines[2].reason == "Bonus for 2 wins against the AI. Thank you! [pilot/wins/A1/3X]"
    assert (two.worker, {line.state for line in two.lines}, two.paid_cents) == ("A2", {"owed"}, 0)


def test_pay_by_the_hour_is_what_was_earned_over_the_time_from_acceptance_to_submission(worked: Store) -> None:
    (one, two), overall = statements(Paid(worked, "pilot", TARIFFS), owed_by(Paid(worked, "pilot", TARIFFS)), [])
    assert one.hourly == Hourly(2, 275, 350, 425)  # of 500 and 200
    assert two.hourly == Hourly(1, 900, 900, 900)
    assert overall == Hourly(3, 350, 500, 700)


def test_the_ledgers_amount_stands_above_the_calculation(worked: Store) -> None:
    ledger = Ledger(worked.database, "pilot")
    ledger.intend(owed_by(Paid(worked, "pilot", TARIFFS)), Cap(10**9).choose)
    dearer = owed_by(Paid(worked, "pilot", tariffs(300, cents_per_win=25)))
    (one, _), _ = statements(Paid(worked, "pilot", TARIFFS), dearer, ledger.payments())
    assert one.earned_cents == 450


def test_quartiles_are_those_of_the_textbook() -> None:
    assert hourly([1, 2, 3, 4, 5, 6, 7, 8]) == Hourly(8, 2.75, 4.5, 6.25)  # R's default, type 7
    assert hourly([]) is None


def test_work_that_took_no_time_has_no_pay_by_the_hour(store: Store) -> None:
    [hit] = offer(store, 1)
    submitted(store, hit, "W", minutes=0)
    [statement], overall = statements(Paid(store, "pilot", TARIFFS), owed_by(Paid(store, "pilot", TARIFFS)), [])
    assert (statement.hourly, overall, statement.earned_cents) == (None, None, 225)
