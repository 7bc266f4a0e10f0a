"""The agenda of events that happen by themselves: stored with their time, done at the next request.

A thing has at most one entry of each kind. A change of the thing moves or cancels the entry in the same transaction. So
catching up may happen late, twice or in two processes, and always comes to the same end.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Literal

import sqlalchemy as sa

from beat_the_ai.marketplace.moment import Moment
from beat_the_ai.marketplace.tables import agenda

Kind = Literal["deadline", "approval", "expiry", "disposal"]
Step = Callable[[Moment, str], object]

# So many steps to a transaction: a year's leap over a large campaign shall not keep others waiting for its end.
BATCH = 200


def schedule(moment: Moment, kind: Kind, subject: str, at: datetime) -> None:
    """Enter it, in place of the entry that may be there."""
    cancel(moment, kind, subject)
    moment.connection.execute(_insertion, {"kind": kind, "subject": subject, "at": at})


def cancel(moment: Moment, kind: Kind, subject: str) -> None:
    moment.connection.execute(_deletion, {"of_kind": kind, "of_subject": subject})


def anything_due(moment: Moment) -> bool:
    return moment.connection.scalar(_due, {"now": moment.now}) is not None


def catch_up(moment: Moment, steps: Mapping[str, Step]) -> None:
    """Do what was due by now, up to `BATCH` things, in the order of their times and each at its own time."""
    earliest = (
        sa.select(agenda)
        .where(agenda.c.at <= moment.now)
        .order_by(agenda.c.at, agenda.c.kind, agenda.c.subject)
        .limit(1)
    )
    for _ in range(BATCH):
        entry = moment.connection.execute(earliest).one_or_none()
        if entry is None:
            return
        cancel(moment, entry.kind, entry.subject)
        steps[entry.kind](replace(moment, now=entry.at), entry.subject)


# Built once: these are parts of every request, and building takes longer than asking.
_insertion = sa.insert(agenda)
_deletion = sa.delete(agenda).filter_by(kind=sa.bindparam("of_kind"), subject=sa.bindparam("of_subject"))
_due = sa.select(agenda.c.at).where(agenda.c.at <= sa.bindparam("now")).limit(1)
