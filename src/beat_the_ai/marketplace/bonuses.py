"""Bonuses: money on top, for work that was submitted."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from beat_the_ai.marketplace import accounts, fees, identifiers
from beat_the_ai.marketplace.assignments import SHOWN_TO_REQUESTERS, get_assignment
from beat_the_ai.marketplace.errors import does_not_exist, wrong_parameter
from beat_the_ai.marketplace.moment import Moment
from beat_the_ai.marketplace.pages import Page, PageRequest, fetch, page_of
from beat_the_ai.marketplace.tables import bonuses
from beat_the_ai.marketplace.workers import count_bonus


@dataclass(frozen=True)
class Bonus:
    id: str
    worker_id: str
    assignment_id: str
    cents: int
    reason: str
    granted_at: datetime


def grant(moment: Moment, requester_id: str, worker_id: str, assignment_id: str, cents: int, reason: str) -> Bonus:
    """Any number of them, each with its fee. Raises AssignmentDoesNotExist before the submission [seen: Mephisto
    #1081] and for another worker's assignment; InsufficientFunds.
    """
    if cents < 1:
        raise wrong_parameter("BonusAmount must be at least 0.01.")
    if not reason.strip():
        raise wrong_parameter("Reason must not be empty.")
    assignment = get_assignment(moment, assignment_id, requester_id)
    if assignment.status not in SHOWN_TO_REQUESTERS or assignment.worker_id != worker_id:
        raise does_not_exist("Assignment", assignment_id)
    fee_cents = fees.of_bonus(moment, cents)
    bonus = Bonus(identifiers.new_entity(), worker_id, assignment_id, cents, reason, moment.now)
    spendable = accounts.available(requester_id)
    accounts.transfer(moment, "bonus", spendable, accounts.earned(worker_id), cents, bonus.id)
    accounts.transfer(moment, "bonus_fee", spendable, accounts.FEES, fee_cents, bonus.id)
    rest = {"requester_id": requester_id, "hit_id": assignment.hit_id, "fee_cents": fee_cents}
    moment.connection.execute(sa.insert(bonuses).values(**bonus.__dict__, **rest))
    count_bonus(moment, worker_id, cents)
    return bonus


def of_hit(moment: Moment, hit_id: str, asked: PageRequest) -> Page[Bonus]:
    return _page(moment, sa.select(bonuses).filter_by(hit_id=hit_id), asked)


def of_assignment(moment: Moment, assignment_id: str, asked: PageRequest) -> Page[Bonus]:
    return _page(moment, sa.select(bonuses).filter_by(assignment_id=assignment_id), asked)


def of_worker(moment: Moment, worker_id: str, asked: PageRequest) -> Page[Bonus]:
    return _page(moment, sa.select(bonuses).filter_by(worker_id=worker_id), asked)


def _page(moment: Moment, query: sa.Select[Any], asked: PageRequest) -> Page[Bonus]:
    rows = fetch(moment, query, bonuses.c.number, asked, newest_first=False)
    items = [Bonus(**{name: getattr(row, name) for name in Bonus.__dataclass_fields__}) for row in rows]
    return page_of(items, [row.number for row in rows])
