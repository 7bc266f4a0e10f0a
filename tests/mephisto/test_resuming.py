"""What several threads and processes write at once while an operator takes a run up: each leaves it whole."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from functools import partial
from pathlib import Path
from threading import Barrier
from typing import Any

import httpx
import pytest

from beat_the_ai.errors import Refused
from beat_the_ai.mephisto.channel import RouterChannel
from beat_the_ai.mephisto.client_io import CampaignClientIO
from beat_the_ai.mephisto.database import MephistoDatabase
from beat_the_ai.mephisto.mturk.datastore import CampaignDatastore
from beat_the_ai.mephisto.operator import CampaignOperator
from beat_the_ai.mephisto.shim import Agent
from beat_the_ai.requester import Label
from beat_the_ai.simulation.page import PageClient
from beat_the_ai.writing import WritingDesk
from tests.mephisto.rig import in_thread, kill_router, operator_process, rows, serving, submitted
from tests.mephisto.test_operator import ask, client, run, work
from tests.mephisto.wire import CREDENTIALS, PATIENCE_SECONDS, wait_until

THREADS = 4


def at_once(*actions: Callable[[], object]) -> None:
    """Run each in a thread of its own, all from the same moment. Raises what any of them raised."""
    start = Barrier(len(actions))

    def act(action: Callable[[], object]) -> None:
        start.wait(PATIENCE_SECONDS)
        action()

    with ThreadPoolExecutor(len(actions)) as pool:
        for done in [pool.submit(act, action) for action in actions]:
            done.result(PATIENCE_SECONDS)


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """For operators that get killed: their router outlives them, as it should, but not the test."""
    yield tmp_path / "run"
    kill_router(tmp_path / "run")


@pytest.fixture
def impatient_interpreter() -> Iterator[None]:
    """Threads take turns as often as they can."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(usual)


# Mephisto's files


def test_threads_that_save_one_file_do_not_take_each_others_draft(tmp_path: Path) -> None:
    database = MephistoDatabase(tmp_path / "mephisto" / "database.db")
    path = tmp_path / "mephisto" / "data" / "state.json"

    def save(writer: int) -> None:
        for number in range(100):
            database.write_dict(str(path), {"writer": writer, "numbers": [number] * 100})

    at_once(*[partial(save, writer) for writer in range(THREADS)])
    assert database.read_dict(str(path))["numbers"] == [99] * 100
    assert list(path.parent.iterdir()) == [path]
    database.close()


async def _take_a_hit(url: str, worker: str) -> None:
    async with client() as http, PageClient(url, http, worker, "a1"):
        pass


@pytest.mark.usefixtures("impatient_interpreter")
def test_a_submission_survives_a_thread_that_saves_its_agent_at_the_same_moment(tmp_path: Path) -> None:
    with serving(tmp_path, hits=1) as campaign:
        run(_take_a_hit(campaign.url, "w1"))
        [row] = campaign.operator.db.find_agents()
        page = {"hit": "the assignment"}
        for number in range(100):
            agent = Agent.get(campaign.operator.db, row.db_id)
            agent.state.state["outputs"] = None
            submission = {"feedback": f"number {number}"}
            at_once(partial(agent.state.keep_page, page), partial(agent.state.update_submit, submission))
            kept = Agent.get(campaign.operator.db, row.db_id).state
            assert (kept.get_data()["outputs"], kept.page) == (submission, page)


@pytest.mark.usefixtures("impatient_interpreter")
def test_of_two_submissions_at_once_the_one_that_stands_is_the_one_on_disk(tmp_path: Path) -> None:
    with serving(tmp_path, hits=1) as campaign:
        run(_take_a_hit(campaign.url, "w1"))
        [row] = campaign.operator.db.find_agents()
        for _ in range(100):
            agent = Agent.get(campaign.operator.db, row.db_id)
            agent.state.state["outputs"] = None
            at_once(*[partial(agent.state.update_submit, {"by": number}) for number in range(THREADS)])
            kept = Agent.get(campaign.operator.db, row.db_id).state
            assert kept.get_data()["outputs"] == agent.state.get_data()["outputs"]


# Taking up agents


def test_a_page_that_was_open_when_the_operator_died_is_what_it_was(folder: Path) -> None:
    """What it started with is not on disk before the submission; when it started is."""

    async def reload(url: str, process: subprocess.Popen[str]) -> None:
        async with client() as http, PageClient(url, http, "w1", "a1") as page:
            process.kill()
            await asyncio.to_thread(process.wait, PATIENCE_SECONDS)
            async with in_thread(serving(folder)) as campaign:
                [agent] = campaign.operator.db.find_agents()
                assert agent.state.page is None
                assert agent.state.get_task_start() > 0
                async with PageClient(url, http, "w1", "a1") as again:
                    assert again.init_data == page.init_data
                await ask(page)
                await page.submit({"feedback": ""})
                await asyncio.to_thread(wait_until, lambda: submitted(folder) == 1, "the HIT is submitted")
                [agent] = campaign.operator.db.find_agents()
                assert agent.state.page == page.init_data

    with operator_process(folder) as (process, url):
        run(reload(url, process))


def test_a_page_that_returns_while_its_agent_is_taken_up_is_opened_once(folder: Path) -> None:
    """The launch and the page's new registration both want the unit opened, and write what the page starts with."""
    opened = []

    class DawdlingDesk(WritingDesk):
        def accept(self, *given: Any) -> Any:
            opened.append(given)
            time.sleep(0.5)
            return super().accept(*given)

    async def write_on(url: str, process: subprocess.Popen[str]) -> None:
        writer = asyncio.create_task(work(url, "w1"))
        assert await asyncio.to_thread(process.wait, PATIENCE_SECONDS) == -signal.SIGKILL
        async with in_thread(serving(folder, desk_type=DawdlingDesk)):
            await writer
            await asyncio.to_thread(wait_until, lambda: submitted(folder) == 1, "the HIT is submitted")

    with operator_process(folder, "--die", "opening") as (process, url):
        run(write_on(url, process))
    assert len(opened) == 1
    assert len(rows(folder)) == 1


def test_a_worker_for_whom_nothing_is_left_does_not_keep_the_operator_from_coming_up(folder: Path) -> None:
    """Between the death and the return somebody else may have been given what this worker was about to get."""

    class RefusingDesk(WritingDesk):
        def accept(self, hit_id: str, worker: str, registration: str, at: datetime | None = None) -> Any:
            if worker == "w1":
                raise Refused("Nothing is left for you.")
            return super().accept(hit_id, worker, registration, at)

    async def come_back(url: str, process: subprocess.Popen[str]) -> None:
        page = asyncio.create_task(work(url, "w1"))
        assert await asyncio.to_thread(process.wait, PATIENCE_SECONDS) == -signal.SIGKILL
        async with in_thread(serving(folder, hits=1, desk_type=RefusingDesk)):
            with pytest.raises(Refused):
                await page
            assert await work(url, "w2") == "rome/0"

    with operator_process(folder, "--hits", "1", "--die", "opening") as (process, url):
        run(come_back(url, process))


# HITs


def test_a_hit_that_two_threads_find_at_once_is_kept_once(tmp_path: Path) -> None:
    """The feed has just offered it, and the comparison with the marketplace has just seen it there."""
    datastore = CampaignDatastore(str(tmp_path), "mturk")
    label = Label("pilot", "run", "unit")
    for number in range(100):
        at_once(*[partial(datastore.keep_hit, f"HIT{number}", label, 60, "1")] * THREADS)
    assert datastore.number_of_hits("1") == 100
    datastore.close()


# Routers


ROUTER = "from beat_the_ai.mephisto.router import __main__ as router; router.TURN_SECONDS = {}; router.main()"


@pytest.fixture
def start_router(tmp_path: Path) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Starts routers of one run, without waiting for them; those that are left are killed at the end."""
    (tmp_path / "static").mkdir()
    (tmp_path / "credentials.json").write_text(json.dumps(CREDENTIALS))
    routers: list[subprocess.Popen[str]] = []

    def start(turn_seconds: float = 30) -> subprocess.Popen[str]:
        command = [sys.executable, "-c", ROUTER.format(turn_seconds), str(tmp_path), "--absence-seconds", "900"]
        routers.append(subprocess.Popen(command, stderr=subprocess.PIPE, text=True))
        return routers[-1]

    yield start
    for router in routers:
        router.kill()
        router.wait()
        router.stderr.close()  # type: ignore[union-attr]


def serves(router: subprocess.Popen[str], folder: Path) -> bool:
    try:
        address = json.loads((folder / "address.json").read_text())
        health = httpx.get(f"http://127.0.0.1:{address['port']}/health", trust_env=False).json()
    except (FileNotFoundError, httpx.TransportError):
        return False
    return bool(address["pid"] == router.pid and health["run"] == CREDENTIALS["run"])


def test_of_routers_that_start_at_once_one_serves_the_run(start_router: Any, tmp_path: Path) -> None:
    """An operator that is killed while its router starts leaves it behind; the next operator starts another."""
    routers = [start_router(turn_seconds=0.5) for _ in range(THREADS)]
    wait_until(lambda: sum(router.poll() is None for router in routers) == 1, "the others have ended")
    [left] = [router for router in routers if router.poll() is None]
    wait_until(lambda: serves(left, tmp_path), "the one that is left serves")
    for router in routers:
        if router is not left:
            assert "Another router serves this run" in router.stderr.read()


def test_a_router_that_waits_takes_over_from_one_that_ends(start_router: Any, tmp_path: Path) -> None:
    first = start_router()
    wait_until(lambda: serves(first, tmp_path), "the first serves")
    second = start_router()
    first.kill()
    wait_until(lambda: serves(second, tmp_path), "the second serves")


def test_a_router_that_dies_before_the_operator_has_connected_is_started_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_channels = CampaignOperator._open_channels

    def kill_and_open(self: CampaignOperator, client_io: CampaignClientIO) -> None:
        kill_router(folder)
        open_channels(self, client_io)

    monkeypatch.setattr(CampaignOperator, "_open_channels", kill_and_open)
    with serving(folder) as campaign:
        assert run(work(campaign.url, "w1")) == "rome/0"


def test_a_router_that_dies_when_the_operator_has_just_connected_does_not_end_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pages are served from that moment on, and their calls may well be what kills it."""
    settle = RouterChannel.settle

    def settle_and_kill(self: RouterChannel, seconds: float) -> bool:
        settled = settle(self, seconds)
        if settled:
            kill_router(folder)
            wait_until(lambda: not self.is_alive(), "the channel notices")
        return settled

    monkeypatch.setattr(RouterChannel, "settle", settle_and_kill)
    with serving(folder) as campaign:
        campaign.operator.wait(iter((False, True)).__next__)
        assert run(work(campaign.url, "w1")) == "rome/0"
