"""HITs and their states.

Assignable ──all slots taken──> Unassignable ──all submitted, or expired──> Reviewable <──> Reviewing
     ^────────────a slot is given back, more slots, a later expiry──────────────┘  └──> Disposed (deleted, or 120 days)

A HIT's row counts its assignments; its state, the money held for it and its entries in the agenda all follow from
these counts and the expiry, and are brought up to date in one place, `change`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa

from beat_the_ai.marketplace import accounts, agenda, notifications
from beat_the_ai.marketplace.errors import does_not_exist
from beat_the_ai.marketplace.hit_types import count_assignable
from beat_the_ai.marketplace.moment import Moment
from beat_the_ai.marketplace.tables import hit_requirements, hits

# Counted from when the HIT becomes reviewable [assumed; the documentation says "after 120 days"].
DISPOSED_AFTER = timedelta(days=120)
FINISHED = ("Reviewable", "Reviewing")


@dataclass(frozen=True)
class Hit:
    """A row of `hits`. Slots are pending (accepted), submitted (undecided), completed (decided) or available."""

    number: int
    id: str
    requester_id: str
    hit_type_id: str
    status: str
    live: bool
    max_assignments: int
    pending: int
    submitted: int
    completed: int
    reward_cents: int
    fee_cents: int
    held_cents: int
    question: str
    annotation: str | None
    created_at: datetime
    expires_at: datetime

    @property
    def available(self) -> int:
        return self.max_assignments - self.pending - self.submitted - self.completed

    def status_at(self, now: datetime) -> str:
        over = self.available == 0 or self.expires_at <= now
        if self.status == "Disposed":
            return "Disposed"
        if over and self.pending == 0:
            return "Reviewing" if self.status == "Reviewing" else "Reviewable"
        return "Unassignable" if over else "Assignable"

    def payable_assignments_at(self, now: datetime) -> int:
        """Return how many assignments may still have to be paid; the money for them is held."""
        if self.status == "Disposed":
            return 0
        return self.pending + self.submitted + (self.available if self.expires_at > now else 0)


def get_hit(moment: Moment, hit_id: str, requester_id: str | None = None) -> Hit:
    """Raises HITDoesNotExist, also when it is not this requester's."""
    row = moment.connection.execute(_hit_of, {"of_id": hit_id}).one_or_none()
    if row is None or requester_id not in (None, row.requester_id):
        raise does_not_exist("HIT", hit_id)
    return from_row(row)


def from_row(row: sa.Row[Any]) -> Hit:
    return Hit(**{name: getattr(row, name) for name in Hit.__dataclass_fields__})


def change(moment: Moment, hit: Hit, **changes: Any) -> Hit:
    """Store a HIT with changed counts, expiry or price, and all that follows from them. Raises InsufficientFunds."""
    before = hit
    hit = replace(hit, **changes)
    hit = replace(hit, status=hit.status_at(moment.now))
    hit = _hold(moment, hit)
    _store(moment, before, hit)
    if hit.status != before.status:
        _follow(moment, hit, before.status)
    return hit


def _store(moment: Moment, before: Hit, hit: Hit) -> None:
    """Only what has changed: a question may be long, and indexes cost."""
    names = Hit.__dataclass_fields__
    changed = {name: getattr(hit, name) for name in names if getattr(hit, name) != getattr(before, name)}
    if changed:
        moment.connection.execute(sa.update(hits).filter_by(number=hit.number).values(changed))


def _hold(moment: Moment, hit: Hit) -> Hit:
    """Hold as much as may still have to be paid: take what is missing, give back what is not needed any more."""
    needed_cents = hit.payable_assignments_at(moment.now) * (hit.reward_cents + hit.fee_cents)
    spendable, aside = accounts.available(hit.requester_id), accounts.held(hit.requester_id)
    accounts.transfer(moment, "hold", spendable, aside, max(0, needed_cents - hit.held_cents), hit.id)
    accounts.transfer(moment, "release", aside, spendable, max(0, hit.held_cents - needed_cents), hit.id)
    return replace(hit, held_cents=needed_cents)


def _follow(moment: Moment, hit: Hit, before: str) -> None:
    """Do what follows from a change of state."""
    added = (hit.status == "Assignable") - (before == "Assignable")
    if added:
        count_assignable(moment, hit.hit_type_id, added)
    if (hit.status in FINISHED) and before not in FINISHED:
        agenda.schedule(moment, "disposal", hit.id, moment.now + DISPOSED_AFTER)
        notifications.announce(moment, hit.hit_type_id, "HITReviewable", hit.id)
    elif before in FINISHED and hit.status not in FINISHED:
        agenda.cancel(moment, "disposal", hit.id)


def expire(moment: Moment, hit_id: str) -> Hit:
    """The lifetime is over: whoever works on it may finish, nobody else may accept it."""
    hit = change(moment, get_hit(moment, hit_id))
    notifications.announce(moment, hit.hit_type_id, "HITExpired", hit.id)
    return hit


def dispose(moment: Moment, hit_id: str) -> Hit:
    """Dispose of a HIT by its age, or for `delete`; the caller knows that nothing is undecided."""
    hit = change(moment, get_hit(moment, hit_id), status="Disposed", live=False)
    for kind in ("expiry", "disposal"):
        agenda.cancel(moment, kind, hit.id)
    moment.connection.execute(sa.delete(hit_requirements).filter_by(hit_number=hit.number))
    notifications.announce(moment, hit.hit_type_id, "HITDisposed", hit.id)
    return hit


_hit_of = sa.select(hits).filter_by(id=sa.bindparam("of_id"))  # built once: it is a part of most requests
