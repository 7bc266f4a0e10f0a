"""The processes that are measured: operators, which bring their routers along, and model servers.

Each is a child of the benchmark, so that the clients do not take its time or its memory, and ends with it.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

START_SECONDS = 120
STOP_SECONDS = 30
READY_FILE = "ready.json"
LOG_FILE = "operator.log"


@dataclass(frozen=True)
class Ready:
    """An operator that serves: the pages' URL, and its processes by name."""

    url: str
    processes: Mapping[str, int]


def operator_arguments(description: str | None) -> argparse.Namespace:
    """Return an operator's arguments: its folder, the number of HITs, and the address of a model outside its process.

    Logging is set as the command line sets it; Mephisto's import leaves it at INFO.
    """
    logging.basicConfig(level=logging.WARNING, force=True)
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("directory", type=Path)
    parser.add_argument("--hits", type=int, required=True)
    parser.add_argument("--model-address")
    parser.add_argument("--model-name")
    parser.add_argument("--kind", default="reading_comprehension")
    return parser.parse_args()


def serve_until_parent_ends(directory: Path, ready: Ready) -> None:
    """Called by an operator once it serves."""
    draft = directory / "ready.draft"
    draft.write_text(json.dumps(asdict(ready)), encoding="utf-8")
    draft.rename(directory / READY_FILE)
    sys.stdin.buffer.read()


@contextmanager
def operator(module: str, directory: Path, options: Sequence[str]) -> Iterator[Ready]:
    """`python -m MODULE DIRECTORY OPTIONS...`, running; what it prints goes into a log in its folder."""
    directory.mkdir(parents=True)
    command = [sys.executable, "-m", module, str(directory), *options]
    environment = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
    with (
        (directory / LOG_FILE).open("wb") as log,
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=log, stderr=log, env=environment) as process,
    ):
        try:
            yield _wait_until_ready(process, directory)
        finally:
            assert process.stdin is not None
            process.stdin.close()
            _wait_or_kill(process)


def _wait_until_ready(process: subprocess.Popen[bytes], directory: Path) -> Ready:
    deadline = time.monotonic() + START_SECONDS
    while not (directory / READY_FILE).exists():
        if process.poll() is not None or time.monotonic() > deadline:
            raise SystemExit(f"An operator did not start:\n{(directory / LOG_FILE).read_text(encoding='utf-8')}")
        time.sleep(0.1)
    return Ready(**json.loads((directory / READY_FILE).read_text(encoding="utf-8")))


@contextmanager
def model_server(module: str, options: Sequence[str] = ()) -> Iterator[str]:
    """The address of a model server, `python -m MODULE OPTIONS...`, that has loaded its models."""
    command = [sys.executable, "-m", module, *options]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            if not line:
                raise SystemExit("The model server did not start; what it printed above says why.")
            yield json.loads(line)["address"]
        finally:
            assert process.stdin is not None
            process.stdin.close()
            process.terminate()
            _wait_or_kill(process)


def _wait_or_kill(process: subprocess.Popen[bytes]) -> None:
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()


@dataclass(frozen=True)
class Usage:
    """The usage of a process, so far and at this moment. `pss_mb` divides shared memory among its processes."""

    cpu_seconds: float
    pss_mb: float
    rss_mb: float
    handles: int


def usage(process_id: int) -> Usage:
    """Linux only (proc_pid_stat(5), proc_pid_smaps(5))."""
    folder = Path(f"/proc/{process_id}")
    lines = (folder / "smaps_rollup").read_text(encoding="ascii").splitlines()[1:]
    memory = {line.split(":")[0]: int(line.split()[1]) / 1024 for line in lines}
    return Usage(cpu_seconds(stat_of(folder)), memory["Pss"], memory["Rss"], sum(1 for _ in (folder / "fd").iterdir()))


def stat_of(process: Path) -> Sequence[str]:
    """Return the fields of a process's stat from the state on; none for one that has ended. Linux only."""
    try:
        return (process / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return ()


def cpu_seconds(stat: Sequence[str], *, with_children: bool = False) -> float:
    """Return what a process has used, and those of its children that have ended (proc_pid_stat(5))."""
    return sum(map(int, stat[11 : 15 if with_children else 13])) / os.sysconf("SC_CLK_TCK")


def peak_rss_mb(process_id: int) -> float:
    """The most memory that a process had so far. Linux only (VmHWM, proc_pid_status(5))."""
    lines = Path(f"/proc/{process_id}/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM:"))
