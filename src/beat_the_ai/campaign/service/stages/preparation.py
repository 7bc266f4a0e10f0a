"""The parts from which a stage is made, and what all stages offer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from types import MappingProxyType, ModuleType
from typing import Any

from beat_the_ai.campaign.service.letters import letters_beside, letters_procedure
from beat_the_ai.campaign.settings.configuration import Settings
from beat_the_ai.campaign.settings.partition import WHOLE, Partition
from beat_the_ai.campaign.settings.planned_round import PlannedRound
from beat_the_ai.campaign.settings.words import campaign_words
from beat_the_ai.errors import Refused, StoreError
from beat_the_ai.forms import FormDesk
from beat_the_ai.mephisto.hand_ins import HandInDesk
from beat_the_ai.mephisto.procedures import Procedure, ProcedureState, assignment_of, text_of, worker_id
from beat_the_ai.mephisto.shim import Agent, Unit
from beat_the_ai.messages import said
from beat_the_ai.rules.adversary import Adversary
from beat_the_ai.rules.ids import short_hash
from beat_the_ai.rules.languages import direction
from beat_the_ai.rules.stage import Stage
from beat_the_ai.store import WITHDRAWN, WITHOUT_FORMS, WITHOUT_PAGE, Assignment, Store, now
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.validation import ValidationDesk
from beat_the_ai.workforce import Workforce
from beat_the_ai.workforce.requirements import HitKind
from beat_the_ai.workforce.screening import ScreeningDesk
from beat_the_ai.writing import WritingDesk

NOT_ADMITTED = "refusals.not_admitted"

Gate = Callable[[str, bool], None]
"""`gate(worker, identity_verified)` raises `Refused`, with a message for the worker, for one who may not have a HIT."""


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
    forms: FormDesk
    share: Partition = WHOLE

    @property
    def store(self) -> Store:
        return self.campaign.store

    @property
    def planned(self) -> PlannedRound:
        return PlannedRound(self.store, self.settings)

    @property
    def asked_model(self) -> Adversary:
        assert self.model is not None, "this stage asks it"
        return self.model

    @property
    def confirms(self) -> bool:
        """Return whether the crowd tells who has submitted what. Mephisto's `mock` does not."""
        return self.settings.crowd.is_marketplace


def serve_hits(
    state: ProcedureState,
    of: Preparation,
    hand_ins: HandInDesk,
    *,
    gates: Sequence[Gate] = (),
    procedures: Mapping[str, Procedure] = MappingProxyType({}),
    is_closed: Callable[[], bool] = lambda: False,
) -> ProcedureState:
    """Complete the state that a blueprint has made, and return it.

    Workers get units only if all `gates` let them in, in this order, and only while the lease of the run is held.
    Pages may call `procedures` too, and nothing but for the address of the worker's letters before their worker has
    answered the forms, or after they have withdrawn; what is handed in then is set aside. Once `is_closed()`, no unit
    is offered any more, nor while the campaign is paused.
    """
    choose_units, forms, campaigns = state.choose_units, of.forms, of.store.campaigns

    def choose_if_admitted(worker: str, units: Iterable[Unit]) -> Iterable[Unit]:
        for gate in (*gates, forms.admit):
            gate(worker, state.identity_verified)
        return choose_units(worker, units)

    state.choose_units = choose_if_admitted
    state.procedures = {**state.procedures, **procedures}
    if forms.guards:
        state.procedures = _after(forms, state.procedures)
        state.latest = _after(forms, state.latest)
        state.close_unit = _set_aside_without(forms, hand_ins, state.close_unit)
    if forms.asks:
        state.task_config = {**state.task_config, "asks_forms": True}
        state.procedures = {**state.procedures, **form_procedures(forms)}
    data = of.settings.language.data
    state.task_config = {
        **state.task_config,
        "letters": True,
        "unit": of.settings.crowd.unit,
        "data": {"language": data, "direction": direction(data)},
    }
    state.procedures = {**state.procedures, "letters": letters_procedure(of.campaign.record)}
    state.beside = letters_beside(of.campaign.record, of.settings.store.url)
    state.words = campaign_words(of.settings)
    state.hand_ins = hand_ins
    state.is_closed = lambda: is_closed() or campaigns.is_paused(of.campaign.id)
    state.check_lease = of.store.leases.check
    return state


def _after(forms: FormDesk, procedures: Mapping[str, Procedure]) -> dict[str, Procedure]:
    """Return the procedures, each refused to a worker who has yet to answer a form."""

    def checked(procedure: Procedure) -> Procedure:
        def call(agent: Agent, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
            forms.check(worker_id(agent.get_worker()))
            return procedure(agent, arguments)

        return call

    return {name: checked(procedure) for name, procedure in procedures.items()}


def _set_aside_without(
    forms: FormDesk, hand_ins: HandInDesk, close_unit: Callable[[Agent, Mapping[str, Any]], None]
) -> Callable[[Agent, Mapping[str, Any]], None]:
    """Return the hand-in that is set aside at once for a worker who has withdrawn, or has yet to answer a form."""

    def close(agent: Agent, final_data: Mapping[str, Any]) -> None:
        close_unit(agent, final_data)
        worker = worker_id(agent.get_worker())
        if not forms.is_through(worker):
            reason = WITHDRAWN if forms.has_withdrawn(worker) else WITHOUT_FORMS
            hand_ins.set_aside(assignment_of(agent), reason)

    return close


def form_procedures(forms: FormDesk) -> dict[str, Procedure]:
    """Return what a page calls to show the forms and to answer them."""

    def pending(agent: Agent, _arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        return forms.page(worker_id(agent.get_worker()))

    def answer(agent: Agent, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        form, declined = text_of(arguments, "form"), arguments.get("declined") is True
        return forms.answer(worker_id(agent.get_worker()), form, arguments.get("answers"), declined=declined)

    return {"forms": pending, "answer_form": answer}


def ask_afterwards(state: ProcedureState, forms: FormDesk) -> ProcedureState:
    """Let the pages of a state offer the forms that come after the HITs, and return it."""
    if not forms.follows:
        return state
    close_unit = state.close_unit

    def close(agent: Agent, final_data: Mapping[str, Any]) -> None:
        close_unit(agent, final_data)
        with suppress(StoreError):  # no submission waits for forms
            forms.expect(worker_id(agent.get_worker()))

    def offered(agent: Agent, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        worker = worker_id(agent.get_worker())
        if arguments.get("later") is True:
            forms.dismiss(worker)
        return forms.page_after(worker)

    def answer(agent: Agent, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        form = text_of(arguments, "form")
        return forms.answer_after(worker_id(agent.get_worker()), form, arguments.get("answers"))

    state.close_unit = close
    state.afterwards = {"forms_after": offered, "answer_after": answer}
    state.task_config = {**state.task_config, "asks_afterwards": True}
    return state


def admission(workforce: Workforce, stage: Stage) -> Gate:
    """Return the gate for those who may work in a stage, whatever HIT they came by."""

    def check(worker: str, _identity_verified: bool) -> None:
        if not workforce.may_work(worker, stage):
            raise Refused(said(NOT_ADMITTED))

    return check


def hand_in_desk(
    campaign: BoundCampaign, stage: Stage, number: int, desk: WritingDesk | ScreeningDesk | ValidationDesk
) -> HandInDesk:
    """Return the desk of a stage's submissions. What came without a page is set aside."""
    store, campaign_id = campaign.store, campaign.id

    def keep_unseen(worker: str, registration: str, at: datetime) -> bool:
        name = short_hash(campaign_id, "unseen", registration)
        hit = name
        if stage is not Stage.VALIDATION:  # any HIT of the round: its own is unknown
            hit = min(hit for hit, of_round in store.campaigns.hits(campaign_id).items() if of_round == number)
        unseen = Assignment(name, campaign_id, stage, hit, worker, registration, at, at, round=number)
        return store.assignments.add(replace(unseen, set_aside_at=now(), set_aside_reason=WITHOUT_PAGE))

    waiting = partial(store.assignments.waiting, campaign_id, stage)
    return HandInDesk(waiting, desk.confirm, desk.set_aside, keep_unseen)


def page_options(settings: Settings) -> dict[str, Any]:
    """Return the options of the task that pages are told: numbers and switches, for texts may name files here."""
    return {name: value for name, value in settings.task.options.items() if isinstance(value, bool | int | float)}
