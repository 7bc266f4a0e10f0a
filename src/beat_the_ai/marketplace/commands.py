"""What is done to a marketplace from the command line; each opens the store, acts and closes it."""

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
        "aws_access_key_id": key.id,
        "aws_secret_access_key": key.secret,
        "available": show_dollars(cents),
    }


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
