"""Whose a process is: the run's of tests, a worker's of pytest-xdist, or one test's.

It stands in a variable of the environment, which a process's children inherit, whoever becomes their parent.
"""

from __future__ import annotations

import contextlib
import os
import signal
from pathlib import Path

OWNER = "BEAT_THE_AI_TEST"  # RUN/WORKER/NUMBER OF THE TEST/; shorter for what is not one test's alone


def kill_processes(owner: str) -> None:
    """All that belong to the owner, or to a part of it, but not this process."""
    mark = f"\0{OWNER}={owner}".encode()
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it has ended, or is somebody else's
            if int(folder.name) != os.getpid() and mark in b"\0" + (folder / "environ").read_bytes():
                os.kill(int(folder.name), signal.SIGKILL)


def unowned() -> dict[str, str]:
    """The environment for a process that ends by itself and must not be killed on the way."""
    return {name: value for name, value in os.environ.items() if name != OWNER}
