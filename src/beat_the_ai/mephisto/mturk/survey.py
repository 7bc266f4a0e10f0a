"""The progress of a campaign at the marketplace, and its end there. Needs no operator and no Mephisto database."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from beat_the_ai.requester import Label, Requester

UNFINISHED = ("Assignable", "Unassignable")


@dataclass(frozen=True)
class Submission:
    """An assignment that was submitted."""

    assignment_id: str
    worker_id: str
    submitted_at: datetime

    @property
    def registration(self) -> str:
        """Return the registration by which the store knows the assignment."""
        return f"{self.assignment_id}-{self.worker_id}"


@dataclass(frozen=True)
class OfferedHit:
    """One HIT of the campaign, for one worker."""

    id: str
    label: Label
    status: str
    pending: int
    available: int
    decided: int
    expires_at: datetime

    @property
    def state(self) -> str:
        """open, accepted, submitted (waits for a decision), decided, or expired (nobody has done it)."""
        if self.status == "Assignable":
            return "open"
        if self.pending:
            return "accepted"
        if self.available:
            return "expired"
        return "decided" if self.decided else "submitted"


@dataclass(frozen=True)
class Survey:
    """All HITs of a campaign, of every run."""

    hits: tuple[OfferedHit, ...]

    def counts(self) -> dict[str, int]:
        """HITs by state."""
        states = Counter({"open": 0, "accepted": 0, "submitted": 0, "decided": 0, "expired": 0})
        states.update(hit.state for hit in self.hits)
        return dict(states)


def survey(requester: Requester, campaign: str) -> Survey:
    return surveys(requester, [campaign])[campaign]


def surveys(requester: Requester, campaigns: Collection[str]) -> dict[str, Survey]:
    """Return the survey of each of these campaigns. All HITs of the account are listed once."""
    found: dict[str, list[OfferedHit]] = {campaign: [] for campaign in campaigns}
    for label, hit in requester.labelled_hits():
        if label.campaign in found:
            found[label.campaign].append(as_offered(label, hit))
    return {campaign: Survey(tuple(hits)) for campaign, hits in found.items()}


def as_offered(label: Label, hit: dict[str, Any]) -> OfferedHit:
    return OfferedHit(
        id=hit["HITId"],
        label=label,
        status=hit["HITStatus"],
        pending=hit["NumberOfAssignmentsPending"],
        available=hit["NumberOfAssignmentsAvailable"],
        decided=hit["NumberOfAssignmentsCompleted"],
        expires_at=hit["Expiration"],
    )


def submissions_to(requester: Requester, hit_id: str) -> list[Submission]:
    return [
        Submission(found["AssignmentId"], found["WorkerId"], found["SubmitTime"])
        for found in requester.assignments(hit_id)
    ]


def expire_all(requester: Requester, campaign: str, run: str | None = None) -> list[str]:
    """Take every HIT off the market that could still be accepted, now or after a return. Returns their ids."""
    ids = []
    for label, hit in requester.labelled_hits():
        if label.campaign == campaign and hit["HITStatus"] in UNFINISHED and run in (None, label.run):
            requester.expire(hit["HITId"])
            ids.append(hit["HITId"])
    return ids
