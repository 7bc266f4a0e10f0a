"""Whose a process is: the run's of tests, a worker's of pytest-xdist, or one test's.

It stands in a variable of the environment, which a process's children inherit, whoever becomes their parent.
"""

from __future__ import annotations

import contextlib
import os
import signal
import time
from pathlib import Path

PROC = Path("/proc")
STARTING_SECONDS = 5.0
OWNER = "BEAT_THE_AI_TEST"  # RUN/WORKER/NUMBER OF THE TEST/; shorter for what is not one test's alone


def kill_processes(owner: str) -> None:
    """All that belong to the owner, or to a part of it, but not this process."""
    mark = f"\0{OWNER}={owner}".encode()
    for folder in PROC.glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it has ended, or is somebody else's
            if int(folder.name) != os.getpid() and mark in b"\0" + _environment(folder):
                os.kill(int(folder.name), signal.SIGKILL)


def _environment(process: Path) -> bytes:
    """A program that has only just been started has none for a moment, though it has a file (execve(2))."""
    deadline = time.monotonic() + STARTING_SECONDS
    while not (found := (process / "environ").read_bytes()) and time.monotonic() < deadline:
        (process / "exe").readlink()  # OSError: it has ended, or is the kernel's
        time.sleep(0.01)
    return found


def unowned() -> dict[str, str]:
    """The environment for a process that ends by itself and must not be killed on the way."""
    return {name: value for name, value in os.environ.items() if name != OWNER}
