"""Paying under any sequence of earnings, faults, deaths of the payer, and time."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from itertools import count

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from beat_the_ai.payments import Cap, Ledger, Owed, Payer, State
from beat_the_ai.payments.ledger import CLAIM_LASTS
from beat_the_ai.requester import Requester
from beat_the_ai.store import Store
from beat_the_ai.terms.fees import Fees
from tests.examples import examples
from tests.payments.builders import owed
from tests.payments.cash_desk import FAULTS, TOKEN_LIFE, CashDesk, connect, serve
from tests.payments.fuse import Fuse, Killed, MortalCrowd, MortalDatabase
from tests.store.builders import campaign

ASSIGNMENTS = {"3X": "A1", "3Y": "A2", "3Z": "A1"}
PURPOSES = ("reward", "wins", "verified:1", "verified:2", "admitted:2", "streak:3")
LIST_LAG = timedelta(minutes=10)
SPANS = (timedelta(minutes=1), CLAIM_LASTS, LIST_LAG, timedelta(hours=12), TOKEN_LIFE, timedelta(days=40))


class PayMachine(RuleBasedStateMachine):
    """Compares the ledger with what the crowd has booked, and both with what was earned."""

    store: Store
    crowd: Requester
    desk: CashDesk
    numbers = count()

    def __init__(self) -> None:
        super().__init__()
        self.begun = False
        self.owed: dict[str, Owed] = {}

    @initialize(cap_cents=st.sampled_from([10**9, 400, 250, 100]), lag=st.sampled_from([timedelta(), LIST_LAG]))
    def begin(self, cap_cents: int, lag: timedelta) -> None:
        type(self).desk = CashDesk(statuses=dict.fromkeys(ASSIGNMENTS, "Submitted"), list_lag=lag)
        self.campaign_id = f"campaign-{next(self.numbers)}"
        self.store.campaigns.create(campaign(self.campaign_id))
        self.cap = Cap(cap_cents)
        self.begun = True

    def _payer(self, steps: int | None = None) -> Payer:
        fuse = Fuse(steps)
        database = MortalDatabase(self.store.database.engine, fuse)
        return Payer(Ledger(database, self.campaign_id, self.desk.clock), MortalCrowd(self.crowd, fuse), self.cap)

    def _ledger(self) -> Ledger:
        return Ledger(self.store.database, self.campaign_id, self.desk.clock)

    @rule(assignment=st.sampled_from(sorted(ASSIGNMENTS)), purpose=st.sampled_from(PURPOSES), cents=st.integers(1, 99))
    def somebody_earns(self, assignment: str, purpose: str, cents: int) -> None:
        one = owed(purpose, ASSIGNMENTS[assignment], assignment, cents, self.campaign_id)
        self.owed.setdefault(str(one.key), one)

    @rule()
    def pay(self) -> None:
        self._payer().pay(self.owed.values())

    @rule(steps=st.integers(0, 40))
    def die_while_paying(self, steps: int) -> None:
        try:
            self._payer(steps).pay(self.owed.values())
        except Killed:
            return

    @rule(faults=st.lists(st.sampled_from(FAULTS), max_size=4))
    def changes_will_fail(self, faults: list[str]) -> None:
        self.desk.faults.extend(faults)

    @rule(faults=st.lists(st.sampled_from(["request lost", "throttled"]), max_size=2))
    def lists_will_fail(self, faults: list[str]) -> None:
        self.desk.list_faults.extend(faults)

    @rule(cents=st.sampled_from([0, 20, 100, 10**6]))
    def the_account_holds(self, cents: int) -> None:
        self.desk.balance_cents = cents

    @rule(span=st.sampled_from(SPANS))
    def time_passes(self, span: timedelta) -> None:
        self.desk.deliver()  # nothing stays on its way for long: a signature holds for minutes
        self.desk.clock.pass_by(span)

    @invariant()
    def nothing_is_paid_twice_and_nothing_that_was_not_earned(self) -> None:
        if self.begun:
            booked = Counter((bonus.worker, bonus.assignment, bonus.reason) for bonus in self.desk.booked)
            assert set(booked.values()) <= {1}
            assert set(booked) <= {(one.key.worker, one.key.assignment, one.reason) for one in self.owed.values()}

    @invariant()
    def the_cap_is_never_passed(self) -> None:
        if self.begun:
            booked_cents = sum(bonus.cents + Fees().on_bonus(bonus.cents) for bonus in self.desk.booked)
            approved = [name for name, status in self.desk.statuses.items() if status == "Approved"]
            rewards = [one for one in self.owed.values() if one.key.purpose == "reward"]
            booked_cents += sum(one.with_fee_cents for one in rewards if one.key.assignment in approved)
            assert booked_cents <= self.cap.cents

    @invariant()
    def what_the_ledger_calls_confirmed_was_booked_and_nothing_was_that_it_does_not_hold(self) -> None:
        if self.begun:
            booked = {bonus.reason: bonus.cents for bonus in self.desk.booked}
            payments = self._ledger().payments()
            for payment in payments:
                if payment.state is State.CONFIRMED and payment.is_reward:
                    assert self.desk.statuses[payment.key.assignment] == "Approved"
                elif payment.state is State.CONFIRMED:
                    assert booked[payment.reason] == payment.cents
            assert set(booked) <= {payment.reason for payment in payments}

    def teardown(self) -> None:
        """When faults stop, all that fits under the cap is paid, and the ledger equals the crowd's books."""
        if not self.begun:
            return
        self.desk.faults.clear()
        self.desk.list_faults.clear()
        self.desk.balance_cents = 10**9
        for _ in range(3):
            self.time_passes(CLAIM_LASTS + LIST_LAG)
            assert self._payer().pay(self.owed.values()) is None
        payments = self._ledger().payments()
        assert {payment.state for payment in payments} <= {State.CONFIRMED}
        left = [one for key, one in self.owed.items() if key not in {str(payment.key) for payment in payments}]
        assert not self.cap.choose(left, sum(payment.with_fee_cents for payment in payments))
        assert {bonus.reason: bonus.cents for bonus in self.desk.booked} == {
            payment.reason: payment.cents for payment in payments if not payment.is_reward
        }
        self.nothing_is_paid_twice_and_nothing_that_was_not_earned()
        self.the_cap_is_never_passed()


@pytest.mark.timeout(300)
def test_money_is_safe_whatever_happens(store: Store) -> None:
    PayMachine.store = store
    on_sqlite = store.database.engine.dialect.name == "sqlite"
    with serve(lambda: PayMachine.desk) as address:
        PayMachine.crowd = connect(address)
        run_state_machine_as_test(
            PayMachine,
            settings=settings(
                max_examples=examples(20, 400) if on_sqlite else examples(8, 150),
                stateful_step_count=20,
                deadline=None,
                suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
            ),
        )
        PayMachine.crowd.close()
