"""The log of what was done in the review: who did what, when, to whom. Entries are only added.

Each entry holds a hash of itself and of the hash before it: whoever changes, removes or slips in an entry has to write
all later ones anew, and everybody who noted the newest hash can tell.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any

import sqlalchemy as sa

from beat_the_ai.databases import Database
from beat_the_ai.store.act_requests import ActRequest, keep_once
from beat_the_ai.store.tables import audit_log

GENESIS = "0" * 64  # before the first entry
ERASED = "erase"  # the action of an erasure
EXPORTED, BACKED_UP = "export", "back_up"
ENDED_WITH = "the log ended with {} before"
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


@dataclass(frozen=True)
class Deed:
    """An act of somebody, as an entry has it. The act of a `request` is done once."""

    at: datetime
    who: str
    action: str
    subject: str = ""
    note: str = ""
    machine_user: str = ""
    request: ActRequest | None = None


def append(connection: sa.Connection, deed: Deed) -> None:
    """Add an entry in the transaction of the deed itself: both are kept, or neither.

    Raises `AlreadyDone` if the deed's request was done before.
    """
    _lock(connection)
    if deed.request is not None:
        keep_once(connection, deed.request, deed.at)
    newest = sa.select(audit_log.c.id, audit_log.c.hash).order_by(audit_log.c.id.desc()).limit(1)
    row = connection.execute(newest).one_or_none()
    number, previous = (1, GENESIS) if row is None else (row.id + 1, row.hash)
    numbered = {**{name: getattr(deed, name) for name in ("at", *HASHED[1:])}, "id": number}
    connection.execute(sa.insert(audit_log).values(**numbered, hash=chained(previous, numbered)))


class AuditLog:
    """Queries on the log."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(
        self, at: datetime, who: str, action: str, subject: str = "", note: str = "", machine_user: str = ""
    ) -> None:
        self.keep(Deed(at, who, action, subject, note, machine_user))

    def keep(self, deed: Deed) -> None:
        """Add an entry of something that is done elsewhere. Raises `AlreadyDone`."""
        self._database.write(lambda connection: append(connection, deed))

    def entries(
        self, before: int | None = None, limit: int | None = 100, actions: Collection[str] | None = None
    ) -> list[AuditEntry]:
        """The newest first, of some `actions` or of all; `before` is the id at which the last list ended."""
        query = sa.select(audit_log).order_by(audit_log.c.id.desc()).limit(limit)
        if actions is not None:
            query = query.where(audit_log.c.action.in_(actions))
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
        """Return whether some entry has this hash, or the log ended with it when a person was erased."""
        erased = sa.and_(
            audit_log.c.action == ERASED, audit_log.c.note.startswith(ENDED_WITH.format(head), autoescape=True)
        )
        with self._database.reading() as connection:
            return connection.scalar(sa.select(audit_log.c.id).where((audit_log.c.hash == head) | erased)) is not None


def replace_names(
    connection: sa.Connection, names: Collection[str], worker: str, pseudonym: str, by: str, at: datetime
) -> None:
    """Put a pseudonym in place of a worker who is erased, and chain the log anew from there.

    `names` are the subjects of entries about the worker: these lose their notes. The erasure is an entry, too, with the
    hash that the log ended with before, and with the first entry that did not fit, if there was one.
    """
    _lock(connection)
    word = re.compile(rf"(?<![A-Za-z0-9_]){re.escape(worker)}(?![A-Za-z0-9_])")
    rows = [dict(row._mapping) for row in connection.execute(sa.select(audit_log).order_by(audit_log.c.id))]
    before, head, has_changed, misfits = GENESIS, GENESIS, False, list[int]()
    for row in rows:
        if row["hash"] != chained(before, row):
            misfits.append(row["id"])
        before = row["hash"]
        is_about = row["subject"] in names
        row["note"] = "" if is_about else word.sub(pseudonym, row["note"])
        row["subject"] = pseudonym if is_about else row["subject"]
        has_changed = has_changed or is_about or pseudonym in row["note"]
        if has_changed:
            row["hash"] = chained(head, row)
            here = sa.update(audit_log).filter_by(id=row["id"])
            connection.execute(here.values(subject=row["subject"], note=row["note"], hash=row["hash"]))
        head = row["hash"]
    note = ENDED_WITH.format(before) if has_changed else ""
    doubt = f"; entry {misfits[0]} did not fit" if misfits else ""
    number = rows[-1]["id"] + 1 if rows else 1
    entry = {"id": number, "at": at, "who": by, "action": ERASED, "subject": pseudonym, "note": f"{note}{doubt}"}
    entry["machine_user"] = ""
    connection.execute(sa.insert(audit_log).values(**entry, hash=chained(head, entry)))


def _lock(connection: sa.Connection) -> None:
    """Let nobody else add an entry until the transaction ends; on SQLite there is one writer at a time."""
    if connection.dialect.name == "postgresql":
        connection.execute(sa.text("LOCK TABLE audit_log IN EXCLUSIVE MODE"))
