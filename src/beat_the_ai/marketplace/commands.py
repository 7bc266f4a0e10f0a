"""The commands on a marketplace; each opens the store, acts and closes it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from beat_the_ai.errors import InvalidInput
from beat_the_ai.marketplace import requesters
from beat_the_ai.marketplace.control import enrol, renew_code
from beat_the_ai.marketplace.market import open_market
from beat_the_ai.marketplace.moment import Moment
from beat_the_ai.marketplace.money import parse_cents, show_dollars

DEFAULT_DEPOSIT = "10000.00"  # what MTurk's sandbox gave [seen: Mephisto]
WORKER_FIELDS = ("id", "locale", "approved", "approval_rate", "adult", "masters")


def add_requester(store: str, name: str, dollars: str = DEFAULT_DEPOSIT) -> dict[str, Any]:
    """A new requester and its access key, whose secret is told now and never again."""
    cents = _cents(dollars)
    with _writing(store) as moment:
        requester, key = requesters.add_requester(moment, name, cents)
    return {
        "requester_id": requester.id,
        "name": requester.name,
        **_told_once(key),
        "available": show_dollars(cents),
    }


def add_access_key(store: str, name: str) -> dict[str, Any]:
    """Another access key for a requester, beside those it has; the secret is told now and never again."""
    with _writing(store) as moment:
        requester = requesters.requester_named(moment, name)
        key = requesters.add_access_key(moment, requester.id)
    return {"requester_id": requester.id, **_told_once(key)}


def list_access_keys(store: str, name: str) -> list[dict[str, Any]]:
    """A requester's access keys, without their secrets."""
    with _writing(store) as moment:
        keys = requesters.list_access_keys(moment, requesters.requester_named(moment, name).id)
    return [
        {
            "aws_access_key_id": key.id,
            "state": "revoked" if key.revoked_at else "active",
            "created_at": key.created_at.isoformat(),
            "revoked_at": key.revoked_at.isoformat() if key.revoked_at else None,
        }
        for key in keys
    ]


def revoke_access_key(store: str, name: str, key_id: str) -> dict[str, Any]:
    """End an access key; the requester's other ones go on working."""
    with _writing(store) as moment:
        requester = requesters.requester_named(moment, name)
        requesters.revoke_access_key(moment, requester.id, key_id)
        active = [key.id for key in requesters.list_access_keys(moment, requester.id) if key.revoked_at is None]
    return {"requester_id": requester.id, "revoked": key_id, "active_keys": len(active)}


def _told_once(key: requesters.AccessKey) -> dict[str, str]:
    return {"aws_access_key_id": key.id, "aws_secret_access_key": key.secret}


def deposit(store: str, name: str, dollars: str) -> dict[str, Any]:
    """More money for a requester."""
    cents = _cents(dollars)
    with _writing(store) as moment:
        requester = requesters.requester_named(moment, name)
        requesters.deposit(moment, requester.id, cents)
        balance = requesters.balance(moment, requester.id)
    return {"requester_id": requester.id, "available": show_dollars(balance.available_cents)}


def add_worker(store: str, described: Mapping[str, Any]) -> dict[str, Any]:
    """A new worker from `WORKER_FIELDS`, and the access code for the portal: told now and never again."""
    with _writing(store) as moment:
        return enrol(moment, dict(described))


def new_access_code(store: str, worker_id: str) -> dict[str, Any]:
    """Another access code for a worker; the old one and whatever was signed in with it count no more."""
    with _writing(store) as moment:
        return renew_code(moment, worker_id)


@contextmanager
def _writing(store: str) -> Iterator[Moment]:
    market = open_market(store)
    try:
        with market.writing() as moment:
            yield moment
    finally:
        market.close()


def _cents(text: str) -> int:
    try:
        return parse_cents(text)
    except ValueError as error:
        raise InvalidInput("dollars", str(error)) from None
