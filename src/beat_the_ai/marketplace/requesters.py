"""Requesters, their access keys and their money."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa

from beat_the_ai.errors import InvalidInput, Refused, UnknownName
from beat_the_ai.marketplace import accounts, identifiers
from beat_the_ai.marketplace.moment import Moment
from beat_the_ai.marketplace.money import show_dollars
from beat_the_ai.marketplace.tables import access_keys, requesters

MAX_DEPOSIT_CENTS = 10**13


@dataclass(frozen=True)
class Requester:
    id: str
    name: str


@dataclass(frozen=True)
class AccessKey:
    """A key that signs requests. Both sides of SigV4 need the plain secret, so the database holds it."""

    id: str
    secret: str
    requester_id: str


@dataclass(frozen=True)
class KeyStanding:
    """An access key without its secret."""

    id: str
    created_at: datetime
    revoked_at: datetime | None


@dataclass(frozen=True)
class Balance:
    available_cents: int
    held_cents: int


def add_requester(moment: Moment, name: str, deposit_cents: int) -> tuple[Requester, AccessKey]:
    """A new requester with money and a first access key. Raises `Refused` when the name is taken."""
    if not 1 <= len(name) <= 80:
        raise InvalidInput("name", f"A requester's name has 1 to 80 characters; {len(name)} were given.")
    if moment.connection.scalar(sa.select(requesters.c.id).filter_by(name=name)) is not None:
        raise Refused(f"There is a requester {name!r} already. Take another name, or add a key to that one.")
    requester = Requester(identifiers.new_person(), name)
    row = {"id": requester.id, "name": name, "created_at": moment.now}
    moment.connection.execute(sa.insert(requesters).values(row))
    for account in (accounts.OUTSIDE, accounts.FEES, accounts.available(requester.id), accounts.held(requester.id)):
        accounts.open_account(moment, account)
    deposit(moment, requester.id, deposit_cents)
    return requester, add_access_key(moment, requester.id)


def add_access_key(moment: Moment, requester_id: str) -> AccessKey:
    key_id, secret = identifiers.new_access_key()
    row = {"id": key_id, "secret": secret, "requester_id": requester_id, "created_at": moment.now}
    moment.connection.execute(sa.insert(access_keys).values(row))
    return AccessKey(key_id, secret, requester_id)


def requester_named(moment: Moment, name: str) -> Requester:
    """Raises `UnknownName`."""
    row = moment.connection.execute(sa.select(requesters.c.id, requesters.c.name).filter_by(name=name)).one_or_none()
    if row is None:
        raise UnknownName("requester", name, moment.connection.scalars(sa.select(requesters.c.name)))
    return Requester(row.id, row.name)


def list_access_keys(moment: Moment, requester_id: str) -> list[KeyStanding]:
    """Oldest first, the revoked ones among them."""
    columns = [access_keys.c[name] for name in KeyStanding.__dataclass_fields__]
    query = sa.select(*columns).filter_by(requester_id=requester_id).order_by(access_keys.c.created_at)
    return [KeyStanding(**row._mapping) for row in moment.connection.execute(query)]


def revoke_access_key(moment: Moment, requester_id: str, key_id: str) -> None:
    """From the next request on nothing is signed with it; its secret is erased. Raises `UnknownName`, `Refused`."""
    known = {key.id: key for key in list_access_keys(moment, requester_id)}
    if key_id not in known:
        raise UnknownName("access key", key_id, known)
    if known[key_id].revoked_at is not None:
        raise Refused(f"The access key {key_id} was revoked on {known[key_id].revoked_at:%Y-%m-%d %H:%M} UTC.")
    here = sa.update(access_keys).filter_by(id=key_id)
    moment.connection.execute(here.values(secret="", revoked_at=moment.now))


def access_key(moment: Moment, key_id: str) -> AccessKey | None:
    """None when it is not known, or revoked."""
    query = sa.select(access_keys.c.id, access_keys.c.secret, access_keys.c.requester_id)
    query = query.filter_by(id=key_id, revoked_at=None)
    row = moment.connection.execute(query).one_or_none()
    return None if row is None else AccessKey(row.id, row.secret, row.requester_id)


def active_secrets(moment: Moment, requester_id: str) -> list[str]:
    """Return the secrets of the keys that were not revoked, the oldest first."""
    query = sa.select(access_keys.c.secret).filter_by(requester_id=requester_id, revoked_at=None)
    return list(moment.connection.scalars(query.order_by(access_keys.c.created_at)))


def deposit(moment: Moment, requester_id: str, cents: int) -> None:
    if not 0 <= cents <= MAX_DEPOSIT_CENTS:
        most = show_dollars(MAX_DEPOSIT_CENTS)
        raise InvalidInput("dollars", f"A deposit is from 0 to {most} dollars; {show_dollars(cents)[:40]} were given.")
    accounts.transfer(moment, "deposit", accounts.OUTSIDE, accounts.available(requester_id), cents)


def balance(moment: Moment, requester_id: str) -> Balance:
    return Balance(
        accounts.balance_cents(moment, accounts.available(requester_id)),
        accounts.balance_cents(moment, accounts.held(requester_id)),
    )
