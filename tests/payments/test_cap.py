"""What a campaign may cost at most."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import timedelta
from types import MappingProxyType
from typing import Any

import pytest

from beat_the_ai import payments
from beat_the_ai.errors import Refused
from beat_the_ai.payments import Cap, Exposure, HeldBack, Ledger, Payment, cap, check_launch, exposure, owed_by
from beat_the_ai.rules.stage import Stage
from beat_the_ai.store import WITHOUT_PAGE, Assignment, PayDecision, Store
from beat_the_ai.terms.writing import Terms
from tests.payments.builders import attempts, offer, owed, submitted, tariffs
from tests.payments.paid import Paid
from tests.store.builders import NEW_YEAR

TARIFFS = tariffs(
    200, Terms(max_wins=5), cents_per_win=10, cents_per_verified_win=3, streak_cents={3: 25, 6: 999}
)  # fmt: skip
LARGEST_CENTS = (50 + 10) + 5 * (3 + 1) + (25 + 5)


def exposed(store: Store, ledger: Iterable[Payment], new_hits: Mapping[str, int] = MappingProxyType({})) -> Exposure:
    return exposure(Paid(store, "pilot", TARIFFS), ledger, new_hits)


def test_an_open_hit_counts_with_reward_largest_bonuses_and_the_fee_of_each(store: Store) -> None:
    offer(store, 3)
    assert exposed(store, []) == Exposure(0, 0, 3 * 240, 3 * LARGEST_CENTS)


def test_hits_that_would_be_new_count_too_and_those_already_offered_once(store: Store) -> None:
    hits = offer(store, 2)
    new_hits = dict.fromkeys([*hits, "another"], 1)
    assert exposed(store, [], new_hits).open_rewards_cents == 3 * 240


def test_a_submitted_hit_counts_with_what_it_earned_and_what_verification_may_add(store: Store) -> None:
    [hit] = offer(store, 1)
    submitted(store, hit, "WLW")
    assert exposed(store, []) == Exposure(0, 240 + 24, 0, 2 * 4)


def test_what_is_on_hold_in_a_submitted_hit_may_still_be_admitted_and_verified(store: Store) -> None:
    [hit] = offer(store, 1)
    submitted(store, hit, "WHWN")
    assert exposed(store, []) == Exposure(0, 240 + 24, 0, (10 + 2) + 3 * 4 + (25 + 5))


def test_a_hit_that_is_confirmed_while_it_is_counted_is_not_lost_between_what_is_open_and_what_is_owed(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    [hit] = offer(store, 1)
    made = store.attempts.accept(hit, "A1", "3X-A1", NEW_YEAR)[0]
    for one in attempts("WLW", made.id):
        store.attempts.add(one)
    store.assignments.submit(made.id, None, NEW_YEAR, awaits_crowd=True)
    without_outcome = store.campaigns.without_outcome

    def confirmed_afterwards(campaign_id: str) -> dict[str, int]:
        found = without_outcome(campaign_id)
        store.assignments.confirm(made.id, NEW_YEAR)
        return found

    monkeypatch.setattr(store.campaigns, "without_outcome", confirmed_afterwards)
    assert exposed(store, []).people_cents >= 240 + 24


def test_an_empty_hit_that_is_confirmed_while_it_is_counted_is_not_lost_between_what_is_open_and_what_waits(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    [hit] = offer(store, 1)
    made = store.attempts.accept(hit, "A1", "3X-A1", NEW_YEAR)[0]
    store.assignments.submit(made.id, None, NEW_YEAR, awaits_crowd=True)
    held_back = payments.held_back

    def confirmed_afterwards(*asked: Any) -> list[HeldBack]:
        found = held_back(*asked)
        store.assignments.confirm(made.id, NEW_YEAR)
        return found

    before = exposed(store, []).open_rewards_cents
    monkeypatch.setattr(cap, "held_back", confirmed_afterwards)
    assert exposed(store, []).open_rewards_cents == before == 240


def test_a_hit_that_was_handed_in_empty_costs_no_more_until_somebody_else_takes_it(store: Store) -> None:
    [hit] = offer(store, 1)
    before = exposed(store, [])
    assert not store.campaigns.resting_hits("pilot")
    empty = store.attempts.accept(hit, "A1", "3X-A1", NEW_YEAR)[0]
    store.assignments.submit(empty.id, None, NEW_YEAR)
    assert store.campaigns.resting_hits("pilot") == {hit}
    resting = exposed(store, [])
    assert resting.open_rewards_cents == before.open_rewards_cents == 240
    store.pay_decisions.add(PayDecision(empty.id, False, "ann", "nothing there", NEW_YEAR))
    assert not store.campaigns.resting_hits("pilot")
    assert exposed(store, []) == before
    store.pay_decisions.add(PayDecision(empty.id, True, "ann", "after all", NEW_YEAR))
    assert store.campaigns.resting_hits("pilot") == {hit}
    taken = store.attempts.accept(hit, "A2", "3X-A2", NEW_YEAR + timedelta(hours=1))[0]
    assert not store.campaigns.resting_hits("pilot")
    assert exposed(store, []).worst_cents == before.worst_cents + 240
    store.assignments.submit(taken.id, None, NEW_YEAR + timedelta(hours=2))
    assert exposed(store, []).open_rewards_cents == 240  # of the second one; the first is owed


def test_what_reached_the_crowd_without_a_page_counts_until_a_person_withholds_it(store: Store) -> None:
    [hit] = offer(store, 1)
    unseen = Assignment("u", "pilot", Stage.WRITING, hit, "A9", "3U-A9", NEW_YEAR, NEW_YEAR)
    before = exposed(store, [])
    assert store.assignments.add(replace(unseen, set_aside_at=NEW_YEAR, set_aside_reason=WITHOUT_PAGE))
    assert not store.assignments.add(replace(unseen, id="again"))
    assert exposed(store, []).open_rewards_cents == before.open_rewards_cents + 240
    store.pay_decisions.add(PayDecision("u", False, "ann", "nothing there", NEW_YEAR))
    assert exposed(store, []) == before


def test_nothing_counts_twice_once_it_is_in_the_ledger(store: Store) -> None:
    first, _ = offer(store, 2)
    made = submitted(store, first, "WLW")
    before = exposed(store, [])
    win = store.attempts.of_assignment(made.id)[0]
    ledger = Ledger(store.database, "pilot")
    ledger.intend(owed_by(Paid(store, "pilot", TARIFFS), verified={win.id}), Cap(10**9).choose)
    after = exposed(store, ledger.payments())
    assert after.worst_cents == before.worst_cents
    assert after == Exposure(240 + 24 + 4, 0, 240, LARGEST_CENTS + 4)


def test_a_launch_that_could_pass_the_cap_is_refused_with_the_way_out() -> None:
    worst = Exposure(100, 200, 300, 400)
    check_launch(worst, 1000, "USD")
    with pytest.raises(Refused, match=r"up to \$10\.00.*allows \$9\.99.*round\.max_hits"):
        check_launch(worst, 999, "USD")


def test_payments_are_chosen_in_order_until_one_does_not_fit() -> None:
    amounts = [owed(assignment=f"3X{number}", cents=10) for number in range(3)]
    assert Cap(35).choose(amounts, 0) == amounts[:2]
    assert Cap(36).choose(amounts, 0) == amounts
    assert Cap(36).choose(amounts, 1) == amounts[:2]


def test_bonuses_leave_the_rewards_of_open_hits_alone() -> None:
    reward, bonus = owed("reward", cents=200), owed("wins", cents=10)
    assert Cap(492, reserved_cents=240).choose([reward, bonus], 0) == [reward, bonus]
    assert Cap(491, reserved_cents=240).choose([reward, bonus], 0) == [reward]
    assert Cap(240, reserved_cents=240).choose([reward, bonus], 0) == [reward]
