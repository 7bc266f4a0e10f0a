"""The records that Prolific's API answers, with the fields that are read.

Source: its OpenAPI 3.1 document, which the contract tests hold these against. Amounts are in cents of the currency.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timezone
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict

SubmissionStatus = Literal[
    "RESERVED",
    "ACTIVE",
    "TIMED-OUT",
    "AWAITING REVIEW",
    "APPROVED",
    "PARTIALLY APPROVED",
    "RETURNED",
    "REJECTED",
    "SCREENED OUT",
    "UNKNOWN",
]
StudyStatus = Literal["UNPUBLISHED", "SCHEDULED", "PUBLISHING", "ACTIVE", "AWAITING REVIEW", "PAUSED", "COMPLETED"]
StudyAction = Literal["PUBLISH", "PAUSE", "START", "STOP"]
FREE_AGAIN: tuple[SubmissionStatus, ...] = ("TIMED-OUT", "RETURNED", "REJECTED")  # the place goes to somebody else
UNDER_WAY: tuple[SubmissionStatus, ...] = ("RESERVED", "ACTIVE")


def _in_utc(at: datetime) -> datetime:
    return at if at.tzinfo is not None else at.replace(tzinfo=timezone.utc)


Utc = Annotated[datetime, AfterValidator(_in_utc)]


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True)


class StudyRecord(_Record):
    """A study."""

    id: str
    status: StudyStatus
    total_available_places: int


class ListedStudy(_Record):
    """A study, as it is listed."""

    id: str
    internal_name: str | None = None


class ListedSubmission(_Record):
    """A participant's place in a study, as it is listed."""

    id: str
    participant_id: str
    status: SubmissionStatus
    return_requested: Utc | None = None


class SubmissionRecord(_Record):
    """A participant's place in a study. `bonus_payments` are those that were really paid."""

    id: str
    participant: str | None = None
    study_id: str
    status: SubmissionStatus
    bonus_payments: tuple[float, ...] = ()

    @property
    def bonus_cents(self) -> list[int]:
        return [round(cents) for cents in self.bonus_payments]


class BonusBatch(_Record):
    """A set of bonuses that can be paid, and is not yet."""

    id: str


class CalculatedCost(_Record):
    """The cost of a study that is planned, with fees and VAT."""

    total_cost: float


class WorkspaceBalance(_Record):
    """The money of a workspace, with which studies can be published."""

    currency_code: str | None = None
    available_balance: int = 0


class GroupRecord(_Record):
    """A group of participants."""

    id: str
    name: str | None = None


class GroupMember(_Record):
    """A participant in a group."""

    participant_id: str


class HookSecret(_Record):
    """The secret with which a workspace's notifications are signed."""

    value: str


class Subscription(_Record):
    """A subscription to notifications."""

    id: str
    event_type: str
    target_url: str


Json = Mapping[str, Any]
