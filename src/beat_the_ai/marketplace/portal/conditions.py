"""Qualification requirements in words for the worker: what is asked, whether it is met, and what the worker has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from beat_the_ai.marketplace import qualification_types
from beat_the_ai.marketplace.hit_types import HitType
from beat_the_ai.marketplace.moment import Moment
from beat_the_ai.marketplace.requirements import (
    ADULT,
    LOCALE,
    MASTERS,
    MASTERS_SANDBOX,
    NUMBER_APPROVED,
    PERCENT_APPROVED,
    SYSTEM_TYPES,
    Profile,
    Requirement,
    is_met,
)

NAMES = {
    LOCALE: "Location",
    PERCENT_APPROVED: "Approval rate in percent",
    NUMBER_APPROVED: "Tasks approved",
    ADULT: "Adult content",
    MASTERS: "Masters",
    MASTERS_SANDBOX: "Masters",
}
WORDS = {
    "LessThan": "less than",
    "LessThanOrEqualTo": "at most",
    "GreaterThan": "more than",
    "GreaterThanOrEqualTo": "at least",
    "EqualTo": "exactly",
    "NotEqualTo": "anything but",
    "In": "one of",
    "NotIn": "none of",
    "Exists": "is needed",
    "DoesNotExist": "is only for people who do not have it",
}


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
        NAMES.get(type_id) or names.get(type_id, type_id),
        f"{WORDS[requirement.comparator]} {requirement.expected}".strip(),
        met,
        "" if met else _own(profile, requirement),
        not met and type_id not in SYSTEM_TYPES and requirement.comparator != "DoesNotExist",
        not met and requirement.comparator == "DoesNotExist",
    )


def _own(profile: Profile, requirement: Requirement) -> str:
    type_id = requirement.qualification_type_id
    if requirement.comparator == "DoesNotExist":
        return "you have it"
    if not profile.has(type_id):
        return "you do not have it"
    if type_id == LOCALE:
        worker = profile.worker
        return f"yours is {worker.country}" + (f"-{worker.subdivision}" if worker.subdivision else "")
    return f"yours is {profile.value(type_id)}"
