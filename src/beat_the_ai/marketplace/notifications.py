"""Messages to workers and event notifications to requesters. They go into the outbox; nothing is sent from here."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from beat_the_ai.marketplace.identifiers import new_entity
from beat_the_ai.marketplace.moment import Moment
from beat_the_ai.marketplace.tables import hit_types, outbox

EVENT_VERSION = "2006-05-05"


@dataclass(frozen=True)
class Message:
    """One line of the outbox. `recipient` is a worker's id or a notification's destination."""

    at: datetime
    sender: str
    recipient: str
    transport: str
    subject: str
    body: str


def send(moment: Moment, sender: str, recipient: str, subject: str, body: str, transport: str = "Email") -> None:
    row = {"sender": sender, "recipient": recipient, "transport": transport, "subject": subject, "body": body}
    moment.connection.execute(sa.insert(outbox).values(**row, at=moment.now))


def messages_to(moment: Moment, recipient: str) -> list[Message]:
    columns = [outbox.c[name] for name in Message.__dataclass_fields__]
    rows = moment.connection.execute(sa.select(*columns).filter_by(recipient=recipient).order_by(outbox.c.number))
    return [Message(**row._mapping) for row in rows]


def announce(moment: Moment, hit_type_id: str, event: str, hit_id: str, assignment_id: str | None = None) -> None:
    """Tell the owner of a HIT type what happened, where its notification asks for that event."""
    columns = (hit_types.c.notification, hit_types.c.notifying, hit_types.c.requester_id)
    settings = moment.connection.execute(sa.select(*columns).filter_by(id=hit_type_id)).one()
    if settings.notifying and settings.notification and event in settings.notification["EventTypes"]:
        happened = {"HITTypeId": hit_type_id, "HITId": hit_id}
        if assignment_id is not None:
            happened["AssignmentId"] = assignment_id
        deliver(moment, settings.requester_id, settings.notification, event, happened)


def deliver(
    moment: Moment, requester_id: str, specification: dict[str, Any], event: str, happened: dict[str, str]
) -> None:
    """One event in the form that SNS and SQS destinations get [doc]."""
    timestamp = moment.now.strftime("%Y-%m-%dT%H:%M:%SZ")
    body = {
        "EventDocId": new_entity(),
        "EventDocVersion": EVENT_VERSION,
        "CustomerId": requester_id,
        "Events": [{"EventType": event, "EventTimestamp": timestamp, **happened}],
    }
    send(
        moment,
        requester_id,
        specification["Destination"],
        f"Notification: {event}",
        json.dumps(body),
        specification["Transport"],
    )
