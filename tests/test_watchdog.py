"""Runs of pytest, each in a process of its own, on tests that do not end."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from tests import workers
from tests.mephisto.wire import wait_until
from tests.processes import unowned

ROOT = Path(__file__).parents[1]
SETTINGS = "[pytest]\ntimeout = 1\ntimeout_grace_seconds = 1\n"
FIRST = """
import asyncio, os, subprocess, threading
from pathlib import Path

def start():
    child = subprocess.Popen(["sleep", "1000"], start_new_session=True)
    Path("pid").write_text(str(child.pid))
    return child
"""
LAST = """
def test_another():
    pass
"""


def pytest_run(folder: Path, tests: str, *options: str) -> subprocess.CompletedProcess[str]:
    """On tests in a file, with a time-out of a second."""
    (folder / "pytest.ini").write_text(SETTINGS)
    (folder / "test_it.py").write_text(FIRST + tests + LAST)
    command = [sys.executable, "-m", "pytest", "-p", "tests.watchdog", "-p", "no:cacheprovider", *options]
    environment = {**unowned(), "PYTHONPATH": str(ROOT), "PYTEST_ADDOPTS": ""}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=100)


def has_ended(pid: int) -> bool:
    try:
        return "\nState:\tZ" in Path(f"/proc/{pid}/status").read_text()
    except FileNotFoundError:
        return True


def child_has_ended(folder: Path) -> None:
    pid = int((folder / "pid").read_text())
    wait_until(lambda: has_ended(pid), "the test's process has ended")


def test_a_test_whose_threads_wait_for_a_process_ends_with_its_reason_and_the_next_one_runs(tmp_path: Path) -> None:
    """As the crash matrix hung: what is raised in the main thread waits for the threads of asyncio."""
    ran = pytest_run(
        tmp_path,
        """
def test_it():
    asyncio.run(asyncio.to_thread(start().wait))
""",
    )
    assert "1 failed, 1 passed" in ran.stdout
    assert "Timeout (>1.0s) from pytest-timeout" in ran.stdout
    child_has_ended(tmp_path)


FOR_EVER = """
def test_it():
    start()
    threading.Thread(target=threading.Event().wait).start()
    try:
        asyncio.run(asyncio.to_thread(threading.Event().wait))
    finally:
        threading.Event().wait()
"""


def test_a_test_that_keeps_the_interpreters_lock_ends_with_its_process(tmp_path: Path) -> None:
    ran = pytest_run(
        tmp_path,
        """
def test_it():
    from collections import deque
    from itertools import repeat
    deque(repeat(None), maxlen=0)
""",
    )
    assert ran.returncode == 1
    assert "Timeout (0:00:04)!" in ran.stderr
    assert "in test_it" in ran.stderr


def test_a_test_that_waits_for_nothing_ends_with_its_process(tmp_path: Path) -> None:
    ran = pytest_run(tmp_path, FOR_EVER)
    assert ran.returncode == 1
    assert "test_it.py::test_it still does not end" in ran.stderr
    assert "in test_it" in ran.stderr
    child_has_ended(tmp_path)


@pytest.mark.parametrize(
    "death",
    [
        FOR_EVER,
        "\ndef test_it():\n    start()\n    os.kill(os.getpid(), 9)\n",
        "\ndef test_it():\n    start()\n    os.fork() or threading.Event().wait()\n    os.kill(os.getpid(), 9)\n",
    ],
    ids=["for ever", "killed", "killed, and a forked process keeps its pipe"],
)
def test_a_worker_that_dies_ends_the_run_with_its_last_test_named(tmp_path: Path, death: str) -> None:
    ran = pytest_run(tmp_path, death, "-n", "1")
    assert ran.returncode == 1
    assert "A worker of the tests (gw0) has died. Its last test: test_it.py::test_it" in ran.stdout + ran.stderr
    assert "1 passed" not in ran.stdout
    child_has_ended(tmp_path)


def test_a_worker_that_goes_from_test_to_test_never_looks_dead(tmp_path: Path) -> None:
    """Two looks, a minute apart, at a file that was just being written once ended a run that was well."""
    path = tmp_path / "gw0"
    config = cast(pytest.Config, SimpleNamespace(workerinput={workers.LAST_TEST: str(path)}))
    workers.record_test(config, "first")
    is_over = threading.Event()

    def look() -> bool:
        looks = [workers.has_ended(path)]
        while not is_over.is_set():
            looks.append(workers.has_ended(path))
        return any(looks)

    with ThreadPoolExecutor(1) as pool:
        looked_dead = pool.submit(look)
        for number in range(2000):
            workers.record_test(config, f"test {number}")
        is_over.set()
        assert not looked_dead.result()


def test_a_test_that_has_failed_is_torn_down_in_time_or_ends(tmp_path: Path) -> None:
    ran = pytest_run(
        tmp_path,
        """
import pytest

@pytest.fixture
def slow():
    yield start()
    threading.Event().wait()

def test_it(slow):
    assert False, "its own reason"
""",
        "-n",
        "1",
    )
    assert "its own reason" in ran.stdout
    child_has_ended(tmp_path)


@pytest.mark.parametrize("outcome", ["pass", "assert False"])
def test_what_a_test_leaves_behind_is_killed(tmp_path: Path, outcome: str) -> None:
    ran = pytest_run(tmp_path, f"\ndef test_it():\n    start()\n    {outcome}\n")
    assert "1 passed" in ran.stdout or "2 passed" in ran.stdout
    child_has_ended(tmp_path)


def test_what_a_fixture_of_the_session_starts_lives_as_long_as_the_session(tmp_path: Path) -> None:
    ran = pytest_run(
        tmp_path,
        """
import pytest

@pytest.fixture(scope="session")
def shared():
    return start()

def test_it(shared):
    subprocess.Popen(["true"]).wait()

def test_next(shared):
    assert shared.poll() is None
""",
    )
    assert "3 passed" in ran.stdout
    child_has_ended(tmp_path)


def test_what_tests_start_can_be_interrupted_wherever_they_run() -> None:
    """In the background of a shell, a process ignores Ctrl-C unless somebody sees to it."""
    program = "import signal; print(signal.getsignal(signal.SIGINT) == signal.default_int_handler)"
    assert subprocess.check_output([sys.executable, "-c", program], text=True) == "True\n"
    assert os.environ["BEAT_THE_AI_TEST"]
