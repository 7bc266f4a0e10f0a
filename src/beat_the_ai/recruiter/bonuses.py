"""Bonuses: set up by one request, paid by another, moved a little later.

A request to pay is not idempotent, as Prolific's is not: a second one pays a second time.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

import sqlalchemy as sa

from beat_the_ai.marketplace.moment import Moment
from beat_the_ai.recruiter import payments, studies
from beat_the_ai.recruiter.errors import Invalid, NotThere
from beat_the_ai.recruiter.identifiers import new_id
from beat_the_ai.recruiter.money import Price, parse_cents, price_of
from beat_the_ai.recruiter.reading import invalid
from beat_the_ai.recruiter.tables import bonus_orders, bonus_runs, submissions

BONUS_SECONDS = 2
MOST_LINES = 200
MOST_CENTS = 10_000_00
SHOWN = 20


@dataclass(frozen=True)
class Order:
    """Bonuses that were set up for a study."""

    id: str
    study_id: str
    price: Price


def set_up(moment: Moment, study_id: str, table: str) -> Order:
    """Read a table of participant or submission ids and amounts. Moves no money. Raises `Invalid`."""
    studies.get(moment, study_id)
    by_id = _known(moment, study_id)
    lines, unknown = [], []
    for identifier, cents in _read_table(table):
        if identifier in by_id:
            lines.append((by_id[identifier], cents))
        else:
            unknown.append(identifier)
    if unknown:
        shown = ", ".join(unknown[:SHOWN])
        raise invalid("csv_bonuses", f"These ids have not taken part in the study {study_id}: {shown}")
    price = sum((price_of(cents) for _, cents in lines), Price())
    order = Order(new_id(), study_id, price)
    row = {"id": order.id, "study_id": study_id, "lines": lines, "total_cents": price.total, "created_at": moment.now}
    moment.connection.execute(sa.insert(bonus_orders).values(row))
    return order


def pay(moment: Moment, order_id: str) -> None:
    """Set the money aside; it moves after `BONUS_SECONDS`. Raises `NotThere` and `NotEnoughMoney`."""
    order = moment.connection.execute(sa.select(bonus_orders).filter_by(id=order_id)).one_or_none()
    if order is None:
        raise NotThere("bulk bonus payment", order_id)
    due_at = moment.now + timedelta(seconds=BONUS_SECONDS)
    row = {"order_id": order_id, "total_cents": order.total_cents, "asked_at": moment.now, "due_at": due_at}
    moment.connection.execute(sa.insert(bonus_runs).values(row))
    payments.check_covered(moment)


def carry_out(moment: Moment, number: int) -> None:
    """Move the money of a bonus run."""
    query = sa.select(bonus_orders).join(bonus_runs, bonus_runs.c.order_id == bonus_orders.c.id)
    order = moment.connection.execute(query.where(bonus_runs.c.number == number)).one()
    here = sa.update(bonus_runs).filter_by(number=number)
    moment.connection.execute(here.values(due_at=None, paid_at=moment.now))
    for submission_id, cents in order.lines:
        participant = sa.select(submissions.c.participant_id).filter_by(id=submission_id)
        participant_id = moment.connection.execute(participant).scalar_one()
        whose = payments.Earner(submission_id, order.study_id, participant_id)
        payments.pay(moment, payments.BONUS, whose, cents, run=number)


def due(moment: Moment) -> tuple[datetime, int] | None:
    """Return when the next bonus run is due, and its number."""
    query = sa.select(bonus_runs.c.due_at, bonus_runs.c.number).where(bonus_runs.c.due_at <= moment.now)
    row = moment.connection.execute(query.order_by(bonus_runs.c.due_at, bonus_runs.c.number).limit(1)).one_or_none()
    return None if row is None else (row.due_at, row.number)


def _known(moment: Moment, study_id: str) -> dict[str, str]:
    """Return the submission for each id that may get a bonus; for a participant, their last one."""
    query = sa.select(submissions.c.id, submissions.c.participant_id).filter_by(study_id=study_id)
    rows = moment.connection.execute(query.where(submissions.c.started_at.is_not(None)).order_by(submissions.c.number))
    by_id = {}
    for row in rows:
        by_id[row.id] = by_id[row.participant_id] = row.id
    return by_id


def _read_table(table: str) -> list[tuple[str, int]]:
    lines = [line.strip(" \t\r") for line in table.split("\n")]
    written = [line for line in lines if line]
    if not 0 < len(written) <= MOST_LINES:
        raise invalid("csv_bonuses", f"It has {len(written)} lines; 1 to {MOST_LINES} are needed, such as ID,4.25")
    read, faults = [], []
    for line in written:
        identifier, comma, amount = line.partition(",")
        try:
            cents = parse_cents(amount.strip()) if comma else 0
        except ValueError:
            cents = 0
        if not comma or not 0 < cents <= MOST_CENTS:
            faults.append(f"{line[:60]!r} is not an id and an amount above 0; write it like ID,4.25")
        read.append((identifier.strip(), cents))
    if faults:
        raise Invalid({"csv_bonuses": faults[:SHOWN]})
    return read
