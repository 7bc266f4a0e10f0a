"""The workers of a campaign as the review queue has them, page by page, from the kept tallies.

First come those whom somebody has to decide about, then those with HITs to judge, then the others, and last those who
may not work; in the order of their ids among each. Ask `ReviewTallies.update` before.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import NamedTuple

import sqlalchemy as sa

from beat_the_ai.databases import Database
from beat_the_ai.store.attempts import written_in
from beat_the_ai.store.discards import REVOKED
from beat_the_ai.store.tables import (
    assignments,
    attempts,
    reviewer_tallies,
    revocation_outcomes,
    revocation_proposals,
    standing_events,
    worker_tallies,
)
from beat_the_ai.store.won import DOUBTED

BLOCKED, CANDIDATE = "blocked", "candidate"
TO_DECIDE, TO_JUDGE, AT_REST, MAY_NOT_WORK = range(4)  # ranks


class Position(NamedTuple):
    """A place in the queue: the rank, and the worker's id among those of this rank."""

    rank: int
    worker: str


@dataclass(frozen=True)
class QueuedWorker:
    """One worker's numbers as a reviewer may know them.

    `to_judge` of the `sampled` HITs wait for the reviewer; others judged `judged_by_others` of those.
    """

    worker: str
    standing: str | None
    completed: int
    sampled: int
    reviewed: int
    accepted: int
    recommended: bool
    to_judge: int
    judged_by_others: int
    rank: int

    @property
    def position(self) -> Position:
        return Position(self.rank, self.worker)


class QueuePage(NamedTuple):
    """Some workers in the order of the queue; `left` more are behind them."""

    workers: list[QueuedWorker]
    left: int


class QueueHead(NamedTuple):
    """The number of sampled HITs of workers who may work that wait for the reviewer, and the next such worker."""

    to_judge: int
    next: str | None


class DoubtedWorks(NamedTuple):
    """The number of doubtful works, and of those that wait for a lead."""

    all: int
    waiting: int


@dataclass(frozen=True)
class Viewer:
    """The reviewer who asks. With `sees_all` the accuracies are those of all reviewers together.

    `min_reviews` are asked for before a revocation is recommended.
    """

    campaign_id: str
    reviewer: str
    sees_all: bool
    min_reviews: int


class ReviewQueue:
    """Queries on the queue."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def page(self, viewer: Viewer, most: int, *, after: Position | None = None, sought: str = "") -> QueuePage:
        """Return up to `most` workers behind a position; `sought` is a part of their ids, in any case."""
        queue = _queue(viewer)
        by_id = self._database.by_code_point(queue.c.worker)
        query = sa.select(sa.func.count().over(), queue).where(_has(queue, sought))
        query = query.order_by(queue.c.rank, by_id).limit(most)
        if after is not None:
            later = sa.and_(queue.c.rank == after.rank, by_id > after.worker)
            query = query.where(sa.or_(queue.c.rank > after.rank, later))
        with self._database.reading() as connection:
            rows = connection.execute(query).all()
        return QueuePage([QueuedWorker(*row[1:]) for row in rows], rows[0][0] - len(rows) if rows else 0)

    def worker(self, viewer: Viewer, worker: str) -> QueuedWorker | None:
        """Return one worker; None for one without HITs that count and without a standing."""
        with self._database.reading() as connection:
            row = connection.execute(sa.select(_queue(viewer, worker))).one_or_none()
        return None if row is None else QueuedWorker(*row)

    def head(self, viewer: Viewer, after: str = "") -> QueueHead:
        """Return what waits for the reviewer; the next worker is the first by id behind one, around the end."""
        queue = _queue(viewer)
        by_id = self._database.by_code_point(queue.c.worker)
        first, later = (sa.func.min(by_id).filter(condition) for condition in (by_id < after, by_id > after))
        query = sa.select(sa.func.sum(queue.c.to_judge), later, first)
        with self._database.reading() as connection:
            row = connection.execute(query.where(queue.c.rank != MAY_NOT_WORK, queue.c.to_judge > 0)).one()
        return QueueHead(row[0] or 0, row[1] if row[1] is not None else row[2])

    def judged_twice(self, campaign_id: str) -> list[str]:
        """Return the workers with a HIT that two or more reviewers have judged."""
        each, together = reviewer_tallies.c, worker_tallies.c
        query = (
            sa.select(each.worker)
            .join_from(
                reviewer_tallies,
                worker_tallies,
                sa.and_(together.campaign_id == each.campaign_id, together.worker == each.worker),
            )
            .where(each.campaign_id == campaign_id)
            .group_by(each.worker, together.reviewed)
            .having(sa.func.sum(each.reviewed) > together.reviewed)
        )
        with self._database.reading() as connection:
            return list(connection.scalars(query))

    def candidates(self, campaign_id: str) -> int:
        """Count the workers who wait for a decision about their screening."""
        people = sa.select(standing_events.c.worker).filter_by(campaign_id=campaign_id).distinct().subquery()
        query = sa.select(sa.func.count()).select_from(people)
        with self._database.reading() as connection:
            return connection.scalar(query.where(_standing(campaign_id, people.c.worker) == CANDIDATE)) or 0

    def doubted(self, campaign_id: str) -> DoubtedWorks:
        """Count the doubtful works."""
        waiting = sa.func.count().filter(attempts.c.admitted.is_(None))
        query = sa.select(sa.func.count(), waiting).join_from(attempts, assignments)
        with self._database.reading() as connection:
            return DoubtedWorks(*connection.execute(query.where(DOUBTED, written_in(campaign_id))).one())


def _queue(viewer: Viewer, worker: str | None = None) -> sa.Subquery:
    """Select every worker with a HIT that counts or with a standing, or one alone, as `QueuedWorker`."""
    people = sa.union(
        *(
            sa.select(table.c.worker).where(
                table.c.campaign_id == viewer.campaign_id, sa.true() if worker is None else table.c.worker == worker
            )
            for table in (worker_tallies, standing_events)
        )
    ).subquery("people")
    together, own = worker_tallies.alias("together"), reviewer_tallies.alias("own")
    seen = together.c if viewer.sees_all else own.c
    standing = _standing(viewer.campaign_id, people.c.worker)
    recommended = _number(seen.below_at) >= viewer.min_reviews
    to_judge = _number(together.c.sampled) - _number(own.c.reviewed)
    rank = sa.case(
        (sa.func.coalesce(standing, "").in_([REVOKED, BLOCKED]), MAY_NOT_WORK),
        (sa.or_(recommended, _is_proposed(viewer.campaign_id, people.c.worker)), TO_DECIDE),
        (to_judge > 0, TO_JUDGE),
        else_=AT_REST,
    )
    values = {
        "worker": people.c.worker,
        "standing": standing,
        "completed": _number(together.c.completed),
        "sampled": _number(together.c.sampled),
        "reviewed": _number(seen.reviewed),
        "accepted": _number(seen.accepted),
        "recommended": recommended,
        "to_judge": to_judge,
        "judged_by_others": _number(together.c.reviewed) - _number(own.c.reviewed),
        "rank": rank,
    }
    return (
        sa.select(*(values[field.name].label(field.name) for field in fields(QueuedWorker)))
        .select_from(people)
        .outerjoin(
            together, sa.and_(together.c.campaign_id == viewer.campaign_id, together.c.worker == people.c.worker)
        )
        .outerjoin(
            own,
            sa.and_(
                own.c.campaign_id == viewer.campaign_id,
                own.c.worker == people.c.worker,
                own.c.reviewer == viewer.reviewer,
            ),
        )
        .subquery("queue")
    )


def _number(column: sa.ColumnElement[int]) -> sa.ColumnElement[int]:
    return sa.func.coalesce(column, 0)


def _standing(campaign_id: str, worker: sa.ColumnElement[str]) -> sa.ScalarSelect[str]:
    """Select the last standing of a worker."""
    events = standing_events.alias("of_worker")
    query = sa.select(events.c.standing).where(events.c.campaign_id == campaign_id, events.c.worker == worker)
    return query.order_by(events.c.id.desc()).limit(1).scalar_subquery()


def _is_proposed(campaign_id: str, worker: sa.ColumnElement[str]) -> sa.ColumnElement[bool]:
    """Return the condition that a proposal to revoke a worker waits."""
    proposals, outcomes = revocation_proposals.c, revocation_outcomes.c
    closed = sa.exists().where(outcomes.proposal_id == proposals.id)
    return sa.exists().where(proposals.campaign_id == campaign_id, proposals.worker == worker, ~closed)


def _has(queue: sa.Subquery, sought: str) -> sa.ColumnElement[bool]:
    return sa.func.lower(queue.c.worker).contains(sought.lower(), autoescape=True) if sought else sa.true()
