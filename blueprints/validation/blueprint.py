"""The blueprint: it creates no units at the start; the operator's feed adds them while there are works to check."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from beat_the_ai.mephisto.procedures import ProcedureAgentState, ProcedureRunner, ProcedureState, ProcedureTaskBuilder
from beat_the_ai.mephisto.shim import Blueprint, BlueprintArgs, InitializationData, register_mephisto_abstraction

BLUEPRINT_TYPE = "beat_the_ai_validation"


@dataclass
class ValidationBlueprintArgs(BlueprintArgs):  # type: ignore[misc]  # Mephisto is untyped
    """Everything else that a validation task needs stands in its own configuration and in the engine's store."""

    _blueprint_type: str = BLUEPRINT_TYPE


@register_mephisto_abstraction()
class ValidationBlueprint(Blueprint):  # type: ignore[misc]
    AgentStateClass: ClassVar[type] = ProcedureAgentState
    OnboardingAgentStateClass: ClassVar[type] = ProcedureAgentState
    TaskRunnerClass: ClassVar[type] = ProcedureRunner
    TaskBuilderClass: ClassVar[type] = ProcedureTaskBuilder
    ArgsClass = ValidationBlueprintArgs
    SharedStateClass = ProcedureState
    BLUEPRINT_TYPE = BLUEPRINT_TYPE

    @classmethod
    def assert_task_args(cls, _args: Any, _shared_state: ProcedureState) -> None:
        """Nothing to check: writing may begin after validation."""

    def get_initialization_data(self) -> list[InitializationData]:
        return []
