"""The store of people: a marketplace without fees, in a folder of its own or a database."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import sqlalchemy as sa

from beat_the_ai.errors import InvalidInput, Refused, UnknownName
from beat_the_ai.files.permissions import PRIVATE, make_private_folder
from beat_the_ai.listening.root_path import ROOT_PATH
from beat_the_ai.marketplace import fees, requesters, settings
from beat_the_ai.marketplace.market import Market, open_market
from beat_the_ai.marketplace.moment import Moment
from beat_the_ai.marketplace.saying import voices
from beat_the_ai.marketplace.tables import access_keys, hits
from beat_the_ai.marketplace.tables import requesters as requester_table
from beat_the_ai.rules.amounts import DOLLARS
from beat_the_ai.rules.languages import ENGLISH

FILE = "people.db"
ADDRESS, UNIT, LANGUAGE = "portal_address", "unit", "language"  # settings
PORTAL = "http://127.0.0.1:8700"  # where the portal is unless another address is given
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


def is_there(place: str) -> bool:
    """Return whether there is a store of people in a folder. A database's URL is taken for one."""
    return is_database(place) or (Path(place) / PRIVATE / FILE).is_file()


@contextmanager
def people_at(place: str, *, create: bool = False) -> Iterator[Market]:
    """Open the store of people in a folder or database.

    Raises `InvalidInput` where there is none, unless it may be made, and for the store of another marketplace.
    """
    if not create and not is_there(place):
        raise InvalidInput("people", f"There are no people in {place} yet. Add some: beat-the-ai people import.")
    market = open_market(store_url(place))
    try:
        with market.writing() as moment:
            _make_ready(moment, place)
        yield market
    finally:
        market.close()


def _make_ready(moment: Moment, place: str) -> None:
    """Add the one requester, and turn fees off, in a store that is new."""
    names = set(moment.connection.scalars(sa.select(requester_table.c.name)))
    if not names:
        requesters.add_requester(moment, REQUESTER, DEPOSIT_CENTS)
        fees.charge(moment, False)
    elif names != {REQUESTER}:
        raise InvalidInput("people", f"{place} is a marketplace with requesters of its own. Choose another place.")


def requester_key(market: Market) -> requesters.AccessKey:
    """Return the newest access key of the requester that these people work for."""
    with market.writing() as moment:
        owner = requesters.requester_named(moment, REQUESTER)
        query = sa.select(access_keys.c.id).filter_by(requester_id=owner.id, revoked_at=None)
        key_id = moment.connection.scalar(query.order_by(access_keys.c.created_at.desc()).limit(1))
        key = None if key_id is None else requesters.access_key(moment, key_id)
        return key or requesters.add_access_key(moment, owner.id)


def identity(moment: Moment) -> str:
    """Return what no other store of people has: the id of the requester whom they work for."""
    return requesters.requester_named(moment, REQUESTER).id


def keep_address(moment: Moment, address: str) -> None:
    """Keep the address under which people reach the portal, with its path behind a proxy. Raises `InvalidInput`."""
    parts = urlsplit(address)
    path = parts.path.rstrip("/")
    is_place = ROOT_PATH.fullmatch(path) and not path.endswith("/worker")  # which is the portal's own
    is_plain = not (parts.query or parts.fragment or parts.username)
    if parts.scheme not in ("http", "https") or not parts.hostname or not is_place or not is_plain:
        raise InvalidInput("address", f"{address[:80]!r} is no address. Write one like https://work.example.org.")
    settings.put(moment, ADDRESS, address.rstrip("/"))


def portal_address(moment: Moment) -> str:
    """Return the address under which people reach the portal."""
    return str(settings.get(moment, ADDRESS) or PORTAL)


def has_address(moment: Moment) -> bool:
    """Return whether somebody has said where people reach the portal."""
    return settings.get(moment, ADDRESS) is not None


def keep_language(moment: Moment, language: str) -> None:
    """Keep the language of invitations, and of pages for browsers that ask for none. Raises `UnknownName`."""
    if language not in voices():
        raise UnknownName("language", language, voices())
    settings.put(moment, LANGUAGE, language)


def language_of(moment: Moment) -> str:
    """Return the language of invitations, and of pages for browsers that ask for none."""
    return str(settings.get(moment, LANGUAGE) or ENGLISH)


def agree_on_unit(moment: Moment, unit: str) -> None:
    """Keep the unit of these people's amounts. Raises `Refused` for another one, once there are HITs."""
    known = unit_of(moment)
    if known == unit:
        return
    if moment.connection.scalar(sa.select(hits.c.id).limit(1)) is not None:
        raise Refused(
            f"Amounts of these people are in {known}, and crowd.unit is {unit}. Launch with crowd.unit={known}, or "
            "name another place of people: crowd.people."
        )
    settings.put(moment, UNIT, unit)


def unit_of(moment: Moment) -> str:
    """Return the unit of these people's amounts."""
    return str(settings.get(moment, UNIT) or DOLLARS)
