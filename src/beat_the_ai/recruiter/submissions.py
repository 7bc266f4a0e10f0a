"""Submissions and their states.

RESERVED ─opened─> ACTIVE ─a code─> AWAITING REVIEW ─> APPROVED | REJECTED, or at once APPROVED or SCREENED OUT
RESERVED, ACTIVE, AWAITING REVIEW ─given back─> RETURNED      a reservation that nobody opened in ten minutes, too
ACTIVE ─too late─> TIMED-OUT

A returned, rejected, timed-out or screened-out submission frees its place.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa

from beat_the_ai.marketplace.moment import Moment
from beat_the_ai.recruiter import events, groups, messages, payments, studies
from beat_the_ai.recruiter.completion_codes import MAX_CODE_CHARACTERS, PARTICIPANT, CompletionCode, RequestReturn
from beat_the_ai.recruiter.errors import NotThere, WrongState
from beat_the_ai.recruiter.identifiers import new_id
from beat_the_ai.recruiter.studies import TAKING, Study
from beat_the_ai.recruiter.tables import submissions

RESERVED_FOR = timedelta(minutes=10)
NO_CODE = "NOCODE"
STATUSES = (
    "RESERVED",
    "ACTIVE",
    "TIMED-OUT",
    "AWAITING REVIEW",
    "APPROVED",
    "RETURNED",
    "REJECTED",
    "SCREENED OUT",
)


@dataclass(frozen=True)
class Submission:
    """A row of `submissions`."""

    number: int
    id: str
    study_id: str
    participant_id: str
    status: str
    reserved_at: datetime
    started_at: datetime | None
    deadline: datetime | None
    completed_at: datetime | None
    entered_code: str | None
    return_requested: datetime | None
    rejection_category: str | None
    rejection_message: str | None

    @property
    def earner(self) -> payments.Earner:
        return payments.Earner(self.id, self.study_id, self.participant_id)


def get(moment: Moment, submission_id: str) -> Submission:
    """Return a submission. Raises `NotThere`."""
    row = moment.connection.execute(sa.select(submissions).filter_by(id=submission_id)).one_or_none()
    if row is None:
        raise NotThere("submission", submission_id)
    return Submission(**row._mapping)


def of_study(moment: Moment, study_id: str) -> list[Submission]:
    """Return the submissions of a study, the oldest first."""
    query = sa.select(submissions).filter_by(study_id=study_id).order_by(submissions.c.number)
    return [Submission(**row._mapping) for row in moment.connection.execute(query)]


def of_participant(moment: Moment, participant_id: str) -> list[Submission]:
    """Return the submissions of a participant, the newest first."""
    query = sa.select(submissions).filter_by(participant_id=participant_id).order_by(submissions.c.number.desc())
    return [Submission(**row._mapping) for row in moment.connection.execute(query)]


def reserve(moment: Moment, study: Study, participant_id: str) -> Submission:
    """Take a place for a participant, who may take it."""
    identifier = new_id()
    row = {
        "id": identifier,
        "study_id": study.id,
        "participant_id": participant_id,
        "status": "RESERVED",
        "reserved_at": moment.now,
        "deadline": moment.now + RESERVED_FOR,
    }
    moment.connection.execute(sa.insert(submissions).values(row))
    events.submission_changed(moment, identifier, "RESERVED", study.id, participant_id)
    return get(moment, identifier)


def start(moment: Moment, one: Submission) -> Submission:
    """Open the study, once or again. Raises `WrongState`."""
    if one.status == "RESERVED":
        minutes = studies.get(moment, one.study_id).document.minutes_allowed
        deadline = moment.now + timedelta(minutes=minutes)
        return _move(moment, one, "ACTIVE", started_at=moment.now, deadline=deadline)
    _check(one, ("ACTIVE",), "open its study")
    return one


def enter_code(moment: Moment, one: Submission, entered: str) -> Submission:
    """Complete a submission with what its participant has entered. Raises `WrongState`.

    A code that is not the participants' is kept, and the submission waits for the researcher to look at it.
    """
    entered = entered.strip()[:MAX_CODE_CHARACTERS] or NO_CODE
    if one.status not in TAKING and one.entered_code == entered:
        return one
    _check(one, ("ACTIVE",), "complete it")
    study = studies.get(moment, one.study_id)
    code = study.code(entered, PARTICIPANT) or (study.code(None, PARTICIPANT) if entered == NO_CODE else None)
    return complete(moment, one, study, code, entered)


def complete(
    moment: Moment, one: Submission, study: Study, code: CompletionCode | None, entered: str | None
) -> Submission:
    """Complete a submission and carry out the code's actions; without a code it awaits review."""
    at = one.completed_at or moment.now
    done = _move(moment, one, "AWAITING REVIEW", completed_at=at, entered_code=entered, deadline=None, settles=False)
    if code is None:
        studies.settle(moment, study.id)
        return done
    for action in code.actions:
        if action.action == "ADD_TO_PARTICIPANT_GROUP":
            groups.join(moment, action.participant_group, [one.participant_id])
        elif action.action == "REMOVE_FROM_PARTICIPANT_GROUP":
            groups.leave(moment, action.participant_group, [one.participant_id])
        elif isinstance(action, RequestReturn):
            request_return(moment, done, [action.return_reason])
    if code.settles == "AUTOMATICALLY_APPROVE":
        return approve(moment, done)
    if code.screen_out is not None:
        return _screen_out(moment, done, code)
    studies.settle(moment, study.id)
    return get(moment, one.id)


def approve(moment: Moment, one: Submission) -> Submission:
    """Approve and pay it, once. Raises `WrongState`."""
    if one.status == "APPROVED":
        return one
    _check(one, ("AWAITING REVIEW",), "approve it")
    reward = studies.get(moment, one.study_id).document.reward
    payments.pay(moment, payments.REWARD, one.earner, reward)
    return _move(moment, one, "APPROVED")


def reject(moment: Moment, one: Submission, category: str, message: str) -> Submission:
    """Reject it; its place is free again. Raises `WrongState`."""
    if one.status == "REJECTED":
        return one
    _check(one, ("AWAITING REVIEW",), "reject it")
    return _move(moment, one, "REJECTED", rejection_category=category, rejection_message=message)


def give_back(moment: Moment, one: Submission) -> Submission:
    """Return it; its place is free again. Raises `WrongState`."""
    if one.status == "RETURNED":
        return one
    _check(one, (*TAKING, "AWAITING REVIEW"), "return it")
    return _move(moment, one, "RETURNED", deadline=None)


def request_return(moment: Moment, one: Submission, reasons: list[str]) -> Submission:
    """Ask the participant to return it; asked again, it is the first request that counts. Raises `WrongState`."""
    _check(one, (*TAKING, "AWAITING REVIEW"), "ask for its return")
    if one.return_requested is None:
        body = "The researcher asks you to return your submission: " + "; ".join(reasons)
        messages.send(moment, one.participant_id, body, one.study_id)
        _update(moment, one, return_requested=moment.now)
    return get(moment, one.id)


def end(moment: Moment, submission_id: str) -> None:
    """End a submission whose time is over."""
    one = get(moment, submission_id)
    _move(moment, one, "RETURNED" if one.status == "RESERVED" else "TIMED-OUT", deadline=None)


def due(moment: Moment) -> tuple[datetime, str] | None:
    """Return when the time of the next submission is over, and its id."""
    query = sa.select(submissions.c.deadline, submissions.c.id).where(submissions.c.deadline <= moment.now)
    row = moment.connection.execute(query.order_by(submissions.c.deadline, submissions.c.number).limit(1)).one_or_none()
    return None if row is None else (row.deadline, row.id)


def count_at_once(counts: Mapping[str, int]) -> int:
    """Return the number of submissions that count for `max_concurrent_submissions`."""
    return sum(counts.get(status, 0) for status in TAKING)


def _screen_out(moment: Moment, one: Submission, code: CompletionCode) -> Submission:
    """Pay the fixed reward, and pause the study when its slots are used."""
    terms = code.screen_out
    assert terms is not None, "only a code with a fixed payment screens out"
    cents = terms.fixed_screen_out_reward
    payments.pay(moment, payments.REWARD, one.earner, cents)
    done = _move(moment, one, "SCREENED OUT")
    study = studies.get(moment, one.study_id)
    if study.status == "ACTIVE" and studies.count(moment, study.id).get("SCREENED OUT", 0) >= terms.slots:
        studies.move(moment, study, "PAUSED")
    return done


def _check(one: Submission, allowed: tuple[str, ...], act: str) -> None:
    if one.status not in allowed:
        raise WrongState(f"The submission is {one.status}; to {act}, it must be {' or '.join(allowed)}.")


def _move(moment: Moment, one: Submission, status: str, *, settles: bool = True, **values: Any) -> Submission:
    _update(moment, one, status=status, **values)
    if status != one.status:
        events.submission_changed(moment, one.id, status, one.study_id, one.participant_id)
    if settles:
        studies.settle(moment, one.study_id)
    return get(moment, one.id)


def _update(moment: Moment, one: Submission, **values: Any) -> None:
    moment.connection.execute(sa.update(submissions).filter_by(id=one.id).values(**values))
