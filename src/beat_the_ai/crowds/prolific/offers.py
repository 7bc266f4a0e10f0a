"""The HITs of a study that stand open in the marketplace, and the work of its visits."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from beat_the_ai.errors import Refused
from beat_the_ai.marketplace.assignments import GIVEN_UP
from beat_the_ai.marketplace.hit_types import HitType
from beat_the_ai.marketplace.hit_types import from_row as hit_type_from_row
from beat_the_ai.marketplace.moment import Moment
from beat_the_ai.marketplace.people.payouts import REWARD, is_noted
from beat_the_ai.marketplace.people.store import unit_of
from beat_the_ai.marketplace.people.studies import Study, belongs, list_studies
from beat_the_ai.marketplace.tables import assignments, hit_types, hits, recruited, recruiter_studies, visits
from beat_the_ai.terms.crowd import ProlificTerms

OTHER_PAY = "The HITs of this study are paid with {amounts} cents. A study at Prolific has one reward."


@dataclass(frozen=True)
class FollowedStudy:
    """A study here with what stands at Prolific: its id and the participant group, once they are made.

    `currency` is that of all its amounts.
    """

    study: Study
    terms: ProlificTerms
    currency: str
    external_id: str | None
    group_id: str | None
    idle_since: datetime | None
    problem: str | None


@dataclass(frozen=True)
class Offer:
    """The HITs of a study: their type, how many assignments can be accepted, and how many are in progress."""

    hit_type: HitType
    open: int
    in_progress: int


@dataclass(frozen=True)
class Work:
    """A visit and the assignment in it; `status` is None without one. `is_paid` says that the reward was paid there."""

    session: str
    worker_id: str
    participant: str
    is_open: bool
    assignment_id: str | None
    status: str | None
    submitted_at: datetime | None
    feedback: str | None
    reward_cents: int
    is_paid: bool


def internal_name(study: Study) -> str:
    """Return the name at Prolific by which a study and its group are found, if the reply to their creation was lost."""
    return f"beat-the-ai {study.key}"


def followed_studies(moment: Moment) -> list[FollowedStudy]:
    """Return the studies that stand at Prolific, or shall stand there."""
    return [follow(moment, one) for one in list_studies(moment) if one.is_paid_by_recruiter]


def follow(moment: Moment, study: Study) -> FollowedStudy:
    """Return a study with what stands at Prolific."""
    columns = [recruiter_studies.c[name] for name in ("external_id", "group_id", "idle_since", "problem")]
    row = moment.connection.execute(sa.select(*columns).filter_by(study=study.key)).one_or_none()
    state = (None,) * len(columns) if row is None else tuple(row)
    return FollowedStudy(study, ProlificTerms.model_validate(study.terms["prolific"]), unit_of(moment), *state)


def keep(moment: Moment, key: str, **changes: Any) -> None:
    """Keep what is known about the study at Prolific."""
    here = sa.update(recruiter_studies).filter_by(study=key).values(**changes)
    if moment.connection.execute(here).rowcount == 0:
        moment.connection.execute(sa.insert(recruiter_studies).values(study=key, **changes))


def offer_of(moment: Moment, study: Study) -> Offer | None:
    """Return what is on offer; None before the first HIT. Raises `Refused` for HITs with different rewards."""
    slots = hits.c.max_assignments - hits.c.pending - hits.c.submitted - hits.c.completed
    is_open = sa.case((hits.c.status == "Assignable", slots), else_=0)
    columns = (hits.c.hit_type_id, sa.func.sum(is_open).label("open"), sa.func.sum(hits.c.pending).label("pending"))
    query = sa.select(*columns).where(belongs(study)).group_by(hits.c.hit_type_id)
    rows = moment.connection.execute(query).all()
    if not rows:
        return None
    types = sa.select(hit_types).where(hit_types.c.id.in_([row.hit_type_id for row in rows]))
    offered_types = [hit_type_from_row(row) for row in moment.connection.execute(types.order_by(hit_types.c.number))]
    rewards = sorted({one.properties.reward_cents for one in offered_types})
    if len(rewards) > 1:
        raise Refused(OTHER_PAY.format(amounts=" and ".join(map(str, rewards))))
    return Offer(offered_types[-1], sum(int(row.open) for row in rows), sum(int(row.pending) for row in rows))


def works_of(moment: Moment, study: Study) -> dict[str, Work]:
    """Return the visits of a study with their assignments, by session."""
    columns = (visits.c.session, visits.c.worker_id, visits.c.started_at, visits.c.ended_at, recruited.c.external_id)
    query = sa.select(*columns).join_from(visits, recruited, recruited.c.worker_id == visits.c.worker_id)
    rows = moment.connection.execute(query.filter_by(study=study.key).order_by(visits.c.started_at)).all()
    paid = is_noted(moment, [reward_reference(row.session) for row in rows])
    accepted = _accepted(moment, study)
    works = {}
    for row in rows:
        assignment = _last_between(accepted[row.worker_id], row.started_at, row.ended_at)
        works[row.session] = Work(
            row.session,
            row.worker_id,
            row.external_id,
            row.ended_at is None,
            None if assignment is None else assignment.id,
            None if assignment is None else assignment.status,
            None if assignment is None else assignment.submitted_at,
            None if assignment is None else assignment.feedback,
            0 if assignment is None else assignment.reward_cents,
            reward_reference(row.session) in paid,
        )
    return works


def _accepted(moment: Moment, study: Study) -> Mapping[str, list[Any]]:
    """Return the assignments of a study that were not given up, by worker, in the order of their acceptance.

    A join with the visits over time would compare each visit with every assignment.
    """
    columns = [assignments.c[name] for name in ("id", "worker_id", "status", "accepted_at", "submitted_at", "feedback")]
    query = sa.select(*columns, hits.c.reward_cents).join_from(assignments, hits, hits.c.id == assignments.c.hit_id)
    query = query.where(belongs(study), assignments.c.status.not_in(GIVEN_UP)).order_by(assignments.c.accepted_at)
    by_worker: dict[str, list[Any]] = defaultdict(list)
    for row in moment.connection.execute(query):
        by_worker[row.worker_id].append(row)
    return by_worker


def _last_between(accepted: Sequence[Any], started_at: datetime, ended_at: datetime | None) -> Any | None:
    """Return the last of a worker's assignments that was accepted in a visit."""
    place = len(accepted) if ended_at is None else bisect_left(accepted, ended_at, key=lambda one: one.accepted_at)
    is_in_visit = place > 0 and accepted[place - 1].accepted_at >= started_at
    return accepted[place - 1] if is_in_visit else None


def reward_reference(session: str) -> str:
    """Return the reference under which the payment of a place's reward is noted."""
    return f"{REWARD}{session}"[:40]
