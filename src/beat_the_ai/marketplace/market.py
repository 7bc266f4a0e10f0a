"""The marketplace as one thing: a database, a clock, and transactions that begin by catching up with the clock.

One transaction writes at a time, on SQLite by its own lock and on PostgreSQL by an advisory one: money and slots are
counted in rows that many would otherwise change at once. Within a process, writers wait in `_turn`, which wakes the
next of them at once where SQLite would have it poll.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from threading import Lock

import sqlalchemy as sa

from beat_the_ai.databases import Database, open_database
from beat_the_ai.marketplace import agenda, assignments, hits, settings
from beat_the_ai.marketplace.clock import Clock, ShiftedClock, SystemClock, forward
from beat_the_ai.marketplace.moment import Moment

MIGRATIONS = Path(__file__).parent / "migrations"
WRITERS_LOCK = 20170117
SECONDS_AHEAD = "seconds_ahead"

STEPS: dict[str, agenda.Step] = {
    "deadline": assignments.abandon,
    "approval": assignments.approve_automatically,
    "expiry": hits.expire,
    "disposal": hits.dispose,
}


class Market:
    """`reading()` and `writing()` give a `Moment` at which everything that was due has happened."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self.clock = clock
        self._turn = Lock()

    @contextmanager
    def reading(self) -> Iterator[Moment]:
        with self._database.reading() as connection:
            moment = Moment(connection, self.clock.now())
            late = agenda.anything_due(moment)
            if not late:
                yield moment
        if late:
            with self.writing():
                pass
            with self._database.reading() as connection:
                yield Moment(connection, self.clock.now())

    @contextmanager
    def writing(self) -> Iterator[Moment]:
        """Committed when the block ends, rolled back when it raises; what was due stays done either way."""
        while True:
            with self._locked() as moment:
                if not agenda.anything_due(moment):
                    yield moment
                    return
                agenda.catch_up(moment, STEPS)

    @contextmanager
    def _locked(self) -> Iterator[Moment]:
        with self._turn, self._database.writing() as connection:
            if connection.dialect.name == "postgresql":
                connection.execute(sa.select(sa.func.pg_advisory_xact_lock(WRITERS_LOCK)))
            yield Moment(connection, self.clock.now())

    def scrub(self) -> None:
        """Leave nothing of deleted rows in the database's files."""
        self._database.scrub()

    def close(self) -> None:
        self._database.close()


def open_market(url: str, clock: Clock | None = None) -> Market:
    """Open the marketplace at an SQLAlchemy URL or an SQLite file's path, creating it if need be.

    Without a `clock` it is the time of day, and what rehearsals have put on top of it here. Raises `StoreError`.
    """
    market = Market(open_database(url, MIGRATIONS, "requesters"), clock or SystemClock())
    if clock is None and (ahead := seconds_ahead(market)):
        market.clock = ShiftedClock(timedelta(seconds=ahead))
    return market


def seconds_ahead(market: Market) -> float:
    """Return how far a rehearsal has advanced the clock of this store."""
    with market.reading() as moment:
        return float(settings.get(moment, SECONDS_AHEAD) or 0)


def advance(market: Market, by: timedelta) -> datetime:
    """Let time pass, for good: a rehearsal that is started again goes on from there. Returns the new time."""
    clock = market.clock
    assert isinstance(clock, ShiftedClock), "only a rehearsal's clock can be advanced"
    with market.writing() as moment:
        settings.put(moment, SECONDS_AHEAD, (clock.ahead + forward(by)).total_seconds())
    clock.advance(by)
    with market.writing() as moment:  # what became due happens now, not at somebody's next request
        return moment.now
