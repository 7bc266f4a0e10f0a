"""Assignments: those in progress, the page to work on, giving back and submitting."""

from __future__ import annotations

import hmac

import sqlalchemy as sa
from starlette.responses import Response

from beat_the_ai.errors import Refused
from beat_the_ai.marketplace.assignments import SHOWN_TO_REQUESTERS, Assignment, from_row, get_assignment
from beat_the_ai.marketplace.errors import does_not_exist
from beat_the_ai.marketplace.hit_types import HitType, get_hit_type
from beat_the_ai.marketplace.hits import Hit, get_hit
from beat_the_ai.marketplace.moment import Moment
from beat_the_ai.marketplace.portal.frame import frame_of
from beat_the_ai.marketplace.portal.hits import next_hit
from beat_the_ai.marketplace.portal.visit import Visit, identifier
from beat_the_ai.marketplace.tables import assignments as assignment_table

SUBMIT = "/mturk/externalSubmit"
SUBMIT_WITH_PROOF = "/worker/task/{assignment_id}/{proof}" + SUBMIT
NOT_YOURS = "These answers were not sent from the page of an assignment of yours. Open it again and submit there."


def in_progress(visit: Visit) -> Response:
    with visit.market.reading() as moment:
        query = sa.select(assignment_table).filter_by(worker_id=visit.worker_id, status="Accepted")
        rows = moment.connection.execute(query.order_by(assignment_table.c.number))
        accepted = [_with_hit(moment, from_row(row)) for row in rows]
    shown: Response = visit.show("work", accepted=accepted)
    return shown


def assignment(visit: Visit) -> Response:
    """The page to work on; when the work is over, how it ended."""
    with visit.market.reading() as moment:
        mine, hit, hit_type = _with_hit(moment, _own(moment, visit))
    if mine.status != "Accepted":
        return visit.go(f"/worker/assignments/{mine.id}/sent")
    frame = frame_of(visit, hit, mine)
    allowed = frame.policy if frame else "'none'"
    shown: Response = visit.show("assignment", mine=mine, hit_type=hit_type, hit=hit, frame=frame, frames=allowed)
    return shown


def sent(visit: Visit) -> Response:
    """Thanks, and the next HIT of the same type."""
    with visit.market.reading() as moment:
        mine, hit, hit_type = _with_hit(moment, _own(moment, visit))
        following = next_hit(moment, visit.worker_id, hit_type.id)
    if mine.status == "Accepted":
        return visit.go(f"/worker/assignments/{mine.id}")
    shown: Response = visit.show("sent", mine=mine, hit=hit, hit_type=hit_type, following=following)
    return shown


def give_back(visit: Visit) -> Response:
    with visit.market.reading() as moment:
        mine = _own(moment, visit)
    visit.workplace.give_back(visit.worker_id, mine.id)
    return visit.go("/worker/hits")


def submit_with_proof(visit: Visit) -> Response:
    """From the requester's page in the frame: the address says whose assignment it is, no cookie need come along."""
    assignment_id = visit.named("assignment_id")
    with visit.market.reading() as moment:
        worker_id = get_assignment(moment, assignment_id).worker_id
    expected = visit.seal.proof(assignment_id, worker_id)
    is_proven = hmac.compare_digest(visit.named("proof").encode(), expected.encode())
    if not is_proven or visit.field("assignmentId") != assignment_id:
        raise Refused(NOT_YOURS)
    return _submit(visit, worker_id, assignment_id)


def submit_in_session(visit: Visit) -> Response:
    """From a page of this site: the session says who it is."""
    if visit.session.worker_id is None:
        raise Refused(NOT_YOURS)
    with visit.market.reading() as moment:
        mine = _own(moment, visit, visit.field("assignmentId"))
    return _submit(visit, visit.worker_id, mine.id)


def _submit(visit: Visit, worker_id: str, assignment_id: str) -> Response:
    """A form that is sent again (an impatient click, a lost answer) changes nothing and is thanked for again."""
    answers = [(name, text) for name, text in visit.form if name != "assignmentId"]
    try:
        visit.workplace.submit(worker_id, assignment_id, answers)
    except Refused:
        with visit.market.reading() as moment:
            if get_assignment(moment, assignment_id).status not in SHOWN_TO_REQUESTERS:
                raise
    if visit.request.headers.get("sec-fetch-dest") == "document":  # not in the frame but in a tab of its own
        return visit.go(f"/worker/assignments/{assignment_id}/sent")
    shown: Response = visit.show("received", framed=True)
    return shown


def _own(moment: Moment, visit: Visit, assignment_id: str | None = None) -> Assignment:
    """Another worker's assignment is answered like one that does not exist."""
    found = get_assignment(moment, visit.named("assignment_id") if assignment_id is None else identifier(assignment_id))
    if found.worker_id != visit.worker_id:
        raise does_not_exist("Assignment", found.id)
    return found


def _with_hit(moment: Moment, found: Assignment) -> tuple[Assignment, Hit, HitType]:
    hit = get_hit(moment, found.hit_id)
    return found, hit, get_hit_type(moment, hit.hit_type_id)
