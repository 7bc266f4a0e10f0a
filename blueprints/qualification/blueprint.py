"""The blueprint: one Mephisto assignment of one unit for each newcomer that the campaign has a place for."""

from __future__ import annotations

from collections.abc import Callable
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

BLUEPRINT_TYPE = "beat_the_ai_qualification"


@dataclass
class QualificationBlueprintArgs(BlueprintArgs):  # type: ignore[misc]  # Mephisto is untyped
    """Quiz, places and pay stand in the campaign's own configuration."""

    _blueprint_type: str = BLUEPRINT_TYPE


@dataclass
class QualificationState(ProcedureState):
    """`places()` is how many newcomers may take the screening, `taken()` how many have handed it in."""

    places: Callable[[], int] = lambda: 0
    taken: Callable[[], int] = lambda: 0

    def missing(self, unfinished: int) -> int:
        """Return how many more units are needed for the places that are left."""
        return max(0, self.places() - self.taken() - unfinished)


@register_mephisto_abstraction()
class QualificationBlueprint(Blueprint):  # type: ignore[misc]
    """Places that were taken in an earlier run get no unit any more."""

    AgentStateClass: ClassVar[type] = ProcedureAgentState
    OnboardingAgentStateClass: ClassVar[type] = ProcedureAgentState
    TaskRunnerClass: ClassVar[type] = ProcedureRunner
    TaskBuilderClass: ClassVar[type] = ProcedureTaskBuilder
    ArgsClass = QualificationBlueprintArgs
    SharedStateClass = QualificationState
    BLUEPRINT_TYPE = BLUEPRINT_TYPE

    def __init__(self, task_run: Any, args: Any, shared_state: QualificationState) -> None:
        super().__init__(task_run, args, shared_state)
        self._task_run = task_run

    @classmethod
    def assert_task_args(cls, _args: Any, shared_state: QualificationState) -> None:
        if (places := shared_state.places()) < 1:
            raise InvalidInput("places", f"places={places} was given; at least one newcomer is needed.")

    def get_initialization_data(self) -> list[InitializationData]:
        unfinished = sum(unit.db_status in AssignmentState.incomplete() for unit in self._task_run.get_units())
        return [InitializationData(shared={}, unit_data=[{}]) for _ in range(self.shared_state.missing(unfinished))]
