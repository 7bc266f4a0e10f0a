"""A process that outlives the one that started it, with its log and its state in files. As a program, too:

    python -m beat_the_ai.process.job STATE COMMAND...

runs a command, and writes into STATE how it ended. Whoever runs or is run holds a lock, so that there is one at a time,
and a process that was killed is known by its lock.
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

LOCK_TRIES, LOCK_SECONDS = 5, 0.1
TAIL_BYTES, TAIL_LINES = 8192, 20
LOCK_VARIABLE = "BEAT_THE_AI_JOB_LOCK"

Stands = Literal["running", "done", "failed", "killed"]


@dataclass(frozen=True)
class JobState:
    """The last run of a job. One that is not running and has no `exit_status` was killed.

    `request` names what asked for the run, so that one request starts one.
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
        status = kept.get("exit_status")
        stands: Stands = "running" if is_running else "killed" if status is None else "failed" if status else "done"
        told = {"ended_at": None, "exit_status": None, **kept}
        return JobState(**told, stands=stands, log_tail=self._tail())

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


def _write(path: Path, content: Mapping[str, Any]) -> None:
    new = path.with_suffix(".new")
    with Job._private(new) as file:
        file.write(json.dumps(content).encode())
    new.replace(path)


def _now() -> str:
    return datetime.now(timezone.utc).isoformat(timespec="seconds")


def main() -> None:
    state, command = Path(sys.argv[1]), sys.argv[2:]
    lock = int(os.environ.pop(LOCK_VARIABLE))
    process = subprocess.Popen(command, pass_fds=[lock])
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda number, _frame: process.send_signal(number))
    status = process.wait()
    kept = json.loads(state.read_text(encoding="utf-8"))
    _write(state, {**kept, "ended_at": _now(), "exit_status": status})


if __name__ == "__main__":
    main()
