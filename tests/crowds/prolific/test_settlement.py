"""The next step about a submission, over all that can be."""

from __future__ import annotations

import itertools
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from typing import get_args

import pytest

from beat_the_ai.crowds.prolific.documents import SubmissionStatus
from beat_the_ai.crowds.prolific.offers import Work
from beat_the_ai.crowds.prolific.settlement import GRACE, REJECTIONS, RETURNS_WITHIN, next_step, rejection
from beat_the_ai.terms.rejections import MOST_CHARS, Rejection

FEEDBACK = Rejection("x" * 100, "OTHER").feedback
NOW = datetime(2026, 1, 1, tzinfo=timezone.utc)
STATUSES: tuple[SubmissionStatus, ...] = get_args(SubmissionStatus)


def work(status: str | None, *, is_paid: bool = False, submitted: timedelta = timedelta()) -> Work:
    at = NOW - submitted if status not in (None, "Accepted") else None
    assignment = None if status is None else "assignment"
    return Work("s", "W", "p", status == "Accepted", assignment, status, at, None, 200, is_paid)


@pytest.mark.parametrize("status", STATUSES)
@pytest.mark.parametrize("here", [None, "Accepted", "Submitted", "Approved", "Rejected"])
@pytest.mark.parametrize("is_paid", [False, True])
@pytest.mark.parametrize("return_asked_at", [None, NOW, NOW - RETURNS_WITHIN])
def test_money_moves_by_decisions_of_the_requester_alone(
    status: SubmissionStatus, here: str | None, is_paid: bool, return_asked_at: datetime | None
) -> None:
    one = replace(work(here, is_paid=is_paid, submitted=timedelta(hours=1)), feedback=FEEDBACK)
    step = next_step(one, status, NOW, return_asked_at=return_asked_at)
    if step in ("approve there", "note the payment", "a person decides"):
        assert (here, is_paid) == ("Approved", False)
    if step == "reject":
        assert (here, status) == ("Rejected", "AWAITING REVIEW")
    if step == "approve here":
        assert (here, status) == ("Submitted", "APPROVED")
    if step == "complete":
        assert status == "ACTIVE"
        assert here in ("Submitted", "Approved", "Rejected")
    if step == "give back here":
        assert here in (None, "Accepted")
    if step == "ask for return":
        assert (here, return_asked_at) == (None, None)


def test_every_approved_work_is_paid_or_shown_to_a_person() -> None:
    for status in set(STATUSES) - {"UNKNOWN"}:
        late = timedelta(hours=1)
        assert next_step(work("Approved", submitted=late), status, NOW, return_asked_at=None) is not None
    for status in set(STATUSES) - {"ACTIVE"}:
        assert next_step(work("Approved", is_paid=True), status, NOW, return_asked_at=None) is None


def test_a_participant_has_time_to_bring_the_code() -> None:
    for passed, step in ((GRACE - timedelta(seconds=1), None), (GRACE, "complete")):
        for here in ("Submitted", "Approved", "Rejected"):  # a decision may be faster than the participant
            assert next_step(work(here, submitted=passed), "ACTIVE", NOW, return_asked_at=None) == step


def test_a_rejection_is_sent_as_it_was_given() -> None:
    given = REJECTIONS.check("x" * 100, "NO_DATA")
    sent = {"action": "REJECT", "message": "x" * 100, "rejection_category": "NO_DATA"}
    assert rejection(given.feedback) == sent


@pytest.mark.parametrize(
    "feedback",
    [None, "", "x" * 100, f"Category: NO_DATA\n{'x' * 99}", f"Category: BAD\n{'x' * 100}", "Category: NO_DATA\n"],
)
def test_a_person_rejects_what_has_no_reason_and_category(feedback: str | None) -> None:
    assert rejection(feedback) is None
    one = replace(work("Rejected"), feedback=feedback)
    assert next_step(one, "AWAITING REVIEW", NOW, return_asked_at=None) == "a person rejects"


def test_the_longest_reason_fits_into_a_feedback() -> None:
    assert max(len(Rejection("x" * MOST_CHARS, name).feedback) for name in REJECTIONS.categories) <= 1024


def test_somebody_who_never_arrived_is_asked_once_to_return_and_judged_by_a_person_after_a_week() -> None:
    late, early = NOW - RETURNS_WITHIN, NOW - RETURNS_WITHIN + timedelta(seconds=1)
    steps = {None: "ask for return", early: None, late: "a person judges"}
    for status, asked_at in itertools.product(STATUSES, steps):
        step = next_step(None, status, NOW, return_asked_at=asked_at)
        assert step == (steps[asked_at] if status == "AWAITING REVIEW" else None)
