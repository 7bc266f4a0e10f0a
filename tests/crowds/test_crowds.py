"""Each crowd by its name: sites, keys, entrance, and a provider of Mephisto of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from beat_the_ai.crowds import NAMES, crowd_of
from beat_the_ai.crowds.registry import CROWDS
from beat_the_ai.errors import InvalidInput, UnknownName
from beat_the_ai.marketplace.people import store
from beat_the_ai.mephisto.mturk import CampaignProvider
from beat_the_ai.mephisto.shim import get_crowd_provider_from_type
from beat_the_ai.terms.crowd import CrowdTerms, RecruiterTerms

ROOT = Path(__file__).parents[2]
PORTAL = "http://127.0.0.1:8700"
RECRUITER = RecruiterTerms(person="PID", session="SID", finish_url="https://recruiter.example/cc={code}", done="D1")


def own(folder: Path, **changes: Any) -> CrowdTerms:
    terms = {"provider": "own", "endpoint_url": PORTAL, "people": str(folder / "people"), **changes}
    return CrowdTerms.model_validate(terms)


def test_every_crowd_is_a_configuration_group_and_a_module() -> None:
    assert sorted(path.stem for path in (ROOT / "hydra_configs" / "crowd").glob("*.yaml")) == sorted(NAMES)
    for name in CROWDS:
        assert crowd_of(CrowdTerms(provider=name))
    with pytest.raises(UnknownName, match="Available: link, mturk, own"):
        crowd_of(CrowdTerms(provider="mock"))


@pytest.mark.parametrize("name", CROWDS)
def test_mephisto_keeps_each_crowd_apart(name: str) -> None:
    provider = get_crowd_provider_from_type(name)
    assert issubclass(provider, CampaignProvider)
    classes = (provider, provider.UnitClass, provider.RequesterClass, provider.WorkerClass, provider.AgentClass)
    assert {one.PROVIDER_TYPE for one in classes} == {name}
    assert provider.ArgsClass()._provider_type == name


def test_pages_are_shown_by_the_portal_under_both_of_its_addresses(tmp_path: Path) -> None:
    with store.people_at(str(tmp_path / "people"), create=True) as market, market.writing() as moment:
        store.keep_address(moment, "https://work.example.org/")
    terms = own(tmp_path)
    sites = ("http://127.0.0.1:8700", "http://localhost:8700", "https://work.example.org")
    assert crowd_of(terms).sites(terms) == sites
    assert crowd_of(terms).entrance(terms, "label", "Title", once=False) == "https://work.example.org/worker"


def test_a_requester_of_ones_own_people_has_a_key_that_only_the_store_holds(tmp_path: Path) -> None:
    terms = own(tmp_path)
    with pytest.raises(InvalidInput, match="There are no people"):
        crowd_of(terms).connect(terms)
    with store.people_at(terms.people or "", create=True):
        pass
    first, second = crowd_of(terms).connect(terms), crowd_of(terms).connect(terms)
    assert first.secret_key == second.secret_key != ""
    assert first.secret_key not in repr(terms.model_dump())
    first.close()
    second.close()


def test_the_entrance_of_a_study_is_the_same_after_every_restart(tmp_path: Path) -> None:
    terms = own(tmp_path, provider="link", recruiter=RECRUITER)
    crowd = crowd_of(terms)
    address = crowd.entrance(terms, "pilot-1-writing", "Title", once=False)
    assert address is not None
    assert address.startswith(f"{PORTAL}/worker/study/")
    assert address.endswith("?PID={PID}&SID={SID}")
    assert crowd.entrance(terms, "pilot-1-writing", "Title", once=False) == address
    assert crowd.entrance(terms, "pilot-1-validation", "Title", once=False) != address
    with pytest.raises(InvalidInput, match="how people come and go"):
        crowd.entrance(own(tmp_path, provider="link"), "label", "Title", once=False)


@pytest.mark.parametrize(
    "finish_url",
    [
        "javascript:alert(1)//{code}",
        "recruiter.example",
        "https://a b.example",
        "https://x.org/{id}",
        "//x",
        "https://[x/{code}",
    ],
)
def test_people_go_back_to_an_address_of_the_web_only(finish_url: str) -> None:
    with pytest.raises(ValueError, match="finish_url"):
        RecruiterTerms(person="PID", finish_url=finish_url, done="D1")


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"done": None}, "done needs a code"),
        ({"done": "returned"}, "not those of returned"),
        ({"hits_each": 2}, "partial needs a code"),
        ({"session": "PID"}, "two parameters of the link"),
        ({"person": "form_token"}, "the portal uses form_token itself"),
    ],
)
def test_terms_of_a_recruiter_that_could_not_work_are_refused(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        RecruiterTerms.model_validate({**RECRUITER.model_dump(), **changes})
    assert RecruiterTerms(person="PID", finish_url="https://x.example/thanks").done is None
