"""Invitations: links by which people join. One is for a person and works once, or it is open and has places.

An open one may ask for an e-mail address of a domain, or for the requester's approval. An address that somebody names
themselves counts once it is confirmed, by a link that is sent there; until then nobody has a password for it. Nothing
is used up by opening a link: mail scanners do that. Joining is a form that is posted.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

import sqlalchemy as sa

from beat_the_ai.errors import InvalidInput, Refused
from beat_the_ai.marketplace import credentials
from beat_the_ai.marketplace.moment import Moment
from beat_the_ai.marketplace.people import links, mail, passwords
from beat_the_ai.marketplace.people.person import (
    NewPerson,
    Person,
    State,
    add_people,
    clean_email,
    clean_name,
    people_with,
    person_at,
)
from beat_the_ai.marketplace.saying import said
from beat_the_ai.marketplace.tables import invitations, people

LASTS = timedelta(days=30)
MAX_DAYS = 365
MAX_PLACES = 10_000
ID_CHARACTERS = 10
UNKNOWN = "portal_refusals.invitation.unknown"
EXPIRED = "portal_refusals.invitation.expired"
REVOKED = "portal_refusals.invitation.revoked"
USED = "portal_refusals.invitation.used"
FULL = "portal_refusals.invitation.full"


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

    @property
    def id(self) -> str:
        """Return the name of the invitation in lists: a part of the hash, which lets nobody in."""
        return self.digest[:ID_CHARACTERS]


@dataclass(frozen=True)
class OpenTerms:
    """The terms of an open invitation. `domain` is that of the e-mail addresses that may join."""

    places: int
    domain: str | None = None
    needs_approval: bool = False
    group: str | None = None


def invite(moment: Moment, person: Person, lasts: timedelta = LASTS) -> str:
    """Return the token of a new invitation of a person; the first that is used ends earlier ones. Raises `Refused`."""
    [now] = people_with(moment, [person.worker_id])
    check_invited(now)
    return _add(moment, lasts, worker_id=person.worker_id, places=1)


def check_invited(person: Person) -> None:
    """Raise `Refused` for a person who has nothing to join."""
    if person.state != "invited":
        raise Refused(f"{person.shown_name} is {person.state}, not invited: there is nothing to join.")


def invite_openly(moment: Moment, terms: OpenTerms, lasts: timedelta = LASTS) -> str:
    """Return the token of a new open invitation. Raises `InvalidInput`."""
    if not 1 <= terms.places <= MAX_PLACES:
        raise InvalidInput("places", f"{terms.places} places were given; 1 to {MAX_PLACES:,} are allowed.")
    if terms.domain is not None:
        clean_email(f"name@{terms.domain}")
        if terms.needs_approval:
            raise InvalidInput("approve", "A domain lets people in by their e-mail addresses. Ask for that or approve.")
        if mail.mail_server(moment) is None:
            raise InvalidInput(
                "domain", "Addresses are confirmed by e-mail. Name a server: beat-the-ai people mail-server"
            )
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


def open_links(moment: Moment) -> list[Invitation]:
    """Return the open invitations by which somebody can still join, oldest first."""
    still = (invitations.c.revoked_at.is_(None), invitations.c.expires_at > moment.now)
    query = sa.select(invitations).where(invitations.c.worker_id.is_(None), *still).order_by(invitations.c.created_at)
    return [Invitation(**row._mapping) for row in moment.connection.execute(query)]


def revoke(moment: Moment, named: str) -> None:
    """Take an invitation back, named by its token or its id; whoever has joined by it stays. Raises `Refused`."""
    by_id = [one.digest for one in open_links(moment) if one.id == named]
    digest = by_id[0] if by_id else _find(moment, named).digest
    moment.connection.execute(sa.update(invitations).filter_by(digest=digest).values(revoked_at=moment.now))


def read(moment: Moment, token: str) -> tuple[Invitation, Person | None]:
    """Return an invitation that can be used, and the person that it is for. Raises `Refused` with words for them."""
    found = _find(moment, token)
    if found.revoked_at is not None:
        raise Refused(said(REVOKED))
    if found.joined >= found.places:
        raise Refused(said(FULL if found.worker_id is None else USED))
    if moment.now >= found.expires_at:
        raise Refused(said(EXPIRED))
    person = None if found.worker_id is None else people_with(moment, [found.worker_id])[0]
    if person is not None and person.state != "invited":
        raise Refused(said(USED))
    return found, person


def join(
    moment: Moment, token: str, name: str = "", email: str = "", password: str = "", *, confirms: bool = False
) -> Person:
    """Use an invitation. What the requester wrote of a person stays; `name` and `email` fill what is missing.

    With `confirms` a link can be sent to an address that somebody names by an open invitation. They are unconfirmed
    until they open it and have no password; somebody who has the address already stays as they are, and gets the link.
    Raises `InvalidInput` and `Refused` with words for the person.
    """
    found, person = read(moment, token)
    if person is not None:
        joined = _join_as(moment, person)
    else:
        joined = _join_openly(moment, found, name, email, confirms=confirms)
        if joined.email is not None:
            return joined
    credentials.begin(moment, joined.worker_id)
    if password:
        passwords.choose(moment, joined, password)
    return joined


def _join_as(moment: Moment, person: Person) -> Person:
    here = sa.update(people).filter_by(worker_id=person.worker_id)
    moment.connection.execute(here.values(state="active", joined_at=moment.now))
    _take_place(moment, invitations.c.worker_id == person.worker_id)
    return people_with(moment, [person.worker_id])[0]


def _join_openly(moment: Moment, found: Invitation, name: str, email: str, *, confirms: bool) -> Person:
    cleaned = clean_name(name)
    address = clean_email(email) if confirms and (email.strip() or found.domain is not None) else None
    if found.domain is not None and (address is None or not address.endswith(f"@{found.domain}")):
        raise InvalidInput("email", said("portal_refusals.invitation.domain", domain=found.domain))
    if address is not None and (there := person_at(moment, address)) is not None:
        return there
    groups = () if found.group_name is None else (found.group_name,)
    described = [NewPerson(cleaned, address, groups)]
    state: State = "waiting" if found.needs_approval else "active"
    if address is not None:
        state = "unconfirmed"
    [person] = add_people(moment, described, state, needs_approval=found.needs_approval)
    _take_place(moment, invitations.c.digest == found.digest)
    return person


def _take_place(moment: Moment, which: sa.ColumnElement[bool]) -> None:
    here = sa.update(invitations).where(which, invitations.c.joined < invitations.c.places)
    moment.connection.execute(here.values(joined=invitations.c.joined + 1))


def _find(moment: Moment, token: str) -> Invitation:
    row = moment.connection.execute(sa.select(invitations).filter_by(digest=links.digest(token))).one_or_none()
    if row is None:
        raise Refused(said(UNKNOWN))
    return Invitation(**row._mapping)
