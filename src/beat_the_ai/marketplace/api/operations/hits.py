"""Operations on HIT types and HITs."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from beat_the_ai.marketplace import hit_types, offering, qualification_types, requirements, tokens
from beat_the_ai.marketplace.api.operations import shapes
from beat_the_ai.marketplace.api.operations.registry import Call, Reply, Request, operation
from beat_the_ai.marketplace.errors import RequestFailed, wrong_parameter
from beat_the_ai.marketplace.hit_types import HitType, get_hit_type
from beat_the_ai.marketplace.hits import Hit, from_row, get_hit
from beat_the_ai.marketplace.pages import Page, fetch, page_of
from beat_the_ai.marketplace.tables import hits

# Members of the service model that this marketplace does not have; to ignore them would change what a HIT means.
UNSUPPORTED = ("AssignmentReviewPolicy", "HITReviewPolicy", "HITLayoutId", "HITLayoutParameters")


@operation("CreateHITType", writes=True)
def create_hit_type(call: Call, request: Request) -> Reply:
    return {"HITTypeId": _register(call, request).id}


@operation("CreateHIT", writes=True)
def create_hit(call: Call, request: Request) -> Reply:
    _refuse_unsupported(request)
    tokens.refuse_repeat(call.moment, call.requester_id, "CreateHIT", request.get("UniqueRequestToken"))
    return _offer(call, request, _register(call, request))


@operation("CreateHITWithHITType", writes=True)
def create_hit_with_hit_type(call: Call, request: Request) -> Reply:
    _refuse_unsupported(request)
    tokens.refuse_repeat(call.moment, call.requester_id, "CreateHIT", request.get("UniqueRequestToken"))
    hit_type = get_hit_type(call.moment, request["HITTypeId"], call.requester_id)
    requirements.check(call.moment, hit_type.properties.requirements)  # the types may be gone since it was registered
    return _offer(call, request, hit_type)


def _refuse_unsupported(request: Request) -> None:
    given = [name for name in UNSUPPORTED if request.get(name)]
    if given:
        raise RequestFailed(
            "UnsupportedOperation",
            f"{', '.join(given)}: this marketplace has no review policies and no HIT layouts. Leave it out.",
        )
    if "Question" not in request:
        raise wrong_parameter("A Question must be given.")


def _register(call: Call, request: Request) -> HitType:
    delay = request.get("AutoApprovalDelayInSeconds")
    properties = hit_types.Properties(
        title=request["Title"],
        description=request["Description"],
        keywords=request.get("Keywords"),
        reward_cents=shapes.cents(request["Reward"], "Reward"),
        auto_approval_seconds=hit_types.DEFAULT_AUTO_APPROVAL_SECONDS if delay is None else delay,
        duration_seconds=request["AssignmentDurationInSeconds"],
        requirements=request.get("QualificationRequirements", []),
    )
    return hit_types.register(call.moment, call.requester_id, properties)


def _offer(call: Call, request: Request, hit_type: HitType) -> Reply:
    made = offering.create(
        call.moment,
        hit_type,
        request["Question"],
        max_assignments=request.get("MaxAssignments", 1),
        lifetime_seconds=request["LifetimeInSeconds"],
        annotation=request.get("RequesterAnnotation"),
    )
    tokens.remember(call.moment, call.requester_id, "CreateHIT", request.get("UniqueRequestToken"), made.id)
    return {"HIT": shapes.hit(made, hit_type)}


@operation("GetHIT", writes=False)
def get_one(call: Call, request: Request) -> Reply:
    found = _hit(call, request)
    return {"HIT": shapes.hit(found, get_hit_type(call.moment, found.hit_type_id))}


@operation("ListHITs", writes=False)
def list_all(call: Call, request: Request) -> Reply:
    """All but the deleted ones, newest first [assumed]."""
    return _page(call, request, sa.select(hits).filter_by(requester_id=call.requester_id, live=True))


@operation("ListReviewableHITs", writes=False)
def list_reviewable(call: Call, request: Request) -> Reply:
    query = sa.select(hits).filter_by(status=request.get("Status", "Reviewable"))
    if "HITTypeId" in request:
        get_hit_type(call.moment, request["HITTypeId"], call.requester_id)
        query = query.filter_by(hit_type_id=request["HITTypeId"])
    else:
        query = query.filter_by(requester_id=call.requester_id)
    return _page(call, request, query)


def _page(call: Call, request: Request, query: sa.Select[Any]) -> Reply:
    rows = fetch(call.moment, query, hits.c.number, shapes.page_request(request), newest_first=True)
    return _shown(call, page_of(rows, [row.number for row in rows]))


@operation("ListHITsForQualificationType", writes=False)
def list_for_qualification_type(call: Call, request: Request) -> Reply:
    asked, type_id = shapes.page_request(request), request["QualificationTypeId"]
    return _shown(call, qualification_types.hits_asking_for(call.moment, call.requester_id, type_id, asked))


def _shown(call: Call, found: Page[sa.Row[Any]]) -> Reply:
    """HITs of a page have few types between them: each is read once."""
    types = {row.hit_type_id: get_hit_type(call.moment, row.hit_type_id) for row in found.items}
    return shapes.page(found, "HITs", lambda row: shapes.hit(from_row(row), types[row.hit_type_id]))


@operation("UpdateExpirationForHIT", writes=True)
def update_expiration(call: Call, request: Request) -> Reply:
    offering.set_expiry(call.moment, _hit(call, request), request["ExpireAt"])
    return {}


@operation("UpdateHITReviewStatus", writes=True)
def update_review_status(call: Call, request: Request) -> Reply:
    offering.set_review_status(call.moment, _hit(call, request), revert=request.get("Revert", False))
    return {}


@operation("UpdateHITTypeOfHIT", writes=True)
def update_hit_type(call: Call, request: Request) -> Reply:
    offering.set_hit_type(call.moment, _hit(call, request), request["HITTypeId"])
    return {}


@operation("CreateAdditionalAssignmentsForHIT", writes=True)
def create_additional_assignments(call: Call, request: Request) -> Reply:
    token = request.get("UniqueRequestToken")
    tokens.refuse_repeat(call.moment, call.requester_id, "AddAssignments", token)
    found = offering.add_assignments(call.moment, _hit(call, request), request["NumberOfAdditionalAssignments"])
    tokens.remember(call.moment, call.requester_id, "AddAssignments", token, found.id)
    return {}


@operation("DeleteHIT", writes=True)
def delete_hit(call: Call, request: Request) -> Reply:
    offering.delete(call.moment, _hit(call, request))
    return {}


def _hit(call: Call, request: Request) -> Hit:
    return get_hit(call.moment, request["HITId"], call.requester_id)
