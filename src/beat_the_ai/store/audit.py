"""The log of what was done in the review: who did what, when, to whom. Entries are only added.

Each entry holds a hash of itself and of the hash before it: whoever changes, removes or slips in an entry has to write
all later ones anew, and everybody who noted the newest hash can tell.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any

import sqlalchemy as sa

from beat_the_ai.databases import Database
from beat_the_ai.store.tables import audit_log

GENESIS = "0" * 64  # before the first entry
HASHED = ("id", "who", "machine_user", "action", "subject", "note")


@dataclass(frozen=True)
class AuditEntry:
    """`who` did `action` to `subject`: an assignment, a worker or a reviewer; `note` is the reason that was given.

    `machine_user` is whose account on the machine it was done from; empty for what was done on the page.
    """

    id: int
    at: datetime
    who: str
    action: str
    subject: str
    note: str
    machine_user: str
    hash: str


@dataclass(frozen=True)
class Chain:
    """The log as a whole: so many `entries` fit, and `head` is the hash of the last of them.

    `broken` is the first that does not fit the one before: it was changed, or one before it was taken out.
    """

    entries: int
    head: str
    broken: int | None = None


def chained(previous: str, entry: Mapping[str, Any] | sa.RowMapping) -> str:
    """The hash of an entry after the one whose hash is `previous`."""
    at = entry["at"].astimezone(timezone.utc).isoformat(timespec="microseconds")
    content = json.dumps([previous, at, *(entry[name] for name in HASHED)])
    return hashlib.sha256(content.encode("ascii")).hexdigest()


class AuditLog:
    """Queries on the log."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(
        self, at: datetime, who: str, action: str, subject: str = "", note: str = "", machine_user: str = ""
    ) -> None:
        entry = {"at": at, "who": who, "action": action, "subject": subject, "note": note, "machine_user": machine_user}

        def add(connection: sa.Connection) -> None:
            if connection.dialect.name == "postgresql":  # on SQLite there is one writer at a time
                connection.execute(sa.text("LOCK TABLE audit_log IN EXCLUSIVE MODE"))
            newest = sa.select(audit_log.c.id, audit_log.c.hash).order_by(audit_log.c.id.desc()).limit(1)
            row = connection.execute(newest).one_or_none()
            number, previous = (1, GENESIS) if row is None else (row.id + 1, row.hash)
            numbered = {**entry, "id": number}
            connection.execute(sa.insert(audit_log).values(**numbered, hash=chained(previous, numbered)))

        self._database.write(add)

    def entries(self, before: int | None = None, limit: int | None = 100) -> list[AuditEntry]:
        """The newest first; `before` is the id at which the last list ended."""
        query = sa.select(audit_log).order_by(audit_log.c.id.desc()).limit(limit)
        if before is not None:
            query = query.where(audit_log.c.id < before)
        with self._database.reading() as connection:
            return [AuditEntry(**row._mapping) for row in connection.execute(query)]

    def check(self) -> Chain:
        """Compute every hash again, from the oldest entry on."""
        head, fitting = GENESIS, 0
        with self._database.reading() as connection:
            numbers = list(connection.scalars(sa.select(audit_log.c.id).order_by(audit_log.c.id)))
            try:
                for row in connection.execute(sa.select(audit_log).order_by(audit_log.c.id)):
                    if row.hash != chained(head, row._mapping):
                        break
                    head, fitting = row.hash, fitting + 1
            except (TypeError, ValueError):  # SQLite keeps what is no time in a column of times
                pass
        return Chain(fitting, head, numbers[fitting] if fitting < len(numbers) else None)

    def holds(self, head: str) -> bool:
        """Return whether some entry has this hash."""
        with self._database.reading() as connection:
            return connection.scalar(sa.select(audit_log.c.id).filter_by(hash=head)) is not None
