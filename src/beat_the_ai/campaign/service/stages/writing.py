"""The writing: qualified people write examples that the model in the loop gets wrong."""

from __future__ import annotations

from dataclasses import asdict, replace
from functools import partial
from typing import Any

from beat_the_ai.campaign.service.earnings import earnings_procedure
from beat_the_ai.campaign.service.hits import create_hits
from beat_the_ai.campaign.service.payout_preview import CampaignOutlook, checked_contexts, outlook_of
from beat_the_ai.campaign.service.stages.preparation import (
    Gate,
    Offer,
    Preparation,
    admission,
    ask_afterwards,
    hand_in_desk,
    page_options,
    serve_hits,
)
from beat_the_ai.campaign.service.steering import steering_of
from beat_the_ai.campaign.settings.configuration import Settings
from beat_the_ai.campaign.settings.partition import Partition
from beat_the_ai.campaign.settings.suggestions import suggestion_pools
from beat_the_ai.campaign.settings.words import arm_words
from beat_the_ai.errors import Refused
from beat_the_ai.mephisto.procedures import ProcedureState
from beat_the_ai.messages import said
from beat_the_ai.rules.kind import Doubts
from beat_the_ai.rules.stage import Stage
from beat_the_ai.store import ArmBlocks, Assignment
from beat_the_ai.terms.bonuses import BonusRules
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.terms.writing import Terms
from beat_the_ai.workforce import Probation
from beat_the_ai.writing import ArmPage, DeskArms, HintDesk, OpenHits, SuggestionDesk, WriterTerms, WritingDesk

WROTE_BEFORE = "refusals.earlier_round"


def offer_writing(of: Preparation) -> Offer:
    """Return the offer of the writing, or of a share of it, whose HITs are in the store from then on."""
    settings, campaign = of.settings, of.campaign
    kind = settings.kind
    terms = settings.terms.writing(kind)
    open_hits = create_hits(of.planned, of.share)
    outlook = outlook_of(campaign, settings)
    arms = _arms(settings, outlook)
    pools = suggestion_pools(settings, of.planned.contexts())
    suggestions = SuggestionDesk(of.store, kind.writing, pools, settings.seed) if pools else None
    desk = WritingDesk(
        of.store,
        kind.writing,
        of.asked_model,
        terms,
        awaits_crowd=of.confirms,
        outlook=outlook,
        doubts=_doubts(of),
        arms=arms,
        order=steering_of(campaign, settings.round.number),
        suggestions=suggestions,
    )
    hand_ins = hand_in_desk(campaign, Stage.WRITING, settings.round.number, desk)
    state = serve_hits(
        _state(of, desk, open_hits, arms, suggestions),
        of,
        replace(hand_ins, waiting=partial(_waiting_in, of.share, campaign)),
        gates=_gates(of, terms.time_limit_seconds),
        procedures={"earnings": earnings_procedure(campaign)},
        is_closed=partial(of.store.rounds.is_closed, campaign.id, settings.round.number),
    )
    return Offer(
        blueprint_type=of.task.BLUEPRINT_TYPE,
        state=ask_afterwards(state, of.forms),
        title=settings.task.title,
        description=settings.task.description,
        keywords=settings.task.keywords,
        reward_cents=terms.reward_cents,
        time_limit_seconds=terms.time_limit_seconds,
        hit_kind="main",
        pays=campaign.id,
        round_number=settings.round.number,
        done=open_hits.done,
    )


def _state(
    of: Preparation,
    desk: WritingDesk,
    open_hits: OpenHits,
    arms: DeskArms | None,
    suggestions: SuggestionDesk | None,
) -> ProcedureState:
    settings, look_up = of.settings, of.settings.kind.look_up
    shown = page_shown(settings, desk.terms, settings.pay.rules())
    state: ProcedureState
    if arms is None:  # a task's own `writing_state` need not know of arms
        state = of.task.writing_state(desk, open_hits, shown, _hint_desk(of), look_up)
    else:
        further = (_arm_pages(settings), *([] if suggestions is None else [suggestions]))
        state = of.task.writing_state(desk, open_hits, shown, _hint_desk(of, arms), look_up, *further)
    return state


def _arms(settings: Settings, outlook: CampaignOutlook) -> DeskArms | None:
    """Return the arms of the round; None where all writers have the same terms."""
    if not settings.terms.arms:
        return None
    tariffs = settings.terms.tariff(settings.kind).arms
    terms = {
        name: WriterTerms(
            tariffs[name].terms, replace(outlook, rules=tariffs[name].rules), tuple(arm.adversary.members or ())
        )
        for name, arm in settings.terms.arms.items()
    }
    return DeskArms(ArmBlocks(tuple(terms), settings.seed), terms)


def _arm_pages(settings: Settings) -> dict[str, ArmPage]:
    """Return what the pages of each arm are told in the place of what all are told."""
    return {
        name: ArmPage(
            config=_terms_shown(settings, tariff.terms, tariff.rules),
            words=arm_words(settings, name),
            suggests=settings.terms.arms[name].suggestions is not None,
        )
        for name, tariff in settings.terms.tariff(settings.kind).arms.items()
    }


def _waiting_in(share: Partition, campaign: BoundCampaign) -> list[Assignment]:
    """Return the unconfirmed submissions of a share's HITs. Acceptances of other shares' HITs are unknown here."""
    store = campaign.store
    waiting = store.assignments.waiting(campaign.id, Stage.WRITING)
    if share.is_whole or not waiting:
        return waiting
    context_of = {hit: store.campaigns.hit(hit).context.id for hit in {each.hit for each in waiting}}
    return [each for each in waiting if share.has(context_of[each.hit])]


def _doubts(of: Preparation) -> Doubts | None:
    """Return the checks of content, with all that was written so far, whatever became of it."""
    kind = of.settings.kind
    if kind.doubts is None:
        return None
    return kind.doubts(row.attempt.work for row in of.store.attempts.of_campaign(of.campaign.id))


def _hint_desk(of: Preparation, arms: DeskArms | None = None) -> HintDesk | None:
    kind = of.settings.kind
    if kind.hints is None:
        return None
    tries = of.settings.terms.writing(kind).max_tries
    return HintDesk(of.store, kind.hints, kind.writing, of.asked_model, tries, arms)


def _gates(of: Preparation, time_limit_seconds: int) -> list[Gate]:
    """Return the gates of the writing, in the order in which they are asked."""
    gates = [admission(of.workforce, Stage.WRITING)]
    if of.settings.round.new_writers:
        gates.insert(0, _new_writers(of))
    probation = _probation(of, time_limit_seconds)
    if probation is not None:
        gates.append(lambda worker, identity_verified: probation.check(worker, identity_verified=identity_verified))
    return gates


def _new_writers(of: Preparation) -> Gate:
    """Return the gate for people who have not written in an earlier round."""

    def check(worker: str, _identity_verified: bool) -> None:
        if of.store.attempts.first_round(of.campaign.id, worker) not in (None, of.settings.round.number):
            raise Refused(said(WROTE_BEFORE))

    return check


def _probation(of: Preparation, time_limit_seconds: int) -> Probation | None:
    """Return the limit for newcomers' first HITs; None where everybody is a worker who opens the page, or it is off."""
    first_hits = of.settings.qualification.first_hits
    if first_hits is None or not of.settings.crowd.is_marketplace:
        return None
    return Probation(of.store, of.campaign.id, first_hits, time_limit_seconds)


def page_shown(settings: Settings, terms: Terms, rules: BonusRules) -> dict[str, Any]:
    """Return the data that every page gets; nothing in it is secret."""
    task = settings.task
    named = {"page": task.page, "task_title": task.title, "task_description": task.description}
    checks = checked_contexts(settings)
    return {**named, **page_options(settings), **_terms_shown(settings, terms, rules), "checks": checks}


def _terms_shown(settings: Settings, terms: Terms, rules: BonusRules) -> dict[str, Any]:
    """Return the part of it that an arm may have of its own."""
    return {**asdict(terms), "bonuses": [asdict(term) for term in rules.terms()]}
