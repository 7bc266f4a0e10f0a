"""The workers whose work is discarded, and the validators whose votes do not count, as queries."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import sqlalchemy as sa

from beat_the_ai.store.tables import assignments, standing_events
from beat_the_ai.store.tables import unreliable_validators as unreliable

REVOKED = "revoked"


def discarded(campaign_id: str | sa.ColumnElement[str]) -> sa.Select[tuple[str]]:
    """Select the workers of a campaign whose work is discarded."""
    columns = standing_events.c
    revoked = sa.and_(columns.campaign_id == campaign_id, columns.standing == REVOKED)
    return sa.select(columns.worker).where(revoked, columns.id.in_(_last_events()))


def _last_events() -> sa.Select[tuple[int]]:
    """Select the ids of each worker's last event in each campaign."""
    return sa.select(sa.func.max(standing_events.c.id)).group_by(
        standing_events.c.campaign_id, standing_events.c.worker
    )


def uncounted_validators(campaign_id: str, number: int) -> sa.CompoundSelect[Any]:
    """Select the validators whose votes in a round do not count: they do badly on gold, or were revoked."""
    do_badly = sa.select(unreliable.c.worker).filter_by(campaign_id=campaign_id, round=number)
    return sa.union(do_badly, discarded(campaign_id))


def unreliable_validators(connection: sa.Connection, campaign_id: str) -> dict[int, frozenset[str]]:
    """Return by round the validators who do badly on gold."""
    query = sa.select(unreliable.c.round, unreliable.c.worker).filter_by(campaign_id=campaign_id)
    by_round: defaultdict[int, set[str]] = defaultdict(set)
    for row in connection.execute(query):
        by_round[row.round].add(row.worker)
    return {number: frozenset(workers) for number, workers in by_round.items()}


def has_counted_validator() -> sa.ColumnElement[bool]:
    """Say of each validation assignment, in a query, that its worker is not among `uncounted_validators`."""
    same = [unreliable.c[name] == assignments.c[name] for name in ("campaign_id", "round", "worker")]
    revoked = assignments.c.worker.in_(discarded(assignments.c.campaign_id))
    return sa.not_(sa.or_(revoked, sa.exists().where(*same)))
