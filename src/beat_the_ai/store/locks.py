"""Turns that transactions take on a campaign."""

from __future__ import annotations

import sqlalchemy as sa

from beat_the_ai.errors import UnknownName
from beat_the_ai.store.tables import campaigns


def lock_campaign(connection: sa.Connection, campaign_id: str) -> None:
    """Let nobody else who does this go on until the transaction ends. Raises `UnknownName`.

    Rows that refer to the campaign can be added meanwhile by those who do not.
    """
    locked = sa.select(campaigns.c.id).filter_by(id=campaign_id).with_for_update(key_share=True)
    if connection.scalar(locked) is None:
        raise UnknownName("campaign", campaign_id, list(connection.scalars(sa.select(campaigns.c.id))))
