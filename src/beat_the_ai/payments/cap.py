"""The hard cap: what a campaign may cost at most, everything included. Amounts are US cents with fees.

Two checks stand on it. A launch counts every HIT on offer at its worst, the largest bonuses included, so that a
campaign which was launched can always pay what it owes. A payment counts what was sent or is about to be, and keeps the
rewards of open HITs aside, because a crowd pays those by itself in the end (automatic approval).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import ceil
from types import MappingProxyType

from beat_the_ai.errors import Refused
from beat_the_ai.payments.held_back import HeldBack, held_back, undecided
from beat_the_ai.payments.owed import Owed, PaidWork
from beat_the_ai.payments.paid_campaign import PaidCampaign
from beat_the_ai.payments.payment import Payment
from beat_the_ai.rules.adversary import MICROCENTS
from beat_the_ai.rules.amounts import show
from beat_the_ai.store import PAID_BY_CROWD, Assignment
from beat_the_ai.terms.tariff import Tariffs


@dataclass(frozen=True)
class Exposure:
    """The sum that a campaign may still cost, in parts that do not overlap: people's four, and language models'."""

    committed_cents: int
    owed_cents: int
    open_rewards_cents: int
    possible_bonuses_cents: int
    models_cents: int = 0

    @property
    def worst_cents(self) -> int:
        """If every open HIT is done with all its tries and earns all that it can, and every win is verified."""
        return self.people_cents + self.models_cents

    @property
    def people_cents(self) -> int:
        return self.committed_cents + self.owed_cents + self.open_rewards_cents + self.possible_bonuses_cents


def exposure(
    campaign: PaidCampaign,
    ledger: Iterable[Payment],
    new_hits: Mapping[str, int] = MappingProxyType({}),
) -> Exposure:
    """Return the exposure of a campaign as it stands, or with `new_hits` on offer too: `{HIT: round}`.

    Everything in the ledger is committed, whatever its state. A HIT is open until it is done. A HIT submitted without a
    try costs what that submission may cost, until a person has refused it or another worker has taken the HIT. In a
    closed round only taken HITs are open.

    Open HITs are read before earned amounts: a HIT confirmed in between is then in both, not in neither.
    """
    open_hits = [campaign.tariffs[number] for number in _open_hits(campaign, new_hits).values()]
    open_rewards_cents, _ = open_rewards(campaign, new_hits)
    work = PaidWork.read(campaign)
    payments = list(ledger)
    paid_for = {payment.key for payment in payments}
    owed = [one for one in work.owed() if one.key not in paid_for]
    possible = {one.key: one for one in work.owed_at_most()}
    for known in (*paid_for, *(one.key for one in owed)):
        possible.pop(known, None)
    return Exposure(
        committed_cents=sum(payment.with_fee_cents for payment in payments),
        owed_cents=sum(one.with_fee_cents for one in owed),
        open_rewards_cents=open_rewards_cents,
        possible_bonuses_cents=sum(one.with_fee_cents for one in possible.values())
        + sum(tariff.largest_bonuses_with_fees_cents for tariff in open_hits),
        models_cents=spent_on_models_cents(campaign)
        + ceil(sum(tariff.model_microcents_per_hit for tariff in open_hits) / MICROCENTS),
    )


def open_rewards(
    campaign: PaidCampaign, new_hits: Mapping[str, int] = MappingProxyType({})
) -> tuple[int, list[HeldBack]]:
    """Return the rewards of open HITs with fees, those that a crowd pays by itself in the end, and all held-back HITs.

    The open ones are read first: one that is confirmed in between is in both, and not in neither.
    """
    open_hits = _open_hits(campaign, new_hits).values()
    held = held_back(campaign)
    waiting = undecided(held)
    paid_in_the_end = [each.assignment for each in waiting if each.assignment.counts or each.reason in PAID_BY_CROWD]
    held_cents = sum(_reward_with_fee_cents(assignment, campaign.tariffs) for assignment in paid_in_the_end)
    return sum(campaign.tariffs[number].reward_with_fee_cents for number in open_hits) + held_cents, held


def spent_on_models_cents(campaign: PaidCampaign) -> int:
    """Return the cost of the campaign's language models so far, rounded up."""
    return ceil(campaign.store.model_answers.spent_microcents(campaign.id) / MICROCENTS)


def _open_hits(campaign: PaidCampaign, new_hits: Mapping[str, int]) -> dict[str, int]:
    """`{HIT: round}`."""
    closed = {each.number for each in campaign.store.rounds.of_campaign(campaign.id) if each.is_closed}
    taken = set()
    if closed:
        taken = {each.hit for each in campaign.store.assignments.uncounted(campaign.id) if each.set_aside_at is None}
    offered = campaign.store.campaigns.hits(campaign.id).keys() if new_hits else set()
    hits = campaign.store.campaigns.without_outcome(campaign.id)
    known = offered - hits.keys()
    hits |= {hit: number for hit, number in new_hits.items() if hit not in known}
    resting = campaign.store.campaigns.resting_hits(campaign.id)
    return {
        hit: number for hit, number in hits.items() if (number not in closed or hit in taken) and hit not in resting
    }


def _reward_with_fee_cents(assignment: Assignment, tariffs: Tariffs) -> int:
    tariff = tariffs[assignment.round]
    return tariff.with_fee_cents(tariff.reward_cents(assignment))


def check_launch(worst: Exposure, cap_cents: int, unit: str) -> None:
    """Raises `Refused` when the campaign could cost more than the cap; all is in hundredths of the unit."""
    if worst.worst_cents > cap_cents:
        asked = f", of it {show(worst.models_cents, unit)} for language models if all tries of round.max_tries are made"
        models = asked if worst.models_cents else ""
        raise Refused(
            f"With these HITs the campaign could cost up to {show(worst.worst_cents, unit)}, fees and largest bonuses "
            f"included{models}; pay.cap_cents allows {show(cap_cents, unit)}. Offer fewer HITs (round.max_hits) or "
            "raise it."
        )


@dataclass(frozen=True)
class Cap:
    """The cap while payments are made. `reserved_cents` are the open rewards: bonuses may not use them up.

    `models_cents` were spent on language models. `beside_cents` are in another ledger under the same cap: a campaign's
    screenings have one of their own.
    """

    cents: int
    reserved_cents: int = 0
    models_cents: int = 0
    beside_cents: int = 0

    @property
    def people_cents(self) -> int:
        """Return the most that all payments to people may come to."""
        return self.cents - self.models_cents - self.beside_cents

    def choose(self, owed: Iterable[Owed], committed_cents: int) -> list[Owed]:
        """Return the owed amounts that may be paid: in order, until one does not fit."""
        chosen = []
        for one in owed:
            committed_cents += one.with_fee_cents
            reserved_cents = 0 if one.is_reward else self.reserved_cents
            if committed_cents + reserved_cents > self.people_cents:
                break
            chosen.append(one)
        return chosen
