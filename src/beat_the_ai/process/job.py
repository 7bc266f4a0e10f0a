"""A process that outlives the one that started it, with its log and its state in files. As a program, too:

    python -m beat_the_ai.process.job STATE COMMAND...

runs a command, and writes into STATE how it ended. Whoever runs or is run holds a lock, so that there is one at a time,
and a process that was killed is known by its lock. The processes of a run have its mark in their environment.
"""

from __future__ import annotations

import fcntl
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import IO, Any, Literal

from beat_the_ai.errors import Refused

LOCK_TRIES, LOCK_SECONDS = 5, 0.1
STOP_SECONDS, LOOK_SECONDS = 10.0, 0.02
TAIL_BYTES, TAIL_LINES = 8192, 20
LOCK_VARIABLE, RUN_VARIABLE = "BEAT_THE_AI_JOB_LOCK", "BEAT_THE_AI_JOB_RUN"
PROC = Path("/proc")

Stands = Literal["running", "done", "failed", "killed", "stopped"]


@dataclass(frozen=True)
class JobState:
    """The last run of a job. One that is not running and has no `exit_status` was killed.

    `request` names what asked for the run, so that one request starts one. `stopped_by` is who wanted it stopped.
    """

    name: str
    stands: Stands
    by: str
    command: Sequence[str]
    began_at: str
    ended_at: str | None
    exit_status: int | None
    log_tail: Sequence[str]
    request: str = ""
    stopped_by: str | None = None


@dataclass(frozen=True)
class Job:
    """A job of this name, whose files lie in a private `folder`."""

    folder: Path
    name: str

    @property
    def log(self) -> Path:
        return self.folder / f"{self.name}.log"

    def start(self, command: Sequence[str], by: str, request: str = "") -> bool:
        """Run a command, detached from this process. Return False where the job is running already."""
        with self._locked() as lock:
            if lock is None:
                return False
            began = {"name": self.name, "by": by, "command": list(command), "began_at": _now(), "request": request}
            _write(self._state, began)
            with self._private(self.log) as log:
                process = subprocess.Popen(
                    [sys.executable, "-m", "beat_the_ai.process.job", str(self._state), *command],
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    pass_fds=[lock.fileno()],
                    env={**os.environ, LOCK_VARIABLE: str(lock.fileno())},
                    start_new_session=True,
                )
            threading.Thread(target=process.wait, name="job", daemon=True).start()  # leaves no zombie
            return True

    def state(self) -> JobState | None:
        """Return how it stands; None if it never ran."""
        is_running = self._is_running()
        try:
            kept = json.loads(self._state.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        told = {"ended_at": None, "exit_status": None, **kept, "stopped_by": self._stopped_by(kept["began_at"])}
        stands = "running" if is_running else _ended(told["exit_status"], is_stopped=told["stopped_by"] is not None)
        return JobState(**told, stands=stands, log_tail=self._tail())

    def stop(self, began_at: str, by: str) -> bool:
        """Kill all processes of the run that began then. Return False unless it is running.

        Whoever is killed meanwhile leaves a run that can be stopped again. Raises `Refused` if a process does not end.
        """
        if not self.runs_since(began_at):
            return False
        if self._stopped_by(began_at) is None:
            _write(self._stop, {"began_at": began_at, "by": by})
        until = time.monotonic() + STOP_SECONDS
        while _kill(_mark(self._state, began_at), self._lock) or self.runs_since(began_at):
            if time.monotonic() > until:
                raise Refused(f"The processes of {self.name} do not end. Try again, or end them on the machine.")
            time.sleep(LOOK_SECONDS)
        return True

    @contextmanager
    def kept_idle(self) -> Iterator[bool]:
        """Keep the job from being started until the block ends. Yield False where it is running."""
        with self._locked() as lock:
            yield lock is not None

    @property
    def _state(self) -> Path:
        return self.folder / f"{self.name}.json"

    @property
    def _lock(self) -> Path:
        return self.folder / f"{self.name}.lock"

    @property
    def _stop(self) -> Path:
        return self.folder / f"{self.name}.stop"

    def _stopped_by(self, began_at: str) -> str | None:
        """Return who wanted the run stopped that began then."""
        try:
            kept = json.loads(self._stop.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return str(kept["by"]) if kept["began_at"] == began_at else None

    def runs_since(self, began_at: str) -> bool:
        """Return whether the run that began then goes on."""
        state = self.state()
        return state is not None and state.stands == "running" and state.began_at == began_at

    @contextmanager
    def _locked(self) -> Iterator[IO[bytes] | None]:
        """Yield the locked file; None where a process holds it. Processes that inherit it hold it, too."""
        with self._private(self._lock) as lock:
            for _ in range(LOCK_TRIES):  # whoever looks at it takes it for a moment
                with suppress(BlockingIOError):
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    yield lock
                    return
                time.sleep(LOCK_SECONDS)
            yield None

    def _is_running(self) -> bool:
        if not self._lock.is_file():
            return False
        with self._lock.open("rb") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                return True
            return False

    def _tail(self) -> list[str]:
        if not self.log.is_file():
            return []
        with self.log.open("rb") as log:
            log.seek(max(0, log.seek(0, os.SEEK_END) - TAIL_BYTES))
            return log.read().decode(errors="replace").splitlines()[-TAIL_LINES:]

    @staticmethod
    def _private(path: Path) -> IO[bytes]:
        return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb")


def jobs_in(folder: Path) -> list[JobState]:
    """Return the jobs whose files lie in a folder, by name."""
    found = [Job(folder, path.stem).state() for path in sorted(folder.glob("*.json"))]
    return [state for state in found if state is not None]


def _mark(state: Path, began_at: str) -> str:
    """Return what the processes of a run have in their environment."""
    return f"{state.absolute()} {began_at}"


def _kill(mark: str, lock: Path) -> bool:
    """Kill the processes of a run, whichever session they are in. Return whether there were any.

    Those that hold the lock are stopped first and killed last: the run goes on for everybody as long as any other does.
    """
    pids = list(_marked(mark))
    holders = [pid for pid in pids if _holds(pid, lock)]
    others = [pid for pid in pids if pid not in holders]
    for number, of in ((signal.SIGSTOP, holders), (signal.SIGKILL, others or holders)):
        for pid in of:
            with suppress(ProcessLookupError):
                os.kill(pid, number)
    return bool(pids)


def _marked(mark: str) -> Iterator[int]:
    variable = os.fsencode(f"{RUN_VARIABLE}={mark}")
    for place in PROC.glob("[0-9]*"):
        with suppress(OSError):  # of somebody else, or over
            if variable in (place / "environ").read_bytes().split(b"\0"):
                yield int(place.name)


def _holds(pid: int, lock: Path) -> bool:
    with suppress(OSError):
        return any(file.samefile(lock) for file in (PROC / str(pid) / "fd").iterdir())
    return False


def _ended(exit_status: int | None, *, is_stopped: bool) -> Stands:
    """Return how a run has ended. One that was through before it could be stopped is done."""
    if exit_status == 0:
        return "done"
    if is_stopped:
        return "stopped"
    return "killed" if exit_status is None else "failed"


def _write(path: Path, content: Mapping[str, Any]) -> None:
    new = path.with_name(f"{path.name}.new")
    with Job._private(new) as file:
        file.write(json.dumps(content).encode())
    new.replace(path)


def _now() -> str:
    return datetime.now(timezone.utc).isoformat(timespec="seconds")


def main() -> None:
    state, command = Path(sys.argv[1]), sys.argv[2:]
    lock = int(os.environ.pop(LOCK_VARIABLE))
    began_at = json.loads(state.read_text(encoding="utf-8"))["began_at"]
    process = subprocess.Popen(command, pass_fds=[lock], env={**os.environ, RUN_VARIABLE: _mark(state, began_at)})
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda number, _frame: process.send_signal(number))
    status = process.wait()
    kept = json.loads(state.read_text(encoding="utf-8"))
    _write(state, {**kept, "ended_at": _now(), "exit_status": status})


if __name__ == "__main__":
    main()
