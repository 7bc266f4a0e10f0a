"""Real Mephisto, a real router, real sockets; pages as the simulation has them, and a model that obeys."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import json
import signal
import sqlite3
import statistics
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator, Mapping
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import httpx
import pytest

from beat_the_ai.errors import AdversaryBusy, InvalidInput, Refused
from beat_the_ai.listening.logs import RECORDS_PER_PERIOD
from beat_the_ai.mephisto import procedures
from beat_the_ai.mephisto.client_io import CampaignClientIO
from beat_the_ai.mephisto.database import MephistoDatabase
from beat_the_ai.mephisto.operator import CampaignOperator
from beat_the_ai.mephisto.router.spool import Spool
from beat_the_ai.mephisto.shim import AgentState, Unit
from beat_the_ai.mephisto.worker_pool import CampaignWorkerPool
from beat_the_ai.simulation.page import CallFailed, PageClient
from beat_the_ai.writing import WritingDesk
from tests.mephisto.rig import (
    MOMENTS,
    QUESTIONS,
    Serving,
    in_thread,
    kill_router,
    operator_process,
    rows,
    serving,
    submitted,
)
from tests.mephisto.wire import PATIENCE_SECONDS, wait_until

ALREADY = "already completed"


def client() -> httpx.AsyncClient:
    return httpx.AsyncClient(trust_env=False, limits=httpx.Limits(max_connections=100))


def run(work: Coroutine[Any, Any, Any]) -> Any:
    """With a deadline, so that a page that waits for ever fails its test and not the whole run."""
    return asyncio.run(asyncio.wait_for(work, 2 * PATIENCE_SECONDS))


def attempt(page: PageClient, index: int = 0, **more: object) -> dict[str, Any]:
    """`more` replaces parts of the work or of the call."""
    call = {"attempt_key": f"k{index}", "context_id": page.init_data["context"]["id"]}
    work = QUESTIONS[index % len(QUESTIONS)] | {name: more[name] for name in more if name not in call}
    return call | {name: more[name] for name in more if name in call} | {"work": work}


async def ask(page: PageClient, index: int = 0) -> dict[str, Any]:
    return await page.call("submit_attempt", attempt(page, index))


async def work(url: str, worker: str, assignment: str = "1", questions: int = 1) -> str:
    """Take a HIT, ask what nobody else asks, submit. Returns the context."""
    async with client() as http, PageClient(url, http, worker, assignment) as page:
        for index in range(questions):
            own = f"{str(QUESTIONS[index % len(QUESTIONS)]['question'])[:-1]}, asks {worker}?"
            await page.call("submit_attempt", attempt(page, index, question=own))
        await page.submit({"feedback": ""})
        return str(page.init_data["context"]["id"])


def statuses(folder: Path) -> list[tuple[str, str]]:
    """Read the statuses of each agent and its unit, where Mephisto's own tools find them."""
    query = "SELECT agents.status, units.status FROM agents JOIN units USING (agent_id) ORDER BY agents.agent_id"
    with closing(sqlite3.connect(folder / "mephisto" / "database.db")) as database:
        return database.execute(query).fetchall()


def feedback(folder: Path) -> list[str]:
    """Read the feedback in the files of agents, where Mephisto's own tools find it."""
    files = folder.glob("mephisto/data/runs/*/*/*/*/agent_data.json")
    return [json.loads(path.read_text())["outputs"]["feedback"] for path in files]


async def try_in_vain(url: str, worker: str) -> None:
    async with client() as http, PageClient(url, http, worker, "1") as page:
        reply = await ask(page)
        await page.call("retract", {"attempt_id": reply["attempt"]["attempt_id"]})
        await page.submit({"feedback": ""})


# The usual way


def test_a_call_that_comes_before_the_agent_is_in_the_pool_is_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Mephisto tells the page first, and its own pool afterwards."""
    told = CampaignClientIO.enqueue_agent_details

    def tell_and_dawdle(self: CampaignClientIO, request_id: str, details: dict[str, Any]) -> None:
        told(self, request_id, details)
        time.sleep(0.5)

    monkeypatch.setattr(CampaignClientIO, "enqueue_agent_details", tell_and_dawdle)
    with serving(tmp_path / "run") as campaign:
        run(work(campaign.url, "ann"))
        assert len(campaign.attempts()) == 1


def test_without_room_for_a_routers_process_the_stage_goes_on() -> None:
    operator = Mock(_live_run=Mock(client_io=Mock(channels={"router": Mock(**{"is_alive.return_value": False})})))
    operator._live_run.architect.deploy.side_effect = BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")
    CampaignOperator._keep_router(operator)
    operator._live_run.architect.deploy.assert_called_once_with()


def test_a_hit_from_registration_to_submission(tmp_path: Path) -> None:
    async def hit(url: str) -> None:
        async with client() as http, PageClient(url, http, "w1", "a1") as page:
            assert (await page.task_config())["wins_wanted"] == 3
            assert set(page.init_data) == {"hit", "context", "brief", "arm"}
            assert page.init_data["arm"] is None
            assert set(page.init_data["context"]) == {"id", "title", "text"}  # nothing private
            reply = await ask(page)
            assert (reply["attempt"]["fooled"], reply["hit"]["wins"]) == (True, 1)
            reply = await page.call("retract", {"attempt_id": reply["attempt"]["attempt_id"]})
            assert reply["hit"]["wins"] == 0
            await page.submit({"feedback": "fine"})

    with serving(tmp_path) as campaign:
        run(hit(campaign.url))
        wait_until(lambda: len(campaign.submitted()) == 1, "the HIT is submitted")
        assert campaign.attempts() == [("w1", "rome/0", "k0")]


def test_what_fails_on_a_page_is_in_the_operators_log_in_one_line_and_not_without_end(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail(url: str) -> None:
        async with client() as http, PageClient(url, http, "w1", "a1") as page:
            told = {"USED_AGENT_ID": page._agent_id, "agent_secret": page._secret}
            for text in ["first\nline" + "!" * 9000, *["again"] * 40]:
                await page._post("log_error", {**told, "error_data": {"text": text}})
            await page.call("state", {})

    with serving(tmp_path) as campaign:
        run(fail(campaign.url))
    messages = [record.getMessage() for record in caplog.records if record.name.endswith(".pages")]
    assert len(messages) == RECORDS_PER_PERIOD
    assert messages[0].startswith("the page of agent 1 failed: 'first\\nline!!!")
    assert len(messages[0]) < 2100


def test_a_verdict_does_not_wait_for_a_poll(tmp_path: Path) -> None:
    """Mephisto's own runner looks for calls every 0.3 s; the fastest of several calls would take about that long."""

    async def calls(url: str) -> list[float]:
        async with client() as http, PageClient(url, http, "w1", "a1") as page:
            seconds = []
            for _ in range(12):
                started = time.perf_counter()
                await page.call("state", {})
                seconds.append(time.perf_counter() - started)
            return seconds

    with serving(tmp_path) as campaign:
        seconds = run(calls(campaign.url))
    assert min(seconds) < 0.15
    assert statistics.median(seconds) < 5


# Errors


def failing(error: Exception) -> Callable[..., Mapping[str, Any]]:
    def procedure(_agent: object, _arguments: object) -> Mapping[str, Any]:
        raise error

    return procedure


FAILURES: dict[str, tuple[Callable[..., Any], str]] = {
    "raises": (failing(RuntimeError("a secret path")), "internal"),
    "exits": (failing(KeyError("x")), "internal"),
    "refuses": (failing(Refused("not now")), "refused"),
    "rejects": (failing(InvalidInput("question", "no good")), "invalid"),
    "is busy": (failing(AdversaryBusy("the AI is busy", 2.5)), "busy"),
    "returns nothing": (lambda *_: None, "internal"),
    "returns what is no JSON": (lambda *_: {"x": object()}, "internal"),
    "returns NaN": (lambda *_: {"x": float("nan")}, "internal"),
}


def test_a_procedure_that_fails_reaches_the_page_as_an_error_and_the_unit_goes_on(tmp_path: Path) -> None:
    async def calls(url: str) -> None:
        async with client() as http, PageClient(url, http, "w1", "a1") as page:
            for name, (_, code) in FAILURES.items():
                with pytest.raises(CallFailed) as failed:
                    await page.call(name, {})
                assert failed.value.error["code"] == code, name
                assert "secret" not in str(failed.value)
            assert failed.value.error.get("retry_after_seconds") is None
            with pytest.raises(CallFailed, match="cannot be called"):
                await page.call("no such procedure", {})
            assert (await page.call("fine", {"x": 1}))["seen"] == {"x": 1}

    procedures = {name: procedure for name, (procedure, _) in FAILURES.items()}
    with serving(tmp_path, procedures={**procedures, "fine": lambda _, given: {"seen": given}}) as campaign:
        run(calls(campaign.url))


HOSTILE: dict[str, dict[str, Any]] = {
    "a span outside the passage": {"answer": {"text": "476", "start": 9999}},
    "a negative span": {"answer": {"text": "476", "start": -1}},
    "a span that is not its text": {"answer": {"text": "477", "start": 13}},
    "a span counted in UTF-16": {"answer": {"text": "of old", "start": 62}},
    "a huge start": {"answer": {"text": "476", "start": 10**30}},
    "a span that cuts a word": {"answer": {"text": "47", "start": 13}},
    "no answer": {"answer": None},
    "an empty question": {"question": ""},
    "a word for a question": {"question": "When"},
    "words for a question": {"question": "Banana banana cat dog which?"},
    "keys for a question": {"question": "asdf jkl qwer?"},
    "a question in another script": {"question": "Когда это было?"},
    "the same question in other letters": {"question": "WHEN did Rome... fall"},
    "spaces for a question": {"question": " \t "},
    "a long question": {"question": "a" * 50_000},
    "a megabyte": {"question": "a" * 1_000_000},
    "bidi controls": {"question": "When \u202edid\u202c it fall?"},
    "HTML": {"question": "<script>alert(1)</script>?"},
    "an emoji": {"question": "When 😀?"},
    "a lone surrogate": {"question": "When \ud800?"},
    "a null character": {"question": "When\x00?"},
    "a number": {"question": 7},
    "another context": {"context_id": "rome/2"},
    "an unknown context": {"context_id": "../../etc"},
    "a key of 1 MB": {"attempt_key": "k" * 1_000_000},
    "no key": {"attempt_key": None},
}


def test_bad_input_gets_a_clear_error_uses_no_try_and_loses_nothing(tmp_path: Path) -> None:
    async def calls(url: str) -> None:
        async with client() as http, PageClient(url, http, "w1", "a1") as page:
            await ask(page)
            before = (await page.call("state", {}))["hit"]
            for name, change in HOSTILE.items():
                with pytest.raises(CallFailed) as failed:
                    await page.call("submit_attempt", attempt(page, 1, **change))
                assert failed.value.error["code"] == "invalid", name
                assert failed.value.error["message"], name
            for target in ("retract", "flag"):
                with pytest.raises(CallFailed):
                    await page.call(target, {"attempt_id": "of somebody else", "reason": "other", "note": ""})
            after = (await page.call("state", {}))["hit"]
            assert [after[name] for name in ("attempts", "wins", "tries_left")] == [
                before[name] for name in ("attempts", "wins", "tries_left")
            ]
            question = {"question": "What is the letter 𝄞?", "answer": {"text": "𝄞 of old", "start": 58}}
            reply = await page.call("submit_attempt", attempt(page, 1, **question))
            assert reply["attempt"]["work"]["answer"]["text"] == "𝄞 of old"

    with serving(tmp_path) as campaign:
        run(calls(campaign.url))
        assert len(campaign.attempts()) == 2


# Who gets what


def test_no_two_workers_get_one_hit_and_no_worker_a_passage_twice(tmp_path: Path) -> None:
    """Every worker opens several pages in the same moment, some of them twice."""

    async def register(url: str, http: httpx.AsyncClient, worker: str, assignment: str) -> tuple[str, str, str]:
        try:
            async with PageClient(url, http, worker, assignment) as page:
                return worker, page.init_data["hit"], page.init_data["context"]["id"]
        except Refused as refused:
            return worker, "", str(refused)

    async def everybody(url: str) -> list[tuple[str, str, str]]:
        async with client() as http:
            pages = [(f"w{number}", str(page)) for number in range(6) for page in (0, 1, 2, 3, 4, 0, 1)]
            return list(await asyncio.gather(*(register(url, http, *page) for page in pages)))

    with serving(tmp_path, hits=4, slots=6) as campaign:
        got = run(everybody(campaign.url))
    assert not any(ALREADY in reason for _, hit, reason in got if not hit)
    hits = {(worker, hit) for worker, hit, _ in got if hit}
    assert len(hits) == 24  # each of the six workers got each of the four passages, and the fifth page nothing
    assert set(Counter(hit for _, hit in hits).values()) == {1}
    assert len({(worker, context) for worker, hit, context in got if hit}) == 24


@pytest.mark.parametrize("is_taken_up", [False, True])
def test_a_passage_without_a_win_is_offered_to_somebody_else_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_taken_up: bool
) -> None:
    """Also where an operator died when the work was in its store, and not yet done for Mephisto."""
    if is_taken_up:
        monkeypatch.setattr(Unit, "sync_status", lambda _unit: None)
    with serving(tmp_path / "run", hits=1, reoffers=1) as campaign:
        run(try_in_vain(campaign.url, "ann"))
        wait_until(lambda: len(campaign.submitted()) == 1, "it is handed in")
        if not is_taken_up:
            wait_until(lambda: _gets_work(campaign.url, "ben"), "somebody else gets the passage")
            return
    monkeypatch.undo()
    with serving(tmp_path / "run", hits=1, reoffers=1) as campaign:
        wait_until(lambda: _gets_work(campaign.url, "ben"), "somebody else gets the passage")


def _gets_work(url: str, worker: str) -> bool:
    with contextlib.suppress(Refused):
        run(work(url, worker))
        return True
    return False


def test_the_same_registration_again_is_the_same_agent(tmp_path: Path) -> None:
    async def twice(url: str) -> None:
        async with client() as http:
            pages = [PageClient(url, http, "w1", "a1") for _ in range(8)]
            await asyncio.gather(*(page.__aenter__() for page in pages))
            assert len({page._agent_id for page in pages}) == 1
            assert len({json.dumps(page.init_data) for page in pages}) == 1
            assert (await ask(pages[0]))["hit"]["wins"] == 1
            assert len((await pages[7].call("state", {}))["hit"]["attempts"]) == 1
            for page in pages:
                await page.__aexit__(None, None, None)

    with serving(tmp_path) as campaign:
        run(twice(campaign.url))


def test_another_workers_registration_is_not_given_away(tmp_path: Path) -> None:
    async def foreign(url: str) -> None:
        async with client() as http, PageClient(url, http, "w1", "a1") as page:
            thief = PageClient(url, http, "thief", "a1")
            thief._provider_data["agent_registration_id"] = page._provider_data["agent_registration_id"]
            with pytest.raises(Refused, match="another worker"):
                await thief.__aenter__()

    with serving(tmp_path) as campaign:
        run(foreign(campaign.url))


def test_a_registration_that_fails_is_answered_and_its_hit_given_to_the_next(tmp_path: Path) -> None:
    failures = [RuntimeError("the store is on fire")]

    class UnluckyDesk(WritingDesk):
        def accept(self, *given: Any) -> Any:
            if failures:
                raise failures.pop()
            return super().accept(*given)

    async def register(url: str) -> None:
        async with client() as http:
            page = PageClient(url, http, "w1", "a1")
            told = await page._post("request_agent", {"provider_data": page._provider_data})
            assert "on our side" in told["data"]["failure_reason"]
            assert told["data"]["failure_code"] == "internal"  # the page asks again
        assert await work(url, "w1", "a1") == "rome/0"

    with serving(tmp_path, hits=1, desk_type=UnluckyDesk) as campaign:
        run(register(campaign.url))
        wait_until(lambda: len(campaign.submitted()) == 1, "the HIT is submitted")


def test_a_page_that_is_away_too_long_loses_its_hit_to_another(tmp_path: Path) -> None:
    async def leave_and_return(url: str) -> None:
        async with client() as http:
            async with PageClient(url, http, "w1", "a1") as away:
                await ask(away)
            other = PageClient(url, http, "w2", "a1")
            while True:
                try:
                    await other.__aenter__()
                    break
                except Refused:
                    await asyncio.sleep(0.2)
            assert other.init_data["context"] == away.init_data["context"]
            await other.__aexit__(None, None, None)
            with pytest.raises(Refused, match="given up"):
                await away.submit({})

    with serving(tmp_path, hits=1, architect={"absence_seconds": 0.5}) as campaign:
        run(leave_and_return(campaign.url))
        assert campaign.attempts() == [("w1", "rome/0", "k0")]  # what was written stays


def test_a_worker_whose_time_is_over_can_still_submit_for_a_while(tmp_path: Path) -> None:
    with serving(tmp_path, seconds=0) as campaign:
        assert run(work(campaign.url, "w1")) == "rome/0"
        wait_until(lambda: len(campaign.submitted()) == 1, "the HIT is submitted")


def test_a_worker_who_does_nothing_loses_the_hit_in_the_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(procedures, "HAND_IN_GRACE", timedelta(seconds=0.5))

    async def idle(url: str) -> None:
        async with client() as http, PageClient(url, http, "w1", "a1"):
            while True:
                try:
                    return await other(url, http)
                except Refused:
                    await asyncio.sleep(0.2)

    async def other(url: str, http: httpx.AsyncClient) -> None:
        async with PageClient(url, http, "w2", "a1") as page:
            assert page.init_data["context"]["id"] == "rome/0"

    with serving(tmp_path, hits=1, seconds=0) as campaign:
        run(idle(campaign.url))


def test_whoever_stops_serving_waits_for_a_unit_that_is_being_put_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entered, ended = threading.Event(), threading.Event()

    def put_away(*_: Any) -> None:
        entered.set()
        time.sleep(0.3)
        ended.set()

    monkeypatch.setattr(CampaignWorkerPool, "put_away", put_away)
    with serving(tmp_path, hits=1) as campaign:
        run(work(campaign.url, "w1"))
        assert entered.wait(PATIENCE_SECONDS)
        campaign.operator.pause()
        assert ended.is_set()


def test_a_status_that_is_told_when_serving_has_ended_is_no_error(tmp_path: Path) -> None:
    with serving(tmp_path, hits=1) as campaign:
        live_run = campaign.operator._live_run
        assert live_run is not None
        campaign.operator.pause()
        live_run.client_io.send_status_update("1", "in task")


# Death and return


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """For operators that get killed: their router outlives them, as it should, but not the test."""
    yield tmp_path / "run"
    kill_router(tmp_path / "run")


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_hit_survives_the_death_of_its_operator_at_any_moment(folder: Path, moment: str) -> None:
    """The page knows nothing of it but that it waits; nothing is lost, asked for twice or doubled."""
    at = 2 if moment in ("asked", "answered") else 1

    def are_completed() -> bool:
        return statuses(folder) == [("completed", "completed")] * 2

    async def write_on(url: str, process: subprocess.Popen[str]) -> None:
        writer = asyncio.create_task(work(url, "w1", questions=2))
        assert await asyncio.to_thread(process.wait, PATIENCE_SECONDS) == -signal.SIGKILL
        async with in_thread(operator_process(folder)) as (_, again):
            assert again == url
            await writer
            await asyncio.to_thread(wait_until, lambda: submitted(folder) == 1, "the HIT is submitted")
            assert await work(again, "w2") == ("rome/1" if writer.result() == "rome/0" else "rome/0")
            await asyncio.to_thread(wait_until, lambda: submitted(folder) == 2, "the other one is, too")
            await asyncio.to_thread(wait_until, are_completed, "both agents and units are completed")

    with operator_process(folder, "--die", moment, "--at", str(at)) as (process, url):
        run(write_on(url, process))
    [(_, context, _), *_] = mine = [row for row in rows(folder) if row[0] == "w1"]
    assert mine == [("w1", context, "k0"), ("w1", context, "k1")]
    with operator_process(folder):
        wait_until(lambda: feedback(folder) == ["", ""], "it has written the files that the others had yet to write")


def test_what_is_submitted_while_the_operator_is_away_is_delivered(folder: Path) -> None:
    async def submit_to_nobody(url: str, process: subprocess.Popen[str]) -> None:
        async with client() as http, PageClient(url, http, "w1", "a1") as page:
            await ask(page)
            process.kill()
            await asyncio.to_thread(process.wait)
            await page.submit({"feedback": "nobody there?"})

    async def come_back(url: str) -> None:
        """The worker's browser still shows the old page; Mephisto would hand out a new HIT for it."""
        async with client() as http, PageClient(url, http, "w1", "a1") as page:
            with pytest.raises(CallFailed, match="closed"):
                await ask(page, 1)

    with operator_process(folder) as (process, url):
        run(submit_to_nobody(url, process))
    assert submitted(folder) == 0
    with operator_process(folder) as (_, url):
        wait_until(lambda: submitted(folder) == 1, "the submission is delivered")
        run(come_back(url))
    with operator_process(folder):
        [spool] = folder.glob("mephisto/data/runs/*/*/router/spool")
        wait_until(lambda: not Spool(spool).waiting(), "the submission has left the router's disk")
    assert rows(folder) == [("w1", "rome/0", "k0")]


def test_sigterm_stops_operator_and_router_cleanly_with_workers_at_their_pages(folder: Path) -> None:
    async def stop(url: str, process: subprocess.Popen[str]) -> None:
        async with client() as http, PageClient(url, http, "w1", "a1") as page:
            await ask(page)
            process.terminate()
            assert await asyncio.to_thread(process.wait, PATIENCE_SECONDS) == 0

    with operator_process(folder) as (process, url):
        run(stop(url, process))
        assert process.stdout is not None
        assert process.stdout.read() == "stopped\n"
    assert "Traceback" not in (folder.parent / "run.log").read_text()
    with pytest.raises(httpx.ConnectError):
        httpx.get(url, trust_env=False)
    with operator_process(folder) as (process, again):
        assert again == url  # the page that is still open finds it


def test_a_router_that_dies_is_started_again_while_calls_are_under_way(folder: Path) -> None:
    async def calls(url: str) -> None:
        async with client() as http, PageClient(url, http, "w1", "a1") as page:
            for index in range(3):
                under_way = asyncio.create_task(ask(page, index))
                if index:
                    await asyncio.to_thread(kill_router, folder)
                await under_way
            await page.submit({})

    with operator_process(folder) as (_, url):
        run(calls(url))
        wait_until(lambda: submitted(folder) == 1, "the HIT is submitted")
    assert rows(folder) == [("w1", "rome/0", f"k{index}") for index in range(3)]


def channel(campaign: Serving) -> Any:
    live_run = campaign.operator._live_run
    assert live_run is not None
    [only] = live_run.client_io.channels.values()
    return only


def test_a_call_that_the_router_repeats_is_handled_once_and_answered_all_the_same(folder: Path) -> None:
    """A router that dies takes answers with it: the page asks its successor again, and that one the operator."""
    entered, go_on, handled = threading.Event(), threading.Event(), []

    def count(agent: Any, _arguments: object) -> Mapping[str, Any]:
        handled.append(agent)
        entered.set()
        assert go_on.wait(PATIENCE_SECONDS)
        return {"handled": len(handled)}

    async def call_while_the_router_dies(campaign: Serving) -> None:
        async with client() as http, PageClient(campaign.url, http, "w1", "a1") as page:
            answer = asyncio.create_task(page.call("count", {}))
            await asyncio.to_thread(entered.wait, PATIENCE_SECONDS)
            kill_router(folder)
            await asyncio.to_thread(wait_until, lambda: not channel(campaign).is_alive(), "the operator notices")
            await asyncio.to_thread(campaign.operator._keep_router)
            await asyncio.to_thread(wait_until, lambda: not handled[0].pending_actions.empty(), "the call comes again")
            go_on.set()
            assert (await answer)["handled"] == 1
            assert (await page.call("count", {}))["handled"] == 2

    with serving(folder, procedures={"count": count}) as campaign:
        run(call_while_the_router_dies(campaign))
    assert len(handled) == 2


def test_a_file_that_is_being_written_is_never_half_a_file(tmp_path: Path) -> None:
    database = MephistoDatabase(tmp_path / "mephisto" / "database.db")
    path = str(tmp_path / "mephisto" / "data" / "state.json")
    database.write_dict(path, {"whole": True})
    with pytest.raises(TypeError):
        database.write_dict(path, {"a": "b" * 100_000, "breaks off": object()})
    assert database.read_dict(path) == {"whole": True}
    assert database.key_exists(path)
    Path(path).write_bytes(b"")  # as after a power cut
    assert not database.key_exists(path)
    database.close()


def test_a_campaign_is_served_by_one_operator_at_a_time(folder: Path) -> None:
    with (
        operator_process(folder),
        pytest.raises(Refused, match="Another process serves this campaign"),
        serving(folder),
    ):
        pass
    with serving(folder):
        pass


def test_a_finished_run_offers_what_is_left_in_a_new_one(tmp_path: Path) -> None:
    with serving(tmp_path, hits=2) as campaign:
        assert run(work(campaign.url, "w1")) == "rome/0"
        wait_until(lambda: len(campaign.submitted()) == 1, "the HIT is submitted")
        campaign.operator.finish()
    with serving(tmp_path, hits=2) as campaign:
        assert run(work(campaign.url, "w2")) == "rome/1"
        with pytest.raises(Refused):
            run(work(campaign.url, "w3"))


def test_units_that_a_killed_launch_left_out_are_made_up_for(tmp_path: Path) -> None:
    with serving(tmp_path, hits=3) as campaign:
        db = campaign.operator.db
        [task_run] = db.find_task_runs()
        unit = task_run.get_units()[1]
        with db.table_access_condition, db._get_connection() as connection:
            connection.execute("DELETE FROM units WHERE unit_id = ?", (unit.db_id,))
        data = Path(unit.get_assignment().get_data_dir()) / "assign_data.json"
        data.unlink()
    with serving(tmp_path, hits=3) as campaign:
        contexts = {run(work(campaign.url, f"w{number}")) for number in range(3)}
    assert contexts == {"rome/0", "rome/1", "rome/2"}


def test_a_store_that_fails_for_a_moment_loses_no_submission(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(procedures, "CLOSE_AGAIN_SECONDS", 0.05)
    failures = [RuntimeError("locked"), RuntimeError("still locked")]

    class UnluckyDesk(WritingDesk):
        def finish(self, *given: Any) -> Any:
            if failures:
                raise failures.pop()
            return super().finish(*given)

    with serving(tmp_path, desk_type=UnluckyDesk) as campaign:
        run(work(campaign.url, "w1"))
        wait_until(lambda: len(campaign.submitted()) == 1, "the HIT is submitted")


def test_a_registration_that_cannot_be_written_leaves_its_unit_free(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    failures = [sqlite3.OperationalError("database or disk is full")]
    connected = MephistoDatabase._connected

    @contextlib.contextmanager
    def connected_with_bad_luck(self: MephistoDatabase) -> Iterator[sqlite3.Connection]:
        with connected(self) as connection:
            yield connection
            if failures and connection.execute("SELECT agent_id FROM agents").fetchall():
                raise failures.pop()

    monkeypatch.setattr(MephistoDatabase, "_connected", connected_with_bad_luck)

    async def in_vain(url: str) -> None:
        async with client() as http:
            with pytest.raises(Refused, match="service is full"):
                await PageClient(url, http, "w1", "1").__aenter__()

    with serving(tmp_path, hits=1) as campaign:
        run(in_vain(campaign.url))
        run(work(campaign.url, "w2"))
        wait_until(lambda: campaign.submitted() == set(campaign.hits), "somebody else has done the HIT")
    assert not failures


def test_a_unit_that_cannot_be_freed_at_once_is_freed_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(procedures, "CLOSE_AGAIN_SECONDS", 0.05)
    failures = [sqlite3.OperationalError("disk I/O error"), sqlite3.OperationalError("disk I/O error")]
    free, freed = MephistoDatabase.clear_unit_agent_assignment, threading.Event()

    def free_with_bad_luck(self: MephistoDatabase, unit_id: str) -> None:
        if failures:
            raise failures.pop()
        free(self, unit_id)
        freed.set()

    monkeypatch.setattr(MephistoDatabase, "clear_unit_agent_assignment", free_with_bad_luck)

    async def leave(campaign: Serving) -> None:
        async with client() as http, PageClient(campaign.url, http, "w1", "1"):
            live_run = campaign.operator._live_run
            assert live_run is not None
            [agent] = live_run.worker_pool.agents.values()
            await asyncio.to_thread(agent.update_status, AgentState.STATUS_RETURNED)
            runner = live_run.task_runner
            await asyncio.to_thread(wait_until, lambda: not runner.running_units, "the worker's session has ended")

    with serving(tmp_path, hits=1) as campaign:
        run(leave(campaign))
        assert freed.wait(60)
        run(work(campaign.url, "w2"))
        wait_until(lambda: campaign.submitted() == set(campaign.hits), "somebody else has done the HIT")
    assert not failures


def unit_threads() -> list[str]:
    """The threads that serve workers; how many others asyncio keeps for its executor is its own matter."""
    return [thread.name for thread in threading.enumerate() if thread.name.startswith("unit_")]


def test_nothing_is_kept_of_workers_who_have_finished(tmp_path: Path) -> None:
    """Threads, connections and transcripts of thirty workers, one after the other, on five passages."""

    async def everybody(url: str) -> None:
        for number in range(29):
            await work(url, f"w{number}", questions=3)

    with serving(tmp_path, hits=5, slots=6) as campaign:
        run(work(campaign.url, "first"))
        files = len(list(Path("/proc/self/fd").iterdir()))
        threads = len(unit_threads())
        run(everybody(campaign.url))
        assert len(unit_threads()) <= threads + 1  # the one before may not be through when the next one comes
        assert len(list(Path("/proc/self/fd").iterdir())) <= files + 8  # the store's pool may have grown
        live_run = campaign.operator._live_run
        assert live_run is not None
        runner = live_run.task_runner
        wait_until(lambda: not runner.running_units and not runner._attendants._sessions, "all sessions have ended")
        assert live_run.client_io.seen_update_ids == set()
        datastore = campaign.operator.db.get_datastore_for_provider("mock")
        assert all(not data["observed"] for data in datastore.agent_data.values())
        assert len(campaign.operator.db.conn) <= 1
