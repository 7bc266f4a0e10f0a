"""The workers whose work is discarded, as queries."""

from __future__ import annotations

import sqlalchemy as sa

from beat_the_ai.store.tables import standing_events

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
