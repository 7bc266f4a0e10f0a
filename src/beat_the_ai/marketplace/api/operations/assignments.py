"""Operations on assignments, bonuses and the balance."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from beat_the_ai.marketplace import assignments, bonuses, requesters, tokens
from beat_the_ai.marketplace.api.operations import shapes
from beat_the_ai.marketplace.api.operations.registry import Call, Reply, Request, operation
from beat_the_ai.marketplace.assignments import SHOWN_TO_REQUESTERS, get_assignment
from beat_the_ai.marketplace.errors import RequestFailed, wrong_parameter
from beat_the_ai.marketplace.hit_types import get_hit_type
from beat_the_ai.marketplace.hits import get_hit
from beat_the_ai.marketplace.money import show_dollars
from beat_the_ai.marketplace.pages import fetch, page_of
from beat_the_ai.marketplace.tables import assignments as table

MAX_FEEDBACK_CHARACTERS = 1024


@operation("GetAccountBalance", writes=False)
def get_account_balance(call: Call, request: Request) -> Reply:
    balance = requesters.balance(call.moment, call.requester_id)
    return {
        "AvailableBalance": show_dollars(balance.available_cents),
        "OnHoldBalance": show_dollars(balance.held_cents),
    }


@operation("GetAssignment", writes=False)
def get_one(call: Call, request: Request) -> Reply:
    """Only once it is submitted; the message lists what MTurk's lists [seen]."""
    found = get_assignment(call.moment, request["AssignmentId"], call.requester_id)
    if found.status not in SHOWN_TO_REQUESTERS:
        message = "This operation can be called with a status of: Reviewable,Approved,Rejected"
        raise RequestFailed("InvalidAssignmentState", message)
    hit = get_hit(call.moment, found.hit_id)
    hit_type = get_hit_type(call.moment, hit.hit_type_id)
    return {"Assignment": shapes.assignment(found), "HIT": shapes.hit(hit, hit_type)}


@operation("ListAssignmentsForHIT", writes=False)
def list_for_hit(call: Call, request: Request) -> Reply:
    """In the order of acceptance. One look-up per state, so that a million of another state cost nothing."""
    hit = get_hit(call.moment, request["HITId"], call.requester_id)
    asked = shapes.page_request(request)
    found: list[sa.Row[Any]] = []
    for status in dict.fromkeys(request.get("AssignmentStatuses") or SHOWN_TO_REQUESTERS):
        query = sa.select(table).filter_by(hit_id=hit.id, status=status)
        found += fetch(call.moment, query, table.c.number, asked, newest_first=False)
    rows = sorted(found, key=lambda row: row.number)[: asked.size]
    shown = page_of([assignments.from_row(row) for row in rows], [row.number for row in rows])
    return shapes.page(shown, "Assignments", shapes.assignment)


@operation("ApproveAssignment", writes=True)
def approve(call: Call, request: Request) -> Reply:
    feedback = _feedback(request)
    found = get_assignment(call.moment, request["AssignmentId"], call.requester_id)
    assignments.approve(call.moment, found, feedback, override=request.get("OverrideRejection", False))
    return {}


@operation("RejectAssignment", writes=True)
def reject(call: Call, request: Request) -> Reply:
    feedback = _feedback(request)
    assert feedback is not None
    found = get_assignment(call.moment, request["AssignmentId"], call.requester_id)
    assignments.reject(call.moment, found, feedback)
    return {}


def _feedback(request: Request) -> str | None:
    feedback: str | None = request.get("RequesterFeedback")
    if feedback is not None and len(feedback) > MAX_FEEDBACK_CHARACTERS:
        raise wrong_parameter(f"RequesterFeedback must have at most {MAX_FEEDBACK_CHARACTERS} characters.")
    return feedback


@operation("SendBonus", writes=True)
def send_bonus(call: Call, request: Request) -> Reply:
    token = request.get("UniqueRequestToken")
    cents = shapes.cents(request["BonusAmount"], "BonusAmount")
    tokens.refuse_repeat(call.moment, call.requester_id, "SendBonus", token)
    worker_id, assignment_id = request["WorkerId"], request["AssignmentId"]
    made = bonuses.grant(call.moment, call.requester_id, worker_id, assignment_id, cents, request["Reason"])
    tokens.remember(call.moment, call.requester_id, "SendBonus", token, made.id)
    return {}


@operation("ListBonusPayments", writes=False)
def list_bonus_payments(call: Call, request: Request) -> Reply:
    """For a HIT or for an assignment: one of them has to be given [doc]."""
    asked = shapes.page_request(request)
    if "AssignmentId" in request:
        found = get_assignment(call.moment, request["AssignmentId"], call.requester_id)
        payments = bonuses.of_assignment(call.moment, found.id, asked)
    elif "HITId" in request:
        hit = get_hit(call.moment, request["HITId"], call.requester_id)
        payments = bonuses.of_hit(call.moment, hit.id, asked)
    else:
        raise wrong_parameter("Either HITId or AssignmentId must be given.")
    return shapes.page(payments, "BonusPayments", shapes.bonus)
