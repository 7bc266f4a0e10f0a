"""Verdicts of the model in the loop as they came: for whoever watches a campaign. Nothing here is written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

import sqlalchemy as sa

from beat_the_ai.databases import Database
from beat_the_ai.store import tables
from beat_the_ai.store.assignments import COLUMNS, is_among
from beat_the_ai.store.attempts import written_in
from beat_the_ai.store.batches import ROWS_AT_ONCE
from beat_the_ai.store.campaigns import hit_from, select_hits
from beat_the_ai.store.discards import discarded
from beat_the_ai.store.records import Assignment, Attempt, AttemptInCampaign
from beat_the_ai.store.won import ON_HOLD

_ATTEMPTS, _ASSIGNMENTS, _WORKS = tables.attempts, tables.assignments, tables.works


class Place(NamedTuple):
    """A place in the feed: the moment of a verdict, and the attempt's id."""

    at: datetime
    attempt_id: str


@dataclass(frozen=True)
class Asked:
    """The verdicts that are asked for; None for all. `held`: they wait for a person; `voted`: with so many votes."""

    model: str | None = None
    fooled: bool | None = None
    held: bool = False
    voted: int = 0

    @property
    def condition(self) -> sa.ColumnElement[bool]:
        conditions: list[sa.ColumnElement[bool]] = [sa.true()]
        if self.model is not None:
            conditions.append(_ATTEMPTS.c.model_name == self.model)
        if self.fooled is not None:
            conditions.append(_ATTEMPTS.c.fooled.is_(self.fooled))
        if self.held:
            conditions.append(ON_HOLD)
        if self.voted:
            enough = sa.exists().where(_WORKS.c.attempt_id == _ATTEMPTS.c.id, _WORKS.c.votes >= self.voted)
            conditions.append(enough)
        return sa.and_(*conditions)


class HandedIn(NamedTuple):
    """A HIT that counts, by a writer whom nobody has revoked."""

    assignment_id: str
    worker: str
    round: int
    context_id: str
    accepted_at: datetime
    submitted_at: datetime


class TriedWork(NamedTuple):
    """An attempt that was not taken back. `kept` and `settled` are of its adjudication; None where it has none."""

    assignment_id: str
    ordinal: int
    fooled: bool
    created_at: datetime
    admitted: bool | None
    kept: bool | None
    settled: bool | None
    member: str
    model_name: str
    model_hash: str
    answer_ms: int | None


class VerdictFeed:
    """Queries on verdicts."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def newest(self, campaign_id: str, asked: Asked, most: int, before: Place | None = None) -> list[AttemptInCampaign]:
        """Return verdicts of a campaign, the newest first: those before a place, discarded ones too."""
        by_id = self._database.by_code_point(_ATTEMPTS.c.id)
        query = sa.select(_ATTEMPTS).join_from(_ATTEMPTS, _ASSIGNMENTS).where(written_in(campaign_id), asked.condition)
        if before is not None:
            same = sa.and_(_ATTEMPTS.c.created_at == before.at, by_id < before.attempt_id)
            query = query.where(_ATTEMPTS.c.created_at <= before.at, sa.or_(_ATTEMPTS.c.created_at < before.at, same))
        query = query.order_by(_ATTEMPTS.c.created_at.desc(), by_id.desc()).limit(most)
        with self._database.reading() as connection:
            return _placed(connection, [Attempt(**row._mapping) for row in connection.execute(query)])

    def attempt(self, campaign_id: str, attempt_id: str) -> AttemptInCampaign | None:
        """Return one verdict of a campaign."""
        query = sa.select(_ATTEMPTS).join_from(_ATTEMPTS, _ASSIGNMENTS)
        query = query.where(_ATTEMPTS.c.id == attempt_id, written_in(campaign_id))
        with self._database.reading() as connection:
            row = connection.execute(query).one_or_none()
            return None if row is None else _placed(connection, [Attempt(**row._mapping)])[0]

    def handed_in(self, campaign_id: str) -> list[HandedIn]:
        """Return the HITs that count, in the order of their submission; without those of revoked writers."""
        columns = [_ASSIGNMENTS.c[name] for name in ("id", "worker", "round", "accepted_at", "submitted_at")]
        query: sa.Select[Any] = (
            sa.select(*columns[:3], tables.hits.c.context_id, *columns[3:])
            .join_from(_ASSIGNMENTS, tables.hits)
            .where(written_in(campaign_id), _counts(campaign_id))
            .order_by(_ASSIGNMENTS.c.submitted_at, _ASSIGNMENTS.c.id)
        )
        with self._database.reading() as connection:
            return [HandedIn(*row) for row in connection.execute(query)]

    def tried(self, campaign_id: str) -> Iterator[TriedWork]:
        """Yield the attempts in these HITs that were not taken back, without what was written; in no order."""
        names = ("assignment_id", "ordinal", "fooled", "created_at", "admitted")
        asked = [_ATTEMPTS.c[name] for name in ("member", "model_name", "model_hash", "answer_ms")]
        query: sa.Select[Any] = (
            sa.select(*(_ATTEMPTS.c[name] for name in names), _WORKS.c.kept, _WORKS.c.settled, *asked)
            .join_from(_ASSIGNMENTS, _ATTEMPTS)
            .outerjoin(_WORKS, _WORKS.c.attempt_id == _ATTEMPTS.c.id)
            .where(written_in(campaign_id), _counts(campaign_id), _ATTEMPTS.c.retracted_at.is_(None))
        )
        with self._database.reading() as connection:
            for rows in connection.execution_options(yield_per=ROWS_AT_ONCE).execute(query).partitions():
                yield from (TriedWork(*row) for row in rows)


def _counts(campaign_id: str) -> sa.ColumnElement[bool]:
    return sa.and_(_ASSIGNMENTS.c.confirmed_at.is_not(None), _ASSIGNMENTS.c.worker.not_in(discarded(campaign_id)))


def _placed(connection: sa.Connection, attempts: Sequence[Attempt]) -> list[AttemptInCampaign]:
    """Return attempts with the HITs that they were made in."""
    taken = sa.select(*COLUMNS).where(is_among(_ASSIGNMENTS.c.id, {each.assignment_id for each in attempts}))
    made_in = {row.id: Assignment(*row) for row in connection.execute(taken)}
    offered = select_hits().where(tables.hits.c.id.in_({each.hit for each in made_in.values()}))
    hits = {row["hit_id"]: hit_from(row) for row in connection.execute(offered).mappings()}
    placed = [(each, made_in[each.assignment_id]) for each in attempts]
    return [AttemptInCampaign(each, assignment, hits[assignment.hit]) for each, assignment in placed]
