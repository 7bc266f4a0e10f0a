"""The alerts of campaigns: each occurrence from its beginning to its end, and whether its receivers know."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

import sqlalchemy as sa

from beat_the_ai.databases import Database
from beat_the_ai.store.tables import alerts

News = Literal["began", "over"]

FIRST_PAUSE = timedelta(seconds=30)  # after a message that did not arrive; twice as long each time
LONGEST_PAUSE = timedelta(hours=1)
SENDING = timedelta(minutes=5)  # a process that sends has so long; then another one may


@dataclass(frozen=True)
class Alert:
    """A state of affairs that the requester wants to know of: its kind, what it is about, and a sentence."""

    name: str
    subject: str
    text: str


@dataclass(frozen=True)
class Occurrence:
    """An alert from its beginning to its end. `told` is the last that its receivers know of it."""

    id: int
    campaign_id: str
    name: str
    subject: str
    text: str
    began_at: datetime
    ended_at: datetime | None
    told: News | None
    tries: int
    due_at: datetime

    @property
    def news(self) -> News | None:
        """Return what its receivers do not know yet. What ended before anybody knew of it is no news."""
        if self.ended_at is None:
            return "began" if self.told is None else None
        return "over" if self.told == "began" else None


class Alerts:
    """Queries on alerts."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of_campaign(self, campaign_id: str) -> list[Occurrence]:
        """Return all occurrences, the oldest first."""
        query = sa.select(alerts).filter_by(campaign_id=campaign_id).order_by(alerts.c.id)
        with self._database.reading() as connection:
            return [Occurrence(**row._mapping) for row in connection.execute(query)]

    def begin(self, campaign_id: str, found: Collection[Alert], at: datetime) -> None:
        """Keep alerts that begin; one that goes on is left as it is, whoever keeps it."""

        def begin(connection: sa.Connection) -> None:
            for alert in found:
                key = {"campaign_id": campaign_id, "name": alert.name, "subject": alert.subject}
                going_on = sa.select(alerts.c.id).filter_by(**key, ended_at=None)
                if connection.scalar(going_on) is None:
                    values = {**key, "text": alert.text, "began_at": at, "tries": 0, "due_at": at}
                    connection.execute(sa.insert(alerts).values(values))

        with suppress(sa.exc.IntegrityError):  # another console was faster; the next look keeps what is missing
            if found:
                self._database.write(begin)

    def end(self, ended: Collection[Occurrence], at: datetime) -> None:
        """Keep that alerts are over; their receivers are told anew."""
        names = [one.id for one in ended]
        over = sa.update(alerts).where(alerts.c.id.in_(names), alerts.c.ended_at.is_(None))
        if names:
            self._database.write(lambda one: one.execute(over.values(ended_at=at, tries=0, due_at=at)).rowcount)

    def claim(self, occurrence: Occurrence, at: datetime) -> bool:
        """Return whether this process may send the news; another one sends it, or it failed a moment ago, if not."""
        claim = sa.update(alerts).filter_by(id=occurrence.id, due_at=occurrence.due_at, told=occurrence.told)
        claim = claim.where(alerts.c.due_at <= at).values(due_at=at + SENDING)
        return self._database.write(lambda connection: connection.execute(claim).rowcount) == 1

    def keep_told(self, occurrence: Occurrence, at: datetime) -> None:
        """Keep that its receivers have the news."""
        self._set(occurrence, told=occurrence.news, tries=0, due_at=at)

    def put_off(self, occurrence: Occurrence, at: datetime) -> None:
        """Try again later: the news did not arrive."""
        pause = min(FIRST_PAUSE * 2 ** min(occurrence.tries, 10), LONGEST_PAUSE)
        self._set(occurrence, tries=occurrence.tries + 1, due_at=at + pause)

    def _set(self, occurrence: Occurrence, **values: object) -> None:
        change = sa.update(alerts).filter_by(id=occurrence.id).values(**values)
        self._database.write(lambda connection: connection.execute(change).rowcount)
