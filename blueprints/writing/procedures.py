"""The procedures of a writer's page: the desk's methods, with arguments that are checked before anything else."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any

from beat_the_ai.errors import UnknownName
from beat_the_ai.mephisto.procedures import Procedure, UnitsAtHand, assignment_of, text_of, worker_id
from beat_the_ai.mephisto.shim import Agent, Unit
from beat_the_ai.rules.protocol import TaskItem
from beat_the_ai.writing import (
    ArmPage,
    HintDesk,
    OpenHits,
    SuggestionDesk,
    WritingDesk,
    page_attempt,
    page_standing,
    page_state,
    page_suggestions,
    page_task,
)
from blueprints.writing.blueprint import WritingState, hit_of

Arguments = Mapping[str, Any]
LookUp = Callable[[str, TaskItem], Mapping[str, Any]]


def writing_state(
    desk: WritingDesk,
    offer: OpenHits,
    task_config: Mapping[str, Any],
    hints: HintDesk | None = None,
    look_up: LookUp | None = None,
    arms: Mapping[str, ArmPage] = MappingProxyType({}),
    suggestions: SuggestionDesk | None = None,
) -> WritingState:
    """The shared state of a writing run: procedures on `desk`, the HITs on offer, what every page is told.

    With `hints` pages may ask what the model says of a draft, and for all drafts so far; with `look_up`, what of the
    context a text may mean. The pages of writers in `arms` are told what differs for them. Where an arm has any, pages
    may ask for `suggestions`.
    """
    pages = _WriterPages(desk, arms)
    return WritingState(
        task_config=dict(task_config),
        hits=offer.hits,
        handed_in=offer.handed_in,
        work_wanted=partial(_work_wanted, offer),
        procedures={
            "state": pages.state,
            "submit_attempt": pages.submit_attempt,
            "retract": pages.retract,
            "flag": pages.flag,
            "explain": pages.explain,
            **({} if hints is None else {"edits": partial(_edits, hints)}),
            **({} if suggestions is None else _suggesting(suggestions)),
        },
        latest={
            **({} if hints is None else {"hint": partial(_hint, hints)}),
            **({} if look_up is None else {"look_up": partial(_look_up, desk, look_up)}),
        },
        open_unit=pages.open_unit,
        close_unit=pages.close_unit,
        choose_units=pages.choose_units,
    )


def _work_wanted(offer: OpenHits, units: UnitsAtHand) -> list[dict[str, str]]:
    """Contexts that are offered again, and HITs whose hand-in was set aside, or had nothing tried in it."""
    offer.renew()
    unfinished = units.unfinished
    if len(offer.open()) <= unfinished:
        return []
    at_hand = units.hits()
    open_hits = offer.open()  # read last: what was handed in meanwhile is not at hand any more, and not open either
    return [{"hit": hit} for hit in offer.hits() if hit in open_hits and hit not in at_hand]


def _hint(hints: HintDesk, agent: Agent, arguments: Arguments) -> Mapping[str, Any]:
    key, context_id, cause = (text_of(arguments, name) for name in ("edit_key", "context_id", "cause"))
    return {"hint": hints.hint(assignment_of(agent), key, context_id, arguments.get("draft"), cause)}


def _edits(hints: HintDesk, agent: Agent, arguments: Arguments) -> Mapping[str, Any]:
    return hints.edits(assignment_of(agent), arguments.get("after"))


def _suggesting(suggestions: SuggestionDesk) -> Mapping[str, Procedure]:
    def show(agent: Agent, arguments: Arguments) -> Mapping[str, Any]:
        return page_suggestions(suggestions.show(assignment_of(agent), arguments.get("ordinal")))

    def take(agent: Agent, arguments: Arguments) -> Mapping[str, Any]:
        suggestions.take(assignment_of(agent), arguments.get("ordinal"))
        return {}

    return {"suggestions": show, "take_suggestion": take}


def _look_up(desk: WritingDesk, look_up: LookUp, agent: Agent, arguments: Arguments) -> Mapping[str, Any]:
    return dict(look_up(text_of(arguments, "text"), desk.task_item(assignment_of(agent))))


class _WriterPages:
    def __init__(self, desk: WritingDesk, arms: Mapping[str, ArmPage]) -> None:
        self._desk = desk
        self._arms = arms
        self._hits: dict[str, str] = {}
        self._contexts: dict[str, tuple[str, str]] = {}  # by HIT

    def choose_units(self, worker: str, units: Iterable[Unit]) -> Iterable[Unit]:
        """A worker gets a context once, whatever the number of its HITs."""
        had = {None, *self._desk.store.attempts.contexts_had_by(worker)}
        mine = (unit for unit in units if self._context(self._hit(unit)) not in had)
        if self._desk.order is None:
            return mine
        by_hit: dict[str, list[Unit]] = {}
        for unit in mine:
            by_hit.setdefault(self._hit(unit), []).append(unit)
        return [unit for hit in self._desk.order(worker, list(by_hit)) for unit in by_hit[hit]]

    def _hit(self, unit: Unit) -> str:
        if unit.db_id not in self._hits:
            self._hits[unit.db_id] = hit_of(unit.get_assignment().get_assignment_data().shared)
        return self._hits[unit.db_id]

    def _context(self, hit: str) -> tuple[str, str] | None:
        """Return the context of a HIT, by campaign and name; None for a HIT that the store does not know."""
        if hit not in self._contexts:
            try:
                self._contexts[hit] = self._desk.context_of(hit)
            except UnknownName:
                return None
        return self._contexts[hit]

    def open_unit(self, agent: Agent, registration: str) -> Mapping[str, Any]:
        worker = worker_id(agent.get_worker())
        assignment, hit = self._desk.accept(self._hit(agent.get_unit()), worker, registration, agent.state.accepted_at)
        arm = None if assignment.arm is None else self._arms[assignment.arm]
        return page_task(assignment.id, hit, self._desk.writing, arm)

    def close_unit(self, agent: Agent, final_data: Mapping[str, Any]) -> None:
        self._desk.finish(assignment_of(agent), str(final_data.get("feedback", "")))

    def state(self, agent: Agent, _arguments: Arguments) -> Mapping[str, Any]:
        return {"hit": page_state(self._desk.state(assignment_of(agent)))}

    def submit_attempt(self, agent: Agent, arguments: Arguments) -> Mapping[str, Any]:
        key, context_id = text_of(arguments, "attempt_key"), text_of(arguments, "context_id")
        work, telemetry = arguments.get("work"), arguments.get("telemetry")
        appeal = text_of(arguments, "appeal") if arguments.get("appeal") is not None else None
        attempt, state = self._desk.submit(assignment_of(agent), key, context_id, work, telemetry, appeal)
        return {"attempt": page_attempt(attempt, shows_model=state.shows_model), "hit": page_standing(state)}

    def retract(self, agent: Agent, arguments: Arguments) -> Mapping[str, Any]:
        return {"hit": page_state(self._desk.retract(assignment_of(agent), text_of(arguments, "attempt_id")))}

    def flag(self, agent: Agent, arguments: Arguments) -> Mapping[str, Any]:
        reason, note = text_of(arguments, "reason"), text_of(arguments, "note")
        return {
            "hit": page_state(self._desk.flag(assignment_of(agent), text_of(arguments, "attempt_id"), reason, note))
        }

    def explain(self, agent: Agent, arguments: Arguments) -> Mapping[str, Any]:
        attempt_id, explanation = text_of(arguments, "attempt_id"), arguments.get("explanation")
        return {"hit": page_state(self._desk.explain(assignment_of(agent), attempt_id, explanation))}
