"""The earnings of a worker: every assignment with its state, its reward and its bonuses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

import sqlalchemy as sa
from starlette.responses import Response

from beat_the_ai.marketplace.assignments import Assignment, from_row
from beat_the_ai.marketplace.moment import Moment
from beat_the_ai.marketplace.people import payouts
from beat_the_ai.marketplace.portal.visit import Visit
from beat_the_ai.marketplace.tables import assignments, bonuses, hit_types, hits
from beat_the_ai.marketplace.workers import bonus_cents

PER_PAGE = 25
LAST = 25  # assignments, for the pay by the hour
SECONDS_PER_HOUR = 3600


@dataclass(frozen=True)
class ByTheHour:
    """Cents an hour over the last `assignments` that were submitted: the middle of them."""

    assignments: int
    median_cents: float


@dataclass(frozen=True)
class Entry:
    """An assignment with what it brought."""

    assignment: Assignment
    title: str
    reward_cents: int
    bonuses: Sequence[sa.Row[tuple[str, int, str]]]

    @property
    def hourly_cents(self) -> float | None:
        """Reward and bonuses over the time from acceptance to submission; None before that."""
        cents = 0 if self.assignment.status == "Rejected" else self.reward_cents
        return _hourly(cents + sum(bonus.cents for bonus in self.bonuses), self.assignment)


def earnings(visit: Visit) -> Response:
    page = visit.workplace.assignments(visit.worker_id, size=PER_PAGE, next_token=visit.after)
    totals = visit.workplace.earnings(visit.worker_id)
    with visit.market.reading() as moment:
        entries = [_entry(moment, one) for one in page.items]
        of_bonuses = bonus_cents(moment, visit.worker_id)
        paid_out = payouts.paid_cents(moment, visit.worker_id)
        waiting, waiting_cents = _waiting(moment, visit.worker_id)
        hourly = _by_the_hour(moment, visit.worker_id)
    more = page.next_token if len(page.items) == PER_PAGE else None
    shown: Response = visit.show(
        "earnings",
        totals=totals,
        bonus_cents=of_bonuses,
        paid_out_cents=paid_out,
        waiting=waiting,
        waiting_cents=waiting_cents,
        hourly=hourly,
        entries=entries,
        next_token=more,
    )
    return shown


def _entry(moment: Moment, assignment: Assignment) -> Entry:
    columns = (hits.c.reward_cents, hit_types.c.title)
    about = sa.select(*columns).join(hit_types, hit_types.c.id == hits.c.hit_type_id)
    hit = moment.connection.execute(about.where(hits.c.id == assignment.hit_id)).one()
    given = sa.select(bonuses).filter_by(assignment_id=assignment.id).order_by(bonuses.c.number)
    return Entry(assignment, hit.title, hit.reward_cents, moment.connection.execute(given).all())


def _by_the_hour(moment: Moment, worker_id: str) -> ByTheHour | None:
    """None before the first submission. Of many assignments only the last ones are read: pages do not grow."""
    submitted = sa.select(assignments).filter_by(worker_id=worker_id).where(assignments.c.submitted_at.is_not(None))
    rows = moment.connection.execute(submitted.order_by(assignments.c.number.desc()).limit(LAST))
    rates = [entry.hourly_cents for entry in (_entry(moment, from_row(row)) for row in rows.all())]
    known = [rate for rate in rates if rate is not None]
    return ByTheHour(len(known), median(known)) if known else None


def _hourly(cents: int, assignment: Assignment) -> float | None:
    if assignment.submitted_at is None:
        return None
    seconds = (assignment.submitted_at - assignment.accepted_at).total_seconds()
    return cents * SECONDS_PER_HOUR / seconds if seconds > 0 else None


def _waiting(moment: Moment, worker_id: str) -> tuple[int, int]:
    """Return the number and the rewards of the assignments that requesters have not decided on."""
    columns = (sa.func.count(), sa.func.coalesce(sa.func.sum(hits.c.reward_cents), 0))
    query = sa.select(*columns).select_from(hits).join(assignments, assignments.c.hit_id == hits.c.id)
    waiting = query.where(assignments.c.worker_id == worker_id, assignments.c.status == "Submitted")
    count, cents = moment.connection.execute(waiting).one()
    return int(count), int(cents)
