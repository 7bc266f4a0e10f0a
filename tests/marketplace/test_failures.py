"""Failures on purpose and real ones: lost replies, throttling, a killed server."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from botocore.exceptions import ClientError, ConnectionClosedError, EndpointConnectionError

from beat_the_ai.errors import StoreError
from beat_the_ai.marketplace.server import serve
from tests.marketplace.desk import check_hits, check_ledger, rows
from tests.marketplace.rehearsal import HIT, Rehearsal, store_in


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rehearsal]:
    with Rehearsal.started(store_in(tmp_path_factory.mktemp("failing"))) as running:
        yield running


@pytest.fixture
def alone(server: Rehearsal) -> Iterator[Rehearsal]:
    """A server apart from the other modules': faults hit everybody."""
    yield server
    switch(server)


def switch(server: Rehearsal, *rules: dict[str, Any], seed: int = 1) -> None:
    server.control("faults", {"seed": seed, "rules": list(rules)})


def bonus(server: Rehearsal, client: Any, **changes: Any) -> dict[str, Any]:
    """The members of a bonus for submitted work."""
    worker = server.new_worker()
    assignment_id = server.submit(client.create_hit(**HIT)["HIT"]["HITId"], worker)
    return {"WorkerId": worker, "AssignmentId": assignment_id, "BonusAmount": "1.00", "Reason": "key", **changes}


def test_a_lost_reply_pays_twice_without_a_token_and_once_with_one(alone: Rehearsal) -> None:
    client = alone.client(alone.new_requester(), attempts=2)  # boto3 repeats it silently
    sent = bonus(alone, client)
    lose: dict[str, Any] = {"kind": "lose_reply", "operations": ["SendBonus"], "times": 1}
    switch(alone, lose)
    client.send_bonus(**sent)
    assert client.list_bonus_payments(AssignmentId=sent["AssignmentId"])["NumResults"] == 2
    switch(alone, lose)
    with pytest.raises(ClientError, match='"token" has already been processed'):
        client.send_bonus(**sent, UniqueRequestToken="token")
    assert client.list_bonus_payments(AssignmentId=sent["AssignmentId"])["NumResults"] == 3
    with alone.market() as market:
        check_ledger(market)


def test_a_lost_reply_looks_like_a_broken_connection(alone: Rehearsal) -> None:
    client = alone.client(alone.new_requester())
    switch(alone, {"kind": "lose_reply"})
    with pytest.raises(ConnectionClosedError):
        client.create_hit(**HIT)
    switch(alone)
    assert len(client.list_hits()["HITs"]) == 1


def test_errors_on_demand_change_nothing(alone: Rehearsal) -> None:
    client = alone.client(alone.new_requester())
    for kind, expected in (
        ("throttle", r"ThrottlingException.*Rate exceeded"),
        ("fault", r"ServiceFault"),
        ("insufficient_funds", r"insufficient funds"),
    ):
        switch(alone, {"kind": kind, "operations": ["CreateHIT"]})
        with pytest.raises(ClientError, match=expected):
            client.create_hit(**HIT)
        assert client.list_hits()["HITs"] == []
    patient = alone.client(alone.new_requester(), attempts=3)
    switch(alone, {"kind": "throttle", "times": 1}, {"kind": "fault", "times": 1})
    assert patient.create_hit(**HIT)["HIT"]["HITStatus"] == "Assignable"


def test_a_delay_is_waited_for(alone: Rehearsal) -> None:
    client = alone.client(alone.new_requester())
    switch(alone, {"kind": "delay", "seconds": 0.5})
    began = time.monotonic()
    client.get_account_balance()
    assert time.monotonic() - began >= 0.5


def test_the_same_seed_strikes_the_same_requests(alone: Rehearsal) -> None:
    client = alone.client(alone.new_requester())

    def struck() -> list[bool]:
        switch(alone, {"kind": "throttle", "probability": 0.5}, seed=7)
        outcomes = []
        for _ in range(20):
            try:
                client.get_account_balance()
                outcomes.append(False)
            except ClientError:
                outcomes.append(True)
        return outcomes

    first = struck()
    assert first == struck()
    assert {True, False} == set(first)


def test_a_kill_between_commit_and_reply_doubles_nothing(tmp_path: Path) -> None:
    with Rehearsal.started(store_in(tmp_path)) as first:
        key = first.new_requester()
        client = first.client(key)
        sent = bonus(first, client, UniqueRequestToken="once")
        switch(first, {"kind": "delay_reply", "seconds": 60, "operations": ["SendBonus", "CreateHIT"]})
        calls = [lambda: client.send_bonus(**sent), lambda: client.create_hit(**HIT, UniqueRequestToken="once")]
        threads = [threading.Thread(target=_broken_off, args=(call,)) for call in calls]
        for thread in threads:
            thread.start()
        with first.market() as market:
            deadline = time.monotonic() + 20
            while not rows(market, "bonuses") or len(rows(market, "hits")) < 2:
                assert time.monotonic() < deadline
                time.sleep(0.02)
        first.kill()
        for thread in threads:
            thread.join(20)
            assert not thread.is_alive()
    with Rehearsal.started(store_in(tmp_path)) as second:
        client = second.client(key)
        with pytest.raises(ClientError, match='"once" has already been processed'):
            client.send_bonus(**sent)
        with pytest.raises(ClientError, match='"once" has already been processed'):
            client.create_hit(**HIT, UniqueRequestToken="once")
        assert client.list_bonus_payments(AssignmentId=sent["AssignmentId"])["NumResults"] == 1
        assert len(client.list_hits()["HITs"]) == 2
        with second.market() as market:
            check_ledger(market)
            check_hits(market)


def _broken_off(call: Any) -> None:
    with pytest.raises((ConnectionClosedError, EndpointConnectionError)):
        call()


def test_a_rehearsals_clock_goes_on_where_it_stood_and_is_no_production_clock(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    with Rehearsal.started(store) as first:
        key = first.new_requester()
        client = first.client(key)
        hit_id, worker = client.create_hit(**HIT)["HIT"]["HITId"], first.new_worker()
        first.submit(hit_id, worker)
        first.advance(days=2)
        [decided] = client.list_assignments_for_hit(HITId=hit_id)["Assignments"]
        assert decided["AssignmentStatus"] == "Approved"
    with Rehearsal.started(store) as second:
        made = second.client(key).create_hit(**HIT)["HIT"]
        assert (made["CreationTime"] - decided["AutoApprovalTime"]).total_seconds() > 86_000
    with pytest.raises(StoreError, match="rehearsal"):
        serve(store)


def test_the_control_api_asks_for_its_token_and_checks_what_it_is_given(alone: Rehearsal) -> None:
    clock = f"{alone.address}/rehearsal/clock"
    assert httpx.post(clock, json={"advance_seconds": 1}).status_code == 401
    headers = {"Authorization": f"Bearer {alone.token}"}
    bad: list[tuple[str, Any]] = [
        ("clock", {"advance_seconds": -1}),
        ("clock", {"advance_seconds": "1"}),
        ("clock", []),
        ("workers", {"id": "lower"}),
        ("workers", {"id": "A1", "locale": "Mars"}),
        ("workers", {"id": "A1", "approval_rate": 101}),
        ("codes", {"id": "ANOBODY"}),
        ("deposits", {"requester": "nobody", "dollars": "1"}),
        ("deposits", {"requester": "nobody", "dollars": "-1"}),
        ("faults", {"rules": [{"kind": "meteor"}]}),
        ("faults", {"rules": [{"kind": "fault", "operations": ["Nothing"]}]}),
        ("faults", {"rules": [{"kind": "fault", "probability": 2}]}),
        ("faults", {"rules": [{"nonsense": 1}]}),
        ("faults", {"rules": "all"}),
    ]
    for name, content in bad:
        answered = httpx.post(f"{alone.address}/rehearsal/{name}", json=content, headers=headers)
        assert answered.status_code == 400, (name, content)
        assert answered.json()["error"]
    made = alone.control("workers", {"id": "ANEW", "locale": "US-CA", "approved": 1500, "approval_rate": 99})
    assert (made["country"], made["subdivision"], made["prior_approved"]) == ("US", "CA", 1500)
    renewed = alone.control("codes", {"id": "ANEW"})
    assert renewed.keys() == {"id", "access_code"}
    assert renewed["access_code"] != made["access_code"]
    taken = httpx.post(f"{alone.address}/rehearsal/workers", json={"id": "ANEW"}, headers=headers)
    assert (taken.status_code, "already" in taken.json()["error"]) == (409, True)
    switch(alone, {"kind": "throttle", "times": 1})
    struck = httpx.get(f"{alone.address}/rehearsal/faults", headers=headers).json()
    assert [rule["struck"] for rule in struck["rules"]] == [0]


def test_failures_strike_the_portal_when_they_name_it(alone: Rehearsal) -> None:
    door = f"{alone.address}/worker/sign-in"
    switch(alone, {"kind": "throttle"})
    assert httpx.get(door).status_code == 200
    rules = [{"kind": kind, "operations": ["WorkerPortal"], "times": 1} for kind in ("throttle", "fault", "lose_reply")]
    switch(alone, *rules)
    assert "Too many requests at once" in (throttled := httpx.get(door)).text
    assert throttled.status_code == 429
    assert httpx.get(door).status_code == 500
    with pytest.raises(httpx.RemoteProtocolError):
        httpx.get(door)
    assert httpx.get(door).status_code == 200
