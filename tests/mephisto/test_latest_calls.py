"""Of what a page asks faster than it is answered, the newest counts; nothing else waits for it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from beat_the_ai.mephisto.latest_calls import LatestCalls
from beat_the_ai.simulation.page import CallFailed, PageClient
from tests.mephisto.rig import serving
from tests.mephisto.test_operator import ask, client, run
from tests.mephisto.wire import wait_until


def agent(name: str = "a") -> Any:
    return SimpleNamespace(get_agent_id=lambda: name)


class Calls:
    """Serves a call once its number is let go."""

    def __init__(self) -> None:
        self.begun: list[int] = []
        self.overtaken: list[int] = []
        self._let_go: dict[int, threading.Event] = {}
        self.calls = LatestCalls(self._serve, lambda _, call: self.overtaken.append(call["number"]))

    def put(self, number: int, name: str = "a", target: str = "hint") -> None:
        self._let_go[number] = threading.Event()
        self.calls.put(agent(name), {"number": number, "target": target})

    def let_go(self, number: int) -> None:
        self._let_go[number].set()

    def _serve(self, _: object, call: Mapping[str, Any]) -> None:
        self.begun.append(call["number"])
        assert self._let_go[call["number"]].wait(60)
        if call["number"] < 0:
            raise ValueError("it fails")


def test_one_is_served_one_waits_and_the_rest_give_way() -> None:
    page = Calls()
    page.put(1)
    wait_until(lambda: page.begun == [1], "the first is served")
    for number in (2, 3, 4):
        page.put(number)
    assert page.overtaken == [2, 3]
    page.let_go(1)
    wait_until(lambda: page.begun == [1, 4], "the newest is served")
    page.let_go(4)


def test_pages_do_not_wait_for_each_other() -> None:
    pages = Calls()
    pages.put(1, "a")
    pages.put(2, "b")
    wait_until(lambda: sorted(pages.begun) == [1, 2], "both are served")
    assert pages.overtaken == []
    for number in (1, 2):
        pages.let_go(number)


def test_one_procedure_does_not_wait_for_another() -> None:
    page = Calls()
    for number in (1, 2):
        page.put(number)
    for number in (3, 4, 5):
        page.put(number, target="look_up")
    wait_until(lambda: sorted(page.begun) == [1, 3], "the first of each is served")
    assert page.overtaken == [4]
    for number in (1, 3):
        page.let_go(number)
    wait_until(lambda: sorted(page.begun) == [1, 2, 3, 5], "the newest of each is served")
    for number in (2, 5):
        page.let_go(number)


def test_a_call_that_fails_ends_nothing() -> None:
    page = Calls()
    page.put(-1)
    wait_until(lambda: page.begun == [-1], "the first is served")
    page.put(2)
    page.let_go(-1)
    wait_until(lambda: page.begun == [-1, 2], "the next is served")
    page.let_go(2)


def test_once_closed_nothing_more_is_served() -> None:
    page = Calls()
    page.put(1)
    wait_until(lambda: page.begun == [1], "the first is served")
    page.put(2)
    page.calls.close()
    page.put(3)
    page.let_go(1)
    wait_until(lambda: not any(thread.name == "latest-a" for thread in threading.enumerate()), "the thread ends")
    assert (page.begun, page.overtaken) == ([1], [])


def test_a_submission_does_not_wait_for_a_hint(tmp_path: Path) -> None:
    asked, let_go = threading.Event(), threading.Event()

    def hint(_agent: object, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        asked.set()
        assert let_go.wait(60)
        return {"number": arguments["number"]}

    async def type_and_submit(url: str) -> list[Any]:
        async with client() as http, PageClient(url, http, "w1", "a1") as page:
            first = asyncio.ensure_future(page.call("hint", {"number": 1}))
            await asyncio.to_thread(asked.wait, 60)
            others = [asyncio.ensure_future(page.call("hint", {"number": number})) for number in (2, 3)]
            verdict = await ask(page)
            assert not first.done()
            assert verdict["attempt"]["fooled"]
            with pytest.raises(CallFailed) as overtaken:
                await others[0]
            let_go.set()
            return [overtaken.value.error["code"], (await first)["number"], (await others[1])["number"]]

    with serving(tmp_path / "run", latest={"hint": hint}) as campaign:
        assert run(type_and_submit(campaign.url)) == ["overtaken", 1, 3]


def test_hints_that_wait_for_the_model_keep_no_operator_from_pausing(tmp_path: Path) -> None:
    asked, let_go = threading.Event(), threading.Event()

    def hint(_agent: object, _arguments: object) -> Mapping[str, Any]:
        asked.set()
        let_go.wait(60)
        return {}

    async def ask_for_a_hint(url: str) -> None:
        async with client() as http, PageClient(url, http, "w1", "a1") as page:
            hint = asyncio.ensure_future(page.call("hint", {}))
            await asyncio.to_thread(asked.wait, 60)
            hint.cancel()

    with serving(tmp_path / "run", latest={"hint": hint}) as campaign:
        run(ask_for_a_hint(campaign.url))
    assert not let_go.is_set()
    let_go.set()
