"""Qualifications: those that the worker has, those that it may ask for, and their tests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import sqlalchemy as sa
from starlette.responses import Response

from beat_the_ai.errors import InvalidInput, Refused
from beat_the_ai.marketplace import qualification_requests, qualification_types
from beat_the_ai.marketplace.errors import does_not_exist
from beat_the_ai.marketplace.moment import Moment
from beat_the_ai.marketplace.pages import PageRequest
from beat_the_ai.marketplace.portal.questionnaire import read_answers, read_questionnaire
from beat_the_ai.marketplace.portal.visit import Visit
from beat_the_ai.marketplace.qualification_requests import QualificationRequest
from beat_the_ai.marketplace.qualification_types import QualificationType
from beat_the_ai.marketplace.qualifications import Qualification, find
from beat_the_ai.marketplace.saying import said
from beat_the_ai.marketplace.tables import qualification_requests as request_table
from beat_the_ai.marketplace.workers import get_worker

TYPES_PER_PAGE = 20
OWNED_PER_PAGE = 20


@dataclass(frozen=True)
class Requestable:
    """A type that the worker does not have, with its last request for it."""

    kind: QualificationType
    last: QualificationRequest | None

    @property
    def may_ask(self) -> bool:
        if self.last is None:
            return True
        return self.last.status not in ("Started", "Pending") and self.kind.properties.retry_delay_seconds is not None


def qualifications(visit: Visit) -> Response:
    mine = visit.workplace.qualifications(visit.worker_id, size=OWNED_PER_PAGE, next_token=visit.asked("mine") or None)
    owned = _by_time(mine.items)
    with visit.market.reading() as moment:
        worker = get_worker(moment, visit.worker_id)
        names = qualification_types.names(moment, {one.qualification_type_id for one in owned})
        asked = PageRequest.of(TYPES_PER_PAGE, visit.after)
        page = qualification_types.search(moment, "", asked, query=None, owned=False, requestable=True)
        others = [kind for kind in page.items if not _holds(moment, kind.id, visit.worker_id)]
        requestable = [Requestable(kind, _last_request(moment, kind.id, visit.worker_id)) for kind in others]
    shown: Response = visit.show(
        "qualifications",
        worker=worker,
        owned=owned,
        more_owned=mine.next_token if len(owned) == OWNED_PER_PAGE else None,
        names=names,
        requestable=requestable,
        next_token=page.next_token if len(page.items) == TYPES_PER_PAGE else None,
    )
    return shown


def _holds(moment: Moment, type_id: str, worker_id: str) -> bool:
    known = find(moment, type_id, worker_id)
    return known is not None and known.status == "Granted"


def _by_time(owned: Sequence[Qualification]) -> list[Qualification]:
    return sorted(owned, key=lambda one: one.granted_at, reverse=True)


def ask(visit: Visit) -> Response:
    made = visit.workplace.request_qualification(visit.worker_id, visit.named("qualification_type_id"))
    return visit.go(f"/worker/tests/{made.id}" if made.status == "Started" else "/worker/qualifications")


def test(visit: Visit) -> Response:
    with visit.market.reading() as moment:
        request, kind = _own_test(moment, visit)
    return _show_test(visit, request, kind)


def submit_test(visit: Visit) -> Response:
    with visit.market.reading() as moment:
        request, kind = _own_test(moment, visit)
    try:
        answers = read_answers(read_questionnaire(request.test or ""), visit.form)
    except InvalidInput as error:
        return _show_test(visit, request, kind, error)
    visit.workplace.submit_test(visit.worker_id, request.id, answers)
    return visit.go("/worker/qualifications")


def _show_test(
    visit: Visit, request: QualificationRequest, kind: QualificationType, problem: InvalidInput | None = None
) -> Response:
    """Show a test; the answers given before a mistake stay."""
    shown: Response = visit.show(
        "test",
        status=400 if problem else 200,
        media="https:",
        request=request,
        kind=kind,
        parts=read_questionnaire(request.test or ""),
        given=visit.form,
        problem=problem,
        ends_at=_ends_at(request, kind),
    )
    return shown


def _ends_at(request: QualificationRequest, kind: QualificationType) -> datetime:
    return request.started_at + timedelta(seconds=kind.properties.test_duration_seconds or 0)


def _own_test(moment: Moment, visit: Visit) -> tuple[QualificationRequest, QualificationType]:
    request = qualification_requests.get_request(moment, visit.named("request_id"))
    if request.worker_id != visit.worker_id:
        raise does_not_exist("QualificationRequest", request.id)
    kind = qualification_types.get_type(moment, request.qualification_type_id)
    if request.status != "Started":
        raise Refused(said("portal_refusals.test.answered"))
    if moment.now > _ends_at(request, kind):
        raise Refused(said("portal_refusals.test.over"))
    return request, kind


def _last_request(moment: Moment, type_id: str, worker_id: str) -> QualificationRequest | None:
    mine = sa.select(request_table).filter_by(qualification_type_id=type_id, worker_id=worker_id)
    row = moment.connection.execute(mine.order_by(request_table.c.number.desc()).limit(1)).one_or_none()
    return None if row is None else qualification_requests.from_row(row)
