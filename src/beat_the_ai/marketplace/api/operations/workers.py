"""Operations on workers and notifications."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from beat_the_ai.marketplace import blocks, hit_types, notifications
from beat_the_ai.marketplace.api.operations import shapes
from beat_the_ai.marketplace.api.operations.registry import Call, Reply, Request, operation
from beat_the_ai.marketplace.errors import wrong_parameter
from beat_the_ai.marketplace.tables import assignments

MAX_SUBJECT_CHARACTERS = 200
MAX_MESSAGE_CHARACTERS = 4_096
MAX_NOTIFIED_WORKERS = 100


@operation("CreateWorkerBlock", writes=True)
def create_block(call: Call, request: Request) -> Reply:
    blocks.block(call.moment, call.requester_id, request["WorkerId"], request["Reason"])
    return {}


@operation("DeleteWorkerBlock", writes=True)
def delete_block(call: Call, request: Request) -> Reply:
    blocks.unblock(call.moment, call.requester_id, request["WorkerId"])
    return {}


@operation("ListWorkerBlocks", writes=False)
def list_blocks(call: Call, request: Request) -> Reply:
    found = blocks.list_blocks(call.moment, call.requester_id, shapes.page_request(request))
    return shapes.page(found, "WorkerBlocks", lambda one: {"WorkerId": one.worker_id, "Reason": one.reason})


@operation("NotifyWorkers", writes=True)
def notify_workers(call: Call, request: Request) -> Reply:
    """Only workers whose work the requester has approved or rejected before get it [doc]."""
    if not 1 <= len(request["Subject"]) <= MAX_SUBJECT_CHARACTERS:
        raise wrong_parameter(f"Subject must have 1 to {MAX_SUBJECT_CHARACTERS} characters.")
    if not 1 <= len(request["MessageText"]) <= MAX_MESSAGE_CHARACTERS:
        raise wrong_parameter(f"MessageText must have 1 to {MAX_MESSAGE_CHARACTERS} characters.")
    worker_ids = list(dict.fromkeys(request["WorkerIds"]))
    if not 1 <= len(worker_ids) <= MAX_NOTIFIED_WORKERS:
        raise wrong_parameter(f"WorkerIds must hold 1 to {MAX_NOTIFIED_WORKERS} ids.")
    failures = []
    for worker_id in worker_ids:
        if _has_worked_for(call, worker_id):
            notifications.send(call.moment, call.requester_id, worker_id, request["Subject"], request["MessageText"])
        else:
            failures.append(_failure(worker_id))
    return {"NotifyWorkersFailureStatuses": failures}


def _has_worked_for(call: Call, worker_id: str) -> bool:
    mine = sa.select(assignments.c.number).filter_by(requester_id=call.requester_id, worker_id=worker_id)
    decided = mine.where(assignments.c.status.in_(("Approved", "Rejected"))).limit(1)
    return call.moment.connection.scalar(decided) is not None


def _failure(worker_id: str) -> dict[str, Any]:
    return {
        "NotifyWorkersFailureCode": "HardFailure",
        "NotifyWorkersFailureMessage": "The worker has no approved or rejected assignment of this requester.",
        "WorkerId": worker_id,
    }


@operation("UpdateNotificationSettings", writes=True)
def update_notification_settings(call: Call, request: Request) -> Reply:
    specification = request.get("Notification")
    if specification is not None:
        notifications.check(specification, call.endpoints)
    hit_types.set_notification(
        call.moment, call.requester_id, request["HITTypeId"], specification, request.get("Active")
    )
    return {}


@operation("SendTestEventNotification", writes=True)
def send_test_event_notification(call: Call, request: Request) -> Reply:
    """Sent like any other, whatever events the specification asks for [doc]."""
    notifications.check(request["Notification"], call.endpoints)
    happened = {"HITTypeId": "TEST", "HITId": "TEST", "AssignmentId": "TEST"}
    event = request.get("TestEventType", "Ping")
    notifications.deliver(call.moment, call.requester_id, request["Notification"], event, happened)
    return {}
