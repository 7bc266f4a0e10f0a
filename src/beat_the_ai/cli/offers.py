"""The HITs that settings offer, and what they may cost."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil

from beat_the_ai.cli.configuration import Settings
from beat_the_ai.cli.sections import terms_of
from beat_the_ai.payments import Exposure, Ledger, Tariff, check_launch, exposure
from beat_the_ai.rounds.contexts import draw_contexts
from beat_the_ai.rules import task_kind
from beat_the_ai.rules.protocol import Context
from beat_the_ai.store import Campaign, Store, hit_id
from beat_the_ai.workforce import Stage
from beat_the_ai.writing import HitsOnOffer


def offer(store: Store, campaign: Campaign, settings: Settings) -> dict[str, str]:
    """`{HIT: context}` in slot order: every context once before any of them twice. Raises `Refused` beyond the cap."""
    contexts = load_contexts(settings)
    if campaign.closed_at is None:
        check_launch(worst_case(store, settings, contexts), settings.pay.cap_cents)
    slots, drawn = settings.round.hits_per_context, _drawn(settings, contexts)
    offered = store.campaigns.offer(campaign.id, drawn, round_number=settings.round.number, slots=slots)
    return dict(list(offered.items())[: number_of_hits(settings, contexts)])


def hits_on_offer(store: Store, campaign: Campaign, settings: Settings) -> HitsOnOffer:
    """What `offer` offers, and passages without a win again. Raises `Refused` beyond the cap."""
    section = settings.round
    first = offer(store, campaign, settings)
    return HitsOnOffer(store, campaign.id, first, slots=section.hits_per_context, reoffers=section.reoffers)


def number_of_hits(settings: Settings, contexts: list[Context]) -> int:
    everything = len(contexts) * settings.round.hits_per_context
    return min(settings.round.max_hits or everything, everything)


def _drawn(settings: Settings, contexts: list[Context]) -> list[Context]:
    return draw_contexts(
        contexts, settings.seed, -(-number_of_hits(settings, contexts) // settings.round.hits_per_context)
    )


@dataclass(frozen=True)
class Cost:
    """Of a stage: `hits` of them at these US cents each, and the whole campaign's worst case with them.

    `again` more may come, on passages without a win.
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


def cost_of(stage: Stage, store: Store, settings: Settings) -> Cost:
    """Screenings and validation pay no bonus; they come on top of what the writing may still cost."""
    contexts, pay = load_contexts(settings), tariff(settings)
    worst = worst_case(store, settings, contexts)
    if stage is Stage.WRITING:
        hits, reward_cents, bonus_cents = (
            number_of_hits(settings, contexts),
            pay.terms.reward_cents,
            pay.largest_bonuses_with_fees_cents,
        )
        again = settings.round.reoffers * len(_drawn(settings, contexts))
        return Cost(hits, again, reward_cents, pay.fees.on_reward(reward_cents), bonus_cents, worst)
    if stage is Stage.SCREENING:
        hits, reward_cents = settings.qualification.places, settings.qualification.reward_cents
    else:
        hits, reward_cents = _validation_hits(settings, contexts), settings.validation.terms.reward_cents
    fee_cents = pay.fees.on_reward(reward_cents)
    more = worst.open_rewards_cents + hits * (reward_cents + fee_cents)
    return Cost(hits, 0, reward_cents, fee_cents, 0, replace(worst, open_rewards_cents=more))


def worst_of_all_stages(store: Store, settings: Settings) -> Exposure:
    """The campaign's worst case with every screening and every validation."""
    writing = cost_of(Stage.WRITING, store, settings).worst
    others = (cost_of(stage, store, settings) for stage in (Stage.SCREENING, Stage.VALIDATION))
    more = sum(cost.rewards_with_fees_cents for cost in others)
    return replace(writing, open_rewards_cents=writing.open_rewards_cents + more)


def _validation_hits(settings: Settings, contexts: list[Context]) -> int:
    """If every HIT on a passage of the parts that are validated brought as many wins as it can."""
    shares: dict[str, int] = settings.dataset.model_dump(include={"train", "dev", "test"})
    share = sum(shares[part] for part in settings.validation.parts) / max(1, sum(shares.values()))
    questions = ceil(number_of_hits(settings, contexts) * share) * settings.round.max_wins
    return ceil(questions * settings.validation.rules.votes_wanted / settings.validation.terms.questions_per_hit)


def worst_case(store: Store, settings: Settings, contexts: list[Context]) -> Exposure:
    """What the campaign would cost at most with the writing HITs that these settings offer.

    A passage that has brought a win is not offered again.
    """
    drawn = {context.id for context in _drawn(settings, contexts)}
    first, most = settings.round.hits_per_context, settings.round.hits_per_context + settings.round.reoffers
    hits = {hit_id(settings.name, context_id, slot) for slot in range(first) for context_id in drawn}
    without_a_win = drawn - store.attempts.contexts_with_a_win(settings.name)
    hits |= {hit_id(settings.name, context_id, slot) for slot in range(first, most) for context_id in without_a_win}
    ledger = Ledger(store.database, settings.name).payments()
    return exposure(store, settings.name, tariff(settings), ledger, new_hits=hits)


def tariff(settings: Settings) -> Tariff:
    terms = terms_of(settings.round, settings.pay)
    return settings.pay.tariff(terms, settings.validation.terms.reward_cents)


def load_contexts(settings: Settings) -> list[Context]:
    return task_kind(settings.task.kind, **settings.task.options).load_contexts(settings.contexts)
