"""The cost of a stage, and the most that a campaign can cost with it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from math import ceil

from beat_the_ai.campaign.settings.partition import WHOLE, Partition
from beat_the_ai.campaign.settings.planned_round import PlannedRound
from beat_the_ai.payments import Exposure, Ledger, exposure
from beat_the_ai.rules.stage import Stage
from beat_the_ai.store import Store, hit_id
from beat_the_ai.terms.campaign import BoundCampaign, sample_campaign_id
from beat_the_ai.terms.tariff import Tariffs


@dataclass(frozen=True)
class Cost:
    """The cost of a stage: `hits` at these US cents each, and the whole campaign's worst case with them.

    `again` more may come, on contexts without a win.
    """

    hits: int
    again: int
    reward_cents: int
    fee_cents: int
    largest_bonuses_cents: int
    worst: Exposure

    @property
    def rewards_with_fees_cents(self) -> int:
        return self.hits * (self.reward_cents + self.fee_cents)


def cost_of(stage: Stage, planned: PlannedRound, share: Partition = WHOLE) -> Cost:
    """Return the cost of a stage, of the writing perhaps that of a share; the worst case is the whole campaign's.

    Screenings and validation pay no bonus; they come on top of what the writing may still cost.
    """
    settings, contexts = planned.settings, planned.contexts()
    tariff = settings.terms.tariff(settings.kind)
    worst = _worst_without_screening(planned) if stage is Stage.SCREENING else worst_case(planned)
    if stage is Stage.WRITING:
        mine = [context_id for context_id, _ in planned.slots(contexts) if share.has(context_id)]
        hits, reward_cents = len(mine), tariff.terms.reward_cents
        again = settings.round.reoffers * sum(share.has(context.id) for context in contexts)
        fee_cents = tariff.fees.on_reward(reward_cents)
        return Cost(hits, again, reward_cents, fee_cents, tariff.largest_bonuses_with_fees_cents, worst)
    if stage is Stage.SCREENING:
        hits, reward_cents = settings.qualification.places, settings.qualification.reward_cents
    else:
        hits, reward_cents = _validation_hits(planned), settings.validation.terms.reward_cents
    fee_cents = tariff.fees.on_reward(reward_cents)
    more = worst.open_rewards_cents + hits * (reward_cents + fee_cents)
    return Cost(hits, 0, reward_cents, fee_cents, 0, replace(worst, open_rewards_cents=more))


def worst_of_all_stages(planned: PlannedRound) -> Exposure:
    """Return the campaign's worst case with every screening and every validation."""
    screening = cost_of(Stage.SCREENING, planned).worst
    more = cost_of(Stage.VALIDATION, planned).rewards_with_fees_cents
    return replace(screening, open_rewards_cents=screening.open_rewards_cents + more)


def worst_case(planned: PlannedRound, again: Collection[str] = ()) -> Exposure:
    """Return the most that the campaign can cost with the writing HITs that these settings offer.

    Its screenings are in it once they were launched. A context that has brought a win is not offered again, and a HIT
    in which nothing was tried neither, but for those in `again`.
    """
    worst = _worst_without_screening(planned, again)
    return replace(worst, committed_cents=worst.committed_cents + _screening_cents(planned))


def _worst_without_screening(planned: PlannedRound, again: Collection[str] = ()) -> Exposure:
    store, settings, section, known = planned.store, planned.settings, planned.settings.round, planned.contexts()
    contexts, slots = [context.id for context in known], planned.slots(known)
    won = store.attempts.contexts_with_a_win(settings.name)
    last = section.hits_per_context + section.reoffers
    slots += [(name, slot) for slot in range(section.hits_per_context, last) for name in contexts if name not in won]
    new_hits = {f"{name}, again": section.number for name in again}
    new_hits |= {hit_id(settings.name, name, slot): section.number for name, slot in slots}
    ledger = Ledger(store.database, settings.name).payments()
    return exposure(_PlannedPay.of(planned), ledger, new_hits)


@dataclass(frozen=True)
class _PlannedPay:
    """The campaign as it is paid if the round is as planned."""

    store: Store
    id: str
    tariffs: Tariffs

    @classmethod
    def of(cls, planned: PlannedRound) -> _PlannedPay:
        settings, campaign = planned.settings, planned.campaign
        known = {} if campaign is None else campaign.tariffs
        tariffs = {**known, planned.number: settings.terms.tariff(settings.kind)}
        return cls(planned.store, settings.name, tariffs)


def _screening_cents(planned: PlannedRound) -> int:
    """Return the cost of the screenings with fees: so far, or of all places while more may be taken."""
    store, settings = planned.store, planned.settings
    samples = BoundCampaign.find(store, sample_campaign_id(settings.name))
    if samples is None:
        return 0
    ledger = Ledger(store.database, samples.id).payments()
    so_far = exposure(samples, ledger)
    spent_cents = so_far.committed_cents + so_far.owed_cents
    if samples.current.record.is_closed:
        return spent_cents
    reward_cents, fees = settings.qualification.reward_cents, settings.terms.tariff(settings.kind).fees
    return max(spent_cents, settings.qualification.places * (reward_cents + fees.on_reward(reward_cents)))


def _validation_hits(planned: PlannedRound) -> int:
    """Return the number of HITs if every HIT on a context that is checked brought as many wins as it can."""
    settings, sizes = planned.settings, planned.part_sizes()
    checked = sum(sizes[part] for part in settings.validation.parts) * settings.round.hits_per_context
    if settings.dataset.division(settings.seed).may_move:
        checked = sizes.total() * settings.round.hits_per_context
    checking = settings.kind.checking
    most_votes = 0 if checking is None else checking.most_votes
    most_wins = max(each.terms.max_wins for each in settings.terms.tariff(settings.kind).each)
    return ceil(checked * most_wins * most_votes / settings.validation.terms.works_per_hit)
