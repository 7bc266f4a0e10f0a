"""The leader board: names that workers chose for it, and the results that it counts.

A worker without a row is not listed. A row without a name is of a worker whose name a person took off the board: they
choose no other until somebody lets them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa

from beat_the_ai.databases import Database
from beat_the_ai.errors import Refused, UnknownName
from beat_the_ai.messages import said
from beat_the_ai.rules.text import folded
from beat_the_ai.store.batches import BATCH, batched
from beat_the_ai.store.locks import lock_campaign
from beat_the_ai.store.tables import assignments, attempts, board_names, standing_events, works

TAKEN, TAKEN_OFF = "elsewhere.board.taken", "elsewhere.board.taken_off"
NOT_LISTED = ("revoked", "blocked")  # standings


@dataclass(frozen=True)
class BoardName:
    """A worker's name on the board; None where a person took it off."""

    worker: str
    name: str | None
    at: datetime


class BoardNames:
    """Queries on names on the board, and on results."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def choose(self, campaign_id: str, worker: str, name: str, at: datetime) -> None:
        """Put a worker on the board, or change their name. Raises `Refused` for a name that is taken."""
        same = folded(name)
        if same in self._folded_worker_ids():
            raise Refused(said(TAKEN))
        row = {"name": name, "folded": same, "at": at}

        def choose(connection: sa.Connection) -> None:
            lock_campaign(connection, campaign_id)
            holder = connection.scalar(sa.select(board_names.c.worker).filter_by(campaign_id=campaign_id, folded=same))
            if holder not in (None, worker):
                raise Refused(said(TAKEN))
            known = connection.execute(_of_worker(campaign_id, worker)).one_or_none()
            if known is None:
                connection.execute(sa.insert(board_names).values(campaign_id=campaign_id, worker=worker, **row))
            elif known.name is None:
                raise Refused(said(TAKEN_OFF))
            else:
                connection.execute(sa.update(board_names).filter_by(campaign_id=campaign_id, worker=worker).values(row))

        self._database.write(choose)

    def leave(self, campaign_id: str, workers: Collection[str]) -> None:
        """Delete the names of these workers."""
        named = sa.delete(board_names).where(board_names.c.campaign_id == campaign_id, board_names.c.name.is_not(None))
        which = named.where(board_names.c.worker.in_(list(workers)))
        self._database.write(lambda connection: connection.execute(which).rowcount)

    def take_off(self, campaign_id: str, worker: str, at: datetime) -> None:
        """Delete a worker's name, and let them choose no other. Raises `UnknownName`."""
        self._change(campaign_id, worker, board_names.c.name.is_not(None), name=None, folded=None, at=at)

    def allow(self, campaign_id: str, worker: str) -> None:
        """Let a worker choose a name again whose name was taken off. Raises `UnknownName`."""
        self._change(campaign_id, worker, board_names.c.name.is_(None))

    def of_worker(self, campaign_id: str, worker: str) -> BoardName | None:
        """Return a worker's name; None for one who has not chosen any."""
        rows = self._database.rows(_of_worker(campaign_id, worker), {})
        return next((BoardName(**row._mapping) for row in rows), None)

    def of_campaign(self, campaign_id: str) -> list[BoardName]:
        """Return all names and those that were taken off, the oldest first."""
        query = _selected.filter_by(campaign_id=campaign_id).order_by(board_names.c.at, board_names.c.worker)
        return [BoardName(**row._mapping) for row in self._database.rows(query, {})]

    def listed(self, campaign_id: str) -> dict[str, str]:
        """Return the names on the board by worker, in the order of names; those who may not work are left out."""
        query = sa.select(board_names.c.worker, board_names.c.name).where(
            board_names.c.campaign_id == campaign_id,
            board_names.c.name.is_not(None),
            sa.func.coalesce(_standing, "").not_in(NOT_LISTED),
        )
        rows = self._database.rows(query.order_by(self._database.by_code_point(board_names.c.folded)), {})
        return {row.worker: row.name for row in rows}

    def results(self, campaign_id: str, workers: Iterable[str]) -> Mapping[str, list[bool | None]]:
        """Return the results of workers' works that beat the model and count, in the order of submission.

        The votes are counted before. See `rules.wins`.
        """
        found: defaultdict[str, list[bool | None]] = defaultdict(list)
        with self._database.reading() as connection:
            for names in batched(workers, BATCH):
                of_these = (assignments.c.campaign_id == campaign_id, assignments.c.worker.in_(names))
                for row in connection.execute(_results.where(*of_these)):
                    found[row.worker].append(row.confirmed if row.settled else None)
        return found

    def _change(self, campaign_id: str, worker: str, condition: sa.ColumnElement[bool], **values: object) -> None:
        """Change the row of a worker, or delete it where there are no values. Raises `UnknownName`."""

        def change(connection: sa.Connection) -> None:
            lock_campaign(connection, campaign_id)
            here = sa.select(board_names.c.worker).where(board_names.c.campaign_id == campaign_id, condition)
            workers = list(connection.scalars(here.order_by(board_names.c.worker)))
            if worker not in workers:
                raise UnknownName("WORKER", worker, workers)
            statement = sa.update(board_names).values(values) if values else sa.delete(board_names)
            connection.execute(statement.filter_by(campaign_id=campaign_id, worker=worker))

        self._database.write(change)

    def _folded_worker_ids(self) -> set[str]:
        ids = sa.union(sa.select(assignments.c.worker), sa.select(standing_events.c.worker))
        return {folded(row.worker) for row in self._database.rows(ids, {})}


def _of_worker(campaign_id: str, worker: str) -> sa.Select[tuple[str, str | None, datetime]]:
    return _selected.filter_by(campaign_id=campaign_id, worker=worker)


_selected = sa.select(board_names.c.worker, board_names.c.name, board_names.c.at)
_standing = (
    sa.select(standing_events.c.standing)
    .where(standing_events.c.campaign_id == board_names.c.campaign_id, standing_events.c.worker == board_names.c.worker)
    .order_by(standing_events.c.id.desc())
    .limit(1)
    .correlate(board_names)
    .scalar_subquery()
)
_results = (
    sa.select(assignments.c.worker, works.c.settled, works.c.confirmed)
    .join_from(assignments, attempts, attempts.c.assignment_id == assignments.c.id)
    .join(works, works.c.attempt_id == attempts.c.id)
    .order_by(assignments.c.submitted_at, assignments.c.id, attempts.c.ordinal)
)
