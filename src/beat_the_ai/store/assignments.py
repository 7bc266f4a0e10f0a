"""Assignments of all stages, from the acceptance to work that counts. Nothing here is ever deleted.

What is submitted counts once the crowd confirms it; or it is set aside. Both are final.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import fields, replace
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from beat_the_ai.databases import Database
from beat_the_ai.errors import Refused, UnknownName
from beat_the_ai.messages import said
from beat_the_ai.rules.stage import Stage
from beat_the_ai.store import works
from beat_the_ai.store.locks import lock_campaign
from beat_the_ai.store.records import Assignment
from beat_the_ai.store.tables import assignments

WITHOUT_PAGE = "the crowd received it, but no page has handed it in"
WITHOUT_FORMS = "handed in before its worker had answered the forms"
WITHDRAWN = "handed in after its worker had withdrawn"
PAID_BY_CROWD = (WITHOUT_PAGE, WITHOUT_FORMS)  # in the end, unless a person rejects it there
ANOTHER_WORKERS = "the crowd has this assignment from another worker"
ANOTHER_HITS = "the crowd has this assignment for another HIT"
COLUMNS = [assignments.c[field.name] for field in fields(Assignment)]
IS_UNDECIDED = sa.and_(assignments.c.confirmed_at.is_(None), assignments.c.set_aside_at.is_(None))
_BY_ID = sa.select(*COLUMNS).where(assignments.c.id == sa.bindparam("assignment"))
_INSERT = sa.insert(assignments)
_SUBMIT = (
    sa.update(assignments)
    .where(
        assignments.c.id == sa.bindparam("assignment"),
        assignments.c.submitted_at.is_(None),
        assignments.c.set_aside_at.is_(None),
    )
    .values(
        submitted_at=sa.bindparam("at"),
        feedback=sa.bindparam("note"),
        confirmed_at=sa.bindparam("counts_at"),
        place=None,
    )
)
_LOSE_PLACE = sa.update(assignments).where(assignments.c.place == sa.bindparam("taken")).values(place=None)


class Assignments:
    """Queries on assignments: of a `stage` or of all, of a `worker` or of everybody."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def get(self, assignment_id: str) -> Assignment:
        """Return an assignment. Raises `UnknownName`."""
        with self._database.reading() as connection:
            return find(connection, assignment_id)

    def submit(
        self, assignment_id: str, feedback: str | None, at: datetime, *, awaits_crowd: bool = False
    ) -> Assignment:
        """Close an assignment. A second submission changes nothing.

        It counts at once, unless it `awaits_crowd` (`confirm`).
        """
        counts_at = None if awaits_crowd else at
        names = {"assignment": assignment_id, "at": at, "note": feedback, "counts_at": counts_at}

        def submit(connection: sa.Connection) -> Assignment:
            taken = find(connection, assignment_id)
            if taken.is_validation:
                lock_campaign(connection, taken.campaign_id)  # before its row, as whoever takes the HIT does
            if not connection.execute(_SUBMIT, names).rowcount:
                return find(connection, assignment_id)  # somebody else may have submitted it meanwhile
            if not awaits_crowd:
                _begin_to_count(connection, taken)
            return replace(taken, submitted_at=at, feedback=feedback, confirmed_at=counts_at, place=None)

        return self._database.write(submit)

    def waiting(self, campaign_id: str, stage: Stage) -> list[Assignment]:
        """Return the submissions that the crowd has yet to confirm, in the order in which they came."""
        query = (
            sa.select(*COLUMNS)
            .where(assignments.c.campaign_id == campaign_id, assignments.c.stage == stage)
            .where(assignments.c.submitted_at.is_not(None), IS_UNDECIDED)
            .order_by(assignments.c.submitted_at, self._database.by_code_point(assignments.c.id))
        )
        with self._database.reading() as connection:
            return [Assignment(*row) for row in connection.execute(query)]

    def confirm(self, assignment_id: str, at: datetime) -> bool:
        """Note that the crowd has it from this worker; nothing happens to what was not submitted.

        Returns whether that is new.
        """
        return self._database.write(lambda connection: confirm(connection, assignment_id, at))

    def set_aside(self, assignment_id: str, reason: str, at: datetime) -> bool:
        """Note that it is not the work of this worker in this HIT; what was confirmed stays so.

        Returns whether that is new.
        """
        marks = {"set_aside_at": at, "set_aside_reason": reason}
        return self._database.write(lambda connection: _decide(connection, assignment_id, sa.true(), **marks))

    def add(self, made: Assignment) -> bool:
        """Keep one that no page has submitted, unless its registration is known. Returns whether that is new."""
        known = sa.select(assignments.c.id).filter_by(
            campaign_id=made.campaign_id, stage=made.stage, worker=made.worker, registration=made.registration
        )

        def add(connection: sa.Connection) -> bool:
            if connection.execute(known).first() is not None:
                return False
            insert(connection, made)
            return True

        return self._database.write(add)

    def confirmed(
        self,
        campaign_id: str,
        stage: Stage | None = None,
        *,
        worker: str | None = None,
        among: Collection[str] | None = None,
    ) -> list[Assignment]:
        """Return those that count, of all or of those `among` some, in the order of submission.

        Those in which nothing was done are included.
        """
        return self._all(campaign_id, stage, worker, assignments.c.confirmed_at.is_not(None), among)

    def uncounted(self, campaign_id: str, stage: Stage | None = None, *, worker: str | None = None) -> list[Assignment]:
        """Return the others in the order of acceptance: at work, not submitted, waiting for the crowd, or set aside."""
        return self._all(campaign_id, stage, worker, assignments.c.confirmed_at.is_(None))

    def _all(
        self,
        campaign_id: str,
        stage: Stage | None,
        worker: str | None,
        condition: sa.ColumnElement[bool],
        among: Collection[str] | None = None,
    ) -> list[Assignment]:
        query = (
            sa.select(*COLUMNS)
            .where(_of(campaign_id, stage, worker), condition, is_among(assignments.c.id, among))
            .order_by(
                assignments.c.submitted_at, assignments.c.accepted_at, self._database.by_code_point(assignments.c.id)
            )
        )
        with self._database.reading() as connection:
            return [Assignment(*row) for row in connection.execute(query)]

    def pending(self, campaign_id: str, stage: Stage, round_number: int) -> list[tuple[str, str]]:
        """Return (HIT, worker) of a round's assignments that a worker has, or that wait for the crowd."""
        is_held = sa.or_(assignments.c.place.is_not(None), assignments.c.submitted_at.is_not(None))
        query = sa.select(assignments.c.hit, assignments.c.worker).where(
            _of(campaign_id, stage, None), assignments.c.round == round_number, IS_UNDECIDED, is_held
        )
        with self._database.reading() as connection:
            return [(row[0], row[1]) for row in connection.execute(query)]

    def taken_by(self, campaign_id: str, stage: Stage, worker: str) -> list[Assignment]:
        """Return every assignment that a worker took, in no order; what was set aside is not the worker's."""
        query = sa.select(*COLUMNS).where(_of(campaign_id, stage, worker), assignments.c.set_aside_at.is_(None))
        with self._database.reading() as connection:
            return [Assignment(*row) for row in connection.execute(query)]

    def completed(self, campaign_id: str, stage: Stage, worker: str | None = None) -> dict[str, int]:
        """Return `{worker: assignments that count}` of those with any."""
        query = sa.select(assignments.c.worker, sa.func.count()).group_by(assignments.c.worker)
        query = query.where(_of(campaign_id, stage, worker), assignments.c.confirmed_at.is_not(None))
        with self._database.reading() as connection:
            return {row[0]: row[1] for row in connection.execute(query)}

    def has_submitted(self, campaign_id: str, worker: str) -> bool:
        """Return whether a worker has submitted a HIT of any stage, whatever became of it."""
        query = sa.select(assignments.c.id).where(
            _of(campaign_id, None, worker), assignments.c.submitted_at.is_not(None)
        )
        with self._database.reading() as connection:
            return connection.execute(query.limit(1)).first() is not None

    def last_submission(self, campaign_id: str) -> datetime | None:
        """Return when the last HIT was submitted; None where none was."""
        query = sa.select(sa.func.max(assignments.c.submitted_at)).where(assignments.c.campaign_id == campaign_id)
        with self._database.reading() as connection:
            last: datetime | None = connection.scalar(query)
        return last

    def last_seen(self, campaign_id: str) -> dict[str, datetime]:
        """Return by worker when they last took or submitted a HIT of any stage, whatever became of it."""
        latest = [sa.func.max(assignments.c[name]) for name in ("accepted_at", "submitted_at")]
        query = sa.select(assignments.c.worker, *latest).where(assignments.c.campaign_id == campaign_id)
        with self._database.reading() as connection:
            rows = connection.execute(query.group_by(assignments.c.worker))
            return {worker: max(filter(None, moments)) for worker, *moments in rows}

    def workers(self, campaign_id: str) -> set[str]:
        """Return the workers with an assignment that counts."""
        query = sa.select(assignments.c.worker).where(assignments.c.campaign_id == campaign_id).distinct()
        with self._database.reading() as connection:
            return set(connection.scalars(query.where(assignments.c.confirmed_at.is_not(None))))


def find(connection: sa.Connection, assignment_id: str, *, lock: bool = False) -> Assignment:
    """Return an assignment; with `lock` nobody else changes it until the transaction ends. Raises `UnknownName`."""
    query = _BY_ID.with_for_update() if lock else _BY_ID
    row = connection.execute(query, {"assignment": assignment_id}).one_or_none()
    if row is None:
        raise UnknownName("assignment", assignment_id, [])
    return Assignment(*row)


def insert(connection: sa.Connection, made: Assignment, *, takes_over: bool = True) -> None:
    """Keep a new assignment. Whoever has its place loses it; unless it `takes_over`, nobody has."""
    if made.place is not None and takes_over:
        connection.execute(_LOSE_PLACE, {"taken": made.place})
    connection.execute(_INSERT, row_of(made))


def row_of(made: Assignment) -> dict[str, Any]:
    """Return the row of an assignment, with what follows from its other fields."""
    hit_id = None if made.is_validation else made.hit
    return {**vars(made), "hit_id": hit_id, "crowd_assignment": made.crowd_assignment}


def of_worker(assignment: Assignment, worker: str) -> Assignment:
    """Return the assignment. Raises `Refused` where it is another worker's."""
    if assignment.worker != worker:
        raise Refused(said("refusals.other_worker"))
    return assignment


def confirm(connection: sa.Connection, assignment_id: str, at: datetime) -> bool:
    """As `Assignments.confirm`, together with what else happens in a transaction."""
    is_submitted = assignments.c.submitted_at.is_not(None)
    if not _decide(connection, assignment_id, is_submitted, confirmed_at=at):
        return False
    _begin_to_count(connection, find(connection, assignment_id))
    return True


def is_among(column: sa.Column[str], names: Collection[str] | None) -> sa.ColumnElement[bool]:
    return sa.true() if names is None else column.in_(list(names))


def is_by(worker: str | None) -> sa.ColumnElement[bool]:
    return sa.true() if worker is None else assignments.c.worker == worker


def _of(campaign_id: str, stage: Stage | None, worker: str | None) -> sa.ColumnElement[bool]:
    of_stage = sa.true() if stage is None else assignments.c.stage == stage
    return sa.and_(assignments.c.campaign_id == campaign_id, of_stage, is_by(worker))


def _decide(connection: sa.Connection, assignment_id: str, condition: sa.ColumnElement[bool], **values: Any) -> bool:
    mine = sa.and_(assignments.c.id == assignment_id, IS_UNDECIDED, condition)
    return connection.execute(sa.update(assignments).where(mine).values(**values)).rowcount > 0


def _begin_to_count(connection: sa.Connection, taken: Assignment) -> None:
    if taken.is_validation:
        works.invalidate(connection, taken.campaign_id, taken.id)
    else:
        works.begin_to_count(connection, taken.id)
