"""The log of what was done in the review: who did what, when, to whom. Entries are only added."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa

from beat_the_ai.store.database import Database
from beat_the_ai.store.tables import audit_log


@dataclass(frozen=True)
class AuditEntry:
    """`who` did `action` to `subject`: an assignment, a worker or a reviewer; `note` is the reason that was given."""

    id: int
    at: datetime
    who: str
    action: str
    subject: str
    note: str


class AuditLog:
    """Queries on the log."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, at: datetime, who: str, action: str, subject: str = "", note: str = "") -> None:
        entry = {"at": at, "who": who, "action": action, "subject": subject, "note": note}
        self._database.write(lambda connection: connection.execute(sa.insert(audit_log).values(**entry)).rowcount)

    def entries(self, before: int | None = None, limit: int = 100) -> list[AuditEntry]:
        """The newest first; `before` is the id at which the last list ended."""
        query = sa.select(audit_log).order_by(audit_log.c.id.desc()).limit(limit)
        if before is not None:
            query = query.where(audit_log.c.id < before)
        with self._database.reading() as connection:
            return [AuditEntry(**row._mapping) for row in connection.execute(query)]
