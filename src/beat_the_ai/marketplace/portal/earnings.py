"""What was earned and with what: every assignment with its state, its reward and its bonuses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import sqlalchemy as sa
from starlette.responses import Response

from beat_the_ai.marketplace.assignments import Assignment
from beat_the_ai.marketplace.moment import Moment
from beat_the_ai.marketplace.portal.visit import Visit
from beat_the_ai.marketplace.tables import assignments, bonuses, hit_types, hits
from beat_the_ai.marketplace.workers import bonus_cents

PER_PAGE = 25
STATES = {
    "Accepted": "In progress",
    "Submitted": "Waiting for approval",
    "Approved": "Approved",
    "Rejected": "Rejected",
    "Returned": "Returned",
    "Abandoned": "Time ran out",
}


@dataclass(frozen=True)
class Entry:
    """An assignment with what it brought."""

    assignment: Assignment
    title: str
    reward_cents: int
    bonuses: Sequence[sa.Row[tuple[str, int, str]]]

    @property
    def state(self) -> str:
        return STATES[self.assignment.status]


def earnings(visit: Visit) -> Response:
    page = visit.workplace.assignments(visit.worker_id, size=PER_PAGE, next_token=visit.after)
    totals = visit.workplace.earnings(visit.worker_id)
    with visit.market.reading() as moment:
        entries = [_entry(moment, one) for one in page.items]
        paid_cents, waiting_cents = bonus_cents(moment, visit.worker_id), _waiting_cents(moment, visit.worker_id)
    more = page.next_token if len(page.items) == PER_PAGE else None
    shown: Response = visit.show(
        "earnings",
        totals=totals,
        bonus_cents=paid_cents,
        waiting_cents=waiting_cents,
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


def _waiting_cents(moment: Moment, worker_id: str) -> int:
    """The rewards of what requesters have not decided on."""
    rewards = sa.select(sa.func.sum(hits.c.reward_cents)).join(assignments, assignments.c.hit_id == hits.c.id)
    waiting = rewards.where(assignments.c.worker_id == worker_id, assignments.c.status == "Submitted")
    return int(moment.connection.scalar(waiting) or 0)
