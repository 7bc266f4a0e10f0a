"""Changes of a campaign by its requester. Each commits with its entry in the log, and a repetition changes nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from beat_the_ai.databases import Database
from beat_the_ai.store import tables
from beat_the_ai.store.audit import Deed, append
from beat_the_ai.store.campaigns import Offering, add_hits, repeat_contexts
from beat_the_ai.store.locks import lock_campaign
from beat_the_ai.store.records import Round
from beat_the_ai.store.rounds import exists, insert

CAMPAIGNS, ROUNDS, CONTEXTS = tables.campaigns, tables.rounds, tables.contexts


@dataclass(frozen=True)
class Mark:
    """The records of a campaign and one of its rounds at a moment. They have changed if another mark differs."""

    of_campaign: Mapping[str, Any]
    of_round: Mapping[str, Any]
    closed_at: datetime | None
    contexts: int


@dataclass(frozen=True)
class Amendment:
    """Other terms of a campaign and a round, which had this `mark` when it was decided.

    With them come the HITs of an `offering` that are missing, and one more HIT for each context in `again`.
    """

    campaign_id: str
    round_number: int
    mark: Mark
    of_campaign: Mapping[str, Any]
    of_round: Mapping[str, Any]
    offering: Offering | None = None
    again: Sequence[str] = ()


class Acts:
    """Requesters' changes of campaigns."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def pause(self, campaign_id: str, deed: Deed) -> bool:
        """Offer no HIT from now on. Return False where the campaign is paused already."""
        running = sa.update(CAMPAIGNS).where(CAMPAIGNS.c.id == campaign_id, CAMPAIGNS.c.paused_at.is_(None))
        return self._change(campaign_id, running.values(paused_at=deed.at), deed)

    def unpause(self, campaign_id: str, deed: Deed) -> bool:
        """Offer HITs again. Return False where the campaign is not paused."""
        paused = sa.update(CAMPAIGNS).where(CAMPAIGNS.c.id == campaign_id, CAMPAIGNS.c.paused_at.is_not(None))
        return self._change(campaign_id, paused.values(paused_at=None), deed)

    def close(self, campaign_id: str, deed: Deed) -> bool:
        """Close the current round of a campaign. Return False where it is closed already."""
        newest = sa.select(sa.func.max(ROUNDS.c.number)).where(ROUNDS.c.campaign_id == campaign_id).scalar_subquery()
        current = sa.update(ROUNDS).where(ROUNDS.c.campaign_id == campaign_id, ROUNDS.c.number == newest)
        return self._change(campaign_id, current.where(ROUNDS.c.closed_at.is_(None)).values(closed_at=deed.at), deed)

    def open_round(self, opened: Round, of_campaign: Mapping[str, Any], mark: Mark, deed: Deed) -> bool:
        """Close the round before, which had this mark, and store a new one. Return False if another was faster."""
        with self._database.writing() as connection:
            lock_campaign(connection, opened.campaign_id)
            if _mark(connection, opened.campaign_id, opened.number - 1) != mark or exists(
                connection, opened.campaign_id, opened.number
            ):
                return False
            before = sa.update(ROUNDS).filter_by(campaign_id=opened.campaign_id, number=opened.number - 1)
            connection.execute(before.where(ROUNDS.c.closed_at.is_(None)).values(closed_at=deed.at))
            amended = sa.update(CAMPAIGNS).filter_by(id=opened.campaign_id)
            connection.execute(amended.values(config=dict(of_campaign)))
            insert(connection, opened)
            append(connection, deed)
            return True

    def mark(self, campaign_id: str, round_number: int) -> Mark | None:
        """Return the mark of a campaign and a round; None where there is none."""
        with self._database.reading() as connection:
            return _mark(connection, campaign_id, round_number)

    def amend(self, amendment: Amendment, deed: Deed) -> bool:
        """Keep other terms and add their HITs. Return False, and change nothing, if somebody else was faster."""
        campaign_id, number = amendment.campaign_id, amendment.round_number
        with self._database.writing() as connection:
            lock_campaign(connection, campaign_id)
            if _mark(connection, campaign_id, number) != amendment.mark:
                return False
            of_campaign = sa.update(CAMPAIGNS).filter_by(id=campaign_id)
            connection.execute(of_campaign.values(config=dict(amendment.of_campaign)))
            of_round = sa.update(ROUNDS).filter_by(campaign_id=campaign_id, number=number)
            connection.execute(of_round.values(config=dict(amendment.of_round)))
            if amendment.offering is not None:
                add_hits(connection, campaign_id, amendment.offering)
                repeat_contexts(connection, campaign_id, amendment.again, brief=amendment.offering.brief)
            append(connection, deed)
            return True

    def _change(self, campaign_id: str, change: sa.Update, deed: Deed) -> bool:
        """Make a change of one row with its entry in the log. Return False where it was made before."""
        with self._database.writing() as connection:
            lock_campaign(connection, campaign_id)
            has_changed = connection.execute(change).rowcount == 1
            if has_changed:
                append(connection, deed)
            return has_changed


def _mark(connection: sa.Connection, campaign_id: str, round_number: int) -> Mark | None:
    of_round = sa.and_(ROUNDS.c.campaign_id == campaign_id, ROUNDS.c.number == round_number)
    number = sa.select(sa.func.count()).select_from(CONTEXTS).where(CONTEXTS.c.campaign_id == campaign_id)
    query = sa.select(CAMPAIGNS.c.config, ROUNDS.c.config, ROUNDS.c.closed_at, number.scalar_subquery())
    row = connection.execute(query.select_from(ROUNDS).join(CAMPAIGNS).where(of_round)).one_or_none()
    return None if row is None else Mark(*row)
