"""Pay of the writers of an arm, and the cost that a campaign with arms may reach."""

from __future__ import annotations

from dataclasses import replace

from beat_the_ai.payments import Exposure, PaidWork, exposure, owed_by
from beat_the_ai.payments.unpaid import unpaid_assignments
from beat_the_ai.store import ArmBlocks, Assignment, Round, Store
from beat_the_ai.terms.bonuses import BonusRules
from beat_the_ai.terms.purposes import VERIFIED_WIN
from beat_the_ai.terms.tariff import Tariff
from beat_the_ai.terms.writing import Terms
from tests.payments.builders import FEES, attempts, offer
from tests.payments.paid import Paid
from tests.store.builders import NEW_YEAR, attempt

BLOCKS = ArmBlocks(("free", "paid", "verified"), seed=4)
ARMS = {
    "free": Tariff(Terms(), BonusRules(), FEES),
    "paid": Tariff(Terms(max_wins=4), BonusRules(cents_per_win=30), FEES),
    "verified": Tariff(Terms(max_tries=60), BonusRules(cents_per_verified_win=20), FEES, 0, 500_000),
}
TARIFF = Tariff(Terms(), BonusRules(cents_per_win=1_000), FEES, 0, 500_000, ARMS)


def paid_campaign(store: Store) -> Paid:
    return Paid(store, "pilot", {1: TARIFF})


def handed_in(store: Store, letters: str) -> dict[str, Assignment]:
    """A HIT with these attempts of a writer in each arm."""
    hits = offer(store, 4)
    store.rounds.open(Round("pilot", 1, {}, NEW_YEAR))
    made = {}
    for number in range(3):
        taken, _ = store.attempts.accept(hits[number], f"A{number}", f"3X{number}-A{number}", NEW_YEAR, arms=BLOCKS)
        for one in attempts(letters, taken.id):
            store.attempts.add(replace(one, fingerprint=f"{number}-{one.ordinal}"))
        made[str(taken.arm)] = store.assignments.submit(taken.id, None, NEW_YEAR)
    return made


def test_bonuses_are_those_of_the_workers_arm(store: Store) -> None:
    made = handed_in(store, "WLW")
    won = {attempt(each.id, 1).id for each in made.values()}
    owed = owed_by(paid_campaign(store), won)
    earned = {(one.key.worker, one.key.purpose): one.cents for one in owed}
    assert earned == {
        **{(each.worker, "reward"): 200 for each in made.values()},
        (made["paid"].worker, "wins"): 60,
        (made["verified"].worker, f"{VERIFIED_WIN}1"): 20,
    }


def test_whoever_may_be_owed_anything_by_an_arm_is_found(store: Store) -> None:
    made = handed_in(store, "W")
    free = {name: replace(each, terms=replace(each.terms, reward_cents=0)) for name, each in ARMS.items()}
    campaign = Paid(store, "pilot", {1: replace(TARIFF, terms=Terms(reward_cents=0), arms=free)})
    assert made["paid"].id in unpaid_assignments(campaign)
    owed = PaidWork.read_unpaid(campaign).owed()
    assert [(one.key.worker, one.cents) for one in owed] == [(made["paid"].worker, 30)]


def test_an_open_hit_may_cost_what_the_dearest_arm_may_cost(store: Store) -> None:
    offer(store, 1)
    largest = max(each.largest_bonuses_with_fees_cents for each in ARMS.values())
    assert largest == 4 * (30 + 6) > 5 * (20 + 4)
    assert exposure(paid_campaign(store), []) == Exposure(0, 0, 240, largest, models_cents=30)  # 60 tries
    assert TARIFF.dearest is ARMS["paid"]


def test_the_cap_holds_for_what_is_earned_later(store: Store) -> None:
    """Check that work which is done never raises the cost that a campaign may still reach."""
    worst = []
    hits = offer(store, 3)
    store.rounds.open(Round("pilot", 1, {}, NEW_YEAR))
    for number, hit in enumerate(hits):
        worst.append(exposure(paid_campaign(store), []).worst_cents)
        taken, _ = store.attempts.accept(hit, f"A{number}", f"3X{number}-A{number}", NEW_YEAR, arms=BLOCKS)
        for one in attempts("WWWW", taken.id):
            store.attempts.add(replace(one, fingerprint=f"{number}-{one.ordinal}"))
        store.assignments.submit(taken.id, None, NEW_YEAR)
    worst.append(exposure(paid_campaign(store), []).worst_cents)
    assert worst == sorted(worst, reverse=True)


def test_without_arms_a_tariff_is_its_own(store: Store) -> None:
    [hit] = offer(store, 1)
    taken, _ = store.attempts.accept(hit, "A1", "3X-A1", NEW_YEAR)
    plain = ARMS["paid"]
    assert (plain.of(taken), plain.dearest, plain.each) == (plain, plain, (plain,))
