"""Close a stage for good: nobody gets a HIT of it any more, and whoever has one finishes it."""

from __future__ import annotations

from typing import ClassVar

from pydantic import BaseModel, ConfigDict

from beat_the_ai.campaign.acts.act import Actor, Place, Report
from beat_the_ai.campaign.acts.stage_costs import was_launched
from beat_the_ai.campaign.acts.terms import present
from beat_the_ai.campaign.settings.partition import WHOLE
from beat_the_ai.campaign.settings.planned_round import PlannedRound
from beat_the_ai.errors import InvalidInput, Refused
from beat_the_ai.rules.stage import Stage
from beat_the_ai.terms.campaign import sample_campaign_id

VALIDATION_ENDS = "Validation ends by itself when all votes are in; Ctrl-C stops it."


class CloseStage(BaseModel):
    """Close the screening, or the writing of the current round."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    action: ClassVar[str] = "close_stage"

    stage: Stage = Stage.WRITING

    def estimate(self, place: Place) -> None:
        """Return None: this costs nothing. Raises `InvalidInput` and `Refused` unless the stage can be closed."""
        if self.stage is Stage.VALIDATION:
            raise InvalidInput("stage", VALIDATION_ENDS)
        _, settings = present(place)
        if not was_launched(PlannedRound(place.store, settings), self.stage, WHOLE):
            raise Refused(never_launched(self.stage, settings.name))

    def do(self, place: Place, actor: Actor, agreed_cents: int | None = None) -> Report:
        self.estimate(place)
        samples = sample_campaign_id(place.campaign_id)
        closed = samples if self.stage is Stage.SCREENING else place.campaign_id
        deed = actor.deed(self.action, place.campaign_id, self.stage.value)
        has_changed = place.store.acts.close(closed, deed)
        told = f"The {self.stage.value} is closed{'' if has_changed else ' already'}: nobody gets a HIT of it any more."
        return Report(has_changed=has_changed, told=told)


def never_launched(stage: Stage, campaign_id: str) -> str:
    """Say that a stage can neither be resumed nor stopped."""
    return (
        f"The {stage.value} of campaign {campaign_id!r} was never launched: there is nothing to resume or to "
        "stop. Launch it without --resume; `launch` shows what it may cost and asks first."
    )
