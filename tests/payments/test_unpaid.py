"""What is read of a large campaign is enough: the same is owed, held back and earned as when everything is read."""

from __future__ import annotations

import random
from dataclasses import fields

import pytest
import sqlalchemy as sa

from beat_the_ai.payments import Cap, Hourly, Ledger, PaidWork, Payment, Wage, held_back, owed_by, statements, wages
from beat_the_ai.payments.unpaid import unpaid_assignments
from beat_the_ai.store import ANOTHER_HITS, ANOTHER_WORKERS, PayDecision, Store, tables
from beat_the_ai.terms.bonuses import BonusRules
from beat_the_ai.terms.tariff import Tariffs
from beat_the_ai.terms.writing import Terms
from tests.examples import examples
from tests.payments.builders import offer, submitted, tariffs
from tests.payments.paid import Paid
from tests.store.builders import NEW_YEAR
from tests.store.plans import read_whole

RULES = {"cents_per_win": 25, "cents_per_verified_win": 40, "streak_cents": {2: 10, 3: 15}}
UNPAID_FIELDS = {"verified_streaks"}  # of `BonusRules`: it says which wins make a streak
TARIFFS = tariffs(200, Terms(min_tries=2), **RULES)
EXPLAINED = tariffs(200, Terms(min_tries=2, explains_wins=True), **RULES)
SEEDS = range(examples(12, 700))


def random_campaign(store: Store, seed: int) -> tuple[set[str], list[Payment]]:
    """Which attempts others have confirmed, and the ledger: HITs of all sorts, some of them decided upon and paid."""
    rng = random.Random(seed)
    for number, hit in enumerate(offer(store, 14)):
        if rng.random() < 0.2:
            left = store.attempts.accept(hit, f"A{number % 4}", f"3X{number}-A{number % 4}", NEW_YEAR)[0]
            name = left.id
        else:
            letters = "".join(rng.choices("WELRHAN", k=rng.randint(0, 6)))
            minutes, awaits = rng.choice((0, 5, 45)), rng.random() < 0.3
            worker, crowd_id = f"A{number % 4}", f"3X{number}"
            name = submitted(
                store, hit, letters, worker=worker, crowd_id=crowd_id, minutes=minutes, awaits_crowd=awaits
            ).id
            if awaits and rng.random() < 0.7:
                store.assignments.set_aside(name, rng.choice((ANOTHER_WORKERS, ANOTHER_HITS, "never there")), NEW_YEAR)
        if rng.random() < 0.4:
            store.pay_decisions.add(PayDecision(name, rng.random() < 0.5, "ann", "seen", NEW_YEAR))
    with store.database.writing() as connection:
        for attempt in connection.scalars(sa.select(tables.works.c.attempt_id)).all():
            kept = sa.update(tables.works).filter_by(attempt_id=attempt)
            connection.execute(kept.values(confirmed=rng.random() < 0.5, status="known"))
    verified = store.works.confirmed("pilot")
    ledger = Ledger(store.database, "pilot")
    ledger.intend(
        [one for one in owed_by(Paid(store, "pilot", TARIFFS), verified) if rng.random() < 0.6], Cap(10**9).choose
    )
    for payment in ledger.payments():
        if rng.random() < 0.5:
            ledger.confirm(payment)
    for row in list(store.attempts.doubtful("pilot")):
        if rng.random() < 0.5:
            store.attempts.settle_doubts(row.attempt.id, admitted=rng.random() < 0.5)
    return verified, ledger.payments()


def test_every_bonus_that_there_is_is_tried_here() -> None:
    assert RULES.keys() | UNPAID_FIELDS == {field.name for field in fields(BonusRules)}


@pytest.mark.parametrize("seed", SEEDS)
def test_the_same_is_owed_earned_and_held_back_as_when_everything_is_read(store: Store, seed: int) -> None:
    verified, ledger = random_campaign(store, seed)
    nothing_that_is_owed_is_passed_over(store, verified, ledger)
    wages_are_what_the_lines_of_statements_come_to(store, verified, ledger)
    for terms in (TARIFFS, EXPLAINED):
        what_is_held_back_of_everybody_is_what_is_held_back_of_each(store, terms)


def nothing_that_is_owed_is_passed_over(store: Store, verified: set[str], ledger: list[Payment]) -> None:
    known = {payment.key for payment in ledger}
    every = [one for one in owed_by(Paid(store, "pilot", TARIFFS), verified) if one.key not in known]
    found = [one for one in PaidWork.read_unpaid(Paid(store, "pilot", TARIFFS)).owed(verified) if one.key not in known]
    assert found == every
    assert every


def wages_are_what_the_lines_of_statements_come_to(store: Store, verified: set[str], ledger: list[Payment]) -> None:
    owed = owed_by(Paid(store, "pilot", TARIFFS), verified)
    known = {payment.key for payment in ledger}
    made, overall = statements(Paid(store, "pilot", TARIFFS), owed, ledger)
    unpaid = [one for one in owed if one.key not in known]
    found, over_all = wages(Paid(store, "pilot", TARIFFS), unpaid, held_back(Paid(store, "pilot", TARIFFS)))
    assert told(over_all) == told(overall)
    assert [(one.worker, one.earned_cents, one.paid_cents, told(one.hourly)) for one in found] == [
        (one.worker, one.earned_cents, one.paid_cents, told(one.hourly)) for one in made
    ]


def told(rate: Hourly | None) -> object:
    return rate and (rate.assignments, *(pytest.approx(each) for each in (rate.lower_cents, rate.median_cents)))


def what_is_held_back_of_everybody_is_what_is_held_back_of_each(store: Store, terms: Tariffs) -> None:
    found = {one.assignment.id: one for one in held_back(Paid(store, "pilot", terms))}
    of_each = [one for number in range(4) for one in held_back(Paid(store, "pilot", terms), f"A{number}")]
    assert found == {one.assignment.id: one for one in of_each}
    assert found


@pytest.mark.parametrize("registration", ["3X-A1", "A1", "-A1", "3X", "3X-A1-A1", "3X-A10", ""])
def test_the_crowds_assignment_is_stored_as_it_is_read_from_the_registration(store: Store, registration: str) -> None:
    [hit] = offer(store, 1)
    made = store.attempts.accept(hit, "A1", registration, NEW_YEAR)[0]
    with store.database.reading() as connection:
        assert connection.scalar(sa.select(tables.assignments.c.crowd_assignment)) == made.crowd_assignment


def test_payments_are_looked_up_by_their_key(store: Store) -> None:
    random_campaign(store, 1)
    assert "payments" not in read_whole(store, lambda: unpaid_assignments(Paid(store, "pilot", TARIFFS)))


def test_a_wage_without_time_has_no_rate() -> None:
    assert Wage("A1", 10, 5).hourly is None
