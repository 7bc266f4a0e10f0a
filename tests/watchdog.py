"""No test outlives its time-out, and nothing that a test has started outlives the test.

pytest-timeout raises an error in the main thread. That alone ends no test that then waits, while it is torn down, for a
thread which waits for a process. So, each `timeout_grace_seconds` after the other: what the test has started is killed,
which ends such waiting, with the reason that was raised; then the whole process of tests ends and says what its threads
were doing. Where native code holds the interpreter's lock, nothing of that happens, and a thread without it ends the
process. With pytest-xdist that ends the run (`workers`).
"""

from __future__ import annotations

import faulthandler
import os
import sys
import threading
import uuid
from collections.abc import Generator
from typing import IO, Any

import pytest
from _pytest.fixtures import FixtureDef

from tests.processes import OWNER, kill_processes
from tests.workers import Workers, record_test

STARTS = ("subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addini(
        "timeout_grace_seconds", "after the time-out, before what the test has started is killed", default="15"
    )


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Watchdog(config))
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Workers(config))


class Watchdog:
    """In every process of pytest: the one that the user started, and pytest-xdist's workers."""

    def __init__(self, config: pytest.Config) -> None:
        worker: dict[str, str] | None = getattr(config, "workerinput", None)
        inherited = os.environ.get(OWNER, "")
        self._mine = f"{inherited}{worker['workerid']}/" if worker is not None else f"{uuid.uuid4().hex}/"
        self._grace_seconds = float(config.getini("timeout_grace_seconds"))
        self._is_debugging = bool(config.getoption("usepdb"))
        self._stderr: IO[str] = os.fdopen(os.dup(2), "w")  # nothing is captured yet
        self._alarms: list[threading.Timer] = []
        self._tests = 0
        self._has_started = False
        os.environ[OWNER] = self._mine
        sys.addaudithook(self._notice)

    def _notice(self, event: str, _arguments: tuple[Any, ...]) -> None:
        self._has_started = self._has_started or event in STARTS

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        record_test(item.config, item.nodeid)
        self._tests += 1
        os.environ[OWNER] = test = f"{self._mine}{self._tests}/"
        self._has_started = False
        try:
            return (yield)
        finally:
            self._calm_down()
            if self._has_started:
                kill_processes(test)
            os.environ[OWNER] = self._mine

    @pytest.hookimpl(tryfirst=True)
    def pytest_timeout_set_timer(self, item: pytest.Item, settings: Any) -> None:
        """Beside pytest-timeout's own timer, which is cancelled by the first failure, before anything is torn down."""
        if self._is_debugging:
            return
        first = settings.timeout + self._grace_seconds
        for seconds, action in ((first, self._kill_test), (first + self._grace_seconds, self._end)):
            alarm = threading.Timer(seconds, action, [item.nodeid])
            alarm.daemon = True
            alarm.start()
            self._alarms.append(alarm)
        faulthandler.dump_traceback_later(first + 2 * self._grace_seconds, exit=True, file=self._stderr)

    def _calm_down(self) -> None:
        faulthandler.cancel_dump_traceback_later()
        for alarm in self._alarms:
            alarm.cancel()
        self._alarms.clear()

    def _kill_test(self, test: str) -> None:
        self._say(f"{test} does not end: what it has started is killed")
        kill_processes(os.environ[OWNER])

    def _end(self, test: str) -> None:
        self._say(f"{test} still does not end: the process of tests does")
        faulthandler.dump_traceback(self._stderr)
        kill_processes(self._mine)
        os._exit(1)

    def _say(self, what: str) -> None:
        print(f"\n{what}", file=self._stderr, flush=True)

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: FixtureDef[Any]) -> Generator[None, object, object]:
        """What a fixture of a module or a session starts stays when the test ends that asked for it first."""
        owner = os.environ[OWNER]
        if fixturedef.scope != "function":
            os.environ[OWNER] = self._mine
        try:
            return (yield)
        finally:
            os.environ[OWNER] = owner

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self) -> None:
        kill_processes(self._mine)
