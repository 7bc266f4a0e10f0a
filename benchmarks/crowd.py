"""Workers on this suite's own marketplace who hold HITs, without the portal's pages and its slow hashes of codes.

They accept and submit in the marketplace's store, where the portal does it, and the addresses of their pages are signed
as the portal signs them: operator and router cannot tell the difference.
"""

from __future__ import annotations

import asyncio
import json
import random
import time
import uuid
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any

import httpx

from beat_the_ai.marketplace.market import open_market
from beat_the_ai.marketplace.workers import Worker, add_worker
from beat_the_ai.marketplace.workplace import Workplace
from beat_the_ai.simulation.page import PageClient
from beat_the_ai.web.signed_assignment import SignedAssignment
from benchmarks.trivial import losing_work

HOLD_SECONDS = 3600
APPROVED, RATE_PERCENT = 1500, 99  # what Bartolo et al. (2020, §3.1) ask of workers is met
PAGES_PER_CLIENT = 50  # httpx looks through all connections of a client for each request


@dataclass(frozen=True)
class Accepted:
    """A HIT that a worker holds, and its page."""

    worker: str
    assignment: str
    page: PageClient


class Marketplace:
    """The workers' side of a marketplace process, by its store. `secret` is the requester's, `url` the router's."""

    def __init__(self, store: Path, secret: str, url: str) -> None:
        self._market = open_market(str(store))
        self._workplace = Workplace(self._market)
        self._secret = secret
        self._url = url
        self._open: deque[str] = deque()
        self._choosing = Lock()
        self._clients: list[httpx.AsyncClient] = []

    def enrol(self, names: list[str]) -> None:
        with self._market.writing() as moment:
            for name in names:
                add_worker(moment, Worker(name, "US", prior_approved=APPROVED, prior_rate_percent=RATE_PERCENT))

    def accept(self, worker: str, number: int) -> Accepted:
        """The next HIT on offer. `number` is the worker's, and decides whose connections its page shares."""
        with self._choosing:
            if not self._open:
                self._look(worker)
            hit = self._open.popleft()
        assignment = self._workplace.accept(worker, hit).id
        signed = SignedAssignment(worker, assignment, hit, int(time.time()) + HOLD_SECONDS).parameters([self._secret])
        while len(self._clients) <= number // PAGES_PER_CLIENT:
            self._clients.append(httpx.AsyncClient(trust_env=False))
        http = self._clients[number // PAGES_PER_CLIENT]
        page = PageClient(self._url, http, worker, assignment, hit_id=hit, provider_type="mturk", **signed)
        return Accepted(worker, assignment, page)

    def _look(self, worker: str) -> None:
        for offer in self._workplace.offers(worker).items:
            token: str | None = ""
            while token is not None:
                found = self._workplace.hits(worker, offer.hit_type.id, size=100, next_token=token or None)
                self._open.extend(hit.id for hit in found.items)
                token = found.next_token

    def hand_in(self, hit: Accepted, final_data: Mapping[str, Any]) -> None:
        """Post the crowd's form, as the page does after its own submission."""
        self._workplace.submit(hit.worker, hit.assignment, [("final", json.dumps(final_data))])

    async def close(self) -> None:
        for client in self._clients:
            await client.aclose()
        self._market.close()


class Writer:
    """Holds a page, asks a question of its own every so often, and takes the next HIT when its tries are used up."""

    def __init__(self, number: int, crowd: Marketplace, pause_seconds: float) -> None:
        self.name = worker_name(number)
        self.verdicts: list[str] = []
        self.attempts: list[tuple[float, float]] = []  # when it was sent, and the seconds until its verdict
        self.registrations: list[float] = []
        self.hand_ins: list[float] = []
        self._number = number
        self._crowd = crowd
        self._pause_seconds = pause_seconds
        self._rng = random.Random(number)

    async def accept(self) -> None:
        self._hit = await asyncio.to_thread(self._crowd.accept, self.name, self._number)

    async def register(self) -> None:
        started = time.perf_counter()
        await self._hit.page.__aenter__()
        self.registrations.append(time.perf_counter() - started)

    async def write(self, until: float) -> None:
        """`until` is a time of `time.perf_counter`."""
        due = time.perf_counter() + self._rng.uniform(0, self._pause_seconds)
        while due < until:
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            if not await self._ask():
                await self.submit()
                await self.accept()
                await self.register()
            due = max(due + self._pause_seconds, time.perf_counter())

    async def _ask(self) -> bool:
        """Ask once, and return whether there are more tries."""
        context = self._hit.page.init_data["context"]
        work = losing_work(context["text"], f"{self.name}-{len(self.attempts)}")
        call = {"attempt_key": str(uuid.uuid4()), "context_id": context["id"], "work": work}
        sent = time.perf_counter()
        reply = await self._hit.page.call("submit_attempt", call)
        self.attempts.append((sent, time.perf_counter() - sent))
        self.verdicts.append(reply["attempt"]["attempt_id"])
        return bool(reply["hit"]["tries_left"])

    async def submit(self) -> None:
        final = {"hit": self._hit.page.init_data["hit"], "feedback": ""}
        started = time.perf_counter()
        await self._hit.page.submit(final)
        self.hand_ins.append(time.perf_counter() - started)
        await self._hit.page.__aexit__(None, None, None)
        await asyncio.to_thread(self._crowd.hand_in, self._hit, final)


def worker_name(number: int) -> str:
    return f"AWRITER{number:04}"
