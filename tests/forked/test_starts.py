"""A program that comes from a template is what `python -m` makes of it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from tests.forked.starts import new_interpreters
from tests.forked.tells import ENDS
from tests.forked.template import IS_POSSIBLE
from tests.processes import OWNER

pytestmark = pytest.mark.skipif(not IS_POSSIBLE, reason="a template needs Linux on x86-64 or ARM64")
TELLS = [sys.executable, "-m", "tests.forked.tells"]
QUIET = subprocess.DEVNULL
WORD = "BEAT_THE_AI_WORD"


def tell(*arguments: str, **options: Any) -> Any:
    return json.loads(subprocess.check_output([*TELLS, *arguments], text=True, timeout=60, **options))


@pytest.mark.parametrize("has_session", [False, True])
def test_it_is_as_in_a_new_interpreter(has_session: bool) -> None:
    options: dict[str, Any] = {"stdin": subprocess.DEVNULL, "start_new_session": has_session}
    before = os.umask(0o027)
    try:
        forked = tell("ä b", "0", env={**os.environ, WORD: "wörd\n="}, **options)
        with new_interpreters():
            new = tell("ä b", "0", env={**os.environ, WORD: "wörd\n="}, **options)
    finally:
        os.umask(before)
    assert (forked["own"]["is forked"], new["own"]["is forked"]) == (True, False)
    assert new["facts"]["environment"].pop("PYTHONHASHSEED")
    if has_session:
        for told in (forked, new):
            assert told["facts"].pop("session") == [told["own"]["pid"]] * 2
    assert forked["facts"] == new["facts"]


def test_it_has_a_folder_and_a_seed_of_its_own_and_shows_its_environment(tmp_path: Path) -> None:
    first, second = (tell("0", cwd=tmp_path) for _ in range(2))
    assert first["facts"]["folder"] == [str(tmp_path)] * 2
    assert first["own"]["random"] != second["own"]["random"]
    shown = first["own"]["shown"]
    assert sorted(shown) == sorted(f"{name}={value}" for name, value in first["facts"]["environment"].items())
    assert f"{OWNER}={os.environ[OWNER]}" in shown


def test_what_it_starts_comes_from_a_template_is_its_own_child_and_has_the_files_that_it_is_given() -> None:
    told = tell("2")
    for _ in range(2):
        child = told["child"]
        assert child["own"]["is forked"]
        assert child["facts"]["parent"] == told["own"]["pid"]
        files = child["own"]["files"]
        assert files.items() >= told["passed"].items()
        assert len(files) == len(told["passed"]) + 1, "besides its template"
        told = child
    assert "child" not in told


@pytest.mark.parametrize("variable", ["PYTHONHASHSEED", "HOME", "TZ"])
def test_with_other_variables_it_is_a_new_interpreter(variable: str) -> None:
    told = tell("1", env={**os.environ, variable: "1"})
    assert not told["own"]["is forked"]
    assert not told["child"]["own"]["is forked"]


@pytest.mark.parametrize("how", ENDS)
def test_it_ends_as_a_new_interpreter_does(how: str) -> None:
    """Its threads end, and what is registered for the exit is called."""
    forked = subprocess.run([*TELLS, "--end", how], capture_output=True, text=True, timeout=60)
    with new_interpreters():
        new = subprocess.run([*TELLS, "--end", how], capture_output=True, text=True, timeout=60)
    assert (forked.returncode, forked.stdout) == (new.returncode, new.stdout)
    assert forked.stdout == "in a thread\nat the exit\n"
    assert forked.stderr.splitlines()[-1:] == new.stderr.splitlines()[-1:]


def test_it_ends_as_a_new_interpreter_does_where_nobody_reads_it() -> None:
    statuses = []
    for start in (nullcontext, new_interpreters):
        with start(), subprocess.Popen([*TELLS, "--end", "none"], stdout=subprocess.PIPE, stderr=QUIET) as process:
            assert process.stdout is not None
            process.stdout.close()
            statuses.append(process.wait(60))
    assert statuses[0] == statuses[1]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_signal_is_its_exit_status_and_its_template_ends_with_it(number: signal.Signals) -> None:
    with subprocess.Popen([*TELLS, "--wait"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        [template] = children(process.pid)
        process.send_signal(number)
        assert process.wait(60) == -number
    deadline = time.monotonic() + 60
    while Path(f"/proc/{template}/fd/0").exists():
        assert time.monotonic() < deadline, "its template is left"
        time.sleep(0.01)


def children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
