"""Processes that outlive the one that started them: one at a time, and known for what became of them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from beat_the_ai.process.job import Job, JobState, jobs_in
from tests.mephisto.wire import wait_until
from tests.store.builders import at_once

# A command with a child in a session of its own, which nothing else ties to it. Both ignore being asked to end.
STUBBORN = """
import os, signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
deaf = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)"
child = subprocess.Popen([sys.executable, "-c", deaf], start_new_session=True)
print(os.getpid(), child.pid, flush=True)
time.sleep(600)
"""
SLEEPS = [sys.executable, "-c", "import os, time; print(os.getpid(), flush=True); time.sleep(600)"]


def ended(job: Job) -> JobState:
    def has_ended() -> bool:
        state = job.state()
        return state is not None and state.stands != "running"

    wait_until(has_ended, "the job has ended")
    state = job.state()
    assert state is not None
    return state


def pid_of(job: Job) -> int:
    def says_its_pid() -> bool:
        state = job.state()
        return state is not None and len(state.log_tail) == 1

    wait_until(says_its_pid, "the job says its process id")
    return int(job.log.read_text())


def test_a_job_says_how_it_ended_and_can_be_started_again(tmp_path: Path) -> None:
    job = Job(tmp_path, "train")
    assert (job.state(), jobs_in(tmp_path)) == (None, [])
    for status, stands in ((0, "done"), (3, "failed")):
        assert job.start([sys.executable, "-c", f"print('over'); raise SystemExit({status})"], "ann")
        state = ended(job)
        assert (state.stands, state.exit_status, state.by, state.log_tail) == (stands, status, "ann", ["over"])
        assert jobs_in(tmp_path) == [state]
    assert {path.stat().st_mode & 0o077 for path in tmp_path.iterdir()} == {0}


def test_of_many_who_start_a_job_one_does(tmp_path: Path) -> None:
    job = Job(tmp_path, "train")
    assert sum(at_once(4, lambda number: Job(tmp_path, "train").start(SLEEPS, f"w{number}"))) == 1
    pid = pid_of(job)
    assert not job.start(SLEEPS, "ann")
    state = job.state()
    assert state is not None
    assert state.stands == "running"
    os.kill(pid, signal.SIGTERM)
    assert (ended(job).stands, ended(job).exit_status) == ("failed", -signal.SIGTERM)


def test_a_job_that_was_killed_is_told_as_such_and_lives_as_long_as_its_process(tmp_path: Path) -> None:
    job = Job(tmp_path, "train")
    job.start(SLEEPS, "ann")
    pid = pid_of(job)
    runner = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    os.kill(runner, signal.SIGKILL)
    assert not job.start(SLEEPS, "bob")  # what it ran goes on
    os.kill(pid, signal.SIGKILL)
    state = ended(job)
    assert (state.stands, state.by, state.exit_status) == ("killed", "ann", None)
    assert job.start([sys.executable, "-c", ""], "bob")
    assert ended(job).stands == "done"


def stubborn(folder: Path) -> tuple[Job, JobState, list[int]]:
    """A run that hangs, with its processes."""
    job = Job(folder, "rehearsal")
    assert job.start([sys.executable, "-c", STUBBORN], "ann")
    wait_until(lambda: job.log.is_file() and job.log.read_text().endswith("\n"), "the job says its process ids")
    state = job.state()
    assert state is not None
    return job, state, [int(pid) for pid in job.log.read_text().split()]


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_a_job_that_hangs_is_stopped_once_with_all_that_it_has_started(tmp_path: Path) -> None:
    (tmp_path / "beside").mkdir()
    job, state, pids = stubborn(tmp_path)
    beside, its_state, its_pids = stubborn(tmp_path / "beside")
    assert not job.stop("another time", "bob")
    assert job.stop(state.began_at, "bob")
    assert not any(map(is_alive, pids))
    stopped = ended(job)
    assert (stopped.stands, stopped.by, stopped.stopped_by) == ("stopped", "ann", "bob")
    assert not job.stop(state.began_at, "carl")
    assert job.state() == stopped
    assert all(map(is_alive, its_pids))
    assert beside.stop(its_state.began_at, "bob")
    assert job.start([sys.executable, "-c", ""], "ann")
    assert {path.stat().st_mode & 0o077 for path in tmp_path.glob("rehearsal.*")} == {0}


@pytest.mark.parametrize("which", [0, 1])
def test_whoever_is_killed_while_stopping_a_job_leaves_one_that_can_be_stopped(tmp_path: Path, which: int) -> None:
    job, state, pids = stubborn(tmp_path)
    killed = f"""
import os
from pathlib import Path
from beat_the_ai.process.job import Job
kill = os.kill
os.kill = lambda pid, number: os._exit(9) if (pid, number) == ({pids[which]}, 9) else kill(pid, number)
Job(Path({str(tmp_path)!r}), "rehearsal").stop({state.began_at!r}, "bob")
"""
    assert subprocess.run([sys.executable, "-c", killed]).returncode == 9
    left = job.state()
    assert left is not None
    assert (left.stands, left.stopped_by) == ("running", "bob")
    assert is_alive(pids[which])
    assert job.stop(state.began_at, "carl")
    assert not any(map(is_alive, pids))
    assert ended(job).stopped_by == "bob"


def test_a_job_whose_runner_was_killed_is_stopped_too(tmp_path: Path) -> None:
    job, state, pids = stubborn(tmp_path)
    runner = int(Path(f"/proc/{pids[0]}/stat").read_text().rpartition(")")[2].split()[1])
    os.kill(runner, signal.SIGKILL)
    assert job.stop(state.began_at, "bob")
    assert not any(map(is_alive, pids))
    assert ended(job).stands == "stopped"
