"""Of agents that are done the operator holds how their pages find them again, and reads the rest when they do."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest

from beat_the_ai.mephisto.shim import AgentState
from beat_the_ai.simulation.page import CallFailed, PageClient
from tests.mephisto.rig import QUESTIONS, Serving, serving
from tests.mephisto.wire import wait_until

WORKERS = 4


def live_run(run: Serving) -> Any:
    return run.operator._live_run


async def hand_in(url: str, worker: str) -> dict[str, Any]:
    async with httpx.AsyncClient(trust_env=False) as http, PageClient(url, http, worker, "1") as page:
        context_id = page.init_data["context"]["id"]
        await page.call("submit_attempt", {"attempt_key": "k", "context_id": context_id, "work": QUESTIONS[0]})
        await page.submit({"feedback": worker})
        return page.init_data


async def come_again(url: str, worker: str) -> tuple[str, dict[str, Any]]:
    """The agent and the page of a worker who reloads, hands in once more and calls."""
    async with httpx.AsyncClient(trust_env=False) as http, PageClient(url, http, worker, "1") as page:
        await page.submit({"feedback": "another one"})
        with pytest.raises(CallFailed, match="closed"):
            await asyncio.wait_for(page.call("state", {}), 30)
        return page._agent_id, page.init_data


def outputs(run: Serving, agent_id: str) -> Any:
    return live_run(run).worker_pool.get_agent_for_id(agent_id).state.get_data()["outputs"]


def all_put_away(run: Serving) -> None:
    pool, client_io = live_run(run).worker_pool, live_run(run).client_io
    wait_until(lambda: not pool.agents, "no agent is held any more")
    assert not client_io.registrations


def test_nothing_of_them_is_held_and_their_pages_go_on_as_before(tmp_path: Path) -> None:
    workers = [f"w{number}" for number in range(WORKERS)]
    with serving(tmp_path / "run", hits=WORKERS + 1) as run:
        pages = [asyncio.run(hand_in(run.url, worker)) for worker in workers]
        all_put_away(run)
        for worker, page in zip(workers, pages, strict=True):
            agent_id, again = asyncio.run(come_again(run.url, worker))
            assert again == page
            assert outputs(run, agent_id)["feedback"] == worker
        assert len(run.submitted()) == WORKERS
    with serving(tmp_path / "run", hits=WORKERS + 1) as run:
        all_put_away(run)
        _, again = asyncio.run(come_again(run.url, workers[0]))
        assert again == pages[0]


def test_whoever_leaves_is_let_go_too_and_can_go_on_no_more(tmp_path: Path) -> None:
    async def leave(url: str) -> str:
        async with httpx.AsyncClient(trust_env=False) as http, PageClient(url, http, "w1", "1") as page:
            [agent] = live_run(run).worker_pool.agents.values()
            in_task = AgentState.STATUS_IN_TASK  # the page hears of its agent before that is so
            await asyncio.to_thread(wait_until, lambda: agent.get_status() == in_task, "the unit is served")
            agent.update_status(AgentState.STATUS_RETURNED)
            return page._agent_id

    with serving(tmp_path / "run", hits=1) as run:
        agent_id = asyncio.run(leave(run.url))
        all_put_away(run)
        pool = live_run(run).worker_pool
        pool.handle_updated_agent_status({agent_id: AgentState.STATUS_DISCONNECT})  # as a router says it that is behind
        assert pool.get_agent_for_id(agent_id).get_status() == AgentState.STATUS_RETURNED
        assert [pool.get_agent_for_id(stranger) for stranger in ("999", "no number", "")] == [None, None, None]
