"""The password that a person may choose, to sign in without a link."""

from __future__ import annotations

import sqlalchemy as sa

from beat_the_ai.marketplace import credentials
from beat_the_ai.marketplace.moment import Moment
from beat_the_ai.marketplace.people.person import Person
from beat_the_ai.marketplace.tables import people
from beat_the_ai.web import passwords


def choose(moment: Moment, person: Person, password: str) -> None:
    """Keep a password in place of an earlier one, which ends all sessions. Raises `InvalidInput`."""
    salt, digest = passwords.hashed(password, person.shown_name)
    here = sa.update(people).filter_by(worker_id=person.worker_id)
    moment.connection.execute(here.values(salt=salt, digest=digest))
    credentials.end_sessions(moment, person.worker_id)


def has_password(moment: Moment, worker_id: str) -> bool:
    return _kept(moment, worker_id) is not None


def is_password(moment: Moment, person: Person | None, password: str) -> bool:
    """Return whether it is the person's password. The check takes as long for nobody, or without a password."""
    return passwords.matches(password, None if person is None else _kept(moment, person.worker_id))


def _kept(moment: Moment, worker_id: str) -> tuple[str, str] | None:
    row = moment.connection.execute(
        sa.select(people.c.salt, people.c.digest).filter_by(worker_id=worker_id)
    ).one_or_none()
    return None if row is None or row.salt is None else (row.salt, row.digest)
