"""HITs on a real marketplace: each once, whatever is lost or killed on the way."""

from __future__ import annotations

import os
import signal
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from beat_the_ai.errors import Declined, InvalidInput, OutOfFunds
from beat_the_ai.marketplace import requesters
from beat_the_ai.mephisto.mturk import expire_all, survey
from beat_the_ai.mephisto.shim import AssignmentState
from beat_the_ai.requester import Label, Requester, client
from tests.marketplace.rehearsal import HIT_TYPE, QUESTION, Rehearsal, store_in
from tests.mephisto.mturk_rig import launching, serving, use
from tests.mephisto.wire import wait_until


@pytest.fixture(scope="module")
def rehearsal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rehearsal]:
    with Rehearsal.started(store_in(tmp_path_factory.mktemp("market"))) as running:
        yield running


@pytest.fixture
def marketplace(rehearsal: Rehearsal, monkeypatch: pytest.MonkeyPatch) -> Iterator[Requester]:
    """The requester's side, without faults."""
    requester = use(monkeypatch, rehearsal)
    yield requester
    rehearsal.control("faults", {"rules": []})
    requester.close()


def fault(rehearsal: Rehearsal, kind: str, *operations: str, times: int = 1) -> None:
    rehearsal.control("faults", {"rules": [{"kind": kind, "operations": operations, "times": times}]})


def labels(marketplace: Requester) -> Counter[str]:
    return Counter(hit.label.unit for hit in survey(marketplace, "pilot").hits)


def new_hit(marketplace: Requester, unit: str = "1") -> str:
    return marketplace.create_hit(Label("pilot", "run", unit), marketplace.hit_type(**HIT_TYPE), QUESTION, 3600)


def test_a_launch_offers_one_hit_per_unit_as_it_is_configured(
    marketplace: Requester, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    required = [
        {"QualificationTypeId": "00000000000000000040", "Comparator": "GreaterThanOrEqualTo", "IntegerValues": [1000]}
    ]
    options: dict[str, Any] = {"lifetime_seconds": 5000, "auto_approval_seconds": 7200, "requirements": required}
    with serving(tmp_path / "run", hits=3, page_url="https://example.org/?a=1&b=2", **options) as run:
        assert not (tmp_path / "home" / ".aws").exists()
        assert run.operator._live_run is not None
        units = run.operator._live_run.task_run.get_units()
        assert {unit.get_status() for unit in units} == {AssignmentState.LAUNCHED}
        assert labels(marketplace) == Counter(unit.db_id for unit in units)
        for hit in marketplace.hits():
            assert hit["RequesterAnnotation"].startswith("beat-the-ai:pilot:")
            assert hit["AutoApprovalDelayInSeconds"] == 7200
            assert hit["AssignmentDurationInSeconds"] == 3600 + 600  # what is written in time can still be submitted
            assert (hit["Expiration"] - hit["CreationTime"]).total_seconds() == pytest.approx(5000, abs=2)
            assert hit["Reward"] == "2.00"
            assert [one["QualificationTypeId"] for one in hit["QualificationRequirements"]] == ["00000000000000000040"]
            assert "<ExternalURL>https://example.org/?a=1&amp;b=2</ExternalURL>" in hit["Question"]
        assert survey(marketplace, "pilot").counts()["open"] == 3
        run.operator.finish()
    assert survey(marketplace, "pilot").counts() == {
        "open": 0,
        "accepted": 0,
        "submitted": 0,
        "decided": 0,
        "expired": 3,
    }


def test_no_requirement_is_added_that_nobody_asked_for(marketplace: Requester, tmp_path: Path) -> None:
    with serving(tmp_path / "run", hits=1):
        assert [hit["QualificationRequirements"] for hit in marketplace.hits()] == [[]]


@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_launch_that_was_killed_between_two_hits_goes_on_to_exactly_ten(
    marketplace: Requester, tmp_path: Path, moment: str
) -> None:
    folder = tmp_path / "run"
    for _ in range(2):  # the second launch dies, too
        with launching(folder, "--hits", "10", "--die", moment, "--at", "4") as process:
            assert process.wait(60) == -signal.SIGKILL
    assert len(labels(marketplace)) == (8 if moment == "after" else 6)
    with serving(folder, hits=10) as run:
        found = labels(marketplace)
        assert len(found) == 10
        assert set(found.values()) == {1}
        run.operator.finish()


def test_after_the_tokens_day_a_killed_launch_still_finds_its_hits(
    marketplace: Requester, rehearsal: Rehearsal, tmp_path: Path
) -> None:
    folder = tmp_path / "run"
    with launching(folder, "--hits", "3", "--die", "after", "--at", "2") as process:
        assert process.wait(60) == -signal.SIGKILL
    rehearsal.advance(hours=25)
    with serving(folder, hits=3):
        assert set(labels(marketplace).values()) == {1}
        assert len(labels(marketplace)) == 3


def test_a_lost_reply_makes_no_second_hit(marketplace: Requester, rehearsal: Rehearsal, tmp_path: Path) -> None:
    fault(rehearsal, "lose_reply", "CreateHITWithHITType", times=2)
    with serving(tmp_path / "run", hits=4):
        assert sorted(labels(marketplace).values()) == [1, 1, 1, 1]


def test_a_launch_serves_what_it_has_offered_when_the_marketplace_stops_answering_and_offers_the_rest_later(
    marketplace: Requester, rehearsal: Rehearsal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "PAUSES_SECONDS", (0.01,))
    fault(rehearsal, "fault", "CreateHITWithHITType", times=2)
    with serving(tmp_path / "run", hits=3, check_seconds=0.2) as run:
        assert httpx.get(f"{run.url}/health", trust_env=False).is_success
        wait_until(lambda: survey(marketplace, "pilot").counts()["open"] == 3, "all are offered")
        assert run.operator._live_run is not None
        assert {unit.get_status() for unit in run.operator._live_run.task_run.get_units()} == {AssignmentState.LAUNCHED}
        run.operator.finish()


def test_a_launch_that_runs_out_of_money_serves_what_it_has_offered(
    rehearsal: Rehearsal, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A HIT costs $2.40."""
    requester = use(monkeypatch, rehearsal, dollars=5)
    with serving(tmp_path / "run", hits=3, check_seconds=0.2) as run:
        assert httpx.get(f"{run.url}/health", trust_env=False).is_success
        assert survey(requester, "pilot").counts()["open"] == 2
        assert "HITs that are not offered yet: 1, since the crowd says: InsufficientFunds" in caplog.text
        with rehearsal.market() as market, market.writing() as moment:
            key = requesters.access_key(moment, os.environ["AWS_ACCESS_KEY_ID"])
            assert key is not None
            requesters.deposit(moment, key.requester_id, 240)
        wait_until(lambda: survey(requester, "pilot").counts()["open"] == 3, "the last one is offered")
        run.operator.finish()
    assert "Traceback" not in caplog.text
    requester.close()


def test_a_launch_of_which_the_crowd_takes_nothing_fails(
    rehearsal: Rehearsal, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    requester = use(monkeypatch, rehearsal, dollars=1)
    with pytest.raises(OutOfFunds), serving(tmp_path / "run", hits=3):
        raise AssertionError("there is nothing to serve")
    requester.close()


@pytest.mark.parametrize("kind", ["throttle", "fault", "lose_reply"])
def test_a_marketplace_in_trouble_is_asked_again(marketplace: Requester, rehearsal: Rehearsal, kind: str) -> None:
    waits: list[float] = []
    patient = Requester.connect(sleep=waits.append)
    fault(rehearsal, kind, times=2)
    hit_id = new_hit(patient)
    assert [hit["HITId"] for hit in marketplace.hits()] == [hit_id]
    assert waits == [1.0, 2.0]
    patient.close()


def test_a_spent_token_leads_to_the_hit_that_it_made(marketplace: Requester) -> None:
    assert new_hit(marketplace) == new_hit(marketplace)
    assert new_hit(marketplace, "2") != new_hit(marketplace)


def test_an_empty_account_is_said_at_once(marketplace: Requester, rehearsal: Rehearsal) -> None:
    fault(rehearsal, "insufficient_funds", "CreateHITWithHITType")
    with pytest.raises(OutOfFunds):
        new_hit(marketplace)


def test_lists_are_read_to_their_end(marketplace: Requester) -> None:
    ids = {new_hit(marketplace, str(number)) for number in range(105)}
    assert {hit["HITId"] for hit in marketplace.hits()} == ids
    assert set(expire_all(marketplace, "pilot")) == ids
    assert expire_all(marketplace, "pilot") == []


def test_a_hit_that_is_gone_is_no_error(marketplace: Requester) -> None:
    hit_id = new_hit(marketplace)
    marketplace.expire(hit_id)
    marketplace.ask("delete_hit", HITId=hit_id)
    marketplace.expire(hit_id)
    found = marketplace.hit(hit_id)
    assert found is None or found["HITStatus"] == "Disposed"
    assert marketplace.hit("3XXXXXXXXXXXXXXXXXXXXXXXXXXXXX") is None


def test_a_wrong_decision_raises(marketplace: Requester) -> None:
    with pytest.raises(Declined, match="AssignmentDoesNotExist"):
        marketplace.approve("3XXXXXXXXXXXXXXXXXXXXXXXXXXXXX")


def test_a_label_is_read_back_and_takes_no_colon() -> None:
    label = Label("pilot", "run", "17")
    assert Label.of({"RequesterAnnotation": label.annotation}) == label
    assert Label.of({"RequesterAnnotation": "somebody else's"}) is None
    assert Label.of({}) is None
    assert len(label.token) == 64
    with pytest.raises(InvalidInput):
        Label("a:b", "run", "1")
