"""The recruiter as one thing: a database, a clock, and transactions that begin by catching up with the clock.

One transaction writes at a time: places and money are counted in rows that many would otherwise change at once. What
happens by itself (a time that is over, a bonus that is due, a study that is to be published) is found in the rows
that it is about, and done at the next request, each thing at its own time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from threading import Lock

import sqlalchemy as sa

from beat_the_ai.databases import Database, open_database
from beat_the_ai.marketplace.clock import Clock, ShiftedClock, SystemClock, forward
from beat_the_ai.marketplace.moment import Moment
from beat_the_ai.recruiter import bonuses, publishing, submissions
from beat_the_ai.recruiter.tables import workspace
from beat_the_ai.recruiter.workspace import Workspace, add_workspace, find_workspace, get_workspace

MIGRATIONS = Path(__file__).parent / "migrations"
BATCH = 200  # so many steps to a transaction: a long leap shall not keep others waiting for its end

Step = Callable[[Moment], object]


class Recruiter:
    """`reading()` and `writing()` give a `Moment` at which everything that was due has happened."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self.clock = clock
        self._turn = Lock()

    @property
    def workspace(self) -> Workspace:
        """Return the workspace as it is now."""
        with self._database.reading() as connection:
            return get_workspace(Moment(connection, self.clock.now()))

    @contextmanager
    def reading(self) -> Iterator[Moment]:
        with self._database.reading() as connection:
            moment = Moment(connection, self.clock.now())
            late = next_step(moment) is not None
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
            with self._turn, self._database.writing() as connection:
                moment = Moment(connection, self.clock.now())
                if next_step(moment) is None:
                    yield moment
                    return
                catch_up(moment)

    def close(self) -> None:
        self._database.close()


def open_recruiter(file: str, currency: str, cents: int, clock: Clock | None = None) -> Recruiter:
    """Open the store, creating it if need be; currency and cents are those of a new one. Raises `StoreError`.

    Without a `clock` it is the time of day, and what rehearsals have put on top of it here.
    """
    recruiter = Recruiter(open_database(file, MIGRATIONS, workspace.name), clock or SystemClock())
    with recruiter.writing() as moment:
        if find_workspace(moment) is None:
            add_workspace(moment, currency, cents)
        ahead = get_workspace(moment).seconds_ahead
    if clock is None and ahead:
        recruiter.clock = ShiftedClock(timedelta(seconds=ahead))
    return recruiter


def advance(recruiter: Recruiter, by: timedelta) -> datetime:
    """Let time pass, for good: a rehearsal that is started again goes on from there. Returns the new time."""
    clock = recruiter.clock
    assert isinstance(clock, ShiftedClock), "only a rehearsal's clock can be advanced"
    with recruiter.writing() as moment:
        ahead = (clock.ahead + forward(by)).total_seconds()
        moment.connection.execute(sa.update(workspace).values(seconds_ahead=ahead))
    clock.advance(by)
    with recruiter.writing() as moment:  # what became due happens now, not at somebody's next request
        return moment.now


def next_step(moment: Moment) -> tuple[datetime, Step] | None:
    """Return the earliest thing that is due, and when it was."""
    steps: list[tuple[datetime, Step]] = []
    if (late := submissions.due(moment)) is not None:
        steps.append((late[0], partial(submissions.end, submission_id=late[1])))
    if (run := bonuses.due(moment)) is not None:
        steps.append((run[0], partial(bonuses.carry_out, number=run[1])))
    if (scheduled := publishing.due(moment)) is not None:
        steps.append((scheduled[0], partial(publishing.publish_scheduled, study_id=scheduled[1])))
    return min(steps, key=lambda step: step[0], default=None)


def catch_up(moment: Moment) -> None:
    """Do what was due by now, up to `BATCH` things, in the order of their times and each at its own time."""
    for _ in range(BATCH):
        step = next_step(moment)
        if step is None:
            return
        at, act = step
        act(replace(moment, now=at))
