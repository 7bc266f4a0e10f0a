"""The pay of a round's HITs, and the conditions of pay. Amounts are US cents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from beat_the_ai.store import Assignment
from beat_the_ai.terms.bonuses import BonusRules
from beat_the_ai.terms.fees import Fees
from beat_the_ai.terms.writing import Terms


@dataclass(frozen=True)
class Tariff:
    """All that decides what a round pays for a HIT.

    `model_microcents_per_try` is set aside for each try, in millionths of a cent, for a model that costs money. The
    writers of an arm have the tariff of that arm, if the round has `arms`.
    """

    terms: Terms
    rules: BonusRules
    fees: Fees
    validation_reward_cents: int = 0
    model_microcents_per_try: int = 0
    arms: Mapping[str, Tariff] = field(default_factory=dict)

    @property
    def each(self) -> tuple[Tariff, ...]:
        """Return the tariffs of all writers: those of the arms, or itself."""
        return tuple(self.arms.values()) or (self,)

    @property
    def dearest(self) -> Tariff:
        """Return the tariff of the arm whose HIT may cost most, in bonuses and tries; itself without arms."""
        return max(self.each, key=lambda one: (one.largest_bonuses_with_fees_cents, one.terms.max_tries))

    def of(self, assignment: Assignment) -> Tariff:
        """Return the tariff of an assignment's worker."""
        return self if assignment.arm is None else self.arms[assignment.arm]

    @property
    def model_microcents_per_hit(self) -> int:
        return self.model_microcents_per_try * max(each.terms.max_tries for each in self.each)

    def reward_cents(self, assignment: Assignment) -> int:
        """Return the reward of the assignment's worker, without any bonus."""
        return self.validation_reward_cents if assignment.is_validation else self.terms.reward_cents

    @property
    def reward_with_fee_cents(self) -> int:
        """Return the cost of a HIT for writers to its requester, without any bonus."""
        return self.with_fee_cents(self.terms.reward_cents)

    def with_fee_cents(self, reward_cents: int) -> int:
        return reward_cents + self.fees.on_reward(reward_cents)

    @cached_property
    def largest_bonuses_with_fees_cents(self) -> int:
        """Return the requester's cost of the bonuses of the HIT that earns most, in the dearest arm.

        Fees are rounded for each payment, so they depend on how many of the wins are admitted and paid one by one.
        """
        if self.arms:
            return max(each.largest_bonuses_with_fees_cents for each in self.arms.values())
        return max(
            sum(cents + self.fees.on_bonus(cents) for cents in self.rules.largest(self.terms, admitted))
            for admitted in range(self.terms.max_wins + 1)
        )


Tariffs = Mapping[int, Tariff]  # of each round of a campaign
