"""The completion codes of a study, and the actions that follow when one is entered."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from beat_the_ai.recruiter.reading import Given, Id, Line, Positive

PARTICIPANT, RESEARCHER = "participant", "researcher"
MAX_CODE_CHARACTERS = 200
# The actions that settle a submission; a code has one of them at most.
SETTLING = ("AUTOMATICALLY_APPROVE", "MANUALLY_REVIEW", "REQUEST_RETURN", "FIXED_SCREEN_OUT_PAYMENT")


class Settle(Given):
    """The submission is approved, or waits for review."""

    action: Literal["AUTOMATICALLY_APPROVE", "MANUALLY_REVIEW"]


class ChangeGroup(Given):
    """The participant joins or leaves a group."""

    action: Literal["ADD_TO_PARTICIPANT_GROUP", "REMOVE_FROM_PARTICIPANT_GROUP"]
    participant_group: Id


class RequestReturn(Given):
    """The participant is asked to return the submission."""

    action: Literal["REQUEST_RETURN"]
    return_reason: Line


class FixedScreenOut(Given):
    """The participant is paid less and makes room for another one, until all slots are used."""

    action: Literal["FIXED_SCREEN_OUT_PAYMENT"]
    fixed_screen_out_reward: Positive
    slots: Positive


Action = Annotated[Settle | ChangeGroup | RequestReturn | FixedScreenOut, Field(discriminator="action")]


class CompletionCode(Given):
    """A code, who may enter it, and its actions."""

    code: Annotated[str, Field(min_length=1, max_length=MAX_CODE_CHARACTERS)] | None
    code_type: Literal[
        "COMPLETED",
        "FAILED_ATTENTION_CHECK",
        "FOLLOW_UP_STUDY",
        "GIVE_BONUS",
        "INCOMPATIBLE_DEVICE",
        "NO_CONSENT",
        "OTHER",
        "FIXED_SCREENOUT",
        "SCREENED_IN",
        "SCREENED_OUT",
    ]
    actions: list[Action] = Field(max_length=20)
    actor: Literal["participant", "researcher"] = "participant"

    @model_validator(mode="after")
    def _settles_once(self) -> CompletionCode:
        settling = [one.action for one in self.actions if one.action in SETTLING]
        if len(settling) > 1:
            raise ValueError(f"the actions {' and '.join(settling)} cannot be used together")
        return self

    @property
    def settles(self) -> str:
        """Return the action that settles the submission; a code without one leaves it to the researcher."""
        return next((one.action for one in self.actions if one.action in SETTLING), "MANUALLY_REVIEW")

    @property
    def screen_out(self) -> FixedScreenOut | None:
        """Return the fixed payment, where the code has one."""
        return next((one for one in self.actions if isinstance(one, FixedScreenOut)), None)


def check_codes(codes: list[CompletionCode]) -> list[CompletionCode]:
    """Return the codes. Raises `ValueError` where they cannot be told apart."""
    names = [one.code for one in codes]
    if len(set(names)) < len(names):
        raise ValueError("each code must be unique within the study")
    of_participants = [one for one in codes if one.actor == PARTICIPANT]
    for one in codes:
        if one.code is None and (one.actor != PARTICIPANT or len(of_participants) > 1 or one.actions):
            raise ValueError("a code may be null only as the one code of participants, without actions")
    return codes
