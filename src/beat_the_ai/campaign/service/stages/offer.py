"""The offer of any stage, by the blueprints that the task's `run.py` names."""

from __future__ import annotations

from collections.abc import Callable

from beat_the_ai.campaign.service.stages.preparation import Offer, Preparation
from beat_the_ai.campaign.service.stages.screening import offer_screening
from beat_the_ai.campaign.service.stages.validation import offer_validation
from beat_the_ai.campaign.service.stages.writing import offer_writing
from beat_the_ai.errors import InvalidInput
from beat_the_ai.rules.stage import Stage

NAMES_OF_STAGE = {  # in a task's run.py
    Stage.SCREENING: ("QUALIFICATION_BLUEPRINT_TYPE", "qualification_state"),
    Stage.WRITING: ("BLUEPRINT_TYPE", "writing_state"),
    Stage.VALIDATION: ("VALIDATION_BLUEPRINT_TYPE", "validation_state"),
}
OFFERS: dict[Stage, Callable[[Preparation], Offer]] = {
    Stage.SCREENING: offer_screening,
    Stage.WRITING: offer_writing,
    Stage.VALIDATION: offer_validation,
}


def offer_of(stage: Stage, preparation: Preparation) -> Offer:
    """Return the offer of a stage. Raises `InvalidInput` for a stage that the task does not have."""
    missing = [name for name in NAMES_OF_STAGE[stage] if not hasattr(preparation.task, name)]
    if missing:
        raise InvalidInput(
            "TASK_DIR", f"The task's run.py has no {' and no '.join(missing)}: it says nothing of {stage.value}."
        )
    return OFFERS[stage](preparation)
