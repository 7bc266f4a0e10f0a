"""What a campaign's work has earned: one reward for every assignment that counts, and its bonuses.

A HIT is paid even when nothing beat the AI: giving up never forfeits the reward, and work that is not good enough costs
a worker the qualification, not the pay. What waits for a person is not owed before (`held_back`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from beat_the_ai.payments.fees import Fees
from beat_the_ai.payments.held_back import HeldBack, payable
from beat_the_ai.payments.key import REWARD, PaymentKey
from beat_the_ai.payments.rules import Bonus, BonusRules
from beat_the_ai.store import Assignment, Attempt, Store, ValidationAssignment
from beat_the_ai.writing import Terms


@dataclass(frozen=True)
class Tariff:
    """All that decides what a round pays for a HIT."""

    terms: Terms
    rules: BonusRules
    fees: Fees
    validation_reward_cents: int = 0

    @property
    def reward_with_fee_cents(self) -> int:
        """What a HIT costs its requester without any bonus."""
        return self.terms.reward_cents + self.fees.on_reward(self.terms.reward_cents)

    @property
    def largest_bonuses_with_fees_cents(self) -> int:
        """What the bonuses of the HIT that earns most cost its requester."""
        return sum(cents + self.fees.on_bonus(cents) for cents in self.rules.largest(self.terms))


Tariffs = Mapping[int, Tariff]  # of each round of a campaign


@dataclass(frozen=True)
class Owed:
    """One amount that a worker has earned; `reason` is what the worker reads, and ends with the key."""

    key: PaymentKey
    cents: int
    fee_cents: int
    reason: str

    @property
    def with_fee_cents(self) -> int:
        return self.cents + self.fee_cents

    @property
    def is_reward(self) -> bool:
        return self.key.purpose == REWARD


def crowd_assignment(assignment: Assignment | ValidationAssignment) -> str:
    """The crowd's id of an assignment. Pages register as `<assignment>-<worker>`, on every Mephisto provider."""
    return assignment.registration.removesuffix(f"-{assignment.worker}")


def owed_by(
    store: Store, campaign_id: str, tariffs: Tariffs, verified: Collection[str] = (), worker: str | None = None
) -> list[Owed]:
    """Everything earned so far, whether paid or not: all rewards, then all bonuses, each in order of submission.

    `verified` holds the ids of the attempts that other people have confirmed. Of everybody, or of one worker.
    """
    written, validated = payable(store, campaign_id, worker)
    made = attempts_by_assignment(store, campaign_id, worker)
    return _earned(campaign_id, written, validated, made, tariffs, verified)


def worth_of(store: Store, campaign_id: str, held: Iterable[HeldBack], tariffs: Tariffs) -> int:
    """What these would cost if they were paid: cents, with fees, and without what other people may yet confirm."""
    written = [one.assignment for one in held if isinstance(one.assignment, Assignment)]
    validated = [one.assignment for one in held if isinstance(one.assignment, ValidationAssignment)]
    made = {assignment.id: store.attempts.of_assignment(assignment.id) for assignment in written}
    return sum(one.with_fee_cents for one in _earned(campaign_id, written, validated, made, tariffs, ()))


def _earned(
    campaign_id: str,
    written: Iterable[Assignment],
    validated: Iterable[ValidationAssignment],
    made: Mapping[str, Sequence[Attempt]],
    tariffs: Tariffs,
    verified: Collection[str],
) -> list[Owed]:
    rewards, bonuses = [], []
    for assignment in written:
        tariff = tariffs[assignment.round]
        if tariff.terms.reward_cents:
            rewards.append(_reward(campaign_id, assignment, tariff.terms.reward_cents, tariff.fees))
        for bonus in tariff.rules.earned(made.get(assignment.id, ()), verified):
            bonuses.append(_bonus(campaign_id, assignment, bonus, tariff.fees))
    for validation in validated:
        tariff = tariffs[validation.round]
        if tariff.validation_reward_cents:
            rewards.append(_reward(campaign_id, validation, tariff.validation_reward_cents, tariff.fees))
    return rewards + bonuses


def attempts_by_assignment(
    store: Store, campaign_id: str, worker: str | None = None
) -> defaultdict[str, list[Attempt]]:
    """`{assignment: attempts in order}`, retracted ones included; an empty list for one without any."""
    made: defaultdict[str, list[Attempt]] = defaultdict(list)
    for row in store.attempts.of_campaign(campaign_id, worker):
        made[row.assignment.id].append(row.attempt)
    return made


def _reward(campaign_id: str, assignment: Assignment | ValidationAssignment, cents: int, fees: Fees) -> Owed:
    key = PaymentKey(campaign_id, REWARD, assignment.worker, crowd_assignment(assignment))
    return Owed(key, cents, fees.on_reward(cents), f"Reward of a submitted HIT. {key.mark}")


def _bonus(campaign_id: str, assignment: Assignment, bonus: Bonus, fees: Fees) -> Owed:
    key = PaymentKey(campaign_id, bonus.purpose, assignment.worker, crowd_assignment(assignment))
    reason = f"Bonus for {bonus.because}. Thank you! {key.mark}"
    return Owed(key, bonus.cents, fees.on_bonus(bonus.cents), reason)
