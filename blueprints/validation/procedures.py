"""The procedures of a validator's page: the desk's methods, with arguments that are checked before anything else."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping
from typing import Any

from beat_the_ai.mephisto.procedures import ProcedureState, UnitsAtHand, assignment_of, text_of, worker_id
from beat_the_ai.mephisto.shim import Agent, Unit
from beat_the_ai.terms.validation import ValidationTerms
from beat_the_ai.validation import ValidationDesk, page_material, page_validation

Arguments = Mapping[str, Any]


def validation_state(desk: ValidationDesk, task_config: Mapping[str, Any]) -> ProcedureState:
    """The shared state of a validation run: procedures on `desk`, what every page is told besides."""
    pages = _ValidatorPages(desk)
    return ProcedureState(
        task_config={**_shown(desk.terms), **task_config},
        procedures={"state": pages.state, "reveal": pages.reveal, "vote": pages.vote},
        open_unit=pages.open_unit,
        close_unit=pages.close_unit,
        abandon_unit=pages.abandon_unit,
        choose_units=pages.choose_units,
        work_wanted=pages.work_wanted,
    )


def _shown(terms: ValidationTerms) -> dict[str, Any]:
    """The terms as workers see them: gold is among the works, and how much there is of it is our business."""
    return {
        "works_per_hit": terms.works_per_hit + terms.gold_per_hit,
        "reward_cents": terms.reward_cents,
        "time_limit_seconds": terms.time_limit_seconds,
    }


class _ValidatorPages:
    def __init__(self, desk: ValidationDesk) -> None:
        self._desk = desk

    def choose_units(self, worker: str, units: Iterable[Unit]) -> Iterable[Unit]:
        """Units are all alike: a worker may have any of them, or none when there is no work for this worker."""
        return units if self._desk.has_work(worker) else []

    def work_wanted(self, units: UnitsAtHand) -> list[dict[str, str]]:
        """Yield the wanted units. The works of a unit are drawn when a worker takes it; the store knows it by `hit`."""
        waiting = units.waiting  # read first: one that is taken meanwhile is wanted no more
        return [{"hit": uuid.uuid4().hex} for _ in range(self._desk.hits_wanted() - waiting)]

    def open_unit(self, agent: Agent, registration: str) -> Mapping[str, Any]:
        hit = str(agent.get_unit().get_assignment().get_assignment_data().shared["hit"])
        assignment = self._desk.accept(hit, worker_id(agent.get_worker()), registration, agent.state.accepted_at)
        return page_material(self._desk, assignment.id)

    def close_unit(self, agent: Agent, final_data: Mapping[str, Any]) -> None:
        self._desk.finish(assignment_of(agent), str(final_data.get("feedback", "")))

    def abandon_unit(self, agent: Agent) -> None:
        if agent.state.page is not None:
            self._desk.release(assignment_of(agent))

    def state(self, agent: Agent, _arguments: Arguments) -> Mapping[str, Any]:
        return {"hit": page_validation(self._desk.state(assignment_of(agent)))}

    def reveal(self, agent: Agent, arguments: Arguments) -> Mapping[str, Any]:
        item = text_of(arguments, "item_id")
        return {"revealed": self._desk.reveal(assignment_of(agent), item, arguments.get("steps"))}

    def vote(self, agent: Agent, arguments: Arguments) -> Mapping[str, Any]:
        item, key = text_of(arguments, "item_id"), text_of(arguments, "vote_key")
        return {"hit": page_validation(self._desk.vote(assignment_of(agent), item, key, arguments.get("vote")))}
