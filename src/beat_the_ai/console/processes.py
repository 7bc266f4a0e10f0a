"""The processes of a campaign on this machine, found without asking them."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from beat_the_ai.console.campaigns import Watched
from beat_the_ai.files.permissions import PRIVATE
from beat_the_ai.store import HeldLease

ROUTERS = f"{PRIVATE}/mephisto/*/data/runs/*/*/router/address.json"
ROUTER, MODEL_SERVER = b"beat_the_ai.mephisto.router", b"beat_the_ai.adversary.child"  # in command lines
PROC = Path("/proc")


@dataclass(frozen=True)
class Process:
    """A process by what it does: operator, model, router or console."""

    role: str
    pid: int


def processes_of(watched: Watched, leases: list[HeldLease]) -> Iterator[Process]:
    """Yield the processes of a campaign with these leases. Without a `/proc` there are operators alone."""
    for lease in leases:
        if lease.pid is not None:
            yield Process("operator", lease.pid)
            yield from (Process("model", child) for child in _children(lease.pid) if MODEL_SERVER in _command(child))
    if "://" not in watched.place:
        yield from _routers(Path(watched.place))


def this_process() -> Process:
    """Return the process of the console."""
    return Process("console", os.getpid())


def _routers(folder: Path) -> Iterator[Process]:
    """Yield the routers that run. A process that got the number of one that has ended has another command line."""
    for address in folder.glob(ROUTERS):
        with suppress(OSError, ValueError, KeyError):
            pid = int(json.loads(address.read_text(encoding="utf-8"))["pid"])
            if {ROUTER, os.fsencode(address.parent.absolute())} <= {*_command(pid)}:
                yield Process("router", pid)


def _children(pid: int) -> list[int]:
    with suppress(OSError):
        tasks = list((PROC / str(pid) / "task").iterdir())
        return [int(child) for task in tasks for child in (task / "children").read_text().split()]
    return []


def _command(pid: int) -> list[bytes]:
    """Return the command line of a process; nothing for one that has ended."""
    with suppress(OSError):
        return (PROC / str(pid) / "cmdline").read_bytes().split(b"\0")
    return []
