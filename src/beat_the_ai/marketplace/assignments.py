"""Assignments: one worker's work on one HIT, and what becomes of it.

Accepted ──> Submitted ──> Approved   (by the requester, or by itself after the HIT type's delay)
  │  └─> Returned   └────> Rejected ──> Approved   (overridden within 30 days)
  └────> Abandoned   (its time ran out)

Returned and Abandoned free the slot and are not seen by requesters.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa

from beat_the_ai.marketplace import accounts, agenda, identifiers, notifications
from beat_the_ai.marketplace.errors import RequestFailed, does_not_exist
from beat_the_ai.marketplace.hit_types import HitType
from beat_the_ai.marketplace.hits import Hit, change, get_hit
from beat_the_ai.marketplace.moment import Moment
from beat_the_ai.marketplace.tables import assignments, hits
from beat_the_ai.marketplace.workers import count_decision

OVERRIDE_WITHIN = timedelta(days=30)
SHOWN_TO_REQUESTERS = ("Submitted", "Approved", "Rejected")
GIVEN_UP = ("Returned", "Abandoned")


@dataclass(frozen=True)
class Assignment:
    """A row of `assignments`."""

    id: str
    hit_id: str
    requester_id: str
    worker_id: str
    status: str
    accepted_at: datetime
    deadline: datetime
    submitted_at: datetime | None = None
    auto_approval_at: datetime | None = None
    approved_at: datetime | None = None
    rejected_at: datetime | None = None
    answer: str | None = None
    feedback: str | None = None


def get_assignment(moment: Moment, assignment_id: str, requester_id: str | None = None) -> Assignment:
    """Raises AssignmentDoesNotExist, also when it is not this requester's."""
    row = moment.connection.execute(_assignment_of, {"of_id": assignment_id}).one_or_none()
    if row is None or requester_id not in (None, row.requester_id):
        raise does_not_exist("Assignment", assignment_id)
    return from_row(row)


def from_row(row: sa.Row[Any]) -> Assignment:
    return Assignment(**{name: getattr(row, name) for name in Assignment.__dataclass_fields__})


def oldest_open_hit(moment: Moment, worker_id: str, *which: sa.ColumnElement[bool]) -> str | None:
    """Return the oldest open HIT, of those `which`, that the worker has not done.

    HITs that the worker has given up come last, those given up least often first.
    """
    open_ones = sa.and_(*which, hits.c.status == "Assignable")
    mine = sa.select(assignments.c.id).where(assignments.c.hit_id == hits.c.id, assignments.c.worker_id == worker_id)
    untouched = sa.select(hits.c.id).where(open_ones, ~mine.exists()).order_by(hits.c.number).limit(1)
    return moment.connection.scalar(untouched) or _least_given_up(moment, worker_id, open_ones)


def _least_given_up(moment: Moment, worker_id: str, which: sa.ColumnElement[bool]) -> str | None:
    had = sa.select(hits.c.id, hits.c.number, assignments.c.status).join_from(assignments, hits)
    statuses: defaultdict[tuple[int, str], list[str]] = defaultdict(list)
    for row in moment.connection.execute(had.where(assignments.c.worker_id == worker_id, which)):
        statuses[row.number, row.id].append(row.status)
    given_up = [(len(ways), *hit) for hit, ways in statuses.items() if set(ways) <= set(GIVEN_UP)]
    return min(given_up)[-1] if given_up else None


def accept(moment: Moment, hit: Hit, hit_type: HitType, worker_id: str) -> Assignment:
    """Take a slot; the caller has checked that there is one and that the worker may."""
    deadline = moment.now + timedelta(seconds=hit_type.properties.duration_seconds)
    assignment_id = identifiers.new_entity()
    made = Assignment(assignment_id, hit.id, hit.requester_id, worker_id, "Accepted", moment.now, deadline)
    moment.connection.execute(sa.insert(assignments), made.__dict__)
    change(moment, hit, pending=hit.pending + 1)
    agenda.schedule(moment, "deadline", made.id, deadline)
    notifications.announce(moment, hit.hit_type_id, "AssignmentAccepted", hit.id, made.id)
    return made


def submit(moment: Moment, assignment: Assignment, hit_type: HitType, answer: str) -> Assignment:
    """The answers are in; the delay until the automatic approval begins."""
    approval_at = moment.now + timedelta(seconds=hit_type.properties.auto_approval_seconds)
    changes = {"submitted_at": moment.now, "auto_approval_at": approval_at, "answer": answer}
    _set(moment, assignment, status="Submitted", **changes)
    agenda.cancel(moment, "deadline", assignment.id)
    hit = get_hit(moment, assignment.hit_id)
    hit = change(moment, hit, pending=hit.pending - 1, submitted=hit.submitted + 1)
    agenda.schedule(moment, "approval", assignment.id, approval_at)
    notifications.announce(moment, hit.hit_type_id, "AssignmentSubmitted", hit.id, assignment.id)
    return get_assignment(moment, assignment.id)


def give_back(moment: Moment, assignment: Assignment) -> None:
    """The worker returns it."""
    agenda.cancel(moment, "deadline", assignment.id)
    _free(moment, assignment, "Returned", "AssignmentReturned")


def abandon(moment: Moment, assignment_id: str) -> None:
    """The agenda's: its time ran out."""
    _free(moment, get_assignment(moment, assignment_id), "Abandoned", "AssignmentAbandoned")


def _free(moment: Moment, assignment: Assignment, status: str, event: str) -> None:
    _set(moment, assignment, status=status)
    hit = get_hit(moment, assignment.hit_id)
    change(moment, hit, pending=hit.pending - 1)
    notifications.announce(moment, hit.hit_type_id, event, hit.id, assignment.id)


def approve(moment: Moment, assignment: Assignment, feedback: str | None = None, *, override: bool = False) -> None:
    """Pay the worker. `override` turns a rejection into an approval: within 30 days, while the HIT exists [doc]."""
    if override and assignment.status == "Rejected":
        _override(moment, assignment, feedback)
        return
    _require_submitted(assignment)
    hit = get_hit(moment, assignment.hit_id)
    _pay(moment, hit, assignment)
    paid_cents = hit.held_cents - hit.reward_cents - hit.fee_cents
    hit = change(moment, hit, submitted=hit.submitted - 1, completed=hit.completed + 1, held_cents=paid_cents)
    agenda.cancel(moment, "approval", assignment.id)
    count_decision(moment, assignment.worker_id, approved=1)
    _decide(moment, hit, assignment, "AssignmentApproved", status="Approved", approved_at=moment.now, feedback=feedback)


def _override(moment: Moment, assignment: Assignment, feedback: str | None) -> None:
    hit = get_hit(moment, assignment.hit_id)
    assert assignment.submitted_at is not None
    if not hit.live or moment.now > assignment.submitted_at + OVERRIDE_WITHIN:
        raise RequestFailed(
            "InvalidAssignmentState",
            "A rejection can be overridden for 30 days after the submission, while the HIT has not been deleted.",
        )
    spendable, aside = accounts.available(hit.requester_id), accounts.held(hit.requester_id)
    accounts.transfer(moment, "hold", spendable, aside, hit.reward_cents + hit.fee_cents, assignment.id)
    _pay(moment, hit, assignment)
    count_decision(moment, assignment.worker_id, approved=1, rejected=-1)
    feedback = feedback if feedback is not None else assignment.feedback
    _decide(moment, hit, assignment, "AssignmentApproved", status="Approved", approved_at=moment.now, feedback=feedback)


def approve_automatically(moment: Moment, assignment_id: str) -> None:
    """The agenda's: the requester let the delay pass."""
    approve(moment, get_assignment(moment, assignment_id))


def reject(moment: Moment, assignment: Assignment, feedback: str) -> None:
    """Not paid; the money goes back to the requester, the slot stays used."""
    _require_submitted(assignment)
    hit = get_hit(moment, assignment.hit_id)
    hit = change(moment, hit, submitted=hit.submitted - 1, completed=hit.completed + 1)
    agenda.cancel(moment, "approval", assignment.id)
    count_decision(moment, assignment.worker_id, rejected=1)
    _decide(moment, hit, assignment, "AssignmentRejected", status="Rejected", rejected_at=moment.now, feedback=feedback)


def _require_submitted(assignment: Assignment) -> None:
    """MTurk's words [seen: Dallinger #1398]."""
    if assignment.status != "Submitted":
        raise RequestFailed("InvalidAssignmentState", "This operation can be called with a status of: Submitted")


def _pay(moment: Moment, hit: Hit, assignment: Assignment) -> None:
    aside = accounts.held(hit.requester_id)
    accounts.transfer(moment, "reward", aside, accounts.earned(assignment.worker_id), hit.reward_cents, assignment.id)
    accounts.transfer(moment, "reward_fee", aside, accounts.FEES, hit.fee_cents, assignment.id)


def _decide(moment: Moment, hit: Hit, assignment: Assignment, event: str, **changes: Any) -> None:
    _set(moment, assignment, **changes)
    notifications.announce(moment, hit.hit_type_id, event, hit.id, assignment.id)


def _set(moment: Moment, assignment: Assignment, **changes: Any) -> None:
    moment.connection.execute(sa.update(assignments).filter_by(id=assignment.id).values(changes))


_assignment_of = sa.select(assignments).filter_by(id=sa.bindparam("of_id"))
