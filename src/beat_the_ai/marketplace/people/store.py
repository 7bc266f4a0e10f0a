"""The store of people: a marketplace without fees, in a folder of its own or a database."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import sqlalchemy as sa

from beat_the_ai.errors import InvalidInput
from beat_the_ai.files.permissions import PRIVATE, make_private_folder
from beat_the_ai.marketplace import fees, requesters
from beat_the_ai.marketplace.market import Market, open_market
from beat_the_ai.marketplace.moment import Moment
from beat_the_ai.marketplace.tables import access_keys, settings
from beat_the_ai.marketplace.tables import requesters as requester_table

FILE = "people.db"
ADDRESS = "portal_address"
REQUESTER = "requester"
DEPOSIT_CENTS = 10**9  # balances are bookkeeping: the campaign's cap is what limits it


def is_database(place: str) -> bool:
    """Return whether a place of people is a database's URL, not a folder."""
    return "://" in place


def private_folder(place: str) -> Path:
    """Return the private folder in a folder of people, made if need be. Raises `InvalidInput`."""
    folder = Path(place) / PRIVATE
    try:
        make_private_folder(folder)
    except OSError as error:
        raise InvalidInput("people", f"{place} cannot be written: {error.strerror}. Choose another folder.") from error
    return folder


def store_url(place: str) -> str:
    """Return the store's URL or file. Raises `InvalidInput`."""
    return place if is_database(place) else str(private_folder(place) / FILE)


@contextmanager
def people_at(place: str) -> Iterator[Market]:
    """Open the store of people in a folder or database, creating it if need be. Raises `StoreError`."""
    market = open_market(store_url(place))
    try:
        with market.writing() as moment:
            if fees.are_charged(moment):
                fees.charge(moment, False)
        yield market
    finally:
        market.close()


def requester_key(market: Market) -> requesters.AccessKey:
    """Return the access key of the one requester that these people work for; both are made at the first call."""
    with market.writing() as moment:
        if not _exists(moment):
            return requesters.add_requester(moment, REQUESTER, DEPOSIT_CENTS)[1]
        owner = requesters.requester_named(moment, REQUESTER)
        query = sa.select(access_keys.c.id).filter_by(requester_id=owner.id, revoked_at=None)
        key_id = moment.connection.scalar(query.order_by(access_keys.c.created_at.desc()).limit(1))
        key = None if key_id is None else requesters.access_key(moment, key_id)
        return key or requesters.add_access_key(moment, owner.id)


def _exists(moment: Moment) -> bool:
    query = sa.select(sa.func.count()).select_from(requester_table).filter_by(name=REQUESTER)
    return bool(moment.connection.scalar(query))


def keep_address(moment: Moment, address: str) -> None:
    """Keep the address under which people reach the portal. Raises `InvalidInput`."""
    if not address.startswith(("http://", "https://")):
        raise InvalidInput("address", f"{address[:80]!r} is no address. Write one like https://work.example.org.")
    moment.connection.execute(sa.delete(settings).filter_by(name=ADDRESS))
    moment.connection.execute(sa.insert(settings).values(name=ADDRESS, value=address.rstrip("/")))


def portal_address(moment: Moment) -> str | None:
    """Return the address under which people reach the portal, if the requester has given it."""
    value = moment.connection.scalar(sa.select(settings.c.value).filter_by(name=ADDRESS))
    return None if value is None else str(value)
