"""The review sample and what reviewers said about it. Draws and reviews are only added: an undo is an event too."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from datetime import datetime
from itertools import groupby
from typing import Any

import sqlalchemy as sa

from beat_the_ai.databases import Database
from beat_the_ai.errors import UnknownName
from beat_the_ai.store.attempts import written_in
from beat_the_ai.store.batches import batched
from beat_the_ai.store.locks import lock_campaign
from beat_the_ai.store.records import Draw, Review
from beat_the_ai.store.review_tallies import Verdict, invalidate
from beat_the_ai.store.tables import assignments, campaigns, review_draws, reviews, worker_tallies

MOST_WORKERS = 500  # names in a query

Choose = Callable[[str, Sequence[str], set[str]], Iterable[str]]


class Reviews:
    """Queries on draws and reviews."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def draw(self, campaign_id: str, size: Callable[[int], int], choose: Choose, at: datetime) -> list[Draw]:
        """Add to the sample of the workers whose sample is smaller than `size(submitted)` by their tallies.

        `choose(worker, submitted, drawn)` says which assignments of a worker are drawn now. `submitted` holds the ids
        in the order of submission. Of two draws at once, the second sees the first.
        """
        with self._database.reading() as connection:
            if connection.scalar(sa.select(campaigns.c.id).filter_by(id=campaign_id)) is None:
                raise UnknownName("campaign", campaign_id, [])
            lacking = sorted(_lacking(connection, campaign_id, size))

        def draw(connection: sa.Connection) -> list[Draw]:
            lock_campaign(connection, campaign_id)
            new = []
            for worker, submitted, drawn in self._submitted(connection, campaign_id, lacking):
                chosen = choose(worker, submitted, drawn)
                new += [Draw(assignment_id, len(submitted), at) for assignment_id in chosen]
            if new:
                connection.execute(sa.insert(review_draws), [vars(one) for one in new])
                invalidate(connection, [one.assignment_id for one in new])
            return new

        return self._database.write(draw) if lacking else []

    def _submitted(
        self, connection: sa.Connection, campaign_id: str, workers: Sequence[str]
    ) -> Iterator[tuple[str, list[str], set[str]]]:
        """`(worker, assignments in the order of submission, those drawn)`, in the order of the workers' ids."""
        query = (
            sa.select(assignments.c.worker, assignments.c.id, review_draws.c.assignment_id.label("drawn"))
            .join_from(assignments, review_draws, isouter=True)
            .where(written_in(campaign_id), assignments.c.confirmed_at.is_not(None))
            .order_by(
                self._database.by_code_point(assignments.c.worker),
                assignments.c.submitted_at,
                self._database.by_code_point(assignments.c.id),
            )
        )
        for names in batched(workers, MOST_WORKERS):
            rows = connection.execute(query.where(assignments.c.worker.in_(names))).all()
            for worker, of_worker in groupby(rows, key=lambda row: row.worker):
                theirs = list(of_worker)
                yield worker, [row.id for row in theirs], {row.id for row in theirs if row.drawn is not None}

    def sample(self, campaign_id: str, worker: str | None = None) -> dict[str, str]:
        """`{assignment: worker}` of everybody's sample, or one worker's."""
        columns: sa.Select[Any] = sa.select(review_draws.c.assignment_id, assignments.c.worker)
        query = _of_campaign(columns, review_draws, campaign_id)
        if worker is not None:
            query = query.where(assignments.c.worker == worker)
        with self._database.reading() as connection:
            return {row[0]: row[1] for row in connection.execute(query)}

    def verdicts(
        self, campaign_id: str, worker: str | None = None, *, among: Collection[str] | None = None
    ) -> list[Verdict]:
        """Every event, oldest first, about everybody's HITs, one worker's, or those of the workers `among` some."""
        every: sa.Select[Any] = sa.select(*(reviews.c[name] for name in Verdict._fields))
        query = _of_campaign(every, reviews, campaign_id).order_by(reviews.c.id)
        if worker is not None:
            query = query.where(assignments.c.worker == worker)
        with self._database.reading() as connection:
            if among is None:
                return [Verdict(*row) for row in connection.execute(query)]
            some = (query.where(assignments.c.worker.in_(names)) for names in batched(among, MOST_WORKERS))
            return sorted(Verdict(*row) for each in some for row in connection.execute(each))

    def draws(self, campaign_id: str, worker: str | None = None) -> dict[str, Draw]:
        """The sample so far, or one worker's, `{assignment: draw}`."""
        query = _of_campaign(sa.select(review_draws), review_draws, campaign_id)
        query = query.order_by(review_draws.c.at, self._database.by_code_point(review_draws.c.assignment_id))
        if worker is not None:
            query = query.where(assignments.c.worker == worker)
        with self._database.reading() as connection:
            return {row.assignment_id: Draw(**row._mapping) for row in connection.execute(query)}

    def is_drawn(self, campaign_id: str, assignment_id: str) -> bool:
        """Return whether an assignment is in the campaign's sample."""
        query = _of_campaign(sa.select(review_draws.c.assignment_id), review_draws, campaign_id)
        with self._database.reading() as connection:
            return connection.scalar(query.where(review_draws.c.assignment_id == assignment_id)) is not None

    def add(
        self, campaign_id: str, assignment_id: str, reviewer: str, verdict: str, reason: str, at: datetime
    ) -> Review:
        """Add a review. Raises `UnknownName` when the assignment is not in the campaign's sample."""
        values = {"assignment_id": assignment_id, "reviewer": reviewer, "verdict": verdict, "reason": reason, "at": at}

        def add(connection: sa.Connection) -> int:
            sampled = _of_campaign(sa.select(review_draws.c.assignment_id), review_draws, campaign_id)
            if connection.scalar(sampled.where(review_draws.c.assignment_id == assignment_id)) is None:
                raise UnknownName("sampled assignment", assignment_id, [])
            inserted = connection.execute(sa.insert(reviews).values(**values)).inserted_primary_key
            assert inserted is not None
            invalidate(connection, [assignment_id])
            return int(inserted[0])

        return Review(self._database.write(add), **values)  # type: ignore[arg-type]  # the values are the fields

    def of_campaign(
        self, campaign_id: str, assignment_id: str | None = None, worker: str | None = None
    ) -> list[Review]:
        """Every event, or those about one assignment or one worker, oldest first."""
        query = _of_campaign(sa.select(reviews), reviews, campaign_id).order_by(reviews.c.id)
        if worker is not None:
            query = query.where(assignments.c.worker == worker)
        if assignment_id is not None:
            query = query.where(reviews.c.assignment_id == assignment_id)
        with self._database.reading() as connection:
            return [Review(**row._mapping) for row in connection.execute(query)]


def _lacking(connection: sa.Connection, campaign_id: str, size: Callable[[int], int]) -> Iterable[str]:
    """Return the workers whose sample is too small. Their many numbers are few different ones."""
    columns = worker_tallies.c
    numbers = sa.select(columns.completed, columns.sampled).filter_by(campaign_id=campaign_id).distinct()
    small = [(completed, sampled) for completed, sampled in connection.execute(numbers) if size(completed) > sampled]
    of_small = sa.tuple_(columns.completed, columns.sampled).in_(small)
    query = sa.select(columns.worker).where(columns.campaign_id == campaign_id, of_small)
    return connection.scalars(query).all() if small else []


def _of_campaign(query: sa.Select[Any], table: sa.Table, campaign_id: str) -> sa.Select[Any]:
    """The rows of a table of assignments that belong to a campaign."""
    joined = query.join(assignments, assignments.c.id == table.c.assignment_id)
    return joined.where(assignments.c.campaign_id == campaign_id)
