"""The earnings of each worker of a campaign, in all and by the hour: `statements` without their lines."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import sqlalchemy as sa

from beat_the_ai.payments.held_back import HeldBack
from beat_the_ai.payments.owed import Owed
from beat_the_ai.payments.paid_campaign import PaidCampaign
from beat_the_ai.payments.payment import State
from beat_the_ai.payments.statement import SECONDS_PER_HOUR, Hourly, hourly
from beat_the_ai.store.tables import assignments, payments

Amount = tuple[str, str, int, int]  # worker, assignment, cents, cents that are paid


@dataclass
class Wage:
    """The wage of one worker; amounts are US cents, `rates` the cents per hour of each assignment."""

    worker: str
    earned_cents: int = 0
    paid_cents: int = 0
    rates: list[float] = field(default_factory=list)

    @property
    def hourly(self) -> Hourly | None:
        return hourly(self.rates)


def wages(
    campaign: PaidCampaign, owed: Iterable[Owed], held_back: Iterable[HeldBack]
) -> tuple[list[Wage], Hourly | None]:
    """As `statements`, of everybody; `owed` are the amounts that the ledger does not have."""
    found: dict[str, Wage] = {}
    amounts = [*_paid(campaign), *_unpaid(owed)]
    for worker, _, cents, paid_cents in amounts:
        wage = found.setdefault(worker, Wage(worker))
        wage.earned_cents += cents
        wage.paid_cents += paid_cents
    rates = []
    for worker, rate in _rates(campaign, amounts, held_back):
        rates.append(rate)
        if worker in found:
            found[worker].rates.append(rate)
    return [found[worker] for worker in sorted(found)], hourly(rates)


def hourly_rates(campaign: PaidCampaign, owed: Iterable[Owed], held_back: Iterable[HeldBack]) -> list[float]:
    """Return the cents per hour of each assignment, of all workers: what `wages` takes median and quartiles of."""
    return [rate for _, rate in _rates(campaign, [*_paid(campaign), *_unpaid(owed)], held_back)]


def _rates(
    campaign: PaidCampaign, amounts: Iterable[Amount], held_back: Iterable[HeldBack]
) -> Iterator[tuple[str, float]]:
    """Yield `(worker, cents per hour)` of each assignment that took time."""
    earned: defaultdict[tuple[str, str], int] = defaultdict(int)
    for worker, assignment, cents, _ in amounts:
        earned[worker, assignment] += cents
    for worker, assignment, seconds in _times(campaign, held_back):
        yield worker, earned[worker, assignment] * SECONDS_PER_HOUR / seconds


def _paid(campaign: PaidCampaign) -> list[Amount]:
    """`(worker, assignment, cents, cents that are paid)` as the ledger has it."""
    confirmed = sa.case((payments.c.state == State.CONFIRMED.value, payments.c.cents), else_=0)
    sums = (sa.func.sum(payments.c.cents), sa.func.sum(confirmed))
    query = sa.select(payments.c.worker, payments.c.assignment, *sums).filter_by(campaign_id=campaign.id)
    with campaign.store.database.reading() as connection:
        rows = connection.execute(query.group_by(payments.c.worker, payments.c.assignment))
        return [(row[0], row[1], int(row[2]), int(row[3])) for row in rows]


def _unpaid(owed: Iterable[Owed]) -> Iterator[Amount]:
    for one in owed:
        yield one.key.worker, one.key.assignment, one.cents, 0


def _times(campaign: PaidCampaign, held_back: Iterable[HeldBack]) -> Iterator[tuple[str, str, float]]:
    """`(worker, the crowd's assignment, seconds of work)` of what is `payable`, without what took no time."""
    held = {one.assignment.id: one for one in held_back}
    for one in held.values():
        assignment, end = one.assignment, one.assignment.submitted_at
        if one.decision is not None and one.decision.pays and end is not None and end > assignment.accepted_at:
            seconds = (end - assignment.accepted_at).total_seconds()
            yield assignment.worker, assignment.crowd_assignment, seconds
    columns = [assignments.c[name] for name in ("id", "worker", "crowd_assignment", "accepted_at", "submitted_at")]
    query = sa.select(*columns).where(assignments.c.campaign_id == campaign.id, assignments.c.confirmed_at.is_not(None))
    with campaign.store.database.reading() as connection:
        for name, worker, assignment_id, accepted_at, submitted_at in connection.execute(query):
            if name not in held and submitted_at > accepted_at:
                yield worker, assignment_id, (submitted_at - accepted_at).total_seconds()
