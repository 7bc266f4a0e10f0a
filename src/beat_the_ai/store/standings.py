"""Standings: who may work in a campaign. Events are only added; the last one of a worker is the worker's standing."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from beat_the_ai.databases import Database
from beat_the_ai.store import proposals
from beat_the_ai.store.adjudication import invalidate_voted_by
from beat_the_ai.store.discards import REVOKED, discarded
from beat_the_ai.store.locks import lock_campaign
from beat_the_ai.store.records import StandingEvent
from beat_the_ai.store.tables import standing_answers, standing_events

_OF_EVENT = standing_answers.alias("of_event")
_NEWEST_ANSWER = sa.select(sa.func.max(_OF_EVENT.c.id)).where(_OF_EVENT.c.event_id == standing_events.c.id)
_LATEST = _NEWEST_ANSWER.correlate(standing_events).scalar_subquery()
_EVENTS = (
    sa.select(standing_events, standing_answers.c.state.label("answer"), standing_answers.c.note.label("answer_note"))
    .join_from(standing_events, standing_answers, standing_answers.c.id == _LATEST, isouter=True)
    .where(standing_events.c.campaign_id == sa.bindparam("campaign"))
    .order_by(standing_events.c.id)
)
_EVENTS_OF_WORKER = _EVENTS.where(standing_events.c.worker == sa.bindparam("worker"))  # asked at each registration


class Standings:
    """Queries on standings and on what the crowd answered to them."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(
        self,
        campaign_id: str,
        worker: str,
        standing: str,
        *,
        by: str,
        reason: str,
        at: datetime,
        registration: str | None = None,
        settles: int | None = None,
        check: Callable[[StandingEvent | None], StandingEvent | None] = lambda _last: None,
    ) -> StandingEvent:
        """Add an event. `check(last)` is asked before, while nobody else can add one.

        It raises to refuse, or gives an event that says the same already, which is returned instead of a new one.
        `settles` is a proposal that is carried out with it: both happen, or neither. Raises `Refused` when that waits
        no more.
        """
        values = {"campaign_id": campaign_id, "worker": worker, "standing": standing, "by": by, "reason": reason}

        def add(connection: sa.Connection) -> int:
            lock_campaign(connection, campaign_id)
            if settles is not None:
                proposals.close(connection, settles, proposals.REVOKED, by, at)
            events = _events(connection.execute(*_asked(campaign_id, worker)))
            known = check(events[-1] if events else None)
            if known is not None:
                return known.id
            inserted = connection.execute(
                sa.insert(standing_events).values(**values, registration=registration, at=at)
            ).inserted_primary_key
            assert inserted is not None
            was_discarded = bool(events) and events[-1].standing == REVOKED
            if was_discarded != (standing == REVOKED):
                invalidate_voted_by(connection, campaign_id, worker)
            return int(inserted[0])

        event_id = self._database.write(add)
        return next(event for event in self.history(campaign_id, worker) if event.id == event_id)

    def answer(self, event_id: int, state: str, note: str | None, at: datetime) -> None:
        """Write down what the crowd said to an event: "confirmed", "declined" or "unanswered"."""
        values = {"event_id": event_id, "state": state, "note": note, "at": at}
        self._database.write(
            lambda connection: connection.execute(sa.insert(standing_answers).values(**values)).rowcount
        )

    def history(self, campaign_id: str, worker: str | None = None) -> list[StandingEvent]:
        """The events of a campaign, or of one worker in it, oldest first."""
        return _events(self._database.rows(*_asked(campaign_id, worker)))

    def last(self, campaign_id: str, worker: str) -> StandingEvent | None:
        """The event that is the worker's standing; None for one who never had any."""
        events = self.history(campaign_id, worker)
        return events[-1] if events else None

    def current(self, campaign_id: str) -> dict[str, StandingEvent]:
        """`{worker: last event}`, in the order of their first events."""
        return {event.worker: event for event in self.history(campaign_id)}

    def discarded(self, campaign_id: str) -> set[str]:
        """The workers whose work is in no dataset and no statistic: those whose standing is revoked."""
        with self._database.reading() as connection:
            return set(connection.scalars(discarded(campaign_id)))


def _asked(campaign_id: str, worker: str | None) -> tuple[sa.Select[Any], dict[str, str]]:
    """Return the query for the events of a campaign, or of one worker in it, and what it asks for."""
    if worker is None:
        return _EVENTS, {"campaign": campaign_id}
    return _EVENTS_OF_WORKER, {"campaign": campaign_id, "worker": worker}


def _events(rows: Iterable[sa.Row[Any]]) -> list[StandingEvent]:
    return [StandingEvent(**row._mapping) for row in rows]
