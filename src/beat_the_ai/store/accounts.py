"""Reviewers' accounts and their sessions: who may use the review page."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa

from beat_the_ai.databases import Database
from beat_the_ai.errors import Refused, UnknownName
from beat_the_ai.rules.roles import Role
from beat_the_ai.store.tables import reviewer_sessions, reviewers


@dataclass(frozen=True)
class Account:
    """A reviewer. The name is never given to another one, since reviews keep it. `digest` is of the password."""

    name: str
    salt: str
    digest: str
    role: Role
    added_at: datetime
    removed_at: datetime | None = None


@dataclass(frozen=True)
class AccountSession:
    """A sign-in. `id` is the hash of what the browser holds; `sees_all`: the reviewer has given up being blind.

    `role` is that of the account now.
    """

    id: str
    reviewer: str
    until: datetime
    sees_all: bool = False
    role: Role = Role.REVIEWER


class Accounts:
    """Queries on reviewers' accounts and sessions."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, account: Account) -> None:
        """Raises `Refused` when there is one of this name, or was."""

        def add(connection: sa.Connection) -> None:
            if connection.scalar(sa.select(reviewers.c.name).filter_by(name=account.name)) is not None:
                raise Refused(
                    f"There is a reviewer {account.name!r} already. Take another name, or set a new password."
                )
            connection.execute(sa.insert(reviewers).values(**vars(account)))

        self._database.write(add)

    def get(self, name: str) -> Account | None:
        with self._database.reading() as connection:
            row = connection.execute(sa.select(reviewers).filter_by(name=name)).one_or_none()
        return None if row is None else Account(**row._mapping)

    def all(self) -> list[Account]:
        """Return all accounts by name, removed ones too."""
        with self._database.reading() as connection:
            query = sa.select(reviewers).order_by(self._database.by_code_point(reviewers.c.name))
            return [Account(**row._mapping) for row in connection.execute(query)]

    def set_password(self, name: str, salt: str, digest: str) -> None:
        """Let a reviewer in, with this password alone; sessions end. Raises `UnknownName`."""
        self._change(name, salt=salt, digest=digest, removed_at=None)

    def set_role(self, name: str, role: Role) -> None:
        """Sessions end. Raises `UnknownName`."""
        self._change(name, role=role)

    def remove(self, name: str, at: datetime) -> None:
        """Let a reviewer in no more; sessions end, reviews stay. Raises `UnknownName`."""
        self._change(name, removed_at=at)

    def _change(self, name: str, **values: object) -> None:
        def change(connection: sa.Connection) -> None:
            if connection.execute(sa.update(reviewers).filter_by(name=name).values(**values)).rowcount == 0:
                raise UnknownName("reviewer", name, connection.scalars(sa.select(reviewers.c.name)))
            connection.execute(sa.delete(reviewer_sessions).filter_by(reviewer=name))

        self._database.write(change)

    def begin(self, session: AccountSession, account: Account, at: datetime) -> bool:
        """Store a sign-in, and forget the sessions that are over. False: the account is not any more as it was."""
        unchanged = {"name": account.name, "salt": account.salt, "digest": account.digest, "removed_at": None}

        def begin(connection: sa.Connection) -> bool:
            if connection.execute(sa.select(reviewers.c.name).filter_by(**unchanged).with_for_update()).first() is None:
                return False
            connection.execute(sa.delete(reviewer_sessions).where(reviewer_sessions.c.until <= at))
            kept = {name: value for name, value in vars(session).items() if name != "role"}
            connection.execute(sa.insert(reviewer_sessions).values(**kept))
            return True

        return self._database.write(begin)

    def session(self, session_id: str, at: datetime) -> AccountSession | None:
        """None for one that is over, or ended, or never was."""
        query = (
            sa.select(reviewer_sessions, reviewers.c.role)
            .join(reviewers)
            .where(reviewer_sessions.c.id == session_id, reviewer_sessions.c.until > at)
        )
        with self._database.reading() as connection:
            row = connection.execute(query).one_or_none()
        return None if row is None else AccountSession(**row._mapping)

    def see_all(self, session_id: str, *, sees_all: bool) -> None:
        change = sa.update(reviewer_sessions).filter_by(id=session_id).values(sees_all=sees_all)
        self._database.write(lambda connection: connection.execute(change).rowcount)

    def end(self, session_id: str) -> None:
        """Sign out. A session that is over stays over."""
        change = sa.delete(reviewer_sessions).filter_by(id=session_id)
        self._database.write(lambda connection: connection.execute(change).rowcount)
