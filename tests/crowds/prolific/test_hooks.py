"""Notifications make the mirror look at once, if Prolific has signed them."""

from __future__ import annotations

import base64
import hashlib
import hmac
import threading
from collections.abc import Iterator
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from beat_the_ai.crowds.prolific.documents import HookSecret
from beat_the_ai.crowds.prolific.hooks import EVENT_ID, PATH, SIGNATURE, TIMESTAMP, Hooks
from beat_the_ai.crowds.prolific.mirror import Mirror
from beat_the_ai.errors import Refused
from beat_the_ai.marketplace.people import store
from tests.crowds.prolific.scene import Scene


@pytest.fixture
def portal(scene: Scene) -> Iterator[list[tuple[dict[str, str], bytes]]]:
    """Collect the requests that arrive at the portal's address."""
    received: list[tuple[dict[str, str], bytes]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if self.path == PATH:
                received.append(({name.lower(): value for name, value in self.headers.items()}, body))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Tests are quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    with scene.market.writing() as moment:
        store.keep_address(moment, f"http://127.0.0.1:{server.server_port}")
    yield received
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_real_notification_is_known_and_any_other_is_refused(
    scene: Scene, portal: list[tuple[dict[str, str], bytes]]
) -> None:
    scene.offer()
    scene.look()
    scene.take_place(scene.recruiter.participant())
    signed = _wait_for_signed(portal)
    headers, body = signed
    now = scene.market.clock.now()
    ahead = float(headers[TIMESTAMP]) - now.timestamp()  # other tests may have moved the recruiter's clock
    at = now.fromtimestamp(now.timestamp() + ahead, now.tzinfo)
    assert scene.hooks.check(headers, body, at)
    assert not scene.hooks.check(headers, body, at)  # it comes at least once
    for wrong in (
        {**headers, SIGNATURE: base64.b64encode(b"x" * 32).decode()},
        {**headers, SIGNATURE: ""},
        {**headers, SIGNATURE: "é"},
        {**headers, TIMESTAMP: str(int(at.timestamp()) + 1)},
        {**headers, SIGNATURE: base64.b64encode(hmac.digest(b"", b"", hashlib.sha256)).decode()},
        {},
    ):
        with pytest.raises(Refused, match="not signed by Prolific"):
            scene.hooks.check(wrong, body, at)
    with pytest.raises(Refused):
        scene.hooks.check({**headers, EVENT_ID: "another"}, body + b" ", at)
    with pytest.raises(Refused):
        scene.hooks.check({**headers, EVENT_ID: "late"}, body, at.fromtimestamp(at.timestamp() + 301, at.tzinfo))


def _wait_for_signed(portal: list[tuple[dict[str, str], bytes]]) -> tuple[dict[str, str], bytes]:
    waiting = threading.Event()
    for _ in range(300):
        signed = [one for one in portal if SIGNATURE in one[0]]
        if signed:
            return signed[0]
        waiting.wait(0.1)
    raise AssertionError("no notification came")


def secrets_of(scene: Scene) -> list[HookSecret]:
    with closing(scene.client()) as client:
        return client.get_secrets(scene.followed.terms.workspace)


def test_subscribing_happens_once_and_keeps_a_secret_that_is_there(scene: Scene, portal: object) -> None:
    scene.offer()
    scene.look(3)
    assert scene.transport.asked("POST", "/hooks/subscriptions/") <= 1
    before = secrets_of(scene)
    Mirror(scene.market, lambda followed: scene.client(), Hooks()).look()  # as after a restart, when its lease is over
    scene.wait(16)
    Mirror(scene.market, lambda followed: scene.client(), Hooks()).look()
    assert secrets_of(scene) == before
    assert scene.transport.asked("POST", "/hooks/subscriptions/") <= 1
