"""Where a campaign stands at the marketplace, and how to end it there. Needs no operator and no Mephisto database."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from beat_the_ai.requester import Label, Requester

UNFINISHED = ("Assignable", "Unassignable")


@dataclass(frozen=True)
class Submission:
    """An assignment that was submitted. `status` is Submitted, Approved or Rejected; `answer` is the form as XML."""

    assignment_id: str
    worker_id: str
    status: str
    submitted_at: datetime
    auto_approval_at: datetime
    answer: str

    @property
    def registration(self) -> str:
        """By which the store knows the assignment."""
        return f"{self.assignment_id}-{self.worker_id}"


@dataclass(frozen=True)
class OfferedHit:
    """One HIT of the campaign, for one worker. `submissions` are those that were asked for."""

    id: str
    label: Label
    status: str
    pending: int
    available: int
    decided: int
    expires_at: datetime
    submissions: tuple[Submission, ...] = ()

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
        """HITs by state, and what was decided by how: `approved` and `rejected` where the submissions were read."""
        states = Counter({"open": 0, "accepted": 0, "submitted": 0, "decided": 0, "expired": 0})
        states.update(hit.state for hit in self.hits)
        states.update(one.status.lower() for one in self.submissions() if one.status != "Submitted")
        return dict(states)

    def submissions(self) -> list[Submission]:
        return [submission for hit in self.hits for submission in hit.submissions]


def survey(requester: Requester, campaign: str, *, decided: bool = False) -> Survey:
    """Submissions that wait for a decision are read, one request for each of their HITs; `decided`: all others too."""
    return Survey(tuple(_offered(requester, label, hit, decided) for label, hit in requester.hits_of(campaign)))


def _offered(requester: Requester, label: Label, hit: dict[str, Any], decided: bool) -> OfferedHit:
    offered = as_offered(label, hit)
    if offered.state == "submitted" or (decided and offered.state == "decided"):
        return OfferedHit(**{**vars(offered), "submissions": tuple(submissions_to(requester, offered.id))})
    return offered


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
    return [_submission(found) for found in requester.assignments(hit_id)]


def _submission(found: dict[str, Any]) -> Submission:
    return Submission(
        assignment_id=found["AssignmentId"],
        worker_id=found["WorkerId"],
        status=found["AssignmentStatus"],
        submitted_at=found["SubmitTime"],
        auto_approval_at=found["AutoApprovalTime"],
        answer=found.get("Answer", ""),
    )


def expire_all(requester: Requester, campaign: str, run: str | None = None) -> list[str]:
    """Take every HIT off the market that could still be accepted, now or after a return. Returns their ids."""
    ids = []
    for label, hit in requester.hits_of(campaign):
        if hit["HITStatus"] in UNFINISHED and run in (None, label.run):
            requester.expire(hit["HITId"])
            ids.append(hit["HITId"])
    return ids


def delete_all(requester: Requester, campaign: str) -> list[str]:
    """Delete the HITs that are over and decided. Returns the ids of those that are not."""
    hits = [hit["HITId"] for _, hit in requester.hits_of(campaign)]  # read first: deleting moves the pages
    return [hit_id for hit_id in hits if not requester.delete(hit_id)]
