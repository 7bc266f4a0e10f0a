"""Hooks: a target that confirms, and what it is sent."""

from __future__ import annotations

import base64
import hmac
import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import Any

import pytest

from beat_the_ai.recruiter.courier import Courier
from beat_the_ai.recruiter.recruiter import Recruiter
from tests.recruiter.running import CODE, Participant, Researcher

SUBSCRIPTIONS = "/api/v1/hooks/subscriptions/"
PATIENCE_SECONDS = 20


class Target:
    """A server that keeps what it was sent; the first `failures` requests are answered 500."""

    def __init__(self, failures: int = 0) -> None:
        self.received: list[tuple[dict[str, str], bytes]] = []
        self.failures = failures

    @contextmanager
    def listening(self) -> Iterator[str]:
        target = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                target.received.append(({name.lower(): text for name, text in self.headers.items()}, body))
                target.failures -= 1
                self.send_response(500 if target.failures >= 0 else 200)
                self.end_headers()

            def log_message(self, format: str, *args: Any) -> None:
                pass

        server = HTTPServer(("127.0.0.1", 0), Handler)
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/hook"
        server.shutdown()
        server.server_close()

    def wait_for(self, count: int) -> None:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while len(self.received) < count:
            assert time.monotonic() < deadline, f"{len(self.received)} of {count} requests came"
            time.sleep(0.02)


@pytest.fixture
def workspace_id(researcher: Researcher) -> str:
    return str(researcher.ask("GET", "/api/v1/workspaces/")["results"][0]["id"])


def subscribe(researcher: Researcher, workspace_id: str, target: Target, url: str, event_type: str) -> str:
    """Subscribe and confirm with the secret that the target was sent."""
    body = {"event_type": event_type, "target_url": url, "workspace_id": workspace_id}
    [made] = researcher.ask("POST", SUBSCRIPTIONS, body, status=201)["results"]
    assert made["is_enabled"] is False
    target.wait_for(1)
    confirmed = researcher.ask(
        "POST", f"{SUBSCRIPTIONS}{made['id']}/", {"secret": target.received[0][0]["x-hook-secret"]}
    )
    assert confirmed["is_enabled"] is True
    return str(made["id"])


def test_events_are_signed_and_delivered(
    researcher: Researcher, recruiter: Recruiter, workspace_id: str, new_participant: Callable[[], Participant]
) -> None:
    secret = researcher.ask("POST", "/api/v1/hooks/secrets/", {"workspace_id": workspace_id}, status=201)["value"]
    target, person = Target(), new_participant()
    study_id = researcher.publish()
    with target.listening() as url, Courier(recruiter).running():
        subscription_id = subscribe(researcher, workspace_id, target, url, "submission.status.change")
        submission_id = person.work(study_id, CODE)
        target.wait_for(4)
    path = f"{SUBSCRIPTIONS}{subscription_id}/events/"
    statuses = []
    for headers, body in target.received[1:]:
        signed = headers["x-prolific-request-timestamp"].encode() + body
        expected = base64.b64encode(hmac.new(secret.encode(), signed, sha256).digest()).decode()
        assert headers["x-prolific-request-signature"] == expected
        payload = json.loads(body)
        statuses.append(payload.pop("status"))
        assert payload == {
            "event_type": "submission.status.change",
            "resource_id": submission_id,
            "study_id": study_id,
            "participant_id": person.id,
        }
    assert statuses == ["RESERVED", "ACTIVE", "AWAITING REVIEW"]
    events = researcher.ask("GET", path, resource_id=submission_id)["results"]
    assert {one["id"] for one in events} == {headers["x-event-id"] for headers, _ in target.received[1:]}
    assert {one["payload"]["status"] for one in events} == set(statuses)


def test_an_event_is_tried_again(researcher: Researcher, recruiter: Recruiter, workspace_id: str) -> None:
    researcher.ask("POST", "/api/v1/hooks/secrets/", {}, status=201)
    target = Target()
    with target.listening() as url, Courier(recruiter).running():
        subscription_id = subscribe(researcher, workspace_id, target, url, "study.status.change")
        target.failures = 1
        study_id = researcher.publish()
        target.wait_for(3)
        assert target.received[1][0]["x-event-id"] == target.received[2][0]["x-event-id"]
        deadline = time.monotonic() + PATIENCE_SECONDS
        path = f"{SUBSCRIPTIONS}{subscription_id}/events/"
        while not (found := researcher.ask("GET", path, wanted="SUCCEEDED", resource_id=study_id)["results"]):
            assert time.monotonic() < deadline
            time.sleep(0.05)
    assert found[0]["payload"]["status"] == "ACTIVE"


def test_a_subscription_needs_a_secret_and_a_confirmation(researcher: Researcher, workspace_id: str) -> None:
    body = {"event_type": "study.status.change", "target_url": "http://127.0.0.1:9/", "workspace_id": workspace_id}
    researcher.ask("POST", SUBSCRIPTIONS, body, status=400)
    researcher.ask("POST", "/api/v1/hooks/secrets/", {"workspace_id": workspace_id}, status=201)
    for wrong in ({"event_type": "x"}, {"target_url": "file:///etc/passwd"}, {"workspace_id": "other"}):
        answer = researcher.ask("POST", SUBSCRIPTIONS, {**body, **wrong}, status=400)
        assert list(answer["error"]["detail"]) == list(wrong)
    [made] = researcher.ask("POST", SUBSCRIPTIONS, body, status=201)["results"]
    path = f"{SUBSCRIPTIONS}{made['id']}/"
    researcher.ask("PATCH", path, {"is_enabled": True}, status=400)
    researcher.ask("POST", path, {"secret": "guess"}, status=400)
    researcher.publish()
    assert researcher.ask("GET", f"{path}events/")["results"] == []
    assert researcher.ask("GET", SUBSCRIPTIONS)["results"] == []
    assert len(researcher.ask("GET", SUBSCRIPTIONS, is_enabled="false")["results"]) == 1
    researcher.ask("DELETE", path, status=204)
    researcher.ask("GET", path, status=404)
