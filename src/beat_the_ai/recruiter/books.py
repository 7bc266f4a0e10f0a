"""The books of a rehearsal: what each participant was paid, by submission, and what was paid twice."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from beat_the_ai.marketplace.moment import Moment
from beat_the_ai.recruiter import payments
from beat_the_ai.recruiter.tables import bonus_orders, bonus_runs, submissions
from beat_the_ai.recruiter.tables import payments as ledger
from beat_the_ai.recruiter.workspace import get_workspace

Books = dict[str, Any]


def books(moment: Moment) -> Books:
    """Return all that was paid, in cents, with the balances."""
    workspace = get_workspace(moment)
    sums = sa.select(*(sa.func.coalesce(sa.func.sum(ledger.c[name]), 0) for name in ("fee_cents", "tax_cents")))
    fees, tax = moment.connection.execute(sums).one()
    people = _by_participant(moment)
    return {
        "currency": workspace.currency,
        "total_balance_cents": workspace.cents,
        "available_balance_cents": payments.available(moment),
        "participants": people,
        "totals": {
            "rewards_cents": sum(one["rewards_cents"] for one in people.values()),
            "bonuses_cents": sum(one["bonuses_cents"] for one in people.values()),
            "fees_cents": int(fees),
            "tax_cents": int(tax),
        },
        "paid_twice": _paid_twice(moment),
    }


def _by_participant(moment: Moment) -> Books:
    people: Books = {}
    by_submission: dict[str, Books] = {}
    for row in moment.connection.execute(sa.select(submissions).order_by(submissions.c.number)):
        person = people.setdefault(row.participant_id, {"rewards_cents": 0, "bonuses_cents": 0, "submissions": {}})
        entry = {"study_id": row.study_id, "status": row.status, "reward_cents": 0, "bonuses_cents": []}
        by_submission[row.id] = person["submissions"][row.id] = entry
    for row in moment.connection.execute(sa.select(ledger).order_by(ledger.c.number)):
        if row.kind == payments.BONUS:
            by_submission[row.submission_id]["bonuses_cents"].append(row.cents)
            people[row.participant_id]["bonuses_cents"] += row.cents
        else:
            by_submission[row.submission_id]["reward_cents"] += row.cents
            people[row.participant_id]["rewards_cents"] += row.cents
    return people


def _paid_twice(moment: Moment) -> list[Books]:
    """Return the bonus orders that were paid more often than once; `times` counts the requests that await payment."""
    times = sa.func.count(bonus_runs.c.number)
    query = (
        sa.select(bonus_orders.c.id, bonus_orders.c.study_id, bonus_orders.c.lines, times.label("times"))
        .join(bonus_runs, bonus_runs.c.order_id == bonus_orders.c.id)
        .group_by(bonus_orders.c.id, bonus_orders.c.study_id, bonus_orders.c.lines)
        .having(times > 1)
    )
    return [
        {
            "bulk_bonus_payment_id": row.id,
            "study_id": row.study_id,
            "times": row.times,
            "extra_cents": (row.times - 1) * sum(cents for _, cents in row.lines),
            "lines": [list(line) for line in row.lines],
        }
        for row in moment.connection.execute(query)
    ]
