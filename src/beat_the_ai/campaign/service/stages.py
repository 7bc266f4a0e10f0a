"""The stages of a campaign: what each offers as HITs, to whom, and when it is done.

Every stage is a Mephisto run of its own, with an operator, a router and a Mephisto database; all share one store.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

from beat_the_ai.campaign.money.cost import hits_on_offer, offered_hits
from beat_the_ai.campaign.service.checked_contexts import CheckedContexts
from beat_the_ai.campaign.service.earnings import show_earnings
from beat_the_ai.campaign.service.payout_preview import checked_contexts, outlook_of
from beat_the_ai.campaign.settings.configuration import Settings, suite_root
from beat_the_ai.campaign.settings.partition import WHOLE, Share
from beat_the_ai.errors import InvalidInput, Refused
from beat_the_ai.files.data_file import find_data_file
from beat_the_ai.mephisto.hand_ins import HandInDesk
from beat_the_ai.mephisto.procedures import ProcedureState
from beat_the_ai.mephisto.shim import Unit
from beat_the_ai.rules.adversary import Adversary
from beat_the_ai.rules.ids import short_hash
from beat_the_ai.rules.kind import Doubts
from beat_the_ai.rules.stage import Stage
from beat_the_ai.store import WITHOUT_PAGE, Assignment, Campaign, HandIn, Store, ValidationAssignment, now
from beat_the_ai.terms.campaign import BoundCampaign, sample_campaign_id
from beat_the_ai.validation import ValidationDesk
from beat_the_ai.workforce import Probation, Workforce
from beat_the_ai.workforce.requirements import OWN, HitKind, RequirementSet, load_requirements
from beat_the_ai.workforce.screening import ScreeningDesk, open_screening_desk, sample_terms
from beat_the_ai.writing import HintDesk, WritingDesk

WROTE_BEFORE = "This round is for people who have not written in an earlier one. Please return this HIT."
NOT_ADMITTED = "You cannot work on this task. Please return this HIT."


@dataclass(frozen=True)
class Offer:
    """The offer of a stage to workers. `pays` is the campaign in the store under which its assignments are paid.

    `round_number` is of that campaign.
    """

    blueprint_type: str
    state: ProcedureState
    title: str
    description: str
    keywords: str
    reward_cents: int
    time_limit_seconds: int
    hit_kind: HitKind
    pays: str
    round_number: int
    done: Callable[[], bool]


@dataclass(frozen=True)
class Preparation:
    """The parts from which a stage is made."""

    settings: Settings
    task: ModuleType
    campaign: BoundCampaign
    model: Adversary | None
    workforce: Workforce
    share: Share = WHOLE

    @property
    def store(self) -> Store:
        return self.campaign.store

    @property
    def asked_model(self) -> Adversary:
        assert self.model is not None, "this stage asks it"
        return self.model


NAMES_OF_STAGE = {  # in a task's run.py
    Stage.SCREENING: ("QUALIFICATION_BLUEPRINT_TYPE", "qualification_state"),
    Stage.WRITING: ("BLUEPRINT_TYPE", "writing_state"),
    Stage.VALIDATION: ("VALIDATION_BLUEPRINT_TYPE", "validation_state"),
}


def offer_of(stage: Stage, preparation: Preparation) -> Offer:
    """Raises `InvalidInput` for a stage that the task does not have."""
    missing = [name for name in NAMES_OF_STAGE[stage] if not hasattr(preparation.task, name)]
    if missing:
        raise InvalidInput(
            "TASK_DIR", f"The task's run.py has no {' and no '.join(missing)}: it says nothing of {stage.value}."
        )
    return {Stage.SCREENING: _screening, Stage.WRITING: _writing, Stage.VALIDATION: _validation}[stage](preparation)


def requirement_set(settings: Settings) -> RequirementSet:
    section, folder = settings.qualification, suite_root(settings.task_dir) / "qualification" / "requirements"
    loaded = load_requirements(find_data_file(section.requirements, folder, "requirement set"))
    if section.judged_by == "people" and not loaded.asks_for_own:
        raise InvalidInput(
            "qualification.judged_by",
            f"With qualification.judged_by=people HITs are for those whom a person has qualified, but requirements="
            f"{section.requirements} do not ask for it ({OWN!r}). Choose others, such as qualification=paper or open.",
        )
    return loaded


def judged_by_people(settings: Settings, campaign: BoundCampaign) -> bool:
    """Return whether people judge newcomers, also in a stage with other settings than the campaign's first."""
    return "people" in (settings.qualification.judged_by, campaign.decision_rules.judged_by)


def quiz_file(settings: Settings) -> Path:
    folder = suite_root(settings.task_dir) / "qualification" / "quizzes"
    return find_data_file(settings.qualification.quiz, folder, "quiz")


def _screening(of: Preparation) -> Offer:
    settings, section, model = of.settings, of.settings.qualification, of.asked_model
    if section.places < 1:
        raise InvalidInput("qualification", "There is no screening to serve. Choose one: qualification=paper or open.")
    kind = settings.kind
    if kind.screening is None:
        raise InvalidInput("qualification", f"There are no quizzes for {settings.task.kind}. Set qualification=none.")
    quiz = kind.screening.load_quiz(quiz_file(settings))
    terms = sample_terms(quiz, reward_cents=section.reward_cents, time_limit_seconds=section.time_limit_seconds)
    desk = open_screening_desk(
        of.store,
        of.campaign.record,
        quiz,
        kind.writing,
        model,
        reward_cents=section.reward_cents,
        time_limit_seconds=section.time_limit_seconds,
        terms=section.sample_terms(settings.terms, terms).model_dump(mode="json"),
        workforce=of.workforce,
        awaits_crowd=_confirms(settings),
        judged_by_people=judged_by_people(settings, of.campaign),
    )
    title = f"{settings.task.title} (training)"
    description = "Learn how it works in a few short steps, then try it. Whoever does well may work on all our HITs."
    samples = sample_campaign_id(of.campaign.id)
    told = {"task_title": title, "task_description": description}
    state: ProcedureState = of.task.qualification_state(desk, section.places, told)
    state.hand_ins = _writers_hand_ins(of.store, samples, 1, desk)
    return Offer(
        blueprint_type=of.task.QUALIFICATION_BLUEPRINT_TYPE,
        state=state,
        title=title,
        description=description,
        keywords=settings.task.keywords,
        reward_cents=section.reward_cents,
        time_limit_seconds=section.time_limit_seconds,
        hit_kind="screening",
        pays=samples,
        round_number=1,
        done=partial(_is_screened, desk, samples, section.places),
    )


def _is_screened(desk: ScreeningDesk, samples: str, places: int) -> bool:
    """Nothing waits for the crowd, before and after: what is set aside meanwhile has taken no place."""

    def waits() -> bool:
        return bool(desk.store.hand_ins.waiting(samples))

    return not waits() and desk.taken() >= places and not waits()


def _writing(of: Preparation) -> Offer:
    settings = of.settings
    kind = settings.kind
    terms = settings.terms.writing(kind)
    on_offer = hits_on_offer(of.store, of.campaign.record, settings, of.share)
    outlook = outlook_of(of.campaign, settings)
    desk = WritingDesk(
        of.store,
        kind.writing,
        of.asked_model,
        terms,
        awaits_crowd=_confirms(settings),
        outlook=outlook,
        doubts=_doubts(of),
    )
    told = _told(settings, asdict(terms))
    state: ProcedureState = of.task.writing_state(desk, on_offer, told, _hint_desk(of), kind.look_up)
    hand_ins = _writers_hand_ins(of.store, of.campaign.id, settings.round.number, desk)
    state.hand_ins = replace(hand_ins, waiting=partial(_waiting_in, of.share, of.store, of.campaign.id))
    _admit(state, of.workforce, Stage.WRITING, _probation(of, terms.time_limit_seconds))
    if settings.round.new_writers:
        _keep_writers_of_earlier_rounds_out(state, of)
    show_earnings(state, of.store, of.campaign.id)
    return Offer(
        blueprint_type=of.task.BLUEPRINT_TYPE,
        state=state,
        title=settings.task.title,
        description=settings.task.description,
        keywords=settings.task.keywords,
        reward_cents=terms.reward_cents,
        time_limit_seconds=terms.time_limit_seconds,
        hit_kind="main",
        pays=of.campaign.id,
        round_number=settings.round.number,
        done=on_offer.done,
    )


def _waiting_in(share: Share, store: Store, campaign_id: str) -> list[HandIn]:
    """Return the unconfirmed submissions of a share's HITs. Acceptances of other shares' HITs are unknown here."""
    waiting = store.hand_ins.waiting(campaign_id)
    if share.is_whole or not waiting:
        return waiting
    hit_of = {each.assignment_id: store.attempts.assignment(each.assignment_id).hit_id for each in waiting}
    context_of = {hit: store.campaigns.hit(hit).context.id for hit in set(hit_of.values())}
    return [each for each in waiting if share.has(context_of[hit_of[each.assignment_id]])]


def _doubts(of: Preparation) -> Doubts | None:
    """With all that was written so far, whatever became of it."""
    kind = of.settings.kind
    if kind.doubts is None:
        return None
    return kind.doubts(row.attempt.work for row in of.store.attempts.of_campaign(of.campaign.id))


def _hint_desk(of: Preparation) -> HintDesk | None:
    kind = of.settings.kind
    if kind.hints is None:
        return None
    tries = of.settings.terms.writing(kind).max_tries
    return HintDesk(of.store, kind.hints, kind.writing, of.asked_model, tries)


def _keep_writers_of_earlier_rounds_out(state: ProcedureState, of: Preparation) -> None:
    choose, number = state.choose_units, of.settings.round.number

    def choose_if_new(worker: str, units: Iterable[Unit]) -> Iterable[Unit]:
        if of.store.attempts.first_round(of.campaign.id, worker) not in (None, number):
            raise Refused(WROTE_BEFORE)
        return choose(worker, units)

    state.choose_units = choose_if_new


def validation_desk(settings: Settings, store: Store, campaign: Campaign) -> ValidationDesk:
    """For the works of the parts that are validated."""
    section = settings.validation
    on_offer = offered_hits(store, campaign, settings)

    def written() -> bool:
        return store.rounds.is_closed(campaign.id, settings.round.number) or on_offer.done()

    checking = settings.kind.checking
    if checking is None:
        raise InvalidInput("--stage", f"Nobody checks what is written in {settings.task.kind}: it has no validation.")
    return ValidationDesk(
        store,
        checking,
        section.terms,
        campaign,
        round_number=settings.round.number,
        contexts=CheckedContexts(store, campaign.id, settings.round.number, section.parts),
        final=written,
        without=lambda: store.standings.discarded(campaign.id),
        awaits_crowd=_confirms(settings),
    )


def _validation(of: Preparation) -> Offer:
    settings, section, campaign = of.settings, of.settings.validation, of.campaign
    desk = validation_desk(settings, of.store, campaign.record)
    named = {"page": section.page, "task_title": section.task_title, "task_description": section.task_description}
    state: ProcedureState = of.task.validation_state(desk, {**page_options(settings), **named})
    state.hand_ins = _validators_hand_ins(of.store, campaign.id, settings.round.number, desk)
    _admit(state, of.workforce, Stage.VALIDATION)
    show_earnings(state, of.store, campaign.id)
    return Offer(
        blueprint_type=of.task.VALIDATION_BLUEPRINT_TYPE,
        state=state,
        title=section.task_title,
        description=section.task_description,
        keywords=section.keywords,
        reward_cents=section.terms.reward_cents,
        time_limit_seconds=section.terms.time_limit_seconds,
        hit_kind="main",
        pays=campaign.id,
        round_number=settings.round.number,
        done=desk.complete,
    )


def _writers_hand_ins(store: Store, campaign_id: str, number: int, desk: WritingDesk | ScreeningDesk) -> HandInDesk:
    """Return the desk of writers' submissions. Unseen work is kept under any HIT of the round: its own is unknown."""

    def keep_unseen(worker: str, registration: str, at: datetime) -> bool:
        hit = min(hit for hit, of_round in store.campaigns.hits(campaign_id).items() if of_round == number)
        name = short_hash(campaign_id, "unseen", registration)
        made = Assignment(name, hit, worker, registration, at, at, round=number, **_without_page())
        return store.hand_ins.add(campaign_id, made)

    return HandInDesk(partial(store.hand_ins.waiting, campaign_id), desk.confirm, desk.set_aside, keep_unseen)


def _validators_hand_ins(store: Store, campaign_id: str, number: int, desk: ValidationDesk) -> HandInDesk:
    hand_ins = store.validation_hand_ins

    def keep_unseen(worker: str, registration: str, at: datetime) -> bool:
        name = short_hash(campaign_id, "unseen", registration)
        made = ValidationAssignment(
            name, campaign_id, name, worker, registration, at, at, round=number, **_without_page()
        )
        return hand_ins.add(campaign_id, made)

    return HandInDesk(partial(hand_ins.waiting, campaign_id), desk.confirm, desk.set_aside, keep_unseen)


def _without_page() -> dict[str, Any]:
    return {"set_aside_at": now(), "set_aside_reason": WITHOUT_PAGE}


def _confirms(settings: Settings) -> bool:
    """Return whether the crowd tells who has submitted what. Mephisto's `mock` does not."""
    return settings.crowd.is_marketplace


def _told(settings: Settings, terms: dict[str, Any]) -> dict[str, Any]:
    """Return the data that every page gets; nothing in it is secret."""
    task = settings.task
    named = {"page": task.page, "task_title": task.title, "task_description": task.description}
    bonuses = [asdict(term) for term in settings.pay.rules().terms()]
    checks = checked_contexts(settings)
    return {**named, **page_options(settings), **terms, "bonuses": bonuses, "checks": checks}


def page_options(settings: Settings) -> dict[str, Any]:
    """Return the options of the task that pages are told: numbers and switches, for texts may name files here."""
    return {name: value for name, value in settings.task.options.items() if isinstance(value, bool | int | float)}


def _probation(of: Preparation, time_limit_seconds: int) -> Probation | None:
    """None where everybody is a worker who opens the page, and where it is switched off."""
    first_hits = of.settings.qualification.first_hits
    if first_hits is None or not of.settings.crowd.is_marketplace:
        return None
    return Probation(of.store, of.campaign.id, first_hits, time_limit_seconds)


def _admit(state: ProcedureState, workforce: Workforce, stage: Stage, probation: Probation | None = None) -> None:
    """Give units to those who may work, whatever HIT they came by."""
    choose = state.choose_units

    def choose_if_admitted(worker: str, units: Iterable[Unit]) -> Iterable[Unit]:
        if not workforce.may_work(worker, stage):
            raise Refused(NOT_ADMITTED)
        if probation is not None:
            probation.check(worker, vouched=state.vouched)
        return choose(worker, units)

    state.choose_units = choose_if_admitted
