"""Workers, and what the system qualifications say about them."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass

import sqlalchemy as sa

from beat_the_ai.errors import InvalidInput, Refused
from beat_the_ai.marketplace import accounts
from beat_the_ai.marketplace.errors import does_not_exist
from beat_the_ai.marketplace.moment import Moment
from beat_the_ai.marketplace.tables import workers

ID = re.compile(r"A[A-Z0-9]{1,63}", re.ASCII)
COUNTRY = re.compile(r"[A-Z]{2}", re.ASCII)


@dataclass(frozen=True)
class Worker:
    """`prior_…` is the record that somebody brings along; `approved` and `rejected` were decided here."""

    id: str
    country: str
    subdivision: str | None = None
    prior_approved: int = 0
    prior_rate_percent: int = 100
    adult: bool = False
    masters: bool = False
    approved: int = 0
    rejected: int = 0

    @property
    def number_approved(self) -> int:
        return self.prior_approved + self.approved

    @property
    def percent_approved(self) -> int:
        """Return the approved percentage of decided assignments, rounded down; 100 while there are none [assumed]."""
        rate = self.prior_rate_percent
        decided_times_rate = 100 * self.prior_approved + rate * (self.approved + self.rejected)
        return 100 * rate * self.number_approved // decided_times_rate if decided_times_rate else 100


def add_worker(moment: Moment, worker: Worker) -> Worker:
    """Raises `InvalidInput`, or `Refused` when the id is taken."""
    _check(worker)
    if moment.connection.scalar(sa.select(workers.c.id).filter_by(id=worker.id)) is not None:
        raise Refused(f"There is a worker {worker.id} already. Take another id.")
    moment.connection.execute(sa.insert(workers).values(**asdict(worker), created_at=moment.now))
    accounts.open_account(moment, accounts.earned(worker.id))
    return worker


def _check(worker: Worker) -> None:
    if not ID.fullmatch(worker.id):
        raise InvalidInput("id", f"{worker.id[:80]!r} is no worker's id: an A, then capital letters and digits.")
    for place in filter(None, (worker.country, worker.subdivision)):
        if not COUNTRY.fullmatch(place):
            raise InvalidInput("locale", f"{place[:20]!r} is no place: write US, or US-CA with a subdivision.")
    if not 1 <= worker.prior_rate_percent <= 100:
        raise InvalidInput("approval_rate", f"{worker.prior_rate_percent} was given; 1 to 100 percent are allowed.")
    if not 0 <= worker.prior_approved <= 10**7:
        raise InvalidInput("approved", f"{worker.prior_approved} was given; 0 to 10,000,000 are allowed.")


def get_worker(moment: Moment, worker_id: str) -> Worker:
    """Raises WorkerDoesNotExist."""
    row = moment.connection.execute(_worker_of, {"of_id": worker_id}).one_or_none()
    if row is None:
        raise does_not_exist("Worker", worker_id)
    return Worker(**row._mapping)


def count_decision(moment: Moment, worker_id: str, *, approved: int = 0, rejected: int = 0) -> None:
    """Add to what the approval rate is made of; an overridden rejection is `approved=1, rejected=-1`."""
    changes = {"approved": workers.c.approved + approved, "rejected": workers.c.rejected + rejected}
    moment.connection.execute(sa.update(workers).filter_by(id=worker_id).values(changes))


def count_bonus(moment: Moment, worker_id: str, cents: int) -> None:
    """Add to what all bonuses come to."""
    here = sa.update(workers).filter_by(id=worker_id)
    moment.connection.execute(here.values(bonus_cents=workers.c.bonus_cents + cents))


def bonus_cents(moment: Moment, worker_id: str) -> int:
    return int(moment.connection.scalars(sa.select(workers.c.bonus_cents).filter_by(id=worker_id)).one())


_worker_of = sa.select(*(workers.c[name] for name in Worker.__dataclass_fields__)).filter_by(id=sa.bindparam("of_id"))
