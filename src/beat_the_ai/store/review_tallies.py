"""The numbers of each worker's review, kept so that a list of many workers reads few rows.

A worker's tally is made of the HITs that count, the draws and the reviews. An assignment whose `tallied` is none says
that it lacks something: the assignment began to count, was drawn or reviewed. The tallies are then made anew, when
somebody asks (`ReviewTallies.update`). How verdicts are measured is the caller's rule, which the store does not know.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa

from beat_the_ai.databases import Database
from beat_the_ai.rules.stage import Stage
from beat_the_ai.store.batches import BATCH
from beat_the_ai.store.locks import lock_campaign
from beat_the_ai.store.tables import assignments, review_draws, reviewer_tallies, reviews, worker_tallies


class Verdict(NamedTuple):
    """A reviewer's verdict on a HIT, without the reason."""

    id: int
    assignment_id: str
    reviewer: str
    verdict: str


class Tally(NamedTuple):
    """The outcome of reviews of one worker's HITs.

    `below_at` is the largest number of reviews at which the accuracy was below the threshold; 0 where it never was.
    """

    reviewed: int
    accepted: int
    below_at: int


Measure = Callable[[Sequence[Verdict]], tuple[Tally, Mapping[str, Tally]]]
"""From the events about one worker's HITs, oldest first, to the tally of all reviewers together, and each one's."""


class ReviewTallies:
    """Queries that keep the tallies."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def update(self, campaign_id: str, measure: Measure) -> None:
        """Make the tallies that lack something anew."""
        while self._is_behind(campaign_id):
            self._database.write(lambda connection: _update_some(connection, campaign_id, measure))

    def _is_behind(self, campaign_id: str) -> bool:
        with self._database.reading() as connection:
            return (
                connection.execute(sa.select(assignments.c.id).where(_untallied(campaign_id)).limit(1)).first()
                is not None
            )


def _untallied(campaign_id: str) -> sa.ColumnElement[bool]:
    """Return the condition that an assignment has something that its worker's tally lacks."""
    columns = assignments.c
    of_writing = sa.and_(columns.campaign_id == campaign_id, columns.stage == Stage.WRITING)
    return sa.and_(of_writing, columns.confirmed_at.is_not(None), columns.tallied.is_(None))


def invalidate(connection: sa.Connection, assignment_ids: Collection[str]) -> None:
    """Have the tallies of the assignments' workers made anew."""
    connection.execute(sa.update(assignments).where(assignments.c.id.in_(assignment_ids)).values(tallied=None))


def _counts(campaign_id: str, workers: Sequence[str]) -> sa.Select[Any]:
    """Select each worker's number of HITs that count, and of those in the sample."""
    numbers = (sa.func.count().label("completed"), sa.func.count(review_draws.c.assignment_id).label("sampled"))
    return (
        sa.select(assignments.c.worker, *numbers)
        .join_from(assignments, review_draws, isouter=True)
        .where(assignments.c.campaign_id == campaign_id, assignments.c.stage == Stage.WRITING)
        .where(assignments.c.confirmed_at.is_not(None), assignments.c.worker.in_(workers))
        .group_by(assignments.c.worker)
    )


def _update_some(connection: sa.Connection, campaign_id: str, measure: Measure) -> None:
    """Mark first, then read: what is added meanwhile takes its mark back once this is done."""
    lock_campaign(connection, campaign_id)
    lacking = sa.select(assignments.c.worker).where(_untallied(campaign_id)).distinct().limit(BATCH)
    workers = list(connection.scalars(lacking))
    theirs = sa.and_(_untallied(campaign_id), assignments.c.worker.in_(workers))
    connection.execute(sa.update(assignments).where(theirs).values(tallied=True))
    events = _verdicts(connection, campaign_id, workers)
    for table in (worker_tallies, reviewer_tallies):
        connection.execute(sa.delete(table).where(table.c.campaign_id == campaign_id, table.c.worker.in_(workers)))
    of_workers, of_reviewers = [], []
    for row in connection.execute(_counts(campaign_id, workers)):
        together, of_each = measure(events[row.worker])
        of_workers.append({"campaign_id": campaign_id, **row._mapping, **together._asdict()})
        same = {"campaign_id": campaign_id, "worker": row.worker}
        of_reviewers += [{**same, "reviewer": name, **tally._asdict()} for name, tally in of_each.items()]
    for table, rows in ((worker_tallies, of_workers), (reviewer_tallies, of_reviewers)):
        if rows:
            connection.execute(sa.insert(table), rows)


def _verdicts(connection: sa.Connection, campaign_id: str, workers: Sequence[str]) -> defaultdict[str, list[Verdict]]:
    query = (
        sa.select(assignments.c.worker, *(reviews.c[name] for name in Verdict._fields))
        .join_from(reviews, assignments, assignments.c.id == reviews.c.assignment_id)
        .where(assignments.c.campaign_id == campaign_id, assignments.c.worker.in_(workers))
        .order_by(reviews.c.id)
    )
    by_worker: defaultdict[str, list[Verdict]] = defaultdict(list)
    for worker, *event in connection.execute(query):
        by_worker[worker].append(Verdict(*event))
    return by_worker
