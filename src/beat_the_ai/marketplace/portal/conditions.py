"""Qualification requirements in words for the worker: what is asked, whether it is met, and what the worker has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from beat_the_ai.marketplace import qualification_types
from beat_the_ai.marketplace.hit_types import HitType
from beat_the_ai.marketplace.moment import Moment
from beat_the_ai.marketplace.requirements import KEYS, LOCALE, SYSTEM_TYPES, Profile, Requirement, is_met
from beat_the_ai.marketplace.saying import said


@dataclass(frozen=True)
class Condition:
    """`own` is why it is not met. `can_be_requested`: a requester's qualification, not the system's.

    `is_past`: it is not met because the worker is qualified already.
    """

    name: str
    asked: str
    met: bool
    own: str
    can_be_requested: bool
    is_past: bool


def conditions(moment: Moment, profile: Profile, hit_type: HitType) -> list[Condition]:
    required = hit_type.requirements
    names = qualification_types.names(moment, {one.qualification_type_id for one in required})
    return [_condition(profile, one, names) for one in required]


def _condition(profile: Profile, requirement: Requirement, names: Mapping[str, str]) -> Condition:
    type_id = requirement.qualification_type_id
    met = is_met(profile, requirement)
    return Condition(
        said(f"portal.condition.{KEYS[type_id]}") if type_id in KEYS else names.get(type_id, type_id),
        said(f"portal.condition.{requirement.comparator}", value=requirement.expected),
        met,
        "" if met else _own(profile, requirement),
        not met and type_id not in SYSTEM_TYPES and requirement.comparator != "DoesNotExist",
        not met and requirement.comparator == "DoesNotExist",
    )


def _own(profile: Profile, requirement: Requirement) -> str:
    type_id = requirement.qualification_type_id
    if requirement.comparator == "DoesNotExist":
        return said("portal.condition.own.has")
    if not profile.has(type_id):
        return said("portal.condition.own.lacks")
    if type_id == LOCALE:
        worker = profile.worker
        own = worker.country + (f"-{worker.subdivision}" if worker.subdivision else "")
        return said("portal.condition.own.value", value=own)
    return said("portal.condition.own.value", value=str(profile.value(type_id)))
