"""The operations of requesters on HITs: offer, extend, expire, review, delete."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa

from beat_the_ai.marketplace import agenda, fees, identifiers, notifications, questions
from beat_the_ai.marketplace.errors import RequestFailed, wrong_parameter
from beat_the_ai.marketplace.hit_types import HitType, count_assignable, get_hit_type
from beat_the_ai.marketplace.hits import FINISHED, Hit, change, dispose
from beat_the_ai.marketplace.moment import Moment
from beat_the_ai.marketplace.money import LARGE_HIT_ASSIGNMENTS
from beat_the_ai.marketplace.requirements import asks_for_masters
from beat_the_ai.marketplace.tables import hit_requirements, hits

LIFETIME_SECONDS = range(30, 31_536_000 + 1)
MAX_ASSIGNMENTS = 1_000_000_000
MAX_ANNOTATION_CHARACTERS = 255


def create(
    moment: Moment,
    hit_type: HitType,
    question: str,
    *,
    max_assignments: int = 1,
    lifetime_seconds: int,
    annotation: str | None,
) -> Hit:
    """Offer a HIT and set its money aside. Raises InsufficientFunds."""
    _check(max_assignments, lifetime_seconds, annotation)
    questions.check(question)
    reward_cents = hit_type.properties.reward_cents
    masters = asks_for_masters(hit_type.properties.requirements)
    row: dict[str, Any] = {
        "id": identifiers.new_entity(),
        "requester_id": hit_type.requester_id,
        "hit_type_id": hit_type.id,
        "status": "Unassignable",
        "live": True,
        "max_assignments": max_assignments,
        **dict.fromkeys(("pending", "submitted", "completed", "held_cents"), 0),
        "reward_cents": reward_cents,
        "fee_cents": fees.of_assignment(moment, reward_cents, max_assignments, masters=masters),
        "question": question,
        "annotation": annotation,
        "created_at": moment.now,
        "expires_at": moment.now + timedelta(seconds=lifetime_seconds),
    }
    number = moment.connection.scalar(sa.insert(hits).values(row).returning(hits.c.number))
    assert number is not None
    hit = change(moment, Hit(number=number, **row))
    _index_requirements(moment, hit, hit_type)
    agenda.schedule(moment, "expiry", hit.id, hit.expires_at)
    notifications.announce(moment, hit.hit_type_id, "HITCreated", hit.id)
    return hit


def _check(max_assignments: int, lifetime_seconds: int, annotation: str | None) -> None:
    if not 1 <= max_assignments <= MAX_ASSIGNMENTS:
        raise wrong_parameter(f"MaxAssignments must be between 1 and {MAX_ASSIGNMENTS}.")
    if lifetime_seconds not in LIFETIME_SECONDS:
        raise wrong_parameter("LifetimeInSeconds must be between 30 and 31536000.")
    if annotation is not None and len(annotation) > MAX_ANNOTATION_CHARACTERS:
        raise wrong_parameter(f"RequesterAnnotation has {len(annotation)} characters; at most 255 are allowed.")


def _index_requirements(moment: Moment, hit: Hit, hit_type: HitType) -> None:
    moment.connection.execute(sa.delete(hit_requirements).filter_by(hit_number=hit.number))
    types = {one["QualificationTypeId"] for one in hit_type.properties.requirements}
    for type_id in types:
        row = {"qualification_type_id": type_id, "requester_id": hit.requester_id, "hit_number": hit.number}
        moment.connection.execute(sa.insert(hit_requirements).values(row))


def delete(moment: Moment, hit: Hit) -> Hit:
    """Only when it is reviewable and everything submitted is decided [doc]; Reviewing is allowed too [seen]."""
    if hit.status not in FINISHED or hit.submitted:
        raise _wrong_state(hit, "Reviewing, Reviewable")
    return dispose(moment, hit.id)


def _wrong_state(hit: Hit, allowed: str) -> RequestFailed:
    """MTurk's words [seen: boto3 #2107], two blanks included."""
    return RequestFailed(
        "InvalidHITState",
        f"This HIT is currently in the state '{hit.status}'.  This operation can be called with a status of: {allowed}",
    )


def add_assignments(moment: Moment, hit: Hit, more: int) -> Hit:
    """Raise the maximum. From below ten to ten or more is refused, as the fee is another one there [doc]."""
    if more < 1 or hit.max_assignments + more > MAX_ASSIGNMENTS:
        raise wrong_parameter("NumberOfAdditionalAssignments must be between 1 and 1000000000.")
    _refuse_disposed(hit)
    if hit.max_assignments < LARGE_HIT_ASSIGNMENTS <= hit.max_assignments + more:
        raise RequestFailed(
            "InvalidMaximumAssignmentsIncrease",
            "HITs created with fewer than 10 assignments cannot be extended to have 10 or more assignments.",
        )
    hit = change(moment, hit, max_assignments=hit.max_assignments + more)
    notifications.announce(moment, hit.hit_type_id, "HITExtended", hit.id)
    return hit


def set_expiry(moment: Moment, hit: Hit, expires_at: datetime) -> Hit:
    """To any time; one that has passed expires the HIT at once [doc]."""
    _refuse_disposed(hit)
    if expires_at > moment.now + timedelta(seconds=LIFETIME_SECONDS[-1]):
        raise wrong_parameter("ExpireAt must be at most 365 days ahead.")
    extended = expires_at > max(hit.expires_at, moment.now)
    agenda.cancel(moment, "expiry", hit.id)
    hit = change(moment, hit, expires_at=expires_at)
    if expires_at > moment.now:
        agenda.schedule(moment, "expiry", hit.id, expires_at)
    else:
        notifications.announce(moment, hit.hit_type_id, "HITExpired", hit.id)
    if extended:
        notifications.announce(moment, hit.hit_type_id, "HITExtended", hit.id)
    return hit


def set_review_status(moment: Moment, hit: Hit, *, revert: bool) -> Hit:
    """Reviewable → Reviewing, or back with `revert` [doc]."""
    before, after = ("Reviewing", "Reviewable") if revert else ("Reviewable", "Reviewing")
    if hit.status != before:
        raise _wrong_state(hit, before)
    return change(moment, hit, status=after)


def set_hit_type(moment: Moment, hit: Hit, hit_type_id: str) -> Hit:
    """Give it another type's properties. Not to another price while workers count on this one [assumed]."""
    _refuse_disposed(hit)
    hit_type = get_hit_type(moment, hit_type_id, hit.requester_id)
    reward_cents = hit_type.properties.reward_cents
    if reward_cents != hit.reward_cents and hit.pending + hit.submitted:
        raise RequestFailed("InvalidHITState", "The reward cannot change while assignments are pending or undecided.")
    masters = asks_for_masters(hit_type.properties.requirements)
    fee_cents = fees.of_assignment(moment, reward_cents, hit.max_assignments, masters=masters)
    if hit.status == "Assignable":
        count_assignable(moment, hit.hit_type_id, -1)
        count_assignable(moment, hit_type.id, 1)
    hit = change(moment, hit, hit_type_id=hit_type.id, reward_cents=reward_cents, fee_cents=fee_cents)
    _index_requirements(moment, hit, hit_type)
    return hit


def _refuse_disposed(hit: Hit) -> None:
    if hit.status == "Disposed":
        raise _wrong_state(hit, "Assignable, Unassignable, Reviewable, Reviewing")
