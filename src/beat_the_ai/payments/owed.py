"""The earnings of a campaign's work: one reward for every assignment that counts, and its bonuses.

A HIT is paid even when nothing beat the AI: giving up never forfeits the reward. Poor work costs a worker the
qualification, not the pay. A HIT on hold (`held_back`) is owed only after a person has decided.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from beat_the_ai.messages import Said, said
from beat_the_ai.payments.held_back import HeldBack, payable
from beat_the_ai.payments.key import PaymentKey
from beat_the_ai.payments.paid_campaign import PaidCampaign
from beat_the_ai.payments.unpaid import unpaid_assignments
from beat_the_ai.store import Assignment, AttemptResult
from beat_the_ai.terms.bonuses import Bonus
from beat_the_ai.terms.fees import Fees
from beat_the_ai.terms.purposes import REWARD
from beat_the_ai.terms.tariff import Tariffs


@dataclass(frozen=True)
class Owed:
    """One amount that a worker has earned, and for what: a message, or a sentence in the worker's language."""

    key: PaymentKey
    cents: int
    fee_cents: int
    because: str

    @property
    def reason(self) -> str:
        """Return the reason that the worker reads; it ends with the key."""
        return f"{self.because} {self.key.mark}"

    @property
    def with_fee_cents(self) -> int:
        return self.cents + self.fee_cents

    @property
    def is_reward(self) -> bool:
        return self.key.purpose == REWARD


@dataclass(frozen=True)
class PaidWork:
    """A campaign's work that is paid, as it was at one moment: the assignments, and `{assignment: attempts in order}`.

    Retracted attempts are in it; an assignment without any need not be.
    """

    campaign_id: str
    tariffs: Tariffs
    assignments: Sequence[Assignment]
    attempts: Mapping[str, Sequence[AttemptResult]]

    @classmethod
    def read(cls, campaign: PaidCampaign, worker: str | None = None) -> PaidWork:
        """Read the paid work of everybody, or of one worker."""
        return cls._of(campaign, payable(campaign, worker))

    @classmethod
    def read_unpaid(cls, campaign: PaidCampaign) -> PaidWork:
        """Without assignments of which the ledger has everything that they have earned."""
        among = unpaid_assignments(campaign)
        return cls._of(campaign, payable(campaign, among=among))

    @classmethod
    def _of(
        cls,
        campaign: PaidCampaign,
        assignments: Sequence[Assignment],
    ) -> PaidWork:
        written = [each.id for each in assignments if not each.is_validation]
        return cls(campaign.id, campaign.tariffs, assignments, campaign.store.attempts.results(written))

    def owed(self, verified: Collection[str] = ()) -> list[Owed]:
        """Everything earned, whether paid or not: all rewards, then all bonuses, each in order of submission.

        `verified` holds the ids of the attempts that other people have confirmed.
        """
        rewards, bonuses = [], []
        for assignment in self.assignments:
            tariff = self.tariffs[assignment.round].of(assignment)
            reward_cents = tariff.reward_cents(assignment)
            if reward_cents:
                rewards.append(_reward(self.campaign_id, assignment, reward_cents, tariff.fees))
            if not assignment.is_validation:
                earned = tariff.rules.earned(self.attempts.get(assignment.id, ()), verified)
                bonuses += [_bonus(self.campaign_id, assignment, bonus, tariff.fees) for bonus in earned]
        return rewards + bonuses

    def owed_at_most(self) -> list[Owed]:
        """As `owed`, if reviewers admit everything that is on hold and other people confirm every win."""
        admitted = {
            name: [replace(each, won=each.won or each.on_hold) for each in tried]
            for name, tried in self.attempts.items()
        }
        return replace(self, attempts=admitted).owed({each.id for tried in admitted.values() for each in tried})

    @property
    def writing(self) -> PaidWork:
        return replace(self, assignments=[each for each in self.assignments if not each.is_validation])

    @property
    def validation(self) -> PaidWork:
        return replace(self, assignments=[each for each in self.assignments if each.is_validation])


def owed_by(campaign: PaidCampaign, verified: Collection[str] = (), worker: str | None = None) -> list[Owed]:
    """As `PaidWork.owed`, of the work as it is now."""
    return PaidWork.read(campaign, worker).owed(verified)


def cost_if_paid(campaign: PaidCampaign, held: Iterable[HeldBack]) -> int:
    """Return the cost of paying these, in cents with fees, without bonuses that votes may yet confirm."""
    assignments = [one.assignment for one in held]
    attempts = campaign.store.attempts.results([each.id for each in assignments if not each.is_validation])
    return sum(one.with_fee_cents for one in PaidWork(campaign.id, campaign.tariffs, assignments, attempts).owed())


def _reward(campaign_id: str, assignment: Assignment, cents: int, fees: Fees) -> Owed:
    key = PaymentKey(campaign_id, REWARD, assignment.worker, assignment.crowd_assignment)
    return Owed(key, cents, fees.on_reward(cents), _of_reward())


@cache
def _of_reward() -> Said:
    return said("notices.reward")


def _bonus(campaign_id: str, assignment: Assignment, bonus: Bonus, fees: Fees) -> Owed:
    key = PaymentKey(campaign_id, bonus.purpose, assignment.worker, assignment.crowd_assignment)
    return Owed(key, bonus.cents, fees.on_bonus(bonus.cents), bonus.because)
