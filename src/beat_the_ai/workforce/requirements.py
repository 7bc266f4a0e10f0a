"""Requirement sets: what a crowd's workers must have in order to see and accept HITs, as Mechanical Turk writes it.

A set is a file with three lists: for every HIT, for screenings, for the main HITs. `own` stands for the campaign's own
qualification, whose id only the marketplace knows.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from beat_the_ai.errors import InvalidInput
from beat_the_ai.files.data_file import read_data_file
from beat_the_ai.rules.protocol import Value

OWN = "own"
QUALIFICATION_TYPES = {  # Mechanical Turk's own
    "locale": "00000000000000000071",
    "percent_approved": "000000000000000000L0",
    "hits_approved": "00000000000000000040",
    "adult": "00000000000000000060",
    "masters": "2F1QJWKUDD8XADTFD2Q0G6UTO95ALH",
    "masters_sandbox": "2ARFPLSP75KLA8M8DH1HTEQVJT3SY6",
}
MAX_REQUIREMENTS = 10

Country = Annotated[str, Field(pattern=r"^[A-Z]{2}$")]


class Requirement(Value):
    """One condition. `value` for most, `countries` for locale, neither for Exists and DoesNotExist."""

    qualification: str
    comparator: Literal[
        "LessThan",
        "LessThanOrEqualTo",
        "GreaterThan",
        "GreaterThanOrEqualTo",
        "EqualTo",
        "NotEqualTo",
        "Exists",
        "DoesNotExist",
        "In",
        "NotIn",
    ]
    value: Annotated[int, Field(ge=0)] | None = None
    countries: tuple[Country, ...] = ()
    guards: Literal["Accept", "PreviewAndAccept", "DiscoverPreviewAndAccept"] = "Accept"

    def written(self, own_qualification_type_id: str) -> dict[str, Any]:
        """As the requester API takes it."""
        known = {**QUALIFICATION_TYPES, OWN: own_qualification_type_id}
        written: dict[str, Any] = {
            "QualificationTypeId": known.get(self.qualification, self.qualification),
            "Comparator": self.comparator,
            "ActionsGuarded": self.guards,
        }
        if self.value is not None:
            written["IntegerValues"] = [self.value]
        if self.countries:
            written["LocaleValues"] = [{"Country": country} for country in self.countries]
        return written


class RequirementSet(Value):
    """A set by the kind of HIT that it is for."""

    everywhere: tuple[Requirement, ...] = ()
    screening: tuple[Requirement, ...] = ()
    main: tuple[Requirement, ...] = ()

    @property
    def asks_for_own(self) -> bool:
        """Return whether the main HITs require the campaign's own qualification."""
        return any(each.qualification == OWN for each in self.main)


HitKind = Literal["screening", "main"]


def load_requirements(path: Path) -> RequirementSet:
    """A set from its file. Raises `InvalidInput` that says where in the file and what is wrong there."""
    loaded = read_data_file(path, RequirementSet, "requirement set")
    for kind in ("everywhere", "screening", "main"):
        for number, requirement in enumerate(getattr(loaded, kind)):
            _check(f"{path}, {kind}.{number}", requirement)
    for kind, extra in (("screening", loaded.screening), ("main", loaded.main)):
        total = len(loaded.everywhere) + len(extra)
        if total > MAX_REQUIREMENTS:
            raise InvalidInput("requirements", f"{path}: {kind} HITs have {total}; at most {MAX_REQUIREMENTS} go.")
    return loaded


def requirements(of: RequirementSet, own_qualification_type_id: str, hits: HitKind = "main") -> list[dict[str, Any]]:
    """The `QualificationRequirements` of HITs of that kind, for CreateHITType."""
    chosen = of.main if hits == "main" else of.screening
    return [requirement.written(own_qualification_type_id) for requirement in (*of.everywhere, *chosen)]


def _check(where: str, requirement: Requirement) -> None:
    name, comparator = requirement.qualification, requirement.comparator
    if name not in (OWN, *QUALIFICATION_TYPES) and not (name.isalnum() and name.isupper()):
        known = ", ".join((OWN, *QUALIFICATION_TYPES))
        raise InvalidInput(
            "requirements", f"{where}: {name!r} is no qualification. Known: {known}; or a qualification type's id."
        )
    given = [requirement.value is not None, bool(requirement.countries)]
    if comparator in ("Exists", "DoesNotExist"):
        expected, wanted = [False, False], "neither value nor countries"
    elif name == "locale":
        expected, wanted = [False, True], "countries and no value"
        if comparator not in ("EqualTo", "NotEqualTo", "In", "NotIn"):
            raise InvalidInput("requirements", f"{where}: a locale is compared by EqualTo, NotEqualTo, In or NotIn.")
        if comparator in ("EqualTo", "NotEqualTo") and len(requirement.countries) > 1:
            raise InvalidInput("requirements", f"{where}: {comparator} takes one country; for several there is In.")
    else:
        expected, wanted = [True, False], "a value and no countries"
        if comparator in ("In", "NotIn"):
            raise InvalidInput("requirements", f"{where}: {comparator} is for locales; {name} has one value.")
    if given != expected:
        raise InvalidInput("requirements", f"{where}: {name} with {comparator} needs {wanted}.")
