"""The ledger's states, on both databases."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
import sqlalchemy as sa

from beat_the_ai.payments import Cap, Ledger, Payment, State
from beat_the_ai.payments.ledger import CLAIM_LASTS
from beat_the_ai.requester.client import LONGEST_CALL_SECONDS
from beat_the_ai.store import Store
from beat_the_ai.store.tables import payment_events
from tests.payments.builders import owed
from tests.payments.cash_desk import Clock
from tests.store.builders import at_once, campaign

NO_CAP = Cap(10**9)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def ledger(store: Store, clock: Clock) -> Ledger:
    store.campaigns.create(campaign())
    return Ledger(store.database, "pilot", clock)


def intended(ledger: Ledger) -> Payment:
    ledger.intend([owed()], NO_CAP.choose)
    [payment] = ledger.payments()
    return payment


def claimed(ledger: Ledger) -> Payment:
    payment = ledger.claim(intended(ledger), 10**9)
    assert payment
    return payment


def states(ledger: Ledger) -> list[str]:
    return [payment.state.value for payment in ledger.payments()]


def events(store: Store) -> list[tuple[str, str | None]]:
    with store.database.reading() as connection:
        rows = connection.execute(sa.select(payment_events).order_by(payment_events.c.id))
        return [(row.state, row.note) for row in rows]


def test_an_intent_comes_back_as_it_was_written(ledger: Ledger, clock: Clock) -> None:
    payment = intended(ledger)
    one = owed()
    assert (payment.key, payment.cents, payment.fee_cents, payment.reason) == (one.key, 30, 6, one.reason)
    assert (payment.state, payment.tries, payment.created_at, payment.sent_at) == (State.INTENT, 0, clock(), None)


def test_a_key_is_written_down_once_with_the_amount_that_came_first(ledger: Ledger) -> None:
    intended(ledger)
    ledger.intend([owed(cents=99), owed(), owed("streak:3"), owed("streak:3")], NO_CAP.choose)
    assert [(payment.key.purpose, payment.cents) for payment in ledger.payments()] == [("wins", 30), ("streak:3", 30)]


def test_of_many_payers_that_intend_at_once_each_key_is_written_once_and_the_cap_holds(ledger: Ledger) -> None:
    amounts = [owed(assignment=f"3X{number}", cents=10) for number in range(6)]
    at_once(8, lambda number: ledger.intend(amounts[number % 3 :], Cap(48).choose))
    assert len(ledger.payments()) == 4  # each 10 and a fee of 2
    assert len({payment.key for payment in ledger.payments()}) == 4


def test_of_many_payers_that_claim_at_once_one_sends(ledger: Ledger) -> None:
    payment = intended(ledger)
    claims = at_once(8, lambda _number: ledger.claim(payment, 10**9))
    [won] = [claim for claim in claims if claim]
    assert (won.state, won.tries) == (State.SENT, 1)


def test_claims_at_once_do_not_pass_the_cap(ledger: Ledger) -> None:
    ledger.intend([owed(assignment=f"3X{number}", cents=10) for number in range(6)], NO_CAP.choose)
    payments = ledger.payments()
    at_once(6, lambda number: ledger.claim(payments[number], 30))
    assert states(ledger).count("sent") == 2


def test_every_step_leaves_an_event(ledger: Ledger, store: Store) -> None:
    payment = claimed(ledger)
    ledger.decline(payment, "no money")
    payment = claimed(ledger)
    ledger.doubt(payment, "no answer")
    ledger.reopen(payment, "not listed")
    ledger.confirm(claimed(ledger))
    assert events(store) == [
        ("intent", None), ("sent", None), ("intent", "no money"), ("sent", None), ("unknown", "no answer"),
        ("intent", "not listed"), ("sent", None), ("confirmed", None),
    ]  # fmt: skip


@pytest.mark.parametrize("statement", [sa.update(payment_events).values(note="forged"), sa.delete(payment_events)])
def test_events_can_only_be_added_to(ledger: Ledger, store: Store, statement: sa.Update | sa.Delete) -> None:
    intended(ledger)

    def forge() -> None:
        with store.database.writing() as connection:
            connection.execute(statement)

    with pytest.raises(sa.exc.DatabaseError, match="only be added to"):
        forge()
    assert events(store) == [("intent", None)]


Step = Callable[[Ledger, Payment], object]
LATE: list[Step] = [
    lambda ledger, payment: ledger.decline(payment, "late"),
    lambda ledger, payment: ledger.doubt(payment, "late"),
    lambda ledger, payment: ledger.reopen(payment, "late"),
    lambda ledger, payment: ledger.claim(payment, 10**9),
]


@pytest.mark.parametrize("late", LATE)
def test_what_a_payer_learns_after_its_claim_was_taken_over_changes_nothing(ledger: Ledger, late: Step) -> None:
    first = claimed(ledger)
    ledger.doubt(first, "abandoned")
    ledger.reopen(first, "not listed")
    second = claimed(ledger)
    late(ledger, first)
    assert ledger.payments() == [second]


@pytest.mark.parametrize("late", LATE)
def test_nothing_leads_out_of_confirmed(ledger: Ledger, late: Step) -> None:
    payment = claimed(ledger)
    ledger.confirm(payment)
    late(ledger, payment)
    ledger.confirm(payment, 99)
    assert states(ledger) == ["confirmed"]
    assert ledger.payments()[0].cents == 30


def test_a_payment_that_was_made_is_confirmed_from_any_state(ledger: Ledger, clock: Clock) -> None:
    first = claimed(ledger)
    ledger.doubt(first, "abandoned")
    ledger.reopen(first, "not listed")
    ledger.confirm(first)
    [payment] = ledger.payments()
    assert (payment.state, payment.confirmed_at, payment.error) == (State.CONFIRMED, clock(), None)


def test_an_amount_that_the_crowd_lists_differently_is_taken_over_with_a_note(ledger: Ledger) -> None:
    ledger.confirm(intended(ledger), 31)
    [payment] = ledger.payments()
    assert payment.cents == 31
    assert payment.error == "The crowd lists 31 cents, 30 were intended."


def test_a_claim_is_taken_over_only_when_no_call_can_last_that_long(ledger: Ledger, clock: Clock) -> None:
    assert timedelta(seconds=2 * LONGEST_CALL_SECONDS) < CLAIM_LASTS  # it is looked for, then sent
    claimed(ledger)
    clock.pass_by(CLAIM_LASTS - timedelta(seconds=1))
    ledger.doubt_abandoned()
    assert states(ledger) == ["sent"]
    clock.pass_by(timedelta(seconds=1))
    ledger.doubt_abandoned()
    assert states(ledger) == ["unknown"]


def test_a_claim_does_not_wait_for_the_time_of_a_clock_that_was_set_back(ledger: Ledger, clock: Clock) -> None:
    claim = claimed(ledger)
    clock.pass_by(-timedelta(days=1))
    assert not ledger.holds(claim)
    ledger.doubt_abandoned()
    assert states(ledger) == ["unknown"]


def test_campaigns_do_not_see_each_others_payments(ledger: Ledger, store: Store) -> None:
    intended(ledger)
    store.campaigns.create(campaign("main"))
    assert Ledger(store.database, "main").payments() == []
