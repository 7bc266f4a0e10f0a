"""The settlement of submissions: each follows the assignment here, and an assignment follows a lost place there."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Literal

from beat_the_ai.crowds.prolific.documents import FREE_AGAIN, Json, SubmissionStatus
from beat_the_ai.crowds.prolific.offers import Work
from beat_the_ai.terms.rejections import Rejection, RejectionTerms

Step = Literal[
    "approve there",
    "approve here",
    "complete",
    "reject",
    "a person rejects",
    "a person judges",
    "give back here",
    "ask for return",
    "note the payment",
    "a person decides",
]
WHEN_APPROVED: dict[SubmissionStatus, Step] = {
    "AWAITING REVIEW": "approve there",
    "TIMED-OUT": "approve there",
    "REJECTED": "a person decides",  # a rejection is final there
    "APPROVED": "note the payment",
    "RESERVED": "a person decides",
    "RETURNED": "a person decides",
    "SCREENED OUT": "a person decides",
    "PARTIALLY APPROVED": "a person decides",
}
GRACE = timedelta(minutes=2)  # for a participant to bring the code
RETURNS_WITHIN = timedelta(days=7)  # a participant who was asked to; a code without work proves nothing either way
# Source: `SubmissionTransition` in Prolific's OpenAPI document; its names, and words for them.
REJECTIONS = RejectionTerms(
    min_chars=100,
    categories={
        "TOO_QUICKLY": "done too quickly",
        "TOO_SLOWLY": "done too slowly",
        "FAILED_INSTRUCTIONS": "instructions not followed",
        "INCOMP_LONGITUDINAL": "a part of a longitudinal study is missing",
        "FAILED_CHECK": "a check failed",
        "LOW_EFFORT": "low effort",
        "MALINGERING": "answers made up",
        "NO_CODE": "no completion code",
        "BAD_CODE": "a wrong completion code",
        "NO_DATA": "nothing was submitted",
        "UNSUPP_DEVICE": "a device that is not supported",
        "OTHER": "another reason",
    },
)
NO_WORK_REASON = "No task was submitted with this submission."


def next_step(
    work: Work | None, status: SubmissionStatus, now: datetime, *, return_asked_at: datetime | None
) -> Step | None:
    """Return what has to be done next about a submission; None if nothing has.

    `work` is None for somebody who never arrived.
    """
    if work is None or work.status is None:
        if status == "AWAITING REVIEW":
            if return_asked_at is None:
                return "ask for return"
            return "a person judges" if now >= return_asked_at + RETURNS_WITHIN else None
        return "give back here" if work is not None and work.is_open and status in FREE_AGAIN else None
    if work.status == "Accepted":
        return "give back here" if status in FREE_AGAIN else None
    assert work.submitted_at is not None
    if status == "ACTIVE":
        return "complete" if now >= work.submitted_at + GRACE else None
    if work.status == "Submitted":
        return "approve here" if status == "APPROVED" else None
    if work.status == "Rejected":
        if status != "AWAITING REVIEW":
            return None
        return "a person rejects" if rejection(work.feedback) is None else "reject"
    return None if work.is_paid else WHEN_APPROVED.get(status)


def rejection(feedback: str | None) -> Json | None:
    """Return a rejection as it was given; None for one that Prolific does not take."""
    given = Rejection.read(feedback)
    if given is None or not REJECTIONS.takes(given):
        return None
    return {"action": "REJECT", "message": given.reason, "rejection_category": given.category}
