"""Requirement sets: the shipped ones are what they say, and valid for the service; mistakes are named."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from botocore.validate import ParamValidator

from beat_the_ai.errors import InvalidInput
from beat_the_ai.marketplace.api.service_model import operation_model
from beat_the_ai.marketplace.api.validation import read_members
from beat_the_ai.marketplace.requirements import SYSTEM_TYPES
from beat_the_ai.workforce.requirements import (
    QUALIFICATION_TYPES,
    HitKind,
    load_requirements,
    requirements,
)

SETS = Path(__file__).parents[2] / "qualification" / "requirements"
OWN_TYPE = "3" + "A" * 29
OWN_ONE = {
    "QualificationTypeId": OWN_TYPE,
    "Comparator": "EqualTo",
    "IntegerValues": [1],
    "ActionsGuarded": "DiscoverPreviewAndAccept",
}


def of(name: str, hits: HitKind = "main") -> list[dict[str, Any]]:
    return requirements(load_requirements(SETS / f"{name}.yaml"), OWN_TYPE, hits)


def assert_valid(written: list[dict[str, Any]]) -> None:
    """As boto3 checks it, and as the service itself does (enums, patterns, maxima)."""
    shape = operation_model("CreateHITType").input_shape
    assert shape is not None
    request = {
        "Title": "t",
        "Description": "d",
        "Reward": "2.00",
        "AssignmentDurationInSeconds": 3600,
        "QualificationRequirements": written,
    }
    assert not ParamValidator().validate(request, shape).has_errors()
    read_members(shape, request, "CreateHITType")


@pytest.mark.parametrize("hits", ["screening", "main"])
@pytest.mark.parametrize("name", sorted(path.stem for path in SETS.glob("*.yaml")))
def test_every_shipped_set_is_valid_for_the_service(name: str, hits: HitKind) -> None:
    assert_valid(of(name, hits))


def test_the_papers_set_is_the_papers() -> None:
    assert of("paper") == [
        {
            "QualificationTypeId": "00000000000000000071",
            "Comparator": "In",
            "LocaleValues": [{"Country": "CA"}, {"Country": "GB"}, {"Country": "US"}],
            "ActionsGuarded": "Accept",
        },
        {
            "QualificationTypeId": "000000000000000000L0",
            "Comparator": "GreaterThan",
            "IntegerValues": [98],
            "ActionsGuarded": "Accept",
        },
        {
            "QualificationTypeId": "00000000000000000040",
            "Comparator": "GreaterThanOrEqualTo",
            "IntegerValues": [1000],
            "ActionsGuarded": "Accept",
        },
        OWN_ONE,
    ]


def test_screenings_are_for_those_without_the_qualification() -> None:
    without = {"QualificationTypeId": OWN_TYPE, "Comparator": "DoesNotExist", "ActionsGuarded": "Accept"}
    assert of("open", "screening") == [without]
    assert of("open") == [OWN_ONE]
    assert of("paper", "screening") == [*of("paper")[:3], without]
    assert of("masters")[0]["QualificationTypeId"] == "2F1QJWKUDD8XADTFD2Q0G6UTO95ALH"


def test_the_services_own_qualifications_have_its_ids() -> None:
    assert set(QUALIFICATION_TYPES.values()) == set(SYSTEM_TYPES)


@pytest.mark.parametrize(
    ("requirement", "expected"),
    [
        ({"qualification": "aproval", "comparator": "Exists"}, "'aproval' is no qualification. Known: own, locale"),
        ({"qualification": "own", "comparator": "Is", "value": 1}, "main.0.comparator"),
        ({"qualification": "own", "comparator": "EqualTo"}, "own with EqualTo needs a value"),
        ({"qualification": "own", "comparator": "Exists", "value": 1}, "needs neither value nor countries"),
        ({"qualification": "own", "comparator": "In", "value": 1}, "In is for locales"),
        ({"qualification": "locale", "comparator": "In", "value": 1}, "needs countries and no value"),
        ({"qualification": "locale", "comparator": "In", "countries": ["Canada"]}, "main.0.countries.0"),
        ({"qualification": "locale", "comparator": "EqualTo", "countries": ["CA", "US"]}, "for several there is In"),
        ({"qualification": "locale", "comparator": "LessThan", "countries": ["CA"]}, "a locale is compared by"),
        ({"qualification": "own", "comparator": "EqualTo", "value": -1}, "main.0.value"),
        ({"qualification": "own", "comparator": "EqualTo", "value": "1"}, "main.0.value"),
        ({"qualification": "own", "comparator": "EqualTo", "value": 1, "guards": "Nothing"}, "main.0.guards"),
    ],
)
def test_mistakes_are_named_with_their_place(tmp_path: Path, requirement: dict[str, Any], expected: str) -> None:
    path = tmp_path / "set.yaml"
    path.write_text(yaml.safe_dump({"main": [requirement]}))
    with pytest.raises(InvalidInput) as caught:
        load_requirements(path)
    assert "set.yaml" in str(caught.value)
    assert expected in str(caught.value)


def test_more_than_the_service_takes_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "set.yaml"
    path.write_text(yaml.safe_dump({"main": [{"qualification": "own", "comparator": "Exists"}] * 11}))
    with pytest.raises(InvalidInput, match="main HITs have 11; at most 10"):
        load_requirements(path)


def test_qualifications_of_other_campaigns_go_by_their_id(tmp_path: Path) -> None:
    path = tmp_path / "set.yaml"
    path.write_text(yaml.safe_dump({"everywhere": [{"qualification": "3B" * 15, "comparator": "DoesNotExist"}]}))
    assert [each["QualificationTypeId"] for each in requirements(load_requirements(path), OWN_TYPE)] == ["3B" * 15]
    assert_valid(requirements(load_requirements(path), OWN_TYPE))
