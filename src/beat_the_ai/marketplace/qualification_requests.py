"""Workers' requests for qualifications: granted by themselves, by a test's answer key, or by the requester.

Started ──> Pending ──> Granted | Rejected. A request for a type with a test is Started until its answers are in.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa

from beat_the_ai.errors import Refused
from beat_the_ai.marketplace import answers, identifiers, notifications, qualifications
from beat_the_ai.marketplace.answer_keys import read_answer_key
from beat_the_ai.marketplace.answers import FormAnswer
from beat_the_ai.marketplace.errors import RequestFailed, does_not_exist
from beat_the_ai.marketplace.moment import Moment
from beat_the_ai.marketplace.pages import Page, PageRequest, fetch, page_of
from beat_the_ai.marketplace.qualification_types import QualificationType, get_type
from beat_the_ai.marketplace.saying import said
from beat_the_ai.marketplace.tables import qualification_requests


@dataclass(frozen=True)
class QualificationRequest:
    """A row of `qualification_requests`."""

    id: str
    requester_id: str
    qualification_type_id: str
    worker_id: str
    status: str
    test: str | None
    started_at: datetime
    answer: str | None = None
    submitted_at: datetime | None = None
    reason: str | None = None


def ask(moment: Moment, kind: QualificationType, worker_id: str) -> QualificationRequest:
    """A worker asks. Raises `Refused` when it is inactive, already asked for, or too early for another try [doc]."""
    if kind.properties.status != "Active":
        raise Refused(said("portal_refusals.request.none"))
    _refuse_early_retry(moment, kind, worker_id)
    status = "Started" if kind.properties.test is not None else "Pending"
    submitted_at = None if status == "Started" else moment.now
    request_id = identifiers.new_entity()
    made = QualificationRequest(
        request_id, kind.requester_id, kind.id, worker_id, status, kind.properties.test, moment.now, None, submitted_at
    )
    moment.connection.execute(sa.insert(qualification_requests).values(made.__dict__))
    if kind.properties.auto_granted:
        value = kind.properties.auto_granted_value
        grant(moment, made, 1 if value is None else value)
    return get_request(moment, made.id)


def _refuse_early_retry(moment: Moment, kind: QualificationType, worker_id: str) -> None:
    columns = qualification_requests.c
    mine = sa.select(qualification_requests).filter_by(qualification_type_id=kind.id, worker_id=worker_id)
    last = moment.connection.execute(mine.order_by(columns.number.desc()).limit(1)).one_or_none()
    if last is None:
        return
    if last.status == "Pending":
        raise Refused(said("portal_refusals.request.pending"))
    delay = kind.properties.retry_delay_seconds
    if delay is None:
        raise Refused(said("portal_refusals.request.once"))
    again_at = last.started_at + timedelta(seconds=delay)
    if moment.now < again_at:
        raise Refused(said("portal_refusals.request.later", time=f"{again_at:%Y-%m-%d %H:%M} UTC"))


def submit_test(moment: Moment, request_id: str, worker_id: str, given: Mapping[str, FormAnswer]) -> str:
    """Store a test's answers; with an answer key the value is granted at once. Returns the request's new status."""
    request = get_request(moment, request_id)
    if request.worker_id != worker_id or request.status != "Started":
        raise Refused(said("portal_refusals.test.not_open"))
    kind = get_type(moment, request.qualification_type_id)
    duration = kind.properties.test_duration_seconds
    if duration is not None and moment.now > request.started_at + timedelta(seconds=duration):
        raise Refused(said("portal_refusals.test.over"))
    answer = answers.write_form_answers(given)
    _set(moment, request, status="Pending", answer=answer, submitted_at=moment.now)
    if kind.properties.answer_key is not None:
        value = read_answer_key(kind.properties.answer_key).value(answers.read_selections(answer))
        grant(moment, get_request(moment, request_id), value)
    return get_request(moment, request_id).status


def get_request(moment: Moment, request_id: str, owner_id: str | None = None) -> QualificationRequest:
    """Raises QualificationRequestDoesNotExist, also when its type is not this requester's."""
    row = moment.connection.execute(sa.select(qualification_requests).filter_by(id=request_id)).one_or_none()
    if row is None or owner_id not in (None, row.requester_id):
        raise does_not_exist("QualificationRequest", request_id)
    return from_row(row)


def from_row(row: sa.Row[Any]) -> QualificationRequest:
    return QualificationRequest(**{name: getattr(row, name) for name in QualificationRequest.__dataclass_fields__})


def grant(moment: Moment, request: QualificationRequest, value: int | None) -> None:
    _require_pending(request)
    kind = get_type(moment, request.qualification_type_id)
    qualifications.grant(moment, kind, request.worker_id, value, tell_worker=False)
    _set(moment, request, status="Granted")


def reject(moment: Moment, request: QualificationRequest, reason: str | None) -> None:
    """The worker is told why [doc]."""
    _require_pending(request)
    _set(moment, request, status="Rejected", reason=reason)
    subject = "Your request for a qualification was rejected"
    notifications.send(moment, request.requester_id, request.worker_id, subject, reason or "")


def _require_pending(request: QualificationRequest) -> None:
    if request.status != "Pending":
        raise RequestFailed("InvalidQualificationRequestState", "This request has been decided already.")


def _set(moment: Moment, request: QualificationRequest, **changes: Any) -> None:
    moment.connection.execute(sa.update(qualification_requests).filter_by(id=request.id).values(changes))


def pending(moment: Moment, requester_id: str, type_id: str | None, asked: PageRequest) -> Page[QualificationRequest]:
    """Return a page of the requests that wait for the requester, oldest first."""
    query = sa.select(qualification_requests).filter_by(requester_id=requester_id, status="Pending")
    if type_id is not None:
        query = query.filter_by(qualification_type_id=type_id)
    rows = fetch(moment, query, qualification_requests.c.number, asked, newest_first=False)
    return page_of([from_row(row) for row in rows], [row.number for row in rows])
