"""Known values of Mechanical Turk's fees."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beat_the_ai.errors import InvalidInput
from beat_the_ai.terms.fees import Fees


@pytest.mark.parametrize(
    ("reward_cents", "fee_cents"),
    [
        (200, 40),  # the papers' USD 2.00
        (100, 20),
        (1, 1),  # a cent at least
        (5, 1),
        (7, 1),  # 1.4
        (8, 2),  # 1.6
        (52, 10),  # 10.4: "$0.104 is rounded to $0.10"
        (54, 11),  # 10.8: "$0.108 is rounded to $0.11"
        (0, 1),
    ],
)
def test_a_reward_costs_a_fifth_more_and_a_cent_at_least(reward_cents: int, fee_cents: int) -> None:
    assert Fees().on_reward(reward_cents) == fee_cents


@pytest.mark.parametrize(
    ("assignments", "masters", "fee_cents"),
    [(9, False, 40), (10, False, 80), (1, True, 50), (10, True, 90)],
)
def test_ten_assignments_cost_another_fifth_and_masters_a_twentieth(
    assignments: int, masters: bool, fee_cents: int
) -> None:
    assert Fees(assignments, masters).on_reward(200) == fee_cents


def test_half_a_cent_is_rounded_up() -> None:
    assert Fees(masters=True).on_reward(10) == 3  # 2.5
    assert Fees(masters=True).on_reward(42) == 11  # 10.5: "$0.105 is rounded to $0.11"


@given(st.integers(1, 10**7))
def test_a_bonus_costs_a_fifth_more_whatever_the_hit(cents: int) -> None:
    fee_cents = Fees(10, masters=True).on_bonus(cents)
    assert fee_cents == Fees().on_bonus(cents)
    assert fee_cents >= 1
    assert abs(fee_cents - cents / 5) <= 0.5 or fee_cents == 1


def test_a_hit_without_assignments_is_refused() -> None:
    with pytest.raises(InvalidInput, match="at least 1"):
        Fees(assignments_per_hit=0)


def test_fees_can_be_turned_off() -> None:
    fees = Fees(10, masters=True, charged=False)
    assert (fees.on_reward(200), fees.on_bonus(10)) == (0, 0)
