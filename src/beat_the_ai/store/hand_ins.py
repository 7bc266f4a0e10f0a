"""From the hand-in on a page to work that counts: the crowd confirms it, or it is set aside. Both are final."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from beat_the_ai.databases import Database
from beat_the_ai.store import tables, works
from beat_the_ai.store.records import Assignment, HandIn, ValidationAssignment

WITHOUT_PAGE = "the crowd received it, but no page has handed it in"
ANOTHER_WORKERS = "the crowd has this assignment from another worker"
ANOTHER_HITS = "the crowd has this assignment for another HIT"


class HandIns:
    """Queries on the hand-ins in `table`: `assignments` or `validation_assignments`."""

    def __init__(self, database: Database, table: sa.Table) -> None:
        self._database = database
        self._table = table

    def waiting(self, campaign_id: str) -> list[HandIn]:
        """Return the submissions that the crowd has yet to confirm, in the order in which they came."""
        table = self._table
        query = (
            sa.select(table.c.id, table.c.worker, table.c.registration, table.c.submitted_at)
            .where(table.c.submitted_at.is_not(None), _undecided(table))
            .order_by(table.c.submitted_at, self._database.by_code_point(table.c.id))
        )
        with self._database.reading() as connection:
            return [HandIn(*row) for row in connection.execute(self._within(query, campaign_id))]

    def confirm(self, assignment_id: str, at: datetime) -> bool:
        """Note that the crowd has it from this worker; nothing happens to what was not handed in.

        Returns whether that is new.
        """
        return self._database.write(lambda connection: self.confirm_within(connection, assignment_id, at))

    def confirm_within(self, connection: sa.Connection, assignment_id: str, at: datetime) -> bool:
        """As `confirm`, together with what else happens in a transaction."""
        handed_in = self._table.c.submitted_at.is_not(None)
        if not self._settle(connection, assignment_id, handed_in, confirmed_at=at):
            return False
        begin = works.begin_to_count if self._table is tables.assignments else works.invalidate
        begin(connection, assignment_id)
        return True

    def set_aside(self, assignment_id: str, reason: str, at: datetime) -> bool:
        """It is not the work of this worker in this HIT. Whether that is new; what was confirmed stays so."""
        marks = {"set_aside_at": at, "set_aside_reason": reason}
        return self._database.write(lambda connection: self._settle(connection, assignment_id, sa.true(), **marks))

    def add(self, campaign_id: str, made: Assignment | ValidationAssignment) -> bool:
        """Keep one that no page has handed in, unless its registration is known. Whether that is new."""
        known = self._within(
            sa.select(self._table.c.id).filter_by(worker=made.worker, registration=made.registration), campaign_id
        )

        def add(connection: sa.Connection) -> bool:
            if connection.execute(known).first() is not None:
                return False
            connection.execute(sa.insert(self._table).values(**asdict(made)))
            return True

        return self._database.write(add)

    def _settle(
        self, connection: sa.Connection, assignment_id: str, condition: sa.ColumnElement[bool], **values: Any
    ) -> bool:
        mine = sa.and_(self._table.c.id == assignment_id, _undecided(self._table), condition)
        return connection.execute(sa.update(self._table).where(mine).values(**values)).rowcount > 0

    def _within(self, query: sa.Select[Any], campaign_id: str) -> sa.Select[Any]:
        if self._table is tables.assignments:
            hit = sa.and_(tables.hits.c.id == self._table.c.hit_id, tables.hits.c.campaign_id == campaign_id)
            return query.where(sa.exists().where(hit))  # no join, which might begin with all HITs
        return query.where(self._table.c.campaign_id == campaign_id)


def _undecided(table: sa.Table) -> sa.ColumnElement[bool]:
    return sa.and_(table.c.confirmed_at.is_(None), table.c.set_aside_at.is_(None))
