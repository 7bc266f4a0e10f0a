"""Screenings and the responses in them: one screening for each worker of a campaign, whatever the HIT it came by."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, fields, replace
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from beat_the_ai.databases import Database
from beat_the_ai.errors import Refused, UnknownName
from beat_the_ai.messages import said
from beat_the_ai.rules.ids import short_hash
from beat_the_ai.store import tables
from beat_the_ai.store.assignments import confirm as confirm_within
from beat_the_ai.store.batches import ROWS_AT_ONCE
from beat_the_ai.store.locks import lock_campaign
from beat_the_ai.store.records import Assignment, Screening, ScreeningResponse

TAKEN = "refusals.screening.taken"


class Screenings:
    """Queries on screenings and their responses."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def open(
        self,
        campaign_id: str,
        worker: str,
        assignment_id: str,
        quiz: str,
        at: datetime,
        *,
        identity_verified: bool = True,
    ) -> Screening:
        """Begin a worker's screening, or move the unfinished one to this assignment; its responses stay.

        Unless the worker's `identity_verified`, what was begun in that name before is set aside until somebody lays
        `claim` to it. Raises `Refused` when the worker has finished it under another assignment.
        """

        def open_(connection: sa.Connection) -> Screening:
            lock_campaign(connection, campaign_id)  # two that begin at once would not see each other
            mine = connection.execute(sa.select(tables.screenings).filter_by(assignment_id=assignment_id)).one_or_none()
            if mine is not None:
                return Screening(**mine._mapping)
            if not identity_verified:
                self._make_way(connection, campaign_id, worker, at)
            row = connection.execute(_live(campaign_id, worker)).one_or_none()
            if row is None:
                before = sa.select(sa.func.count()).select_from(tables.screenings)
                number = connection.scalar(before.filter_by(campaign_id=campaign_id, worker=worker))
                screening_id = short_hash(campaign_id, worker, *([number] if number else []))
                new = Screening(screening_id, campaign_id, worker, assignment_id, quiz, at)
                connection.execute(sa.insert(tables.screenings).values(**asdict(new)))
                return new
            known = Screening(**row._mapping)
            if known.submitted_at is not None:
                raise Refused(said(TAKEN))
            moved = sa.update(tables.screenings).filter_by(id=known.id).values(assignment_id=assignment_id)
            connection.execute(moved)
            return replace(known, assignment_id=assignment_id)

        return self._database.write(open_)

    def claim(self, assignment_id: str, at: datetime) -> bool:
        """The screening in this assignment is its worker's. False when another one of the worker's counts already."""
        return self._database.write(lambda connection: self._claim(connection, assignment_id, at))

    def confirm(self, assignment_id: str, at: datetime) -> bool:
        """As `claim`, and what was handed in counts: no other screening of the worker's can come in between."""

        def confirm(connection: sa.Connection) -> bool:
            if not self._claim(connection, assignment_id, at):
                return False
            confirm_within(connection, assignment_id, at)
            return True

        return self._database.write(confirm)

    def _claim(self, connection: sa.Connection, assignment_id: str, at: datetime) -> bool:
        screenings = tables.screenings
        mine = sa.select(screenings).filter_by(assignment_id=assignment_id)
        campaign_id = connection.scalar(mine.with_only_columns(screenings.c.campaign_id))
        if campaign_id is None:
            return True
        lock_campaign(connection, campaign_id)  # two that begin at once would not see each other
        row = connection.execute(mine).one_or_none()
        if row is None or row.set_aside_at is None:
            return True
        try:
            self._make_way(connection, campaign_id, row.worker, at)
        except Refused:
            return False
        connection.execute(sa.update(screenings).filter_by(id=row.id).values(set_aside_at=None))
        return True

    @staticmethod
    def _make_way(connection: sa.Connection, campaign_id: str, worker: str, at: datetime) -> None:
        """Set aside what is in the worker's name. Raises `Refused` when that counts."""
        row = connection.execute(_live(campaign_id, worker)).one_or_none()
        if row is None:
            return
        confirmed = sa.select(tables.assignments.c.confirmed_at).filter_by(id=row.assignment_id)
        if connection.scalar(confirmed) is not None:
            raise Refused(said(TAKEN))
        connection.execute(sa.update(tables.screenings).filter_by(id=row.id).values(set_aside_at=at))

    def of_worker(self, campaign_id: str, worker: str) -> Screening | None:
        """The one that is this worker's, if there is any."""
        with self._database.reading() as connection:
            row = connection.execute(_live(campaign_id, worker)).one_or_none()
        return None if row is None else Screening(**row._mapping)

    def of_campaign(self, campaign_id: str) -> list[Screening]:
        """All screenings in the order in which they were begun, without those that were set aside."""
        query = (
            sa.select(tables.screenings)
            .filter_by(campaign_id=campaign_id, set_aside_at=None)
            .order_by(tables.screenings.c.started_at, self._database.by_code_point(tables.screenings.c.id))
        )
        with self._database.reading() as connection:
            return [Screening(**row._mapping) for row in connection.execute(query)]

    def confirmed(self, campaign_id: str) -> set[str]:
        """The workers whose screening was handed in and counts."""
        screenings, assignments = tables.screenings, tables.assignments
        query = (
            sa.select(screenings.c.worker)
            .join(assignments, assignments.c.id == screenings.c.assignment_id)
            .where(screenings.c.campaign_id == campaign_id, assignments.c.confirmed_at.is_not(None))
        )
        with self._database.reading() as connection:
            return set(connection.scalars(query))

    def session(self, assignment_id: str) -> tuple[Screening, list[ScreeningResponse]]:
        """The screening that goes on under an assignment, and its responses in their order.

        Raises `Refused` when it has moved to another assignment.
        """
        responses = tables.screening_responses
        with self._database.reading() as connection:
            row = connection.execute(sa.select(tables.screenings).filter_by(assignment_id=assignment_id)).one_or_none()
            if row is None:
                raise Refused(said("refusals.screening.moved"))
            ordered = sa.select(responses).filter_by(screening_id=row.id).order_by(responses.c.ordinal)
            made = [ScreeningResponse(**response._mapping) for response in connection.execute(ordered)]
            return Screening(**row._mapping), made

    def responses(self, campaign_id: str) -> Iterator[tuple[Screening, ScreeningResponse, Assignment]]:
        """Every one, by screening as they were begun, with the assignment that the screening is in; read as they are
        taken. Those of screenings that were set aside are among them.
        """
        screenings, responses, assignments = tables.screenings, tables.screening_responses, tables.assignments
        records = ((Screening, screenings), (ScreeningResponse, responses), (Assignment, assignments))
        columns = [
            table.c[field.name].label(f"{table.name}_{field.name}")
            for record, table in records
            for field in fields(record)
        ]
        query = (
            sa.select(*columns)
            .join_from(screenings, responses)
            .join(assignments, assignments.c.id == screenings.c.assignment_id)
            .where(screenings.c.campaign_id == campaign_id)
            .order_by(screenings.c.started_at, self._database.by_code_point(screenings.c.id), responses.c.ordinal)
        )
        first, second = len(fields(Screening)), len(fields(Screening)) + len(fields(ScreeningResponse))
        with self._database.reading() as connection:
            for row in connection.execution_options(yield_per=ROWS_AT_ONCE).execute(query):
                yield Screening(*row[:first]), ScreeningResponse(*row[first:second]), Assignment(*row[second:])

    def add(self, response: ScreeningResponse) -> ScreeningResponse:
        """Make a response durable. Where its key was stored before, that response is given back and nothing changes.

        Raises `Refused` when the screening was submitted, or when another response took its ordinal meanwhile.
        """
        responses = tables.screening_responses

        def add(connection: sa.Connection) -> ScreeningResponse:
            submitted = self._lock(connection, response.screening_id)
            of_screening = sa.select(responses).filter_by(screening_id=response.screening_id)
            known = connection.execute(of_screening.where(responses.c.key == response.key)).one_or_none()
            if known is not None:
                return ScreeningResponse(**known._mapping)
            if submitted:
                raise Refused(said("refusals.screening.add"))
            made = connection.scalar(sa.select(sa.func.count()).select_from(of_screening.subquery()))
            if made != response.ordinal - 1:
                raise Refused(said("refusals.screening.being_checked"))
            connection.execute(sa.insert(responses).values(**asdict(response)))
            return response

        return self._database.write(add)

    def submit(self, assignment_id: str, outcome: str, at: datetime) -> Screening:
        """Close a screening. A second submission changes nothing. Raises `Refused` when it has moved away."""
        screenings = tables.screenings
        open_one = sa.and_(screenings.c.assignment_id == assignment_id, screenings.c.submitted_at.is_(None))
        update = sa.update(screenings).where(open_one).values(submitted_at=at, outcome=outcome)
        self._database.write(lambda connection: connection.execute(update).rowcount)
        return self.session(assignment_id)[0]

    def set_aside(self, assignment_id: str, at: datetime) -> None:
        """It is not that worker's: who that is may still take one."""
        screenings = tables.screenings
        live = sa.and_(screenings.c.assignment_id == assignment_id, screenings.c.set_aside_at.is_(None))
        update = sa.update(screenings).where(live).values(set_aside_at=at)
        self._database.write(lambda connection: connection.execute(update).rowcount)

    @staticmethod
    def _lock(connection: sa.Connection, screening_id: str) -> bool:
        """Let nobody else change the screening until the transaction ends. True when it was submitted."""
        locked = sa.select(tables.screenings.c.submitted_at).filter_by(id=screening_id).with_for_update()
        row = connection.execute(locked).one_or_none()
        if row is None:
            raise UnknownName("screening", screening_id, [])
        return row.submitted_at is not None


def _live(campaign_id: str, worker: str) -> sa.Select[Any]:
    return sa.select(tables.screenings).filter_by(campaign_id=campaign_id, worker=worker, set_aside_at=None)
