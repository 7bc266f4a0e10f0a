"""Qualification requirements: who may see, preview and accept a HIT, and how that is told.

Kept as the protocol writes them and read into `Requirement` to be judged. A worker without a qualification meets
DoesNotExist only: the other comparators ask for its value [assumed for NotEqualTo and NotIn].
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from beat_the_ai.marketplace.errors import RequestFailed, does_not_exist, wrong_parameter
from beat_the_ai.marketplace.moment import Moment
from beat_the_ai.marketplace.saying import said
from beat_the_ai.marketplace.tables import qualification_types, qualifications
from beat_the_ai.marketplace.workers import Worker

LOCALE = "00000000000000000071"
PERCENT_APPROVED = "000000000000000000L0"
NUMBER_APPROVED = "00000000000000000040"
ADULT = "00000000000000000060"
MASTERS = "2F1QJWKUDD8XADTFD2Q0G6UTO95ALH"
MASTERS_SANDBOX = "2ARFPLSP75KLA8M8DH1HTEQVJT3SY6"
SYSTEM_TYPES = {
    LOCALE: "Worker_Locale",
    PERCENT_APPROVED: "Worker_PercentAssignmentsApproved",
    NUMBER_APPROVED: "Worker_NumberHITsApproved",
    ADULT: "Worker_Adult",
    MASTERS: "Masters",
    MASTERS_SANDBOX: "Masters",
}

KEYS = {  # in the words of the portal
    LOCALE: "locale",
    PERCENT_APPROVED: "percent_approved",
    NUMBER_APPROVED: "number_approved",
    ADULT: "adult",
    MASTERS: "masters",
    MASTERS_SANDBOX: "masters",
}
MAX_REQUIREMENTS = 10
MAX_INTEGERS = 15
MAX_LOCALES = 30
GUARDED = {  # ActionsGuarded → what it keeps a worker from [doc]
    "Accept": {"accept"},
    "PreviewAndAccept": {"preview", "accept"},
    "DiscoverPreviewAndAccept": {"discover", "preview", "accept"},
}


@dataclass(frozen=True)
class Requirement:
    """`locales` are (country, subdivision or None); one without a subdivision stands for the whole country."""

    qualification_type_id: str
    comparator: str
    integers: tuple[int, ...]
    locales: tuple[tuple[str, str | None], ...]
    guards: frozenset[str]

    @classmethod
    def read(cls, written: Mapping[str, Any]) -> Requirement:
        """`RequiredToPreview` is the deprecated way to write PreviewAndAccept [doc]."""
        guarded = written.get("ActionsGuarded") or (
            "PreviewAndAccept" if written.get("RequiredToPreview") else "Accept"
        )
        return cls(
            written["QualificationTypeId"],
            written["Comparator"],
            tuple(written.get("IntegerValues") or ()),
            tuple((locale["Country"], locale.get("Subdivision")) for locale in written.get("LocaleValues") or ()),
            frozenset(GUARDED[guarded]),
        )

    @property
    def expected(self) -> str:
        places = [country + (f"-{subdivision}" if subdivision else "") for country, subdivision in self.locales]
        return ", ".join([*map(str, self.integers), *places])


@dataclass(frozen=True)
class Unmet:
    """A requirement that a worker fails, and a sentence about it for the worker to read."""

    requirement: Requirement
    reason: str


@dataclass(frozen=True)
class Profile:
    """A worker with all that requirements can ask about."""

    worker: Worker
    granted: Mapping[str, int | None]

    @classmethod
    def of(cls, moment: Moment, worker: Worker) -> Profile:
        columns = (qualifications.c.qualification_type_id, qualifications.c.value)
        granted = sa.select(*columns).filter_by(worker_id=worker.id, status="Granted")
        return cls(worker, {row.qualification_type_id: row.value for row in moment.connection.execute(granted)})

    def has(self, type_id: str) -> bool:
        if type_id in (MASTERS, MASTERS_SANDBOX):
            return self.worker.masters
        return type_id in SYSTEM_TYPES or type_id in self.granted

    def value(self, type_id: str) -> int | None:
        system = {
            PERCENT_APPROVED: self.worker.percent_approved,
            NUMBER_APPROVED: self.worker.number_approved,
            ADULT: int(self.worker.adult),
            MASTERS: int(self.worker.masters),
            MASTERS_SANDBOX: int(self.worker.masters),
        }
        return system[type_id] if type_id in system else self.granted.get(type_id)


def unmet(profile: Profile, requirements: Sequence[Requirement], names: Mapping[str, str]) -> list[Unmet]:
    """Return the requirements that the worker fails. `names` are those of qualification types, for the sentences."""
    return [Unmet(one, _reason(profile, one, names)) for one in requirements if not is_met(profile, one)]


def is_met(profile: Profile, requirement: Requirement) -> bool:
    has = profile.has(requirement.qualification_type_id)
    if requirement.comparator in ("Exists", "DoesNotExist"):
        return has == (requirement.comparator == "Exists")
    if requirement.qualification_type_id == LOCALE:
        return _is_at_home(profile.worker, requirement) == (requirement.comparator in ("EqualTo", "In"))
    value = profile.value(requirement.qualification_type_id)
    return has and value is not None and _compare(value, requirement.comparator, requirement.integers)


def _is_at_home(worker: Worker, requirement: Requirement) -> bool:
    return any(
        worker.country == country and subdivision in (None, worker.subdivision)
        for country, subdivision in requirement.locales
    )


def _compare(value: int, comparator: str, integers: Sequence[int]) -> bool:
    first = integers[0]
    return {
        "LessThan": value < first,
        "LessThanOrEqualTo": value <= first,
        "GreaterThan": value > first,
        "GreaterThanOrEqualTo": value >= first,
        "EqualTo": value == first,
        "NotEqualTo": value != first,
        "In": value in integers,
        "NotIn": value not in integers,
    }[comparator]


def _reason(profile: Profile, requirement: Requirement, names: Mapping[str, str]) -> str:
    type_id = requirement.qualification_type_id
    about = {"type": KEYS.get(type_id, "other"), "name": names.get(type_id, type_id)}
    if requirement.comparator == "DoesNotExist":
        return said("portal_refusals.unmet.granted", **about)
    if not profile.has(type_id):
        return said("portal_refusals.unmet.missing", **about)
    own = profile.worker.country if type_id == LOCALE else str(profile.value(type_id))
    asked = {"comparator": requirement.comparator, "expected": requirement.expected}
    return said("portal_refusals.unmet.value", **about, **asked, own=own)


def check(moment: Moment, written: Sequence[Mapping[str, Any]]) -> None:
    """Raises when a list of requirements breaks a documented rule or names an unknown qualification type."""
    if len(written) > MAX_REQUIREMENTS:
        raise wrong_parameter(f"At most {MAX_REQUIREMENTS} QualificationRequirements are allowed, not {len(written)}.")
    for one in written:
        requirement = Requirement.read(one)
        _check_values(requirement)
        if requirement.qualification_type_id not in SYSTEM_TYPES:
            _check_type(moment, requirement.qualification_type_id)


def _check_values(requirement: Requirement) -> None:
    comparator, integers, locales = requirement.comparator, len(requirement.integers), len(requirement.locales)
    about_place = requirement.qualification_type_id == LOCALE
    if comparator in ("Exists", "DoesNotExist"):
        allowed = integers == locales == 0
    elif about_place:
        most = MAX_LOCALES if comparator in ("In", "NotIn") else 1
        allowed = comparator in ("EqualTo", "NotEqualTo", "In", "NotIn") and 1 <= locales <= most and integers == 0
    else:
        allowed = 1 <= integers <= (MAX_INTEGERS if comparator in ("In", "NotIn") else 1) and locales == 0
    if not allowed:
        raise wrong_parameter(
            f"The requirement on {requirement.qualification_type_id} has {integers} IntegerValues and {locales} "
            f"LocaleValues, which do not fit the comparator {comparator}. Exists and DoesNotExist take none, In and "
            f"NotIn up to {MAX_INTEGERS} integers or {MAX_LOCALES} locales, all others one; locales go with {LOCALE}."
        )


def _check_type(moment: Moment, type_id: str) -> None:
    status = moment.connection.scalar(sa.select(qualification_types.c.status).filter_by(id=type_id))
    if status is None or status == "Disposed":
        raise does_not_exist("QualificationType", type_id)
    if status != "Active":
        raise RequestFailed("InvalidQualificationTypeState", "This operation can be called with a status of: Active")


def asks_for_masters(written: Sequence[Mapping[str, Any]]) -> bool:
    wanted = (one["QualificationTypeId"] for one in written if one["Comparator"] != "DoesNotExist")
    return any(type_id in (MASTERS, MASTERS_SANDBOX) for type_id in wanted)
