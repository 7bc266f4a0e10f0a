"""Which bonuses an assignment earns."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beat_the_ai.errors import InvalidInput
from beat_the_ai.terms.bonuses import BonusRules
from beat_the_ai.terms.fees import Fees
from beat_the_ai.terms.tariff import Tariff
from beat_the_ai.terms.writing import Terms
from tests.payments.builders import attempts

RULES = BonusRules(cents_per_win=10, cents_per_verified_win=50, streak_cents={3: 25, 2: 5})
AMOUNTS = st.integers(0, 100)
SOME_RULES = st.builds(BonusRules, AMOUNTS, AMOUNTS, st.dictionaries(st.integers(2, 6), AMOUNTS), st.booleans())


def earned(letters: str, *verified: int, rules: BonusRules = RULES) -> dict[str, int]:
    made = attempts(letters)
    bonuses = rules.earned(made, {made[ordinal - 1].id for ordinal in verified})
    assert len({bonus.purpose for bonus in bonuses}) == len(bonuses)
    return {bonus.purpose: bonus.cents for bonus in bonuses}


def test_wins_are_one_payment_and_each_verified_win_is_another() -> None:
    assert earned("LWLW") == {"wins": 20}
    assert earned("LWLW", 4) == {"wins": 20, "verified:4": 50}
    assert earned("LWLW", 2, 4) == {"wins": 20, "verified:2": 50, "verified:4": 50}


def test_a_win_that_a_reviewer_admitted_is_a_payment_of_its_own() -> None:
    assert earned("WAHNW") == {"wins": 20, "admitted:2": 10, "streak:2": 5}
    assert earned("AWAW", 1) == {"wins": 20, "admitted:1": 10, "admitted:3": 10, "verified:1": 50} | {
        "streak:2": 5,
        "streak:3": 25,
    }


def test_what_was_taken_back_or_did_not_win_earns_nothing_though_somebody_verified_it() -> None:
    assert earned("RL", 1, 2) == {}
    assert earned("") == {}


@pytest.mark.parametrize(
    ("letters", "streaks"),
    [("WW", [2]), ("WLW", []), ("WWLWW", [2]), ("WWW", [2, 3]), ("WWWWWW", [2, 3]), ("WRW", []), ("WWRW", [2])],
)
def test_a_streak_is_paid_once_and_ends_with_a_loss_or_a_retraction(letters: str, streaks: list[int]) -> None:
    assert [name for name in earned(letters) if name.startswith("streak")] == [f"streak:{n}" for n in streaks]


def test_streaks_of_verified_wins_need_every_win_of_them_verified() -> None:
    rules = BonusRules(streak_cents={2: 5}, verified_streaks=True)
    assert earned("WWW", 1, 3, rules=rules) == {}
    assert earned("WWW", 2, 3, rules=rules) == {"streak:2": 5}


def test_what_a_win_earns_at_once_does_not_depend_on_verification() -> None:
    assert earned("WWW")["wins"] == earned("WWW", 1, 2, 3)["wins"] == 30


@given(SOME_RULES, st.text("WLRA", max_size=12), st.integers(1, 5), st.sets(st.integers(0, 11)))
def test_no_hit_earns_more_than_the_largest_bonuses(
    rules: BonusRules, letters: str, max_wins: int, verified: set[int]
) -> None:
    made = attempts(letters)
    while sum(one.fooled and not one.retracted for one in made) > max_wins:
        made.pop()
    bonuses = rules.earned(made, {one.id for number, one in enumerate(made) if number in verified})
    terms = Terms(wins_wanted=1, max_wins=max_wins)
    amounts = sorted((bonus.cents for bonus in bonuses), reverse=True)
    largest = sorted(rules.largest(terms, sum(one.won and one.doubted for one in made)), reverse=True)
    assert len(amounts) <= len(largest)
    assert all(amount <= bound for amount, bound in zip(amounts, largest, strict=False))
    fees = Fees()
    cost_cents = sum(amount + fees.on_bonus(amount) for amount in amounts)
    assert cost_cents <= Tariff(terms, rules, fees).largest_bonuses_with_fees_cents


def test_every_bonus_is_told_with_what_it_depends_on() -> None:
    rules = BonusRules(cents_per_win=10, cents_per_verified_win=50, streak_cents={3: 25, 2: 0})
    assert [(term.words("USD"), term.needs_check) for term in rules.terms()] == [
        ("$0.10 for every win, once it counts", False),
        ("$0.50 for every win that others confirm", True),
        ("$0.25 once a task for 3 wins in a row, once they count", False),
    ]
    [streak] = BonusRules(streak_cents={3: 25}, verified_streaks=True).terms()
    assert streak.words("USD").startswith("$0.25 once a task for 3 wins in a row that others confirm")
    assert streak.needs_check


@given(SOME_RULES, st.text("WLR", max_size=12), st.sets(st.integers(0, 11)), st.booleans())
def test_the_running_total_promises_what_is_paid_and_no_more_than_what_may_be(
    rules: BonusRules, letters: str, confirmed: set[int], is_checked: bool
) -> None:
    made = attempts(letters)
    prospect = rules.prospect(made, is_checked=is_checked)
    verified = {one.id for number, one in enumerate(made) if number in confirmed} if is_checked else set()
    paid_cents = sum(bonus.cents for bonus in rules.earned(made, verified))
    assert prospect.cents <= paid_cents <= prospect.cents + prospect.possible_cents
    assert prospect.cents == sum(bonus.cents for bonus in rules.earned(made, set()))
    assert is_checked or prospect.possible_cents == 0


@given(SOME_RULES, st.text("WLR", max_size=12))
def test_nothing_is_earned_that_nobody_was_told_of(rules: BonusRules, letters: str) -> None:
    made = attempts(letters)
    told = {term.words("USD").split()[0] for term in rules.terms()}
    for bonus in rules.earned(made, {one.id for one in made}):
        wins = letters.count("W") if bonus.purpose == "wins" else 1
        assert f"${bonus.cents / wins / 100:.2f}" in told


def test_the_papers_pay_no_bonus() -> None:
    assert BonusRules().largest(Terms()) == []
    assert BonusRules().terms() == []
    assert BonusRules().earned(attempts("WWWWW"), set()) == []


@pytest.mark.parametrize(
    "wrong",
    [{"cents_per_win": -1}, {"cents_per_verified_win": -1}, {"streak_cents": {3: -1}}, {"streak_cents": {1: 5}}],
)
def test_rules_that_make_no_sense_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput, match=next(iter(wrong))):
        BonusRules(**wrong)
