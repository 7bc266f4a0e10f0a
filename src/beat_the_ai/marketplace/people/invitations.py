"""Invitations: links by which people join. One is for a person and works once, or it is open and has places.

An open one may ask for an e-mail address of a domain, which is confirmed by a link that is sent there, or for the
requester's approval. Nothing is used up by opening a link: mail scanners do that. Joining is a form that is posted.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

import sqlalchemy as sa

from beat_the_ai.errors import InvalidInput, Refused
from beat_the_ai.marketplace import credentials
from beat_the_ai.marketplace.moment import Moment
from beat_the_ai.marketplace.people import links, passwords
from beat_the_ai.marketplace.people.person import (
    NewPerson,
    Person,
    State,
    add_people,
    clean_email,
    clean_name,
    join_groups,
    people_with,
    person_at,
)
from beat_the_ai.marketplace.tables import invitations, people

LASTS = timedelta(days=30)
MAX_PLACES = 10_000
UNKNOWN = "This link is not known here. Check that you have copied all of it, or ask for another one."
EXPIRED = "This link has expired. Ask whoever sent it for another one."
REVOKED = "This link was taken back. Ask whoever sent it for another one."
USED = "This link was used. If it was you, sign in; else ask whoever sent it for another one."
FULL = "All places of this link are taken. Ask whoever sent it for another one."
KNOWN = "Somebody with this e-mail address has joined. If it was you, sign in."


@dataclass(frozen=True)
class Invitation:
    """A row of `invitations`; `worker_id` is None for an open one."""

    digest: str
    worker_id: str | None
    places: int
    joined: int
    domain: str | None
    needs_approval: bool
    group_name: str | None
    created_at: datetime
    expires_at: datetime
    revoked_at: datetime | None


@dataclass(frozen=True)
class OpenTerms:
    """The terms of an open invitation. `domain` is that of the e-mail addresses that may join."""

    places: int
    domain: str | None = None
    needs_approval: bool = False
    group: str | None = None


def invite(moment: Moment, person: Person, lasts: timedelta = LASTS) -> str:
    """Return the token of a new invitation of a person; the first that is used ends earlier ones. Raises `Refused`."""
    if person.state != "invited":
        raise Refused(f"{person.shown_name} is {person.state}, not invited: there is nothing to join.")
    return _add(moment, lasts, worker_id=person.worker_id, places=1)


def invite_openly(moment: Moment, terms: OpenTerms, lasts: timedelta = LASTS) -> str:
    """Return the token of a new open invitation. Raises `InvalidInput`."""
    if not 1 <= terms.places <= MAX_PLACES:
        raise InvalidInput("places", f"{terms.places} places were given; 1 to {MAX_PLACES:,} are allowed.")
    if terms.domain is not None:
        clean_email(f"name@{terms.domain}")
        if terms.needs_approval:
            raise InvalidInput("approve", "A domain lets people in by their e-mail addresses. Ask for that or approve.")
    return _add(
        moment,
        lasts,
        places=terms.places,
        domain=None if terms.domain is None else terms.domain.lower(),
        needs_approval=terms.needs_approval,
        group_name=terms.group,
    )


def _add(moment: Moment, lasts: timedelta, *, places: int, **values: object) -> str:
    token = links.new_token()
    times = {"created_at": moment.now, "expires_at": moment.now + lasts}
    row = {"digest": links.digest(token), "places": places, "joined": 0, "needs_approval": False, **times, **values}
    moment.connection.execute(sa.insert(invitations).values(row))
    return token


def open_invitations(moment: Moment) -> list[Invitation]:
    """Return the open invitations by which somebody can still join, oldest first."""
    still = (invitations.c.revoked_at.is_(None), invitations.c.expires_at > moment.now)
    query = sa.select(invitations).where(invitations.c.worker_id.is_(None), *still).order_by(invitations.c.created_at)
    return [Invitation(**row._mapping) for row in moment.connection.execute(query)]


def revoke(moment: Moment, token: str) -> None:
    """Take an invitation back; whoever has joined by it stays. Raises `Refused` for one that is not known."""
    found = _find(moment, token)
    here = sa.update(invitations).filter_by(digest=found.digest)
    moment.connection.execute(here.values(revoked_at=moment.now))


def read(moment: Moment, token: str) -> tuple[Invitation, Person | None]:
    """Return an invitation that can be used, and the person that it is for. Raises `Refused` with words for them."""
    found = _find(moment, token)
    if found.revoked_at is not None:
        raise Refused(REVOKED)
    if found.joined >= found.places:
        raise Refused(FULL if found.worker_id is None else USED)
    if moment.now >= found.expires_at:
        raise Refused(EXPIRED)
    person = None if found.worker_id is None else people_with(moment, [found.worker_id])[0]
    if person is not None and person.state != "invited":
        raise Refused(USED)
    return found, person


def join(moment: Moment, token: str, name: str = "", email: str = "", password: str = "") -> Person:
    """Use an invitation. What the requester wrote of a person stays; `name` and `email` fill what is missing.

    By an open invitation with a domain, the person is unconfirmed until they open a link that is sent to them. Raises
    `InvalidInput` and `Refused` with words for the person.
    """
    found, person = read(moment, token)
    joined = _join_openly(moment, found, name, email) if person is None else _join_as(moment, person, email)
    here = sa.update(invitations).filter_by(digest=found.digest)
    moment.connection.execute(here.values(joined=invitations.c.joined + 1))
    credentials.begin(moment, joined.worker_id)
    if password:
        passwords.choose(moment, joined, password)
    return joined


def _join_as(moment: Moment, person: Person, email: str) -> Person:
    own = person.email
    if own is None and email.strip():
        own = clean_email(email)
        if person_at(moment, own) is not None:
            raise Refused(KNOWN)
    here = sa.update(people).filter_by(worker_id=person.worker_id)
    moment.connection.execute(here.values(state="active", email=own, joined_at=moment.now))
    return people_with(moment, [person.worker_id])[0]


def _join_openly(moment: Moment, found: Invitation, name: str, email: str) -> Person:
    cleaned = clean_name(name)
    address = clean_email(email) if email.strip() or found.domain is not None else None
    if found.domain is not None and address is not None and not address.endswith(f"@{found.domain}"):
        raise InvalidInput("email", f"This link is for addresses that end in @{found.domain}.")
    if address is not None and person_at(moment, address) is not None:
        raise Refused(KNOWN)
    state: State = "waiting" if found.needs_approval else "active"
    if found.domain is not None:
        state = "unconfirmed"
    [person] = add_people(moment, [NewPerson(cleaned, address)], state)
    if found.group_name is not None:
        join_groups(moment, person.worker_id, [found.group_name])
    return people_with(moment, [person.worker_id])[0]


def _find(moment: Moment, token: str) -> Invitation:
    row = moment.connection.execute(sa.select(invitations).filter_by(digest=links.digest(token))).one_or_none()
    if row is None:
        raise Refused(UNKNOWN)
    return Invitation(**row._mapping)
