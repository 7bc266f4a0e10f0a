"""The procedures of a newcomer's page: the screening desk's methods, with arguments that are checked first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from beat_the_ai.mephisto.procedures import assignment_of, text_of, worker_id
from beat_the_ai.mephisto.shim import Agent, Unit
from beat_the_ai.workforce.screening import ScreeningDesk, page_config, page_response, page_screening
from beat_the_ai.writing import page_attempt, page_standing, page_state
from blueprints.qualification.blueprint import QualificationState

Arguments = Mapping[str, Any]


def qualification_state(
    desk: ScreeningDesk, places: Callable[[], int], task_config: Mapping[str, Any]
) -> QualificationState:
    """The shared state of a qualification run for so many newcomers; `task_config` adds titles and the like."""
    pages = _NewcomerPages(desk, lambda: state.identity_verified)
    state = QualificationState(
        task_config={**page_config(desk), **task_config},
        places=places,
        taken=desk.taken,
        procedures={
            "state": pages.state,
            "respond": pages.respond,
            "submit_attempt": pages.submit_attempt,
            "retract": pages.retract,
            "flag": pages.flag,
            "explain": pages.explain,
        },
        open_unit=pages.open_unit,
        close_unit=pages.close_unit,
        choose_units=pages.choose_units,
    )
    state.work_wanted = lambda units: [{} for _ in range(state.missing(units.unfinished))]
    return state


class _NewcomerPages:
    def __init__(self, desk: ScreeningDesk, identity_verified: Callable[[], bool]) -> None:
        self._desk = desk
        self._identity_verified = identity_verified

    def choose_units(self, worker: str, units: Iterable[Unit]) -> Iterable[Unit]:
        """A worker takes the screening once, by whatever HIT."""
        self._desk.check_admission(worker, identity_verified=self._identity_verified())
        return units

    def open_unit(self, agent: Agent, registration: str) -> Mapping[str, Any]:
        worker, identity_verified = worker_id(agent.get_worker()), self._identity_verified()
        screening = self._desk.open(worker, registration, agent.state.accepted_at, identity_verified=identity_verified)
        return {"hit": screening.assignment_id}

    def close_unit(self, agent: Agent, final_data: Mapping[str, Any]) -> None:
        self._desk.finish(assignment_of(agent), str(final_data.get("feedback", "")))

    def state(self, agent: Agent, _arguments: Arguments) -> Mapping[str, Any]:
        return {"screening": self._screening(agent)}

    def respond(self, agent: Agent, arguments: Arguments) -> Mapping[str, Any]:
        key, step = text_of(arguments, "response_key"), text_of(arguments, "step")
        response, state = self._desk.respond(assignment_of(agent), key, step, arguments.get("work"))
        return {"response": page_response(self._desk, response), "screening": page_screening(self._desk, state)}

    def submit_attempt(self, agent: Agent, arguments: Arguments) -> Mapping[str, Any]:
        key, context_id = text_of(arguments, "attempt_key"), text_of(arguments, "context_id")
        work, telemetry = arguments.get("work"), arguments.get("telemetry")
        attempt, state = self._desk.submit_attempt(assignment_of(agent), key, context_id, work, telemetry)
        return {"attempt": page_attempt(attempt), "hit": page_standing(state)}

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

    def _screening(self, agent: Agent) -> dict[str, Any]:
        return page_screening(self._desk, self._desk.state(assignment_of(agent)))
