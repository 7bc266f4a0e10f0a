"""Delivers challenges and events to the targets of subscriptions, each at least once.

What cannot be delivered is tried again, later and later, and given up after `MAX_TRIES`.
"""

from __future__ import annotations

import base64
import hmac
import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from hashlib import sha256
from threading import Event, Thread
from typing import Any

import httpx
import sqlalchemy as sa

from beat_the_ai.recruiter import hooks
from beat_the_ai.recruiter.api.hooks import CHALLENGE_HEADER
from beat_the_ai.recruiter.recruiter import Recruiter
from beat_the_ai.recruiter.tables import events, subscriptions

log = logging.getLogger(__name__)

LOOKS_EVERY_SECONDS = 0.25
PATIENCE_SECONDS = 10
AT_ONCE = 20
MAX_TRIES = 12
MAX_PAUSE_SECONDS = 3600


class Courier:
    """`running()` delivers in a thread of its own, for as long as the block lasts."""

    def __init__(self, recruiter: Recruiter) -> None:
        self._recruiter = recruiter
        self._over = Event()

    @contextmanager
    def running(self) -> Iterator[None]:
        thread = Thread(target=self._run, name="courier", daemon=True)
        thread.start()
        try:
            yield
        finally:
            self._over.set()
            thread.join(PATIENCE_SECONDS)

    def _run(self) -> None:
        with httpx.Client(timeout=PATIENCE_SECONDS, follow_redirects=False, trust_env=False) as client:
            while not self._over.wait(LOOKS_EVERY_SECONDS):
                try:
                    self._challenge(client)
                    self._deliver(client)
                except Exception:  # whatever it was, the next look may succeed; the requests are not disturbed
                    log.exception("Events could not be delivered")

    def _challenge(self, client: httpx.Client) -> None:
        for row in self._due(subscriptions, subscriptions.c.challenge_due_at):
            is_done = self._post(client, row.target_url, b"{}", {CHALLENGE_HEADER: row.challenge})
            tries = row.challenge_tries + 1
            with self._recruiter.writing() as moment:
                again = None if is_done or tries >= MAX_TRIES else moment.now + _pause(tries)
                here = sa.update(subscriptions).filter_by(id=row.id, challenge=row.challenge)
                moment.connection.execute(here.values(challenge_tries=tries, challenge_due_at=again))

    def _deliver(self, client: httpx.Client) -> None:
        for row in self._due(events, events.c.due_at):
            body = json.dumps(row.payload).encode()
            is_done = self._post(client, row.target_url, body, self._signed(row.id, body))
            tries = row.tries + 1
            with self._recruiter.writing() as moment:
                is_over = is_done or tries >= MAX_TRIES
                status = "SUCCEEDED" if is_done else "FAILED" if is_over else "PENDING"
                again = None if is_over else moment.now + _pause(tries)
                here = sa.update(events).filter_by(id=row.id, status="PENDING")
                values = {"status": status, "tries": tries, "due_at": again, "updated_at": moment.now}
                moment.connection.execute(here.values(values))

    def _due(self, table: sa.Table, due_at: sa.Column[datetime]) -> list[sa.Row[Any]]:
        with self._recruiter.reading() as moment:
            query = sa.select(table).where(due_at <= moment.now).order_by(due_at, table.c.number).limit(AT_ONCE)
            return [] if self._over.is_set() else list(moment.connection.execute(query))

    def _signed(self, event_id: str, body: bytes) -> dict[str, str]:
        with self._recruiter.reading() as moment:
            secret, timestamp = hooks.find_secret(moment), str(int(moment.now.timestamp()))
        assert secret is not None, "a subscription needs a secret first"
        signature = hmac.new(secret.value.encode(), timestamp.encode() + body, sha256).digest()
        return {
            "X-Prolific-Request-Timestamp": timestamp,
            "X-Prolific-Request-Signature": base64.b64encode(signature).decode(),
            "X-Event-ID": event_id,
        }

    def _post(self, client: httpx.Client, url: str, body: bytes, headers: dict[str, str]) -> bool:
        """Return whether the target has answered 2xx."""
        try:
            answer = client.post(url, content=body, headers={"Content-Type": "application/json", **headers})
        except (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError) as error:
            log.warning("A hook's target does not answer, it is tried again: %s", type(error).__name__)
            return False
        return answer.is_success


def _pause(tries: int) -> timedelta:
    return timedelta(seconds=min(0.5 * 2**tries, MAX_PAUSE_SECONDS))
