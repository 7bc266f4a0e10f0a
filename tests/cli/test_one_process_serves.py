"""A campaign on PostgreSQL that is served, and what another process may do: while it lives, and once it does not."""

from __future__ import annotations

import asyncio
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import httpx
import pytest

from beat_the_ai.errors import Refused
from beat_the_ai.rules.stage import Stage
from beat_the_ai.simulation.page import PageClient
from beat_the_ai.store import open_store
from tests.cli.launching import NAME, PATIENCE_SECONDS, TASK, call, needs_pages
from tests.mephisto.rig import kill_router
from tests.postgres import PostgresServer

pytestmark = [needs_pages, pytest.mark.timeout(4 * PATIENCE_SECONDS)]
OPTIONS = ("store=postgresql", "qualification=none", "round.max_hits=40", "round.hits_per_context=40", "profile.port=0")
WRITERS = 4
SERVE = "from beat_the_ai.cli import main; from beat_the_ai.store import leases; leases.LEASE_SECONDS = 3; main()"


@pytest.fixture
def url(postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    with postgres.database() as made:
        monkeypatch.setenv("BEAT_THE_AI_DATABASE", made)
        yield made


class Serve:
    def __init__(self, out: Path) -> None:
        self.out = out
        self.log = out.with_name(f"{out.name}.log")
        with self.log.open("w") as log:
            given = [sys.executable, "-c", SERVE, "serve", str(TASK), *OPTIONS, "--out", str(out)]
            self.process = subprocess.Popen(given, stdout=subprocess.PIPE, stderr=log, text=True)
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if address := re.search(r"(http://\S+:\d+)/", line):
                self.url = address[1]
                return
        raise AssertionError(self.log.read_text())

    def kill(self) -> None:
        assert self.process.stdout is not None
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def end(self) -> None:
        self.kill()
        kill_router(self.out)


@pytest.fixture
def served(url: str, tmp_path: Path) -> Iterator[Serve]:
    started = Serve(tmp_path / "first")
    yield started
    started.end()


async def write(url: str, number: int, over: asyncio.Event, answers: list[str]) -> None:
    """Take one HIT after the other, and ask for its state all the time. Whoever is told to try again does."""
    async with httpx.AsyncClient(trust_env=False) as http:
        for hit in count():
            if over.is_set():
                return
            try:
                async with PageClient(url, http, f"w{number}-{hit}", f"a{number}-{hit}") as page:
                    for _ in range(3):
                        answers.append(str((await page.call("state", {}))["ok"]))
            except Refused as refused:
                if "please try again" not in str(refused):
                    raise


def test_workers_go_on_and_nobody_else_may_serve(
    postgres: PostgresServer, served: Serve, url: str, tmp_path: Path
) -> None:
    answers: list[str] = []

    async def restart() -> None:
        over = asyncio.Event()
        writing = [asyncio.create_task(write(served.url, number, over, answers)) for number in range(WRITERS)]
        while len(answers) < WRITERS:
            await asyncio.sleep(0.05)
        await asyncio.to_thread(postgres.restart)
        before = len(answers)
        while len(answers) < before + 3 * WRITERS:
            await asyncio.sleep(0.05)
        over.set()
        await asyncio.gather(*writing)

    asyncio.run(asyncio.wait_for(restart(), PATIENCE_SECONDS))
    second = call("serve", str(TASK), *OPTIONS, "--out", str(tmp_path / "second"))
    assert second.returncode == 1
    assert f"Another process serves this campaign already: process {served.process.pid} on" in second.stderr
    assert served.process.poll() is None
    store = open_store(url)
    taken = [one.hit for one in store.assignments.uncounted(NAME, Stage.WRITING)]
    store.close()
    assert len(taken) == len(set(taken))


def test_who_was_killed_or_slept_too_long_is_followed_by_another(served: Serve, tmp_path: Path) -> None:
    served.kill()
    second = Serve(tmp_path / "second")
    try:
        second.process.send_signal(signal.SIGSTOP)
        third = Serve(tmp_path / "third")
        try:
            second.process.send_signal(signal.SIGCONT)
            assert second.process.wait(PATIENCE_SECONDS) == 1
            assert "another one serves the campaign by now" in second.log.read_text()
            assert third.process.poll() is None
        finally:
            third.end()
    finally:
        second.end()
