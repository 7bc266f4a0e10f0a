"""Links that sign a person in, sent to their e-mail address or handed over by the requester."""

from __future__ import annotations

from datetime import timedelta

import sqlalchemy as sa

from beat_the_ai.errors import InvalidInput, Refused
from beat_the_ai.marketplace import credentials
from beat_the_ai.marketplace.moment import Moment
from beat_the_ai.marketplace.people import links, studies
from beat_the_ai.marketplace.people.person import MAY_WORK, Person, people_with, person_at, set_state
from beat_the_ai.marketplace.saying import said
from beat_the_ai.marketplace.tables import sign_in_links

LASTS = timedelta(minutes=30)
HANDED_OVER = timedelta(days=7)  # by the requester, who knows the person
MOST = 5  # that work at once, of one person: nobody fills somebody else's mailbox


def new_link(moment: Moment, person: Person, lasts: timedelta = LASTS) -> str | None:
    """Return the token of a new link; None where the person has several that work."""
    mine = sa.select(sa.func.count()).select_from(sign_in_links).filter_by(worker_id=person.worker_id, used_at=None)
    working = moment.connection.scalar(mine.where(sign_in_links.c.expires_at > moment.now))
    if lasts == LASTS and working is not None and working >= MOST:
        return None
    token = links.new_token()
    row = {"digest": links.digest(token), "worker_id": person.worker_id}
    times = {"created_at": moment.now, "expires_at": moment.now + lasts}
    moment.connection.execute(sa.insert(sign_in_links).values(**row, **times))
    return token


def hand_over(moment: Moment, person: Person) -> str:
    """Return the token of a link that the requester hands over to somebody active. Raises `InvalidInput`."""
    if person.state != MAY_WORK:
        raise InvalidInput("WHO", f"{person.shown_name} is {person.state}. Links to sign in are for whoever is active.")
    if studies.is_recruited(moment, person.worker_id):
        raise InvalidInput("WHO", f"{person.shown_name} comes by a recruiter's link. See beat-the-ai people reopen")
    return str(new_link(moment, person, HANDED_OVER))


def asked_for(moment: Moment, email: str) -> Person | None:
    """Return the person who may get a link at this e-mail address; None for nobody, and for a closed account."""
    person = person_at(moment, email)
    return person if person is not None and person.state in (MAY_WORK, "unconfirmed", "invited") else None


def read(moment: Moment, token: str) -> Person:
    """Return the person of a link that can be used. Raises `Refused` with words for them."""
    row = moment.connection.execute(sa.select(sign_in_links).filter_by(digest=links.digest(token))).one_or_none()
    if row is None or row.used_at is not None or moment.now >= row.expires_at:
        raise Refused(said("portal_refusals.link.over"))
    return people_with(moment, [row.worker_id])[0]


def use(moment: Moment, token: str) -> Person:
    """Use a link up, which confirms the person's e-mail address. They may still have to wait for approval.

    Raises `Refused` with words for the person.
    """
    person = read(moment, token)
    here = sa.update(sign_in_links).filter_by(digest=links.digest(token))
    moment.connection.execute(here.values(used_at=moment.now))
    if person.state in ("unconfirmed", "invited"):
        set_state(moment, person, "waiting" if person.needs_approval else MAY_WORK)
    credentials.begin(moment, person.worker_id)
    return people_with(moment, [person.worker_id])[0]


def check_may_enter(person: Person) -> None:
    """Raise `Refused`, with words for the person, unless they may sign in."""
    if person.state == "unconfirmed":
        raise Refused(said("portal_refusals.link.unconfirmed"))
    if person.state in ("waiting", "invited"):
        raise Refused(said("portal_refusals.link.not_yet"))
    if person.state != MAY_WORK:
        raise Refused(said("portal_refusals.link.closed"))
