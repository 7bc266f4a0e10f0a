"""Operations on qualification types, qualifications and requests for them."""

from __future__ import annotations

from typing import Any

from beat_the_ai.marketplace import qualification_requests, qualification_types, qualifications
from beat_the_ai.marketplace.api.operations import shapes
from beat_the_ai.marketplace.api.operations.registry import Call, Reply, Request, operation
from beat_the_ai.marketplace.errors import does_not_exist
from beat_the_ai.marketplace.qualification_types import Properties, get_type
from beat_the_ai.marketplace.requirements import SYSTEM_TYPES

PROPERTY_OF = {
    "Name": "name",
    "Description": "description",
    "QualificationTypeStatus": "status",
    "Keywords": "keywords",
    "Test": "test",
    "AnswerKey": "answer_key",
    "TestDurationInSeconds": "test_duration_seconds",
    "RetryDelayInSeconds": "retry_delay_seconds",
    "AutoGranted": "auto_granted",
    "AutoGrantedValue": "auto_granted_value",
}


@operation("CreateQualificationType", writes=True)
def create_type(call: Call, request: Request) -> Reply:
    made = qualification_types.create(call.moment, call.requester_id, Properties(**_properties(request)))
    return {"QualificationType": shapes.qualification_type(made)}


@operation("UpdateQualificationType", writes=True)
def update_type(call: Call, request: Request) -> Reply:
    type_id = request["QualificationTypeId"]
    changed = qualification_types.update(call.moment, call.requester_id, type_id, _properties(request))
    return {"QualificationType": shapes.qualification_type(changed)}


def _properties(request: Request) -> dict[str, Any]:
    return {name: request[member] for member, name in PROPERTY_OF.items() if member in request}


@operation("GetQualificationType", writes=False)
def get_one(call: Call, request: Request) -> Reply:
    """Anybody's, and the system's; a test's answer key is for its owner only [assumed]."""
    type_id = request["QualificationTypeId"]
    if type_id in SYSTEM_TYPES:
        name = SYSTEM_TYPES[type_id]
        system = {"Name": name, "Description": name, "QualificationTypeStatus": "Active", "IsRequestable": False}
        return {"QualificationType": {"QualificationTypeId": type_id, **system}}
    return {"QualificationType": _visible(call, get_type(call.moment, type_id))}


def _visible(call: Call, kind: qualification_types.QualificationType) -> Reply:
    shown = shapes.qualification_type(kind)
    if kind.requester_id != call.requester_id:
        shown.pop("AnswerKey", None)
    return shown


@operation("DeleteQualificationType", writes=True)
def delete_type(call: Call, request: Request) -> Reply:
    qualification_types.delete(call.moment, call.requester_id, request["QualificationTypeId"])
    return {}


@operation("ListQualificationTypes", writes=False)
def list_types(call: Call, request: Request) -> Reply:
    found = qualification_types.search(
        call.moment,
        call.requester_id,
        shapes.page_request(request),
        query=request.get("Query"),
        owned=request.get("MustBeOwnedByCaller", False),
        requestable=request["MustBeRequestable"],
    )
    return shapes.page(found, "QualificationTypes", lambda kind: _visible(call, kind))


@operation("AssociateQualificationWithWorker", writes=True)
def associate(call: Call, request: Request) -> Reply:
    """The value is 1 unless given [assumed]; the worker is told unless SendNotification is false [doc]."""
    kind = get_type(call.moment, request["QualificationTypeId"], call.requester_id)
    told = request.get("SendNotification", True)
    qualifications.grant(call.moment, kind, request["WorkerId"], request.get("IntegerValue", 1), tell_worker=told)
    return {}


@operation("DisassociateQualificationFromWorker", writes=True)
def disassociate(call: Call, request: Request) -> Reply:
    kind = get_type(call.moment, request["QualificationTypeId"], call.requester_id)
    qualifications.revoke(call.moment, kind, request["WorkerId"], request.get("Reason"))
    return {}


@operation("GetQualificationScore", writes=False)
def get_score(call: Call, request: Request) -> Reply:
    """Only of one's own types [doc]; asking for a system type answers as if nobody had it [seen: boto #3171]."""
    type_id = request["QualificationTypeId"]
    if type_id not in SYSTEM_TYPES:
        get_type(call.moment, type_id, call.requester_id)
    granted = qualifications.get_qualification(call.moment, type_id, request["WorkerId"])
    return {"Qualification": shapes.qualification(granted)}


@operation("ListWorkersWithQualificationType", writes=False)
def list_workers(call: Call, request: Request) -> Reply:
    kind = get_type(call.moment, request["QualificationTypeId"], call.requester_id)
    found = qualifications.of_type(call.moment, kind.id, request.get("Status", "Granted"), shapes.page_request(request))
    return shapes.page(found, "Qualifications", shapes.qualification)


@operation("ListQualificationRequests", writes=False)
def list_requests(call: Call, request: Request) -> Reply:
    type_id = request.get("QualificationTypeId")
    if type_id is not None:
        get_type(call.moment, type_id, call.requester_id)
    found = qualification_requests.pending(call.moment, call.requester_id, type_id, shapes.page_request(request))
    return shapes.page(found, "QualificationRequests", shapes.qualification_request)


@operation("AcceptQualificationRequest", writes=True)
def accept_request(call: Call, request: Request) -> Reply:
    qualification_requests.grant(call.moment, _pending(call, request), request.get("IntegerValue"))
    return {}


@operation("RejectQualificationRequest", writes=True)
def reject_request(call: Call, request: Request) -> Reply:
    qualification_requests.reject(call.moment, _pending(call, request), request.get("Reason"))
    return {}


def _pending(call: Call, request: Request) -> qualification_requests.QualificationRequest:
    request_id = request["QualificationRequestId"]
    if not 1 <= len(request_id) <= 64:
        raise does_not_exist("QualificationRequest", request_id[:64])
    return qualification_requests.get_request(call.moment, request_id, call.requester_id)
