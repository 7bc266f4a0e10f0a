"""A marketplace server in a process of its own, and the people who use it in tests."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import boto3
import httpx
from botocore.config import Config

from beat_the_ai.marketplace import requesters
from beat_the_ai.marketplace.api.validation import read_members
from beat_the_ai.marketplace.market import Market, open_market
from beat_the_ai.marketplace.requesters import AccessKey
from beat_the_ai.marketplace.workers import Worker, add_worker
from beat_the_ai.marketplace.workplace import Workplace
from tests.processes import OWNER

if TYPE_CHECKING:
    from types_boto3_mturk import MTurkClient

NUMBERS = count(1)
QUESTION = (
    '<ExternalQuestion xmlns="http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas/2006-07-14/'
    'ExternalQuestion.xsd"><ExternalURL>https://example.org/task?a=1&amp;b=2</ExternalURL>'
    "<FrameHeight>600</FrameHeight></ExternalQuestion>"
)
HIT_TYPE: dict[str, Any] = {
    "AssignmentDurationInSeconds": 3600,
    "AutoApprovalDelayInSeconds": 86_400,
    "Reward": "2.00",
    "Title": "Write questions",
    "Description": "Write questions that the AI gets wrong",
    "Keywords": "questions, AI",
}
HIT: dict[str, Any] = {**HIT_TYPE, "LifetimeInSeconds": 7 * 86_400, "Question": QUESTION}


@dataclass
class Rehearsal:
    """A running server. `control` speaks to what only rehearsals have."""

    process: subprocess.Popen[str]
    store: str
    address: str
    token: str
    owner: str = field(default_factory=lambda: os.environ.get(OWNER, ""))

    @classmethod
    @contextmanager
    def started(cls, store: str, port: int = 0, options: Sequence[str] = ()) -> Iterator[Rehearsal]:
        running = cls(*_start(store, port, options))
        try:
            yield running
        finally:
            running.process.terminate()
            running.process.wait(60)
            assert running.process.stdout is not None
            running.process.stdout.close()

    def start_again(self) -> None:
        """At the same address, after a kill."""
        assert self.process.stdout is not None
        self.process.stdout.close()
        port = int(self.address.rpartition(":")[2])
        self.process, _, _, self.token = _start(self.store, port, owner=self.owner)

    def kill(self) -> None:
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait(60)

    def control(self, name: str, content: dict[str, Any]) -> Any:
        headers = {"Authorization": f"Bearer {self.token}"}
        response = httpx.post(f"{self.address}/rehearsal/{name}", json=content, headers=headers, timeout=60)
        assert response.status_code == 200, response.text
        return response.json()

    def advance(self, **duration: float) -> None:
        from datetime import timedelta

        self.control("clock", {"advance_seconds": timedelta(**duration).total_seconds()})

    @contextmanager
    def market(self) -> Iterator[Market]:
        """The same store from this process, at the same time of its clock."""
        opened = open_market(self.store)
        try:
            yield opened
        finally:
            opened.close()

    @contextmanager
    def workplace(self) -> Iterator[Workplace]:
        with self.market() as market:
            yield Workplace(market)

    def new_requester(self, dollars: int = 100) -> AccessKey:
        with self.market() as market, market.writing() as moment:
            return requesters.add_requester(moment, f"lab {next(NUMBERS)} {os.urandom(4).hex()}", dollars * 100)[1]

    def new_worker(self, **properties: Any) -> str:
        worker_id = f"AWORKER{next(NUMBERS)}X{os.urandom(4).hex().upper()}"
        with self.market() as market, market.writing() as moment:
            add_worker(moment, Worker(worker_id, **{"country": "US", **properties}))
        return worker_id

    def client(self, key: AccessKey, attempts: int = 1) -> MTurkClient:
        """boto3's own, every answer checked against the service model in full."""
        client = boto3.client(
            "mturk",
            region_name="us-east-1",
            endpoint_url=self.address,
            aws_access_key_id=key.id,
            aws_secret_access_key=key.secret,
            config=Config(retries={"total_max_attempts": attempts, "mode": "standard"}, read_timeout=30),
        )
        client.meta.events.register("after-call.mturk", check_answer)
        return client

    def submit(self, hit_id: str, worker_id: str, answers: dict[str, str] | None = None) -> str:
        """A worker accepts and submits; returns the assignment's id."""
        with self.workplace() as workplace:
            assignment = workplace.accept(worker_id, hit_id)
            workplace.submit(worker_id, assignment.id, (answers or {"q": "a"}).items())
            return assignment.id


def _start(
    store: str, port: int, options: Sequence[str] = (), owner: str | None = None
) -> tuple[subprocess.Popen[str], str, str, str]:
    """`owner` is whoever it lives as long as, otherwise the test or fixture that is being run."""
    command = [sys.executable, "-m", "beat_the_ai.cli", "marketplace", "serve", "--rehearsal", "--store", store]
    environment = os.environ if owner is None else {**os.environ, OWNER: owner}
    command += ["--port", str(port), *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
    assert process.stdout is not None
    printed = json.loads(process.stdout.readline())
    return process, store, printed["address"], printed["control_token"]


def check_answer(http_response: Any, model: Any, **_: Any) -> None:
    if http_response.status_code == 200 and model.output_shape is not None:
        read_members(model.output_shape, json.loads(http_response.content), model.name)


def store_in(folder: Path) -> str:
    return f"sqlite:///{folder}/market.db"
