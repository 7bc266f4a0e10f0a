"""Delivers event notifications to queues (SQS) and topics (SNS), by AWS's own client and at least once.

It only ever calls the servers that the operator named: AWS, or one on this machine that speaks the same protocol. What
cannot be delivered is tried again, later and later, and given up after about a day.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from threading import Event, Thread
from typing import Any

import boto3
import sqlalchemy as sa
from botocore import UNSIGNED
from botocore.config import Config

from beat_the_ai.errors import InvalidInput
from beat_the_ai.marketplace.market import Market
from beat_the_ai.marketplace.notifications import Endpoints
from beat_the_ai.marketplace.tables import deliveries, hit_types, outbox

log = logging.getLogger(__name__)

LOOKS_EVERY_SECONDS = 1.0
AT_ONCE = 20
MAX_PAUSE_SECONDS = 3_600
MAX_TRIES = 36


class Courier:
    """`running()` delivers in a thread of its own, for as long as the block lasts."""

    def __init__(self, market: Market, endpoints: Endpoints) -> None:
        self._market = market
        self._clients = {transport: _client(transport.lower(), url) for transport, url in endpoints.items()}
        self._over = Event()

    @contextmanager
    def running(self) -> Iterator[None]:
        thread = Thread(target=self._run, name="courier", daemon=True)
        self._complain_of_what_waits()
        if self._clients:
            thread.start()
        try:
            yield
        finally:
            self._over.set()
            if self._clients:
                thread.join()

    def _complain_of_what_waits(self) -> None:
        """For servers that this process was started without, and the last one was not."""
        waiting = sa.select(deliveries.c.transport, sa.func.count()).group_by(deliveries.c.transport)
        asked = sa.select(hit_types.c.notification).where(hit_types.c.notifying)
        with self._market.reading() as moment:
            undelivered = {row[0]: row[1] for row in moment.connection.execute(waiting)}
            wanted = {each["Transport"] for each in moment.connection.scalars(asked) if each}
        for transport in sorted((undelivered.keys() | wanted) - self._clients.keys()):
            log.error(
                "Requesters get no notifications by %s, which they have asked for, and %d wait: this server was "
                "started without --%s. Start it again with it.",
                transport,
                undelivered.get(transport, 0),
                transport.lower(),
            )

    def _run(self) -> None:
        while not self._over.wait(LOOKS_EVERY_SECONDS):
            try:
                for transport in self._clients:
                    self.deliver(transport)
            except Exception:  # whatever it was, the next look may succeed; the requests are not disturbed
                log.exception("Notifications could not be delivered")

    def deliver(self, transport: str) -> None:
        """Once round what is due by this transport."""
        columns: list[sa.ColumnElement[Any]] = [deliveries.c.outbox_number, deliveries.c.tries]
        columns += [outbox.c[name] for name in ("recipient", "subject", "body")]
        due = sa.select(*columns).join(outbox, outbox.c.number == deliveries.c.outbox_number)
        with self._market.reading() as moment:
            now_due = due.where(deliveries.c.transport == transport, deliveries.c.due_at <= moment.now)
            rows = moment.connection.execute(now_due.order_by(deliveries.c.due_at).limit(AT_ONCE)).all()
        for row in rows:
            if self._over.is_set():
                return
            try:
                self._send(transport, row)
            except Exception as error:  # noqa: BLE001 - whatever a server answers, the others do not wait behind this
                self._postpone(row, error)
            else:
                self._done(row.outbox_number)

    def _send(self, transport: str, row: sa.Row[Any]) -> None:
        client = self._clients[transport]
        if transport == "SQS":
            client.send_message(QueueUrl=row.recipient, MessageBody=row.body)
        else:
            client.publish(TopicArn=row.recipient, Subject=row.subject, Message=row.body)

    def _postpone(self, row: sa.Row[Any], error: Exception) -> None:
        tries = row.tries + 1
        if tries >= MAX_TRIES:
            log.error("A notification to %s is given up after %d tries: %s", row.recipient, tries, error)
            self._done(row.outbox_number)
            return
        pause = timedelta(seconds=min(2 ** min(tries, 12), MAX_PAUSE_SECONDS))
        log.warning("A notification to %s is tried again in %s: %s", row.recipient, pause, error)
        with self._market.writing() as moment:
            here = sa.update(deliveries).filter_by(outbox_number=row.outbox_number)
            moment.connection.execute(here.values(tries=tries, due_at=moment.now + pause))

    def _done(self, outbox_number: int) -> None:
        with self._market.writing() as moment:
            moment.connection.execute(sa.delete(deliveries).filter_by(outbox_number=outbox_number))


def _client(service: str, url: str) -> Any:
    """With the operator's AWS credentials; servers on this machine need none. Raises `InvalidInput`."""
    if not url.startswith(("http://", "https://")):
        raise InvalidInput(service, f"--{service} was {url[:80]!r}; an address like http://127.0.0.1:4566 is needed.")
    session = boto3.Session()
    signing = {} if session.get_credentials() else {"signature_version": UNSIGNED}
    once = Config(connect_timeout=5, read_timeout=10, retries={"total_max_attempts": 1}, **signing)
    region = session.region_name or "us-east-1"
    return session.client(service, endpoint_url=url, region_name=region, config=once)  # type: ignore[call-overload]
