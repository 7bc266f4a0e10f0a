"""Subscriptions to events, and the secret that signs what they get."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

import sqlalchemy as sa

from beat_the_ai.marketplace.moment import Moment
from beat_the_ai.recruiter.errors import NotThere, WrongState
from beat_the_ai.recruiter.events import EVENT_TYPES
from beat_the_ai.recruiter.identifiers import new_id
from beat_the_ai.recruiter.reading import invalid
from beat_the_ai.recruiter.tables import events, hook_secrets, subscriptions

STATUSES = ("PENDING", "SUCCEEDED", "FAILED")


@dataclass(frozen=True)
class Secret:
    """A row of `hook_secrets`."""

    workspace_id: str
    id: str
    value: str


@dataclass(frozen=True)
class Subscription:
    """A row of `subscriptions`."""

    number: int
    id: str
    event_type: str
    target_url: str
    is_enabled: bool
    is_confirmed: bool
    is_deleted: bool
    challenge: str
    challenge_tries: int
    challenge_due_at: datetime | None


def replace_secret(moment: Moment, workspace_id: str) -> Secret:
    """Make a new secret in the place of the one before."""
    made = Secret(workspace_id, new_id(), secrets.token_urlsafe(32))
    moment.connection.execute(sa.delete(hook_secrets))
    moment.connection.execute(sa.insert(hook_secrets).values(made.__dict__))
    return made


def find_secret(moment: Moment) -> Secret | None:
    """Return the secret, if one was made."""
    row = moment.connection.execute(sa.select(hook_secrets)).one_or_none()
    return None if row is None else Secret(**row._mapping)


def subscribe(moment: Moment, event_type: str, target_url: str) -> Subscription:
    """Make a subscription that begins when it is confirmed. Raises `Invalid`."""
    if find_secret(moment) is None:
        raise WrongState("The workspace has no secret yet; make one with POST /api/v1/hooks/secrets/.")
    _check(event_type, target_url)
    identifier = new_id()
    row = {
        "id": identifier,
        "event_type": event_type,
        "target_url": target_url,
        "is_enabled": False,
        "is_confirmed": False,
        "is_deleted": False,
        "challenge": secrets.token_urlsafe(32),
        "challenge_tries": 0,
        "challenge_due_at": moment.now,
    }
    moment.connection.execute(sa.insert(subscriptions).values(row))
    return get(moment, identifier)


def get(moment: Moment, subscription_id: str) -> Subscription:
    """Return a subscription. Raises `NotThere`."""
    row = moment.connection.execute(
        sa.select(subscriptions).filter_by(id=subscription_id, is_deleted=False)
    ).one_or_none()
    if row is None:
        raise NotThere("subscription", subscription_id)
    return Subscription(**row._mapping)


def all_of(moment: Moment, *, is_enabled: bool) -> list[Subscription]:
    """Return the subscriptions, the oldest first."""
    query = sa.select(subscriptions).filter_by(is_enabled=is_enabled, is_deleted=False)
    return [Subscription(**row._mapping) for row in moment.connection.execute(query.order_by(subscriptions.c.number))]


def confirm(moment: Moment, one: Subscription, secret: str) -> Subscription:
    """Begin a subscription with the secret that its target was sent. Raises `Invalid`."""
    if not secrets.compare_digest(one.challenge.encode(), secret.encode()):
        raise invalid("secret", "It is not the one that was sent in the header X-Hook-Secret")
    return _update(moment, one, is_enabled=True, is_confirmed=True, challenge_due_at=None)


def change(moment: Moment, one: Subscription, values: dict[str, Any]) -> Subscription:
    """Change a subscription; another target has to be confirmed anew. Raises `Invalid`."""
    merged = {"event_type": one.event_type, "target_url": one.target_url, "is_enabled": one.is_enabled, **values}
    _check(merged["event_type"], merged["target_url"])
    if merged["target_url"] != one.target_url:
        anew = {"challenge": secrets.token_urlsafe(32), "challenge_tries": 0, "challenge_due_at": moment.now}
        return _update(moment, one, **{**merged, **anew, "is_enabled": False, "is_confirmed": False})
    if merged["is_enabled"] and not one.is_confirmed:
        raise WrongState("The subscription has to be confirmed first, with the secret that its target was sent.")
    return _update(moment, one, **merged)


def unsubscribe(moment: Moment, one: Subscription) -> None:
    """End a subscription; what waits for delivery is given up."""
    _update(moment, one, is_enabled=False, is_deleted=True, challenge_due_at=None)
    waiting = sa.update(events).filter_by(subscription_id=one.id, status="PENDING")
    moment.connection.execute(waiting.values(status="FAILED", due_at=None, updated_at=moment.now))


def events_of(subscription_id: str, *conditions: sa.ColumnElement[bool]) -> sa.Select[Any]:
    """Return the query for the events of a subscription, the newest first."""
    query = sa.select(events).where(events.c.subscription_id == subscription_id, *conditions)
    return query.order_by(events.c.number.desc())


def _check(event_type: str, target_url: str) -> None:
    if event_type not in EVENT_TYPES:
        raise invalid("event_type", f"{event_type[:40]!r} is no event type; use one of {', '.join(EVENT_TYPES)}")
    try:
        parts = urlsplit(target_url)
        is_address = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        is_address = False
    if not is_address:
        raise invalid("target_url", f"{target_url[:40]!r} is no address; write it like https://example.org/hook")


def _update(moment: Moment, one: Subscription, **values: Any) -> Subscription:
    moment.connection.execute(sa.update(subscriptions).filter_by(id=one.id).values(**values))
    row = moment.connection.execute(sa.select(subscriptions).filter_by(id=one.id)).one()
    return Subscription(**row._mapping)
