"""Operations of the tag messages."""

from __future__ import annotations

from datetime import timedelta

from pydantic import Field

from beat_the_ai.recruiter import groups, messages, participants, studies
from beat_the_ai.recruiter.api.call import Call, Json, Operation, Reply, read_time, show_time
from beat_the_ai.recruiter.messages import Message
from beat_the_ai.recruiter.reading import Given, Id, Text, invalid, read

SHOWN_FOR = timedelta(days=30)
MOST_IDS = 1000
MOST_EXCLUDED = 10


class NewMessage(Given):
    """The body of `send-message`."""

    recipient_id: Id
    body: Text
    study_id: Id


class BulkMessage(Given):
    """The body of `bulk-message-participants`."""

    ids: list[Id] = Field(max_length=MOST_IDS)
    body: Text
    study_id: Id


class GroupMessage(Given):
    """The body of `send-message-to-participant-group`."""

    participant_group_id: Id
    body: Text
    study_id: Id | None = None


def send(call: Call) -> Reply:
    given = read(NewMessage, call.body)
    return _send(call, [given.recipient_id], given.body, given.study_id)


def send_to_many(call: Call) -> Reply:
    given = read(BulkMessage, call.body)
    return _send(call, given.ids, given.body, given.study_id)


def send_to_group(call: Call) -> Reply:
    given = read(GroupMessage, call.body)
    group = groups.get_living(call.moment, given.participant_group_id)
    present = [one for one, _ in groups.members(call.moment, group.id) if participants.exists(call.moment, one)]
    return _send(call, present, given.body, given.study_id)


def listed(call: Call) -> Reply:
    """Return the messages of one participant, or all since a time; they stay unread."""
    if not {"user_id", "created_after"} & set(call.query):
        raise invalid("user_id", "Either user_id or created_after is required")
    found = messages.since(call.moment, call.moment.now - SHOWN_FOR)
    if "created_after" in call.query:
        after = read_time(call.query["created_after"], "created_after")
        found = [one for one in found if one.sent_at > after]
    if "user_id" in call.query:
        found = [one for one in found if one.participant_id == call.query["user_id"]]
    excluded = call.query.get("excluded_sender_ids", "").split(",")
    if len(excluded) > MOST_EXCLUDED:
        raise invalid("excluded_sender_ids", f"At most {MOST_EXCLUDED} ids are excluded")
    shown = [_shown(call, one) for one in found]
    return Reply({"results": [one for one in shown if one["sender_id"] not in excluded]})


def unread(call: Call) -> Reply:
    return Reply({"results": [_shown(call, one) for one in messages.unread(call.moment)]})


def _send(call: Call, recipients: list[str], body: str, study_id: str | None) -> Reply:
    if study_id is not None:
        studies.get(call.moment, study_id)
    for recipient in dict.fromkeys(recipients):
        participants.check_exists(call.moment, recipient)
        messages.send(call.moment, recipient, body, study_id)
    return Reply(None)


def _shown(call: Call, one: Message) -> Json:
    data = {"study_id": one.study_id, "category": one.category}
    return {
        "id": one.id,
        "sender_id": one.participant_id if one.from_participant else call.workspace.researcher_id,
        "body": one.body,
        "sent_at": show_time(one.sent_at),
        "type": "message",
        "channel_id": one.participant_id,
        "data": {name: value for name, value in data.items() if value is not None},
    }


OPERATIONS = (
    Operation("get-messages", "GET", "/api/v1/messages/", listed),
    Operation("send-message", "POST", "/api/v1/messages/", send, 204),
    Operation("bulk-message-participants", "POST", "/api/v1/messages/bulk/", send_to_many, 204),
    Operation("send-message-to-participant-group", "POST", "/api/v1/messages/participant-group/", send_to_group, 204),
    Operation("get-unread-messages", "GET", "/api/v1/messages/unread/", unread),
)
