"""Operations of the tag webhooks."""

from __future__ import annotations

import json
from typing import Annotated

import sqlalchemy as sa
from pydantic import Field

from beat_the_ai.recruiter import hooks
from beat_the_ai.recruiter.api.call import Call, Json, Operation, Reply, show_time
from beat_the_ai.recruiter.events import EVENT_TYPES
from beat_the_ai.recruiter.hooks import STATUSES, Secret, Subscription
from beat_the_ai.recruiter.reading import Given, Id, Line, invalid, read, read_flag
from beat_the_ai.recruiter.tables import events as table

CHALLENGE_HEADER = "X-Hook-Secret"
SHOWN = 100
Address = Annotated[str, Field(min_length=1, max_length=2000)]


class NewSecret(Given):
    """The body of `create-secret`."""

    workspace_id: Id | None = None


class NewSubscription(Given):
    """The body of `create-subscription`."""

    event_type: Id
    target_url: Address
    workspace_id: Id


class Confirmation(Given):
    """The body of `confirm-subscription`."""

    secret: Line


class Update(Given):
    """The body of `update-subscription`."""

    event_type: Id | None = None
    target_url: Address | None = None
    is_enabled: bool | None = None


def event_types(call: Call) -> Reply:
    return Reply({"results": [{"event_type": name, "description": text} for name, text in EVENT_TYPES.items()]})


def secrets(call: Call) -> Reply:
    _check_workspace(call, call.required("workspace_id"))
    found = hooks.find_secret(call.moment)
    return Reply({"results": [_secret(found)] if found else []})


def create_secret(call: Call) -> Reply:
    given = read(NewSecret, call.body)
    _check_workspace(call, given.workspace_id or call.workspace.id)
    return Reply(_secret(hooks.replace_secret(call.moment, call.workspace.id)))


def listed(call: Call) -> Reply:
    _check_workspace(call, call.query.get("workspace_id", call.workspace.id))
    is_enabled = read_flag(call.query.get("is_enabled", "true"), "is_enabled")
    return Reply({"results": [_shown(call, one) for one in hooks.all_of(call.moment, is_enabled=is_enabled)]})


def subscribe(call: Call) -> Reply:
    """Its target is sent the challenge; the answer has it in the same header."""
    given = read(NewSubscription, call.body)
    _check_workspace(call, given.workspace_id)
    made = hooks.subscribe(call.moment, given.event_type, given.target_url)
    return Reply({"results": [_shown(call, made)]}, {CHALLENGE_HEADER: made.challenge})


def get(call: Call) -> Reply:
    return Reply(_shown(call, _subscription(call)))


def confirm(call: Call) -> Reply:
    given = read(Confirmation, call.body)
    return Reply(_shown(call, hooks.confirm(call.moment, _subscription(call), given.secret)))


def update(call: Call) -> Reply:
    values = read(Update, call.body).model_dump(exclude_none=True)
    return Reply(_shown(call, hooks.change(call.moment, _subscription(call), values)))


def delete(call: Call) -> Reply:
    hooks.unsubscribe(call.moment, _subscription(call))
    return Reply(None)


def events(call: Call) -> Reply:
    conditions: list[sa.ColumnElement[bool]] = []
    if "status" in call.query:
        conditions.append(table.c.status.in_(_statuses(call.query["status"])))
    if "resource_id" in call.query:
        conditions.append(table.c.resource_id == call.query["resource_id"])
    query = hooks.events_of(_subscription(call).id, *conditions)
    limit, offset = call.number("limit", SHOWN, least=0), call.number("offset", 0, least=0)
    rows = call.moment.connection.execute(query.limit(limit).offset(offset))
    return Reply({"results": [_event(row) for row in rows]})


def _subscription(call: Call) -> Subscription:
    return hooks.get(call.moment, call.path["subscription_id"])


def _shown(call: Call, one: Subscription) -> Json:
    shown = {"id": one.id, "event_type": one.event_type, "target_url": one.target_url}
    return {**shown, "is_enabled": one.is_enabled, "workspace_id": call.workspace.id}


def _secret(one: Secret) -> Json:
    return {"id": one.id, "value": one.value, "workspace_id": one.workspace_id}


def _event(row: sa.Row[tuple[object, ...]]) -> Json:
    return {
        "id": row.id,
        "datetime_created": show_time(row.created_at),
        "datetime_updated": show_time(row.updated_at),
        "event_type": row.event_type,
        "resource_id": row.resource_id,
        "status": row.status,
        "target_url": row.target_url,
        "payload": row.payload,
    }


def _statuses(text: str) -> list[str]:
    """Return the states that are asked for: one, or a JSON array of them."""
    try:
        asked = json.loads(text) if text.startswith("[") else [text]
    except ValueError:
        asked = [text]
    if not all(one in STATUSES for one in asked):
        raise invalid("status", f"{text[:40]!r} is no status; use one of {', '.join(STATUSES)}")
    return [str(one) for one in asked]


def _check_workspace(call: Call, workspace_id: str) -> None:
    if workspace_id != call.workspace.id:
        raise invalid("workspace_id", f"There is no workspace {workspace_id[:40]!r}; this one is {call.workspace.id}")


PATH = "/api/v1/hooks/subscriptions/{subscription_id}/"
OPERATIONS = (
    Operation("get-event-types", "GET", "/api/v1/hooks/event-types/", event_types),
    Operation("get-secrets", "GET", "/api/v1/hooks/secrets/", secrets),
    Operation("create-secret", "POST", "/api/v1/hooks/secrets/", create_secret, 201),
    Operation("get-subscriptions", "GET", "/api/v1/hooks/subscriptions/", listed),
    Operation("create-subscription", "POST", "/api/v1/hooks/subscriptions/", subscribe, 201),
    Operation("get-subscription", "GET", PATH, get),
    Operation("confirm-subscription", "POST", PATH, confirm),
    Operation("update-subscription", "PATCH", PATH, update),
    Operation("delete-subscription", "DELETE", PATH, delete, 204),
    Operation("get-events", "GET", f"{PATH}events/", events),
)
