"""Processes that outlive the one that started them: one at a time, and known for what became of them."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

from beat_the_ai.process.job import Job, JobState, jobs_in
from tests.mephisto.wire import wait_until
from tests.store.builders import at_once

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
