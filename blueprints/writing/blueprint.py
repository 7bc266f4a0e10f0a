"""The blueprint: one Mephisto assignment of one unit for each HIT that the campaign offers."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from beat_the_ai.errors import InvalidInput
from beat_the_ai.mephisto.procedures import ProcedureAgentState, ProcedureRunner, ProcedureState, ProcedureTaskBuilder
from beat_the_ai.mephisto.shim import (
    AssignmentState,
    Blueprint,
    BlueprintArgs,
    InitializationData,
    register_mephisto_abstraction,
)

BLUEPRINT_TYPE = "beat_the_ai_writing"


@dataclass
class WritingBlueprintArgs(BlueprintArgs):  # type: ignore[misc]  # Mephisto is untyped
    """Everything else that a writing task needs stands in its own configuration and in the engine's store."""

    _blueprint_type: str = BLUEPRINT_TYPE


@dataclass
class WritingState(ProcedureState):
    """`hits()` maps the HITs on offer to their contexts, in the order in which workers get them.

    `handed_in()` gives the HITs that need nobody at the moment.
    """

    hits: Callable[[], Mapping[str, str]] = dict
    handed_in: Callable[[], set[str]] = set

    def missing(self, at_hand: Collection[str]) -> list[str]:
        """The HITs that need a unit, beside those that have one."""
        done = self.handed_in()
        return [hit for hit in self.hits() if hit not in done and hit not in at_hand]


@register_mephisto_abstraction()
class WritingBlueprint(Blueprint):  # type: ignore[misc]
    """HITs that have a unit, or were submitted in an earlier run, get none."""

    AgentStateClass: ClassVar[type] = ProcedureAgentState
    OnboardingAgentStateClass: ClassVar[type] = ProcedureAgentState
    TaskRunnerClass: ClassVar[type] = ProcedureRunner
    TaskBuilderClass: ClassVar[type] = ProcedureTaskBuilder
    ArgsClass = WritingBlueprintArgs
    SharedStateClass = WritingState
    BLUEPRINT_TYPE = BLUEPRINT_TYPE

    def __init__(self, task_run: Any, args: Any, shared_state: WritingState) -> None:
        super().__init__(task_run, args, shared_state)
        self._task_run = task_run

    @classmethod
    def assert_task_args(cls, _args: Any, shared_state: WritingState) -> None:
        if not shared_state.hits():
            raise InvalidInput("contexts", "There is no HIT to launch: the campaign offers no contexts.")

    def get_initialization_data(self) -> list[InitializationData]:
        units = [unit for unit in self._task_run.get_units() if unit.db_status in AssignmentState.incomplete()]
        created = {hit_of(unit.get_assignment().get_assignment_data().shared) for unit in units}
        return [InitializationData(shared={"hit": hit}, unit_data=[{}]) for hit in self.shared_state.missing(created)]


def hit_of(shared: Mapping[str, Any]) -> str:
    """The engine's HIT behind a Mephisto assignment."""
    return str(shared["hit"])
