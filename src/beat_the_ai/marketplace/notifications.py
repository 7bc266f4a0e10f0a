"""Messages to workers and event notifications to requesters. They go into the outbox; `courier` delivers the events.

Which queues and topics can be reached is the operator's to say: a requester's address alone is never called.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Any

import sqlalchemy as sa

from beat_the_ai.marketplace.errors import RequestFailed, wrong_parameter
from beat_the_ai.marketplace.identifiers import new_entity
from beat_the_ai.marketplace.moment import Moment
from beat_the_ai.marketplace.pages import Page, PageRequest, fetch, page_of
from beat_the_ai.marketplace.tables import deliveries, hit_types, outbox

VERSIONS = ("2006-05-05", "2014-08-15")  # the second is the older API's, and what Dallinger sends [seen]
TOPIC = re.compile(r"arn:aws[a-z-]*:sns:[a-z0-9-]*:[0-9]*:[A-Za-z0-9_.-]{1,256}", re.ASCII)
QUEUE = re.compile(r"https?://[^/\s]+/[0-9]+/[A-Za-z0-9_.-]{1,80}", re.ASCII)
INSTEAD = "Ask for ListReviewableHITs and ListAssignmentsForHIT instead."

Endpoints = Mapping[str, str]  # by transport, SQS or SNS: the address of the server that the operator named
NO_ENDPOINTS: Endpoints = MappingProxyType({})


@dataclass(frozen=True)
class Message:
    """One line of the outbox. `recipient` is a worker's id or a notification's destination."""

    at: datetime
    sender: str
    recipient: str
    transport: str
    subject: str
    body: str


def send(moment: Moment, sender: str, recipient: str, subject: str, body: str, transport: str = "Email") -> int:
    """Returns the number of the line."""
    row = {"sender": sender, "recipient": recipient, "transport": transport, "subject": subject, "body": body}
    insertion = sa.insert(outbox).values(**row, at=moment.now).returning(outbox.c.number)
    return int(moment.connection.scalars(insertion).one())


def check(specification: Mapping[str, Any], endpoints: Endpoints) -> None:
    """Raises unless notifications of this kind reach their destination from here."""
    transport, destination = specification["Transport"], specification["Destination"]
    if specification["Version"] not in VERSIONS:
        raise wrong_parameter(f"The notification's Version must be {' or '.join(VERSIONS)}.")
    if transport not in ("SQS", "SNS"):
        raise wrong_parameter(f"The Transport {transport} is not used any more; it must be SQS or SNS. {INSTEAD}")
    if transport not in endpoints:
        reason = f"This marketplace delivers nothing by {transport}: it was started without --{transport.lower()}."
        raise RequestFailed("UnsupportedOperation", f"{reason} {INSTEAD}")
    if transport == "SNS" and not TOPIC.fullmatch(destination):
        raise wrong_parameter(f"The Destination {destination[:200]!r} is not the ARN of an SNS topic.")
    if transport == "SQS" and not QUEUE.fullmatch(destination):
        raise wrong_parameter(f"The Destination {destination[:200]!r} is not the URL of an SQS queue.")


def messages_to(moment: Moment, recipient: str, asked: PageRequest) -> Page[Message]:
    """The newest first."""
    rows = fetch(moment, sa.select(outbox).filter_by(recipient=recipient), outbox.c.number, asked, newest_first=True)
    items = [Message(**{name: getattr(row, name) for name in Message.__dataclass_fields__}) for row in rows]
    return page_of(items, [row.number for row in rows])


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
        "EventDocVersion": specification["Version"],
        "CustomerId": requester_id,
        "Events": [{"EventType": event, "EventTimestamp": timestamp, **happened}],
    }
    transport, subject = specification["Transport"], f"Notification: {event}"
    number = send(moment, requester_id, specification["Destination"], subject, json.dumps(body), transport)
    row = {"outbox_number": number, "transport": transport, "due_at": moment.now, "tries": 0}
    moment.connection.execute(sa.insert(deliveries).values(row))
