"""Qualifications: which worker has which, since when and with which value."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa

from beat_the_ai.marketplace import notifications
from beat_the_ai.marketplace.errors import RequestFailed
from beat_the_ai.marketplace.moment import Moment
from beat_the_ai.marketplace.pages import Page, PageRequest, fetch, page_of
from beat_the_ai.marketplace.qualification_types import QualificationType
from beat_the_ai.marketplace.tables import qualifications
from beat_the_ai.marketplace.workers import get_worker

NOT_GRANTED = "You requested a Qualification that does not exist."  # [seen: Dallinger #3331]


@dataclass(frozen=True)
class Qualification:
    """A row of `qualifications`; `value` may be None: present, without a score."""

    qualification_type_id: str
    worker_id: str
    value: int | None
    status: str
    reason: str | None
    granted_at: datetime


def grant(moment: Moment, kind: QualificationType, worker_id: str, value: int | None, *, tell_worker: bool) -> None:
    """Give it, or give it anew with another value."""
    get_worker(moment, worker_id)
    moment.connection.execute(sa.delete(qualifications).filter_by(qualification_type_id=kind.id, worker_id=worker_id))
    row = Qualification(kind.id, worker_id, value, "Granted", None, moment.now)
    moment.connection.execute(sa.insert(qualifications).values(row.__dict__))
    if tell_worker:
        subject = f"You have been granted the qualification {kind.properties.name}"
        notifications.send(moment, kind.requester_id, worker_id, subject, kind.properties.description)


def find(moment: Moment, type_id: str, worker_id: str) -> Qualification | None:
    """Granted or revoked."""
    query = sa.select(qualifications).filter_by(qualification_type_id=type_id, worker_id=worker_id)
    row = moment.connection.execute(query).one_or_none()
    return None if row is None else Qualification(**row._mapping)


def get_qualification(moment: Moment, type_id: str, worker_id: str) -> Qualification:
    """The granted one. Raises as MTurk does for one never granted, and for one that was revoked [seen: Dallinger]."""
    known = find(moment, type_id, worker_id)
    if known is None:
        raise RequestFailed("QualificationDoesNotExist", NOT_GRANTED)
    if known.status != "Granted":
        raise RequestFailed("InvalidQualificationState", "This operation can be called with a status of: Granted")
    return known


def revoke(moment: Moment, kind: QualificationType, worker_id: str, reason: str | None) -> None:
    """The worker is told why [doc]."""
    get_qualification(moment, kind.id, worker_id)
    here = sa.update(qualifications).filter_by(qualification_type_id=kind.id, worker_id=worker_id)
    moment.connection.execute(here.values(status="Revoked", reason=reason))
    subject = f"The qualification {kind.properties.name} was revoked"
    notifications.send(moment, kind.requester_id, worker_id, subject, reason or "")


def of_type(moment: Moment, type_id: str, status: str | None, asked: PageRequest) -> Page[Qualification]:
    """Workers in the order of their ids."""
    query = sa.select(qualifications).filter_by(qualification_type_id=type_id)
    if status is not None:
        query = query.filter_by(status=status)
    rows = fetch(moment, query, qualifications.c.worker_id, asked, newest_first=False)
    return page_of([Qualification(**row._mapping) for row in rows], [row.worker_id for row in rows])


def of_worker(moment: Moment, worker_id: str, asked: PageRequest) -> Page[Qualification]:
    """Granted and revoked ones, in the order of their types."""
    query = sa.select(qualifications).filter_by(worker_id=worker_id)
    rows = fetch(moment, query, qualifications.c.qualification_type_id, asked, newest_first=False)
    return page_of([Qualification(**row._mapping) for row in rows], [row.qualification_type_id for row in rows])
