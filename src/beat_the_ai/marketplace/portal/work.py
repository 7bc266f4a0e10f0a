"""Assignments: those in progress, the page to work on, giving back and submitting."""

from __future__ import annotations

import hmac

import sqlalchemy as sa
from starlette.responses import Response

from beat_the_ai.errors import InvalidInput, Refused
from beat_the_ai.marketplace.assignments import SHOWN_TO_REQUESTERS, Assignment, from_row, get_assignment
from beat_the_ai.marketplace.errors import does_not_exist
from beat_the_ai.marketplace.hit_types import HitType, get_hit_type
from beat_the_ai.marketplace.hits import Hit, get_hit
from beat_the_ai.marketplace.moment import Moment
from beat_the_ai.marketplace.pages import PageRequest, fetch, page_of
from beat_the_ai.marketplace.people import studies
from beat_the_ai.marketplace.portal.frame import frame_of
from beat_the_ai.marketplace.portal.hits import next_hit
from beat_the_ai.marketplace.portal.questionnaire import read_answers, read_questionnaire
from beat_the_ai.marketplace.portal.visit import Visit, identifier
from beat_the_ai.marketplace.saying import said
from beat_the_ai.marketplace.tables import assignments as assignment_table

PER_PAGE = 25
SUBMIT = "/mturk/externalSubmit"
TASK = "/worker/task/{assignment_id}/{proof}"
SUBMIT_WITH_PROOF = TASK + SUBMIT
NOT_YOURS = "portal_refusals.not_yours"


def in_progress(visit: Visit) -> Response:
    with visit.market.reading() as moment:
        query = sa.select(assignment_table).filter_by(worker_id=visit.worker_id, status="Accepted")
        asked = PageRequest.of(PER_PAGE, visit.after)
        rows = fetch(moment, query, assignment_table.c.number, asked, newest_first=False)
        accepted = [_with_hit(moment, from_row(row)) for row in rows]
    more = page_of(rows, [row.number for row in rows]).next_token if len(rows) == PER_PAGE else None
    shown: Response = visit.show("work", accepted=accepted, next_token=more)
    return shown


def assignment(visit: Visit) -> Response:
    """The page to work on; when the work is over, how it ended."""
    with visit.market.reading() as moment:
        mine, hit, hit_type = _with_hit(moment, _own(moment, visit))
    if mine.status != "Accepted":
        return visit.go(f"/worker/assignments/{mine.id}/sent")
    return _show_work(visit, mine, hit, hit_type)


def answer(visit: Visit) -> Response:
    """The answers to a QuestionForm, which is a part of the page."""
    with visit.market.reading() as moment:
        mine, hit, hit_type = _with_hit(moment, _own(moment, visit))
    if mine.status != "Accepted":
        return visit.go(f"/worker/assignments/{mine.id}/sent")
    try:
        answers = read_answers(read_questionnaire(hit.question), visit.form)
    except InvalidInput as error:
        return _show_work(visit, mine, hit, hit_type, error)
    visit.workplace.submit_form(visit.worker_id, mine.id, answers)
    return visit.go(f"/worker/assignments/{mine.id}/sent")


def _show_work(
    visit: Visit, mine: Assignment, hit: Hit, hit_type: HitType, problem: InvalidInput | None = None
) -> Response:
    """Show an assignment; the answers given before a mistake stay."""
    frame = frame_of(visit, hit, mine)
    shown: Response = visit.show(
        "assignment",
        status=400 if problem else 200,
        frames=frame.policy if frame else "'none'",
        media="" if frame else "https:",
        mine=mine,
        hit=hit,
        hit_type=hit_type,
        frame=frame,
        parts=[] if frame else read_questionnaire(hit.question),
        given=visit.form,
        problem=problem,
    )
    return shown


def sent(visit: Visit) -> Response:
    """Thanks, and the next HIT of the same type."""
    with visit.market.reading() as moment:
        mine, hit, hit_type = _with_hit(moment, _own(moment, visit))
        current = None if visit.session.visit is None else studies.get_visit(moment, *visit.session.visit)
        following = studies.next_hit(moment, *current) if current else next_hit(moment, visit.worker_id, hit_type.id)
    if mine.status == "Accepted":
        return visit.go(f"/worker/assignments/{mine.id}")
    shown: Response = visit.show("sent", mine=mine, hit=hit, hit_type=hit_type, following=following)
    return shown


def give_back(visit: Visit) -> Response:
    with visit.market.reading() as moment:
        mine = _own(moment, visit)
    visit.workplace.give_back(visit.worker_id, mine.id)
    return visit.go(f"/worker/assignments/{mine.id}/sent" if visit.session.visit else "/worker/hits")


def submit_with_proof(visit: Visit) -> Response:
    """From the requester's page in the frame: the address says whose assignment it is, no cookie need come along."""
    assignment_id, worker_id = proven(visit)
    if visit.field("assignmentId") != assignment_id:
        raise Refused(said(NOT_YOURS))
    return _submit(visit, worker_id, assignment_id)


def proven(visit: Visit) -> tuple[str, str]:
    """The assignment that the address proves to be its worker's, and that worker."""
    assignment_id = visit.named("assignment_id")
    with visit.market.reading() as moment:
        worker_id = get_assignment(moment, assignment_id).worker_id
    if not hmac.compare_digest(visit.named("proof").encode(), visit.seal.proof(assignment_id, worker_id).encode()):
        raise Refused(said(NOT_YOURS))
    return assignment_id, worker_id


def submit_in_session(visit: Visit) -> Response:
    """From a page of this site: the session says who it is."""
    if visit.session.worker_id is None:
        raise Refused(said(NOT_YOURS))
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
    """Another worker's assignment, or one of another visit, is answered like one that does not exist."""
    found = get_assignment(moment, visit.named("assignment_id") if assignment_id is None else identifier(assignment_id))
    is_mine = found.worker_id == visit.worker_id
    if is_mine and visit.session.visit is not None:
        is_mine = studies.get_visit(moment, *visit.session.visit)[1].includes(found.accepted_at)
    if not is_mine:
        raise does_not_exist("Assignment", found.id)
    return found


def _with_hit(moment: Moment, found: Assignment) -> tuple[Assignment, Hit, HitType]:
    hit = get_hit(moment, found.hit_id)
    return found, hit, get_hit_type(moment, hit.hit_type_id)
