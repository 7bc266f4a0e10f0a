"""The pay of a round's HITs, and the conditions of pay. Amounts are US cents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from beat_the_ai.store import Assignment
from beat_the_ai.terms.bonuses import BonusRules
from beat_the_ai.terms.fees import Fees
from beat_the_ai.terms.writing import Terms


@dataclass(frozen=True)
class Tariff:
    """All that decides what a round pays for a HIT.

    `model_microcents_per_try` is set aside for each try, in millionths of a cent, for a model that costs money.
    """

    terms: Terms
    rules: BonusRules
    fees: Fees
    validation_reward_cents: int = 0
    model_microcents_per_try: int = 0

    @property
    def model_microcents_per_hit(self) -> int:
        return self.terms.max_tries * self.model_microcents_per_try

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
        """Return the requester's cost of the bonuses of the HIT that earns most.

        Fees are rounded for each payment, so they depend on how many of the wins are admitted and paid one by one.
        """
        return max(
            sum(cents + self.fees.on_bonus(cents) for cents in self.rules.largest(self.terms, admitted))
            for admitted in range(self.terms.max_wins + 1)
        )


Tariffs = Mapping[int, Tariff]  # of each round of a campaign
