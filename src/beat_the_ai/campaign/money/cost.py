"""The HITs that settings offer, and what they may cost."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil
from types import MappingProxyType

from beat_the_ai.adversary.training_texts import number_trained_on
from beat_the_ai.campaign.settings.changes import closed_stage
from beat_the_ai.campaign.settings.configuration import Settings
from beat_the_ai.campaign.settings.partition import WHOLE, Share
from beat_the_ai.contexts.draw import draw_contexts, draw_in_balance, same_text
from beat_the_ai.errors import InvalidInput, Refused
from beat_the_ai.payments import Exposure, Ledger, check_launch, exposure
from beat_the_ai.rules.protocol import Context
from beat_the_ai.rules.stage import Stage
from beat_the_ai.store import Campaign, Store, hit_id
from beat_the_ai.store.campaigns import Brief
from beat_the_ai.terms.campaign import BoundCampaign, sample_campaign_id
from beat_the_ai.terms.division import divide
from beat_the_ai.writing import HitsOnOffer


def hits_on_offer(store: Store, campaign: Campaign, settings: Settings, share: Share = WHOLE) -> HitsOnOffer:
    """Create the HITs of the round, those of contexts that settings add to it included, and return them.

    All of them, or a share. A closed round gets none more. Raises `Refused` beyond the cap, and in a closed round
    that never offered anything.
    """
    contexts, section = contexts_of(store, settings), settings.round
    if store.rounds.is_closed(campaign.id, section.number):
        return offered_hits(store, campaign, settings, share)
    check_launch(worst_case(store, settings), settings.pay.cap_cents)
    first = store.campaigns.offer(
        campaign.id,
        contexts,
        round_number=section.number,
        slots=section.hits_per_context,
        most=number_of_hits(settings, contexts),
        brief=brief_of(settings),
        part_of=_parts(store, settings, contexts),
    )
    return offered_hits(store, campaign, settings, share, first)


def offered_hits(
    store: Store,
    campaign: Campaign,
    settings: Settings,
    share: Share = WHOLE,
    first: Mapping[str, str] = MappingProxyType({}),
) -> HitsOnOffer:
    """Return the HITs of the round that are in the store, `first` before others, and contexts without a win again."""
    section = settings.round
    return HitsOnOffer(
        store,
        campaign.id,
        first,
        round_number=section.number,
        slots=section.hits_per_context,
        reoffers=section.reoffers,
        brief=brief_of(settings),
        affords=lambda hits: worst_case(store, settings, hits).worst_cents <= settings.pay.cap_cents,
        is_mine=share.has,
    )


def brief_of(settings: Settings) -> Brief:
    """Return the function that gives each HIT its prompt, as the kind of task has it."""
    kind = settings.kind
    return lambda context, slot: kind.writing.brief(context, slot, settings.seed)


def contexts_of(store: Store, settings: Settings) -> list[Context]:
    """Return the contexts of the round in the order in which HITs are offered: those on offer, and the missing ones.

    New contexts are drawn from the file, without those of other rounds: a context never crosses rounds. A closed round
    keeps those it has. Raises `Refused` where there are none.
    """
    by_round = store.campaigns.contexts(settings.name)
    offered = by_round.pop(settings.round.number, [])
    if store.rounds.is_closed(settings.name, settings.round.number):
        if not offered:
            raise Refused(closed_stage(Stage.WRITING, settings))
        return draw_contexts(offered, settings.seed, len(offered))
    others = [context for contexts in by_round.values() for context in contexts]
    ids = {context.id for context in (*offered, *others)}
    texts = {same_text(context.text) for context in others}
    new = [each for each in load_contexts(settings) if each.id not in ids and same_text(each.text) not in texts]
    wanted = -(-number_of_hits(settings, [*offered, *new]) // settings.round.hits_per_context)
    if not offered and not new:
        raise Refused(
            f"Every context of {settings.contexts} belongs to another round of this campaign, and a context never "
            "crosses rounds. Name other contexts: contexts=FILE."
        )
    missing, genre = max(0, wanted - len(offered)), settings.kind.genre
    drawn = [*offered, *draw_in_balance(new, settings.seed, missing, genre)]
    return draw_contexts(drawn, settings.seed, len(drawn))


def check_contexts(store: Store, settings: Settings) -> None:
    """Before a round is opened: its file may go on from an earlier round's, but may not name a context anew.

    Raises `InvalidInput` for a text of an earlier round under another id, and for such an id with another text.
    """
    earlier = [context for contexts in store.campaigns.contexts(settings.name).values() for context in contexts]
    text_of = {context.id: same_text(context.text) for context in earlier}
    ids_of: dict[str, set[str]] = defaultdict(set)
    for name, text in text_of.items():
        ids_of[text].add(name)
    for context in load_contexts(settings):
        text = same_text(context.text)
        if context.id in text_of and text_of[context.id] != text:
            fault = f"the id {context.id!r}, with another text"
        elif text in ids_of and context.id not in ids_of[text]:
            fault = f"the text of {context.id!r}, as {min(ids_of[text])!r}"
        else:
            continue
        raise InvalidInput(
            "contexts",
            f"An earlier round of this campaign has {fault}, and a context never crosses rounds. Leave it out of "
            f"{settings.contexts}; `beat-the-ai contexts --not-in OUT` chooses others.",
        )


def number_of_hits(settings: Settings, contexts: list[Context]) -> int:
    everything = len(contexts) * settings.round.hits_per_context
    return min(settings.round.max_hits or everything, everything)


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


def cost_of(stage: Stage, store: Store, settings: Settings, share: Share = WHOLE) -> Cost:
    """Screenings and validation pay no bonus; they come on top of what the writing may still cost.

    Of the writing only a share may be meant; the worst case is the whole campaign's.
    """
    contexts, tariff = contexts_of(store, settings), settings.terms.tariff(settings.kind)
    worst = _worst_without_screening(store, settings) if stage is Stage.SCREENING else worst_case(store, settings)
    if stage is Stage.WRITING:
        mine = [context_id for context_id, _ in _slots(settings, contexts) if share.has(context_id)]
        hits, reward_cents = len(mine), tariff.terms.reward_cents
        again = settings.round.reoffers * sum(share.has(context.id) for context in contexts)
        fee_cents = tariff.fees.on_reward(reward_cents)
        return Cost(hits, again, reward_cents, fee_cents, tariff.largest_bonuses_with_fees_cents, worst)
    if stage is Stage.SCREENING:
        hits, reward_cents = settings.qualification.places, settings.qualification.reward_cents
    else:
        hits, reward_cents = _validation_hits(store, settings), settings.validation.terms.reward_cents
    fee_cents = tariff.fees.on_reward(reward_cents)
    more = worst.open_rewards_cents + hits * (reward_cents + fee_cents)
    return Cost(hits, 0, reward_cents, fee_cents, 0, replace(worst, open_rewards_cents=more))


def worst_of_all_stages(store: Store, settings: Settings) -> Exposure:
    """The campaign's worst case with every screening and every validation."""
    screening = cost_of(Stage.SCREENING, store, settings).worst
    more = cost_of(Stage.VALIDATION, store, settings).rewards_with_fees_cents
    return replace(screening, open_rewards_cents=screening.open_rewards_cents + more)


def parts_of_contexts(store: Store, settings: Settings) -> Counter[str]:
    """Return how many of the round's contexts are in each part, as if nobody's work had moved any."""
    contexts = contexts_of(store, settings)
    part_of = _parts(store, settings, contexts)
    return Counter(part_of[context.id] for context in contexts)


def _parts(store: Store, settings: Settings, contexts: Sequence[Context]) -> dict[str, str]:
    """Return `{context id: part}` with these contexts of the round, as if nobody had written anything."""
    by_round = {**store.campaigns.contexts(settings.name), settings.round.number: contexts}
    division = settings.dataset.division(settings.seed)
    return divide(by_round, store.campaigns.parts(settings.name), [], dict.fromkeys(by_round, division))


def _validation_hits(store: Store, settings: Settings) -> int:
    """If every HIT on a context of the parts that are validated brought as many wins as it can."""
    parts = parts_of_contexts(store, settings)
    checked = sum(parts[part] for part in settings.validation.parts) * settings.round.hits_per_context
    if settings.dataset.division(settings.seed).may_move:
        checked = parts.total() * settings.round.hits_per_context
    works = checked * settings.round.max_wins
    checking = settings.kind.checking
    most_votes = 0 if checking is None else checking.most_votes
    return ceil(works * most_votes / settings.validation.terms.works_per_hit)


def worst_case(store: Store, settings: Settings, again: Collection[str] = ()) -> Exposure:
    """Return the most that the campaign can cost with the writing HITs that these settings offer.

    Its screenings are in it once they were launched.

    A context that has brought a win is not offered again, and a HIT in which nothing was tried neither, but for those
    in `again`.
    """
    worst = _worst_without_screening(store, settings, again)
    return replace(worst, committed_cents=worst.committed_cents + _screening_cents(store, settings))


def _screening_cents(store: Store, settings: Settings) -> int:
    """Return the cost of the screenings with fees: so far, or of all places while more may be taken."""
    samples = BoundCampaign.find(store, sample_campaign_id(settings.name))
    if samples is None:
        return 0
    ledger = Ledger(store.database, samples.id).payments()
    so_far = exposure(store, samples.id, samples.tariffs, ledger)
    spent_cents = so_far.committed_cents + so_far.owed_cents
    if samples.current.record.is_closed:
        return spent_cents
    reward_cents, fees = settings.qualification.reward_cents, settings.terms.tariff(settings.kind).fees
    return max(spent_cents, settings.qualification.places * (reward_cents + fees.on_reward(reward_cents)))


def _worst_without_screening(store: Store, settings: Settings, again: Collection[str] = ()) -> Exposure:
    section, known = settings.round, contexts_of(store, settings)
    contexts, slots = [context.id for context in known], _slots(settings, known)
    won = store.attempts.contexts_with_a_win(settings.name)
    last = section.hits_per_context + section.reoffers
    slots += [(name, slot) for slot in range(section.hits_per_context, last) for name in contexts if name not in won]
    new_hits = {f"{name}, again": section.number for name in again}
    new_hits |= {hit_id(settings.name, name, slot): section.number for name, slot in slots}
    campaign = BoundCampaign.find(store, settings.name)
    paid = {**({} if campaign is None else campaign.tariffs), section.number: settings.terms.tariff(settings.kind)}
    ledger = Ledger(store.database, settings.name).payments()
    return exposure(store, settings.name, paid, ledger, new_hits)


def _slots(settings: Settings, contexts: Sequence[Context]) -> list[tuple[str, int]]:
    """The round's HITs by context and slot, in the order in which they are offered."""
    slots = [(context.id, slot) for slot in range(settings.round.hits_per_context) for context in contexts]
    return slots[: settings.round.max_hits]


def discarded_contexts(store: Store, settings: Settings) -> list[str]:
    """The round's contexts whose HITs are all done, and of whose work all is discarded: nothing more comes of them."""
    offered = store.campaigns.offered(settings.name, settings.round.number)
    counting = store.attempts.done_hits(settings.name)
    waiting = {context_id for hit, context_id in offered.items() if hit not in counting}
    discarded = store.standings.discarded(settings.name)
    writers = store.attempts.writers(settings.name)
    gone = {context_id for context_id, worker in writers if worker in discarded}
    kept = {context_id for context_id, worker in writers if worker not in discarded}
    return sorted((gone - kept - waiting) & set(offered.values()))


def warnings_of_training_texts(settings: Settings) -> list[str]:
    """Say of each adversary that was trained on some of the round's contexts on how many, as far as that is known."""
    texts = [context.text for context in load_contexts(settings)]
    number_of = {member: number_trained_on(member, texts) for member in settings.adversary.members}
    return [
        f"{member} was trained on {number:,} of the {len(texts):,} contexts in {settings.contexts.name}. It is hard to "
        "beat on them, and little will be left to train on. Name others: contexts=FILE."
        for member, number in number_of.items()
        if number
    ]


def load_contexts(settings: Settings) -> list[Context]:
    return settings.kind.writing.load_contexts(settings.contexts)
