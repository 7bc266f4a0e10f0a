"""Bonuses: set up in batches of a study, and paid by a request that must never be sent twice.

made ──> ready ──> sent ──> paid
          ^  │      └────> doubtful ──(a person decides)──> paid, or made again
          └──┘ Prolific refused: nothing was paid

`ready` has Prolific's id of the batch, which moves no money. `sent` is written down before the request, with the
bonuses that each submission has by then. So a batch whose reply was lost, or whose process died, is never sent again:
Prolific is asked which bonuses the submissions have more than before. What they show is noted; after a while a person
decides about the rest.
"""

from __future__ import annotations

import logging
import secrets
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal

import sqlalchemy as sa

from beat_the_ai.crowds.prolific.client import ProlificClient
from beat_the_ai.errors import Declined, Refused, Unanswered
from beat_the_ai.marketplace.market import Market
from beat_the_ai.marketplace.moment import Moment
from beat_the_ai.marketplace.money import show_dollars
from beat_the_ai.marketplace.people.payouts import note_paid_by_recruiter
from beat_the_ai.marketplace.people.studies import Study, belongs
from beat_the_ai.marketplace.tables import (
    assignments,
    batched_bonuses,
    bonus_batches,
    bonuses,
    hits,
    visits,
)
from beat_the_ai.rules.amounts import show

log = logging.getLogger(__name__)

BATCH_LINES = 200  # as many as Prolific recommends
WAITS_FOR = timedelta(hours=1)  # until a person has to decide
ERASED = ""  # the session of a person who was erased: nobody can be paid for it
State = Literal["made", "ready", "sent", "paid", "doubtful"]
SHOWN = 5
DOUBTFUL = (
    "Nobody knows whether these bonuses were paid: {bonuses}. Prolific's answer was lost, and the submissions do not "
    "show them. Look at the study's payments at Prolific, then say: beat-the-ai people bonus-batch {id} --paid (or "
    "--unpaid)."
)


@dataclass(frozen=True)
class Batch:
    """A row of `bonus_batches`, with the cents of each session of people who are not erased.

    `paid` are the sessions whose bonus Prolific has shown, `before` the bonuses that each had when the batch was sent.
    """

    id: str
    study: str
    external_id: str | None
    state: State
    sent_at: datetime | None
    cents: Mapping[str, int]
    paid: frozenset[str]
    before: Mapping[str, Counter[int]]

    @property
    def paid_cents(self) -> int:
        return sum(self.cents[session] for session in self.paid)

    @property
    def unpaid(self) -> Mapping[str, int]:
        """The cents of the sessions whose bonus Prolific has not shown."""
        return {session: cents for session, cents in self.cents.items() if session not in self.paid}

    def problem(self, currency: str) -> str | None:
        """The decision that waits for a person, in words."""
        if self.state != "doubtful":
            return None
        shown = [f"{show(cents, currency)} of submission {session}" for session, cents in self.unpaid.items()]
        more = [f"and {len(shown) - SHOWN} more"] if len(shown) > SHOWN else []
        return DOUBTFUL.format(id=self.id, bonuses=", ".join([*shown[:SHOWN], *more]))

    @property
    def csv(self) -> str:
        """Return the batch as Prolific takes it: submission ids and amounts in units of the currency."""
        return "".join(f"{session},{show_dollars(cents)}\n" for session, cents in self.cents.items())


def open_batch(moment: Moment, study: Study) -> Batch | None:
    """Return the study's batch that is not paid; a new one if bonuses wait. There is one at a time."""
    batches = batches_of(moment, study.key, unpaid=True)
    if batches:
        return batches[0]
    waiting = _waiting(moment, study)
    if not waiting:
        return None
    batch_id = secrets.token_hex(12)
    row = {"id": batch_id, "study": study.key, "state": "made", "made_at": moment.now}
    moment.connection.execute(sa.insert(bonus_batches).values(row))
    rows = [{"bonus_id": one.id, "batch": batch_id, "session": one.session, "cents": one.cents} for one in waiting]
    moment.connection.execute(sa.insert(batched_bonuses), rows)
    return get_batch(moment, batch_id)


def are_waiting(moment: Moment, study: Study) -> bool:
    """Return whether there are bonuses that are in no batch."""
    return bool(_waiting(moment, study))


def _waiting(moment: Moment, study: Study) -> list[Any]:
    """Return the bonuses that are in no batch, with the session in which the assignment was accepted."""
    in_visit = sa.and_(
        visits.c.worker_id == assignments.c.worker_id,
        visits.c.study == study.key,
        visits.c.started_at <= assignments.c.accepted_at,
        sa.or_(visits.c.ended_at.is_(None), assignments.c.accepted_at < visits.c.ended_at),
    )
    query = sa.select(bonuses.c.id, bonuses.c.cents, visits.c.session).select_from(bonuses)
    query = query.join(assignments, assignments.c.id == bonuses.c.assignment_id)
    query = query.join(hits, hits.c.id == assignments.c.hit_id).join(visits, in_visit)
    query = query.outerjoin(batched_bonuses, batched_bonuses.c.bonus_id == bonuses.c.id)
    query = query.where(belongs(study), batched_bonuses.c.bonus_id.is_(None))
    return list(moment.connection.execute(query.order_by(bonuses.c.number).limit(BATCH_LINES)).all())


def batches_of(moment: Moment, study: str | None = None, *, unpaid: bool = False) -> list[Batch]:
    """Return batches, the oldest first."""
    query = sa.select(bonus_batches.c.id).order_by(bonus_batches.c.made_at, bonus_batches.c.id)
    query = query if study is None else query.filter_by(study=study)
    query = query.where(bonus_batches.c.state != "paid") if unpaid else query
    return [get_batch(moment, batch_id) for batch_id in moment.connection.scalars(query)]


def get_batch(moment: Moment, batch_id: str) -> Batch:
    """Raises `Refused` for one that does not exist."""
    columns = [bonus_batches.c[name] for name in ("id", "study", "external_id", "state", "sent_at")]
    row = moment.connection.execute(sa.select(*columns).filter_by(id=batch_id)).one_or_none()
    if row is None:
        raise Refused(f"There is no batch of bonuses {batch_id[:40]!r}. List them: beat-the-ai people studies.")
    lines = sa.select(batched_bonuses).filter_by(batch=batch_id).where(batched_bonuses.c.session != ERASED)
    rows = moment.connection.execute(lines.order_by(batched_bonuses.c.session)).all()
    cents = Counter[str]()
    for line in rows:
        cents[line.session] += line.cents
    paid = frozenset(line.session for line in rows if line.paid_at is not None)
    before = {line.session: Counter[int](line.shown_before or ()) for line in rows}
    return Batch(**row._mapping, cents=dict(cents), paid=paid, before=before)


def pay(client: ProlificClient, market: Market, study: Study, external_id: str) -> None:
    """Take the study's batch as far as it goes. Raises `Declined` and `Unanswered`."""
    with market.writing() as moment:
        batch = open_batch(moment, study)
    if batch is None or batch.state == "doubtful":
        return
    if not batch.cents:
        with market.writing() as moment:
            note_paid(moment, batch, ())
        return
    if batch.state == "made":
        made = client.create_bonus_payments(external_id, batch.csv)
        with market.writing() as moment:
            if not _move(moment, batch, "ready", external_id=made.id):
                return
            batch = get_batch(moment, batch.id)
    if batch.state == "ready":
        batch = _send(client, market, batch)
    if batch.state == "sent":
        _ask_whether_paid(client, market, batch)


def _send(client: ProlificClient, market: Market, batch: Batch) -> Batch:
    """Send a batch once: that it is sent stands in the store first. Only a refusal takes that back."""
    assert batch.external_id is not None
    before = {session: _shown_there(client, session) for session in batch.cents}
    with market.writing() as moment:
        if not _move(moment, batch, "sent", sent_at=moment.now):
            return get_batch(moment, batch.id)
        _keep_before(moment, batch, before)
        sent = get_batch(moment, batch.id)
    try:
        client.pay_bonus_payments(batch.external_id)
    except Declined:
        with market.writing() as moment:
            _move(moment, sent, "ready", sent_at=None)
        raise
    except Unanswered as error:
        log.warning("batch %s may have been paid, and the submissions are asked: %s", batch.id, error)
    return sent


def _keep_before(moment: Moment, batch: Batch, before: Mapping[str, Counter[int]]) -> None:
    """Write down the bonuses that each session has before its batch is sent.

    What was noted as paid and is not shown yet is among them: it may be shown later.
    """
    noted = _noted_before(moment, batch)
    for session, amounts in before.items():
        here = sa.update(batched_bonuses).filter_by(batch=batch.id, session=session)
        moment.connection.execute(here.values(shown_before=sorted((amounts | noted[session]).elements())))


def _noted_before(moment: Moment, batch: Batch) -> Mapping[str, Counter[int]]:
    """Return the amounts that other batches of the study have paid, by session."""
    lines = batched_bonuses.c
    query = sa.select(lines.session, sa.func.sum(lines.cents).label("cents"))
    query = query.where(lines.paid_at.is_not(None), lines.batch != batch.id, lines.session.in_(list(batch.cents)))
    noted: dict[str, Counter[int]] = {session: Counter() for session in batch.cents}
    for line in moment.connection.execute(query.group_by(lines.session, lines.batch)):
        noted[line.session][int(line.cents)] += 1
    return noted


def _ask_whether_paid(client: ProlificClient, market: Market, batch: Batch) -> None:
    """Ask Prolific which of a batch's bonuses the submissions have."""
    paid = shown(batch, lambda session: _shown_there(client, session))
    with market.writing() as moment:
        note_paid(moment, batch, paid)
        if len(paid) < len(batch.unpaid) and batch.sent_at is not None and moment.now - batch.sent_at >= WAITS_FOR:
            _move(moment, batch, "doubtful")


def shown(batch: Batch, shows: Callable[[str], Counter[int]]) -> list[str]:
    """Return the unpaid sessions of a batch that show its bonus, beside what they had before it was sent."""
    return [session for session, cents in batch.unpaid.items() if cents in shows(session) - batch.before[session]]


def _shown_there(client: ProlificClient, session: str) -> Counter[int]:
    """Return the bonuses that a submission shows; none for one that Prolific does not show any more."""
    try:
        return Counter(client.get_submission(session).bonus_cents)
    except Declined as error:
        if error.crowd_code != "404":
            raise
        return Counter()


def note_paid(moment: Moment, batch: Batch, sessions: Collection[str]) -> None:
    """Note that these sessions of a batch are paid; the batch is, once all are."""
    is_over = batch.paid | set(sessions) >= batch.cents.keys()
    if not _move(moment, batch, "paid" if is_over else batch.state):
        return
    here = sa.update(batched_bonuses).filter_by(batch=batch.id, paid_at=None)
    moment.connection.execute(here.where(batched_bonuses.c.session.in_(sessions)).values(paid_at=moment.now))
    _note_workers(moment, get_batch(moment, batch.id))


def _note_workers(moment: Moment, batch: Batch) -> None:
    """Note the payouts of the workers whose sessions in a batch are all paid: one payout has one amount."""
    query = sa.select(visits.c.session, visits.c.worker_id).filter_by(study=batch.study)
    workers = {row.session: row.worker_id for row in moment.connection.execute(query)}
    waiting = {workers.get(session) for session in batch.unpaid}
    amounts = Counter[str]()
    for session in batch.paid & workers.keys():  # others are erased
        if workers[session] not in waiting:
            amounts[workers[session]] += batch.cents[session]
    note_paid_by_recruiter(moment, f"bonus {batch.id}", amounts)


def decide(moment: Moment, batch_id: str, *, is_paid: bool) -> Batch:
    """Say whether the rest of a batch that was sent was paid; what was not is sent anew. Raises `Refused`.

    A batch that Prolific refuses can be paid by hand, and is paid then.
    """
    batch = get_batch(moment, batch_id)
    if batch.state == "paid" or not (is_paid or batch.state in ("sent", "doubtful")):
        raise Refused(f"Batch {batch.id} is {batch.state}: there is nothing to decide.")
    if is_paid:
        note_paid(moment, batch, list(batch.unpaid))
    elif not batch.paid:
        _move(moment, batch, "made", external_id=None, sent_at=None)
    else:
        _leave_to_another(moment, batch)
    return get_batch(moment, batch_id)


def _leave_to_another(moment: Moment, batch: Batch) -> None:
    """Take what was not paid out of a batch, for another batch, and close it."""
    unpaid = batched_bonuses.c.session.in_(list(batch.unpaid))
    moment.connection.execute(sa.delete(batched_bonuses).filter_by(batch=batch.id, paid_at=None).where(unpaid))
    note_paid(moment, get_batch(moment, batch.id), ())


def _move(moment: Moment, batch: Batch, state: State, **changes: Any) -> bool:
    """Bring a batch into another state, unless somebody else was faster."""
    here = sa.update(bonus_batches).filter_by(id=batch.id, state=batch.state, external_id=batch.external_id)
    return moment.connection.execute(here.values(state=state, **changes)).rowcount == 1
