"""Withdrawals: workers who take part no more, and those who want their data erased.

A withdrawal ends what is in progress and gives no new work, by any door. Work that was submitted stays and is paid. A
request to erase is kept with its time and carried out by the requester: it needs every campaign stopped, and the
worker paid.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from beat_the_ai.errors import Refused
from beat_the_ai.marketplace import assignments
from beat_the_ai.marketplace.moment import Moment
from beat_the_ai.marketplace.saying import said
from beat_the_ai.marketplace.tables import assignments as assignment_table
from beat_the_ai.marketplace.tables import withdrawals

NO_MORE_WORK = "portal_refusals.withdrawn"


@dataclass(frozen=True)
class Withdrawal:
    """A row of `withdrawals`."""

    worker_id: str
    at: datetime
    erase_at: datetime | None

    @property
    def asks_for_erasure(self) -> bool:
        return self.erase_at is not None


def withdraw(moment: Moment, worker_id: str, *, erase: bool = False) -> Withdrawal:
    """Let a worker take part no more, and return every HIT in progress; with `erase` their data are to be erased.

    Again, it adds what is new: the first times stay.
    """
    known = find(moment, worker_id)
    erase_at = known.erase_at if known and known.erase_at else moment.now if erase else None
    made = Withdrawal(worker_id, known.at if known else moment.now, erase_at)
    if known is None:
        moment.connection.execute(sa.insert(withdrawals).values(made.__dict__))
    else:
        here = sa.update(withdrawals).filter_by(worker_id=worker_id)
        moment.connection.execute(here.values(erase_at=erase_at))
    in_progress = sa.select(assignment_table).filter_by(worker_id=worker_id, status="Accepted")
    for row in moment.connection.execute(in_progress).all():
        assignments.give_back(moment, assignments.from_row(row))
    return made


def find(moment: Moment, worker_id: str) -> Withdrawal | None:
    """Return a worker's withdrawal; None for one who takes part."""
    row = moment.connection.execute(_of_worker, {"of_worker": worker_id}).one_or_none()
    return None if row is None else Withdrawal(**row._mapping)


def everybody(moment: Moment) -> dict[str, Withdrawal]:
    """Return all withdrawals by worker, in the order in which they came."""
    return _by_worker(moment, _select)


def among(moment: Moment, worker_ids: Sequence[str]) -> dict[str, Withdrawal]:
    """Return the withdrawals of these workers, by worker."""
    return _by_worker(moment, _select.where(withdrawals.c.worker_id.in_(worker_ids)))


def _by_worker(moment: Moment, query: sa.Select[Any]) -> dict[str, Withdrawal]:
    rows = moment.connection.execute(query.order_by(withdrawals.c.at, withdrawals.c.worker_id))
    return {row.worker_id: Withdrawal(**row._mapping) for row in rows}


def check(moment: Moment, worker_id: str) -> None:
    """Raise `Refused` for a worker who has withdrawn."""
    if find(moment, worker_id) is not None:
        raise Refused(said(NO_MORE_WORK))


_select: sa.Select[Any] = sa.select(*(withdrawals.c[name] for name in Withdrawal.__dataclass_fields__))
_of_worker = _select.filter_by(worker_id=sa.bindparam("of_worker"))
