"""A rival at work: annotators without pause, each with the connections and cookies of a browser of its own."""

from __future__ import annotations

import asyncio
import os
import ssl
import statistics
import tempfile
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

import httpx

from benchmarks.rivals.annotation.server import Rival
from benchmarks.trivial import losing_statement

TIMEOUT_SECONDS = 90
SYNCS = 50
PAGE_BYTES = 4096


@dataclass(frozen=True)
class Measured:
    """A system at one number of annotators. `seconds` are those of each HIT, `cpu_seconds` those of its processes.

    `sync_seconds` is what the disk took for a sync just before: a system that commits each call waits for little else.
    """

    system: str
    annotators: int
    lasted: float
    seconds: Sequence[float]
    cpu_seconds: float
    own_cpu_seconds: float
    sync_seconds: float
    failed: int
    lost: int
    doubled: int


class Transport(httpx.AsyncHTTPTransport):
    """Sends again what met a kept connection that the server was just closing, as browsers do."""

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        try:
            return await super().handle_async_request(request)
        except (httpx.ReadError, httpx.WriteError, httpx.RemoteProtocolError):
            return await super().handle_async_request(request)


class Annotator:
    """Takes one HIT after the other. What fails is counted and not tried again."""

    def __init__(self, rival: Rival, number: int, http: httpx.AsyncClient) -> None:
        self.seconds: list[float] = []
        self.statements: list[str] = []
        self.failed = 0
        self._rival = rival
        self._name = f"annotator-{number:03}"
        self._http = http

    async def write(self, hits: int) -> None:
        for number in range(hits):
            statement = losing_statement("neutral", f"{self._name}-{number}")["hypothesis"]
            began = time.perf_counter()
            try:
                await self._rival.write(self._http, self._name, number, statement)
            except httpx.HTTPError:
                self.failed += 1
            else:
                self.seconds.append(time.perf_counter() - began)
                self.statements.append(statement)


def sync_seconds(folder: Path) -> float:
    """Return the median time of an fsync of 4 KiB more in a file of the folder."""
    seconds = []
    with (folder / "synced").open("wb", buffering=0) as file:
        for _ in range(SYNCS):
            file.write(bytes(PAGE_BYTES))
            began = time.perf_counter()
            os.fsync(file.fileno())
            seconds.append(time.perf_counter() - began)
    return statistics.median(seconds)


async def write_all(rival: Rival, annotators: int, each: int) -> list[Annotator]:
    trusted = ssl.create_default_context()  # costly to make, and all is on this machine
    async with AsyncExitStack() as opened:
        writers = []
        for number in range(annotators):
            http = httpx.AsyncClient(
                transport=Transport(verify=trusted), follow_redirects=True, timeout=TIMEOUT_SECONDS
            )
            writers.append(Annotator(rival, number, await opened.enter_async_context(http)))
        await asyncio.gather(*(writer.write(each) for writer in writers))
    return writers


def measure(system: type[Rival], annotators: int, each: int) -> Measured:
    """Start the rival on an empty project, let all write, and compare what it stored with what was handed in."""
    with (
        tempfile.TemporaryDirectory(prefix=f"hits-{system.name}-") as folder,
        system(Path(folder), annotators * each, each) as rival,
    ):
        sync = sync_seconds(Path(folder))
        cpu, own, began = rival.cpu_seconds(), time.process_time(), time.perf_counter()
        writers = asyncio.run(write_all(rival, annotators, each))
        lasted = time.perf_counter() - began
        own, cpu = time.process_time() - own, rival.cpu_seconds() - cpu
        stored = rival.stored()
    handed_in = {statement for writer in writers for statement in writer.statements}
    return Measured(
        system.name,
        annotators,
        lasted,
        [each for writer in writers for each in writer.seconds],
        cpu,
        own,
        sync,
        sum(writer.failed for writer in writers),
        len(handed_in - set(stored)),
        len(stored) - len(set(stored)),
    )
