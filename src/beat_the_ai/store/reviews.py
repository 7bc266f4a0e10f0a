"""The review sample and what reviewers said about it. Draws and reviews are only added: an undo is an event too."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from itertools import groupby
from typing import Any

import sqlalchemy as sa

from beat_the_ai.errors import UnknownName
from beat_the_ai.store.database import Database
from beat_the_ai.store.records import Draw, Review
from beat_the_ai.store.tables import assignments, campaigns, hits, review_draws, reviews

Choose = Callable[[str, Sequence[str], set[str]], Iterable[str]]


class Reviews:
    """Queries on draws and reviews."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def draw(self, campaign_id: str, choose: Choose, at: datetime) -> list[Draw]:
        """Add to the sample: `choose(worker, submitted, drawn)` says which assignments of a worker are drawn now.

        `submitted` holds the ids in the order of submission. Of two draws at once, the second sees the first.
        """

        def draw(connection: sa.Connection) -> list[Draw]:
            if connection.scalar(sa.select(campaigns.c.id).filter_by(id=campaign_id).with_for_update()) is None:
                raise UnknownName("campaign", campaign_id, [])
            drawn = {one.assignment_id for one in self._draws(connection, campaign_id)}
            new = []
            for worker, submitted in self._submitted(connection, campaign_id):
                chosen = choose(worker, submitted, drawn.intersection(submitted))
                new += [Draw(assignment_id, len(submitted), at) for assignment_id in chosen]
            if new:
                connection.execute(sa.insert(review_draws), [vars(one) for one in new])
            return new

        return self._database.write(draw)

    def _submitted(self, connection: sa.Connection, campaign_id: str) -> list[tuple[str, list[str]]]:
        """`(worker, assignments in the order of submission)`, in the order of the workers' ids."""
        query = (
            sa.select(assignments.c.worker, assignments.c.id)
            .join(hits)
            .where(hits.c.campaign_id == campaign_id, assignments.c.confirmed_at.is_not(None))
            .order_by(
                self._database.by_code_point(assignments.c.worker),
                assignments.c.submitted_at,
                self._database.by_code_point(assignments.c.id),
            )
        )
        by_worker = groupby(connection.execute(query), key=lambda row: row.worker)
        return [(worker, [row.id for row in rows]) for worker, rows in by_worker]

    def draws(self, campaign_id: str) -> dict[str, Draw]:
        """The sample so far, `{assignment: draw}`."""
        with self._database.reading() as connection:
            return {one.assignment_id: one for one in self._draws(connection, campaign_id)}

    def _draws(self, connection: sa.Connection, campaign_id: str) -> list[Draw]:
        query = _of_campaign(sa.select(review_draws), review_draws, campaign_id)
        query = query.order_by(review_draws.c.at, self._database.by_code_point(review_draws.c.assignment_id))
        return [Draw(**row._mapping) for row in connection.execute(query)]

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
            return int(inserted[0])

        return Review(self._database.write(add), **values)  # type: ignore[arg-type]  # the values are the fields

    def of_campaign(self, campaign_id: str, assignment_id: str | None = None) -> list[Review]:
        """Every event, or those of one assignment, oldest first."""
        query = _of_campaign(sa.select(reviews), reviews, campaign_id).order_by(reviews.c.id)
        if assignment_id is not None:
            query = query.where(reviews.c.assignment_id == assignment_id)
        with self._database.reading() as connection:
            return [Review(**row._mapping) for row in connection.execute(query)]


def _of_campaign(query: sa.Select[Any], table: sa.Table, campaign_id: str) -> sa.Select[Any]:
    """The rows of a table of assignments that belong to a campaign."""
    return (
        query.join(assignments, assignments.c.id == table.c.assignment_id)
        .join(hits, hits.c.id == assignments.c.hit_id)
        .where(hits.c.campaign_id == campaign_id)
    )
