"""An act that a page sends again, after the console was killed and started anew, is done once."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from beat_the_ai.campaign.acts.act import Place
from beat_the_ai.campaign.acts.jobs import jobs_of
from beat_the_ai.console.act_views import Done
from beat_the_ai.console.once import OTHER_CONTENT, UNTOLD, Once
from beat_the_ai.errors import Refused
from beat_the_ai.review import new_account
from beat_the_ai.rules.roles import Role
from beat_the_ai.store import ActRequest, Store
from tests.campaign.acts.begun import begin
from tests.cli.launching import NAME
from tests.mephisto.wire import wait_until
from tests.review.builders import PASSWORD

QUERY = f"campaign={NAME}"
KILLED_AT = """
import os, signal, sys
from {module} import {name}
{name}.{method} = lambda *_, **__: os.kill(os.getpid(), signal.SIGKILL)
from beat_the_ai.cli import main
main()
"""
BEFORE_THE_ANSWER = ("beat_the_ai.store.act_requests", "ActRequests", "answer")
BEFORE_THE_START = ("beat_the_ai.process.job", "Job", "start")


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    begun, _ = begin(tmp_path / "campaign")
    new_account(begun.store, "ann", PASSWORD, role=Role.REQUESTER)
    yield begun
    begun.store.close()


class Page:
    """A page that stays open while consoles come and go."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self._http = httpx.Client(trust_env=False, timeout=60)
        self._token = ""

    def close(self) -> None:
        self._http.close()

    @contextmanager
    def at_console(self, killed_at: tuple[str, str, str] | None = None) -> Iterator[Callable[..., Mapping[str, Any]]]:
        """Start a console, and yield the way to its acts. It kills itself at a call, if one is given."""
        program = ["-m", "beat_the_ai.cli"]
        if killed_at is not None:
            program = ["-c", KILLED_AT.format(**dict(zip(("module", "name", "method"), killed_at, strict=True)))]
        command = [sys.executable, *program, "console", str(self.place.out)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            address = json.loads(process.stdout.readline())["address"].rstrip("/")
            if not self._token:
                signed_in = self._http.post(f"{address}/api/session", json={"name": "ann", "password": PASSWORD})
                assert signed_in.status_code == 200
                self._token = self._http.get(f"{address}/api/session").json()["form_token"]

            def do(action: str, request: str, **values: Any) -> Mapping[str, Any]:
                sent = {"action": action, "values": values, "request": request}
                headers = {"X-Form-Token": self._token}
                answer = self._http.post(f"{address}/api/acts/deeds?{QUERY}", json=sent, headers=headers)
                return dict(answer.json())

            yield do
            process.kill()
            process.wait()

    def logged(self) -> list[str]:
        entries = self.place.store.audit.entries()[::-1]
        return [each.action for each in entries if each.action != "sign_in"]


@pytest.fixture
def page(place: Place) -> Iterator[Page]:
    opened = Page(place)
    yield opened
    opened.close()


def test_a_console_that_was_killed_before_its_answer_does_not_do_the_act_again(page: Page) -> None:
    with page.at_console(BEFORE_THE_ANSWER) as do, pytest.raises(httpx.HTTPError):
        do("pause", "request-1")
    assert page.logged() == ["pause"]
    with page.at_console() as do:
        assert do("continue", "request-2")["has_changed"]
        assert do("pause", "request-1") == {"has_changed": True, "told": UNTOLD}
        assert "other values" in do("continue", "request-1")["error"]["message"]
    with page.at_console() as do:
        assert do("pause", "request-1") == {"has_changed": True, "told": UNTOLD}
        told = do("pause", "request-3")
    with page.at_console() as do:
        assert do("pause", "request-3") == told
    assert page.logged() == ["pause", "continue", "pause"]


def test_a_process_is_started_once_whether_the_console_is_killed_before_or_after_it(page: Page) -> None:
    with page.at_console() as do:
        do("close_stage", "request-1", stage="writing")
        assert do("freeze_round", "request-2", number=1)["has_changed"]
    with page.at_console(BEFORE_THE_START) as do, pytest.raises(httpx.HTTPError):
        do("measure_models", "request-3")
    assert (page.logged()[2:], jobs_of(page.place)) == (["measure_models"], [])
    with page.at_console(BEFORE_THE_ANSWER) as do, pytest.raises(httpx.HTTPError):
        do("measure_models", "request-3")
    wait_until(lambda: jobs_of(page.place)[0].stands in ("done", "failed"), "the models are measured")
    [job] = jobs_of(page.place)
    with page.at_console() as do:
        assert do("measure_models", "request-3") == {"has_changed": True, "told": UNTOLD}
    assert jobs_of(page.place) == [job]
    assert page.logged()[2:] == ["measure_models"]


def test_what_failed_is_done_when_it_is_sent_again_and_two_at_once_have_one_answer(store: Store) -> None:
    once, request, done = Once(), ActRequest("pilot", "ann", "request-1", "a"), Done(has_changed=True, told="It is.")
    calls = 0

    def do() -> Done:
        nonlocal calls
        calls += 1
        if calls == 1:
            raise Refused("Not now.")
        return done

    with pytest.raises(Refused, match="Not now"):
        once.answer(store, request, do)
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: once.answer(store, request, do), range(8)))
    assert (answers, calls) == ([done] * 8, 2)
    with pytest.raises(Refused, match=OTHER_CONTENT[:20]):
        Once().answer(store, ActRequest("pilot", "ann", "request-1", "b"), do)
    assert Once().answer(store, ActRequest("pilot", "bob", "request-1", "b"), do) == done  # somebody else's
