"""Operations of the tag submissions."""

from __future__ import annotations

import re
from datetime import datetime, timezone
from typing import Any, Literal

import sqlalchemy as sa
from pydantic import Field

from beat_the_ai.marketplace.moment import Moment
from beat_the_ai.recruiter import payments, studies, submissions
from beat_the_ai.recruiter.api.call import Call, Json, Operation, Reply, show_time
from beat_the_ai.recruiter.completion_codes import RESEARCHER
from beat_the_ai.recruiter.errors import WrongState
from beat_the_ai.recruiter.reading import Given, Id, Line, Text, invalid, read, read_flag
from beat_the_ai.recruiter.submissions import Submission
from beat_the_ai.recruiter.tables import submissions as table

PAGE_SIZE = 20
MOST_PER_PAGE = 1000
MOST_IDS = 1000
LEAST_MESSAGE_CHARACTERS = 100
COMPLETED = ("AWAITING REVIEW", "APPROVED", "REJECTED", "SCREENED OUT")
FLAGS = {
    "completed": COMPLETED,
    "returned": ("RETURNED",),
    "awaiting_review": ("AWAITING REVIEW",),
    "approved": ("APPROVED",),
    "active": ("ACTIVE",),
    "timeout": ("TIMED-OUT",),
    "rejected": ("REJECTED",),
    "screened_out": ("SCREENED OUT",),
    "completeoractive": (*COMPLETED, "ACTIVE"),
}
# All are of one study, so they have one reward and one name.
ORDERS = ("started_at", "submission_reward", "study_name")
DATE = re.compile(r"(\d{2})/(\d{2})/(\d{4})", re.ASCII)

Category = Literal[
    "TOO_QUICKLY",
    "TOO_SLOWLY",
    "FAILED_INSTRUCTIONS",
    "INCOMP_LONGITUDINAL",
    "FAILED_CHECK",
    "LOW_EFFORT",
    "MALINGERING",
    "NO_CODE",
    "BAD_CODE",
    "NO_DATA",
    "UNSUPP_DEVICE",
    "OTHER",
]


class Transition(Given):
    """The body of `transition-submission`."""

    action: Literal["APPROVE", "COMPLETE", "REJECT", "RETURN", "START", "SCREEN_OUT", "UNREJECT", "UNRETURN"]
    message: Text | None = None
    rejection_category: Category | None = None
    completion_code: Line | None = None


class ReturnRequest(Given):
    """The body of `request-submission-return`."""

    request_return_reasons: list[Line] = Field(min_length=1, max_length=20)


class BulkApproval(Given):
    """The body of `bulk-approve-submissions`: submissions, or participants of a study."""

    submission_ids: list[Id] | None = Field(default=None, max_length=MOST_IDS)
    study_id: Id | None = None
    participant_ids: list[Id] | None = Field(default=None, max_length=MOST_IDS)


def listed(call: Call) -> Reply:
    study = studies.get(call.moment, call.required("study"))
    query = sa.select(table).where(table.c.study_id == study.id, *_conditions(call))
    ordering = call.query.get("ordering", "started_at")
    if ordering.removeprefix("-") not in ORDERS:
        raise invalid("ordering", f"{ordering[:40]!r} is no order; use one of {', '.join(ORDERS)}")
    size, page = call.number("page_size", PAGE_SIZE), call.number("page", 1)
    size = min(size, MOST_PER_PAGE)
    number = table.c.number.desc() if ordering.startswith("-") else table.c.number
    rows = call.moment.connection.execute(query.order_by(number).limit(size).offset((page - 1) * size))
    return Reply({"results": [short(call.moment, Submission(**row._mapping)) for row in rows.all()]})


def get(call: Call) -> Reply:
    one = submissions.get(call.moment, call.path["id"])
    bonuses = payments.bonuses_of(call.moment, one.id)
    requested = show_time(one.return_requested)
    return Reply({**_plain(one), "parent_study_id": None, "bonus_payments": bonuses, "return_requested": requested})


def transition(call: Call) -> Reply:
    one = submissions.get(call.moment, call.path["id"])
    given = read(Transition, call.body)
    if given.action == "APPROVE":
        changed = submissions.approve(call.moment, one)
    elif given.action == "REJECT":
        changed = _reject(call.moment, one, given)
    elif given.action == "COMPLETE":
        changed = _complete(call.moment, one, given)
    elif given.action == "RETURN":
        changed = submissions.give_back(call.moment, one)
    else:
        raise WrongState(f"{given.action} is not available here; use APPROVE, COMPLETE, REJECT or RETURN.")
    return Reply(_plain(changed))


def request_return(call: Call) -> Reply:
    one = submissions.get(call.moment, call.path["id"])
    asked = submissions.request_return(call.moment, one, read(ReturnRequest, call.body).request_return_reasons)
    content = {"id": asked.id, "status": asked.status, "participant": asked.participant_id}
    return Reply({**content, "return_requested": show_time(asked.return_requested)})


def bulk_approve(call: Call) -> Reply:
    """All or none of them, at once; those that are approved stay as they are."""
    for one in _to_approve(call.moment, read(BulkApproval, call.body)):
        submissions.approve(call.moment, one)
    return Reply("Bulk approve in progress")


def short(moment: Moment, one: Submission) -> Json:
    """Return a submission as lists show it."""
    siblings = sa.select(sa.func.count()).select_from(table)
    mine = siblings.filter_by(study_id=one.study_id, participant_id=one.participant_id)
    return {
        "id": one.id,
        "participant_id": one.participant_id,
        "status": one.status,
        "started_at": show_time(one.started_at or one.reserved_at),
        "completed_at": show_time(one.completed_at),
        "has_siblings": (moment.connection.scalar(mine) or 0) > 1,
        "study_code": one.entered_code,
        "return_requested": show_time(one.return_requested),
    }


def _plain(one: Submission) -> dict[str, Any]:
    return {
        "id": one.id,
        "completed_at": show_time(one.completed_at),
        "entered_code": one.entered_code,
        "participant": one.participant_id,
        "started_at": show_time(one.started_at or one.reserved_at),
        "status": one.status,
        "study_id": one.study_id,
    }


def _reject(moment: Moment, one: Submission, given: Transition) -> Submission:
    message = (given.message or "").strip()
    if len(message) < LEAST_MESSAGE_CHARACTERS:
        raise invalid("message", f"It has {len(message)} characters; at least {LEAST_MESSAGE_CHARACTERS} are needed")
    if given.rejection_category is None:
        raise invalid("rejection_category", "It is required to reject")
    return submissions.reject(moment, one, given.rejection_category, message)


def _complete(moment: Moment, one: Submission, given: Transition) -> Submission:
    study = studies.get(moment, one.study_id)
    code = study.code(given.completion_code, RESEARCHER) if given.completion_code else None
    if code is None:
        raise invalid("completion_code", f"{given.completion_code!r} is no code of this study that is the researcher's")
    if one.entered_code == code.code:
        return one
    if one.status not in ("ACTIVE", "AWAITING REVIEW"):
        raise WrongState(f"The submission is {one.status}; to complete it, it must be ACTIVE or AWAITING REVIEW.")
    return submissions.complete(moment, one, study, code, code.code)


def _to_approve(moment: Moment, given: BulkApproval) -> list[Submission]:
    if (given.submission_ids is None) == (given.participant_ids is None):
        raise invalid("submission_ids", "Either submission_ids, or study_id and participant_ids, are needed")
    if given.submission_ids is not None:
        query, wanted, name = sa.select(table), given.submission_ids, "id"
    elif given.study_id is None:
        raise invalid("study_id", "It is required with participant_ids")
    else:
        studies.get(moment, given.study_id)
        query = sa.select(table).filter_by(study_id=given.study_id).where(table.c.status.in_(COMPLETED))
        wanted, name = given.participant_ids or [], "participant_id"
    rows = moment.connection.execute(query.where(table.c[name].in_(wanted)).order_by(table.c.number))
    found = [Submission(**row._mapping) for row in rows]
    known = {one.id if name == "id" else one.participant_id for one in found}
    if unknown := [one for one in wanted if one not in known]:
        raise invalid(f"{name.removesuffix('id') or 'submission_'}ids", f"No submission to approve: {unknown[:20]}")
    return found


def _conditions(call: Call) -> list[sa.ColumnElement[bool]]:
    conditions = []
    if "status" in call.query:
        status = call.query["status"].upper().replace("_", " ")
        conditions.append(table.c.status == {"TIMED OUT": "TIMED-OUT"}.get(status, status))
    for name, statuses in FLAGS.items():
        if name in call.query:
            among = table.c.status.in_(statuses)
            conditions.append(among if read_flag(call.query[name], name) else sa.not_(among))
    if "submitted_from" in call.query:
        conditions.append(table.c.completed_at >= _day(call.query["submitted_from"], "submitted_from"))
    if "submitted_before" in call.query:
        conditions.append(table.c.completed_at < _day(call.query["submitted_before"], "submitted_before"))
    return conditions


def _day(text: str, name: str) -> datetime:
    written = DATE.fullmatch(text)
    try:
        day, month, year = map(int, written.groups() if written else ())
        return datetime(year, month, day, tzinfo=timezone.utc)
    except ValueError:
        raise invalid(name, f"{text[:40]!r} is no day; write it like 31/12/2026") from None


OPERATIONS = (
    Operation("get-submissions", "GET", "/api/v1/submissions/", listed),
    Operation("get-submission", "GET", "/api/v1/submissions/{id}/", get),
    Operation("transition-submission", "POST", "/api/v1/submissions/{id}/transition/", transition),
    Operation("request-submission-return", "POST", "/api/v1/submissions/{id}/request-return/", request_return),
    Operation("bulk-approve-submissions", "POST", "/api/v1/submissions/bulk-approve/", bulk_approve),
)
