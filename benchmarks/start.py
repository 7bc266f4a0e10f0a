"""The time from `serve` to a page for a worker, what its processes hold then, and the time that `--help` takes.

`serve` is the command line's own, with the shipped model and a new campaign; a worker registers as soon as its address
is printed. Memory is PSS, which divides what is shared among its processes. Needs the built pages (`make webapp`);
memory and processes are those of /proc: Linux only.

    python -m benchmarks.start [--rounds 5]
"""

from __future__ import annotations

import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import httpx
from rich.console import Console
from rich.table import Table

from benchmarks.processes import stat_of, usage
from benchmarks.suite import TASKS

COMMAND = (sys.executable, "-m", "beat_the_ai.cli")
ADDRESS = re.compile(r"http://[\d.:]+")
REST_SECONDS, STOP_SECONDS = 1.0, 60
PARTS = {"beat_the_ai.adversary.child": "model server", "beat_the_ai.mephisto.router": "router"}
WORKER = {"worker_name": "ada", "agent_registration_id": "1-ada", "assignment_id": "1", "provider_type": "mock"}
TARGETS = "targets: a page after 1.5 s, 300 MB in all, --help within 0.3 s of processor"


@dataclass(frozen=True)
class Started:
    """Seconds until a worker had a page, and each process's memory in MB."""

    seconds: float
    megabytes: dict[str, float]


def start(folder: Path) -> Started:
    began = time.perf_counter()
    command = [*COMMAND, "serve", str(TASKS / "reading_comprehension"), "--out", str(folder / "campaign")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as serving:
        try:
            register(address_in(serving))
            seconds = time.perf_counter() - began
            time.sleep(REST_SECONDS)
            pids = {"operator": serving.pid, **children(serving.pid)}
            return Started(seconds, {name: usage(pid).pss_mb for name, pid in pids.items()})
        finally:
            serving.terminate()
            assert serving.stdout is not None
            serving.stdout.read()  # what it says of its end
            serving.wait(STOP_SECONDS)


def address_in(serving: subprocess.Popen[str]) -> str:
    assert serving.stdout is not None
    said = []
    for line in serving.stdout:
        said.append(line)
        if found := ADDRESS.search(line):
            return found.group()
    raise SystemExit(f"serve did not start:\n{''.join(said)}")


def register(url: str) -> None:
    answer = httpx.post(f"{url}/request_agent", json={"provider_data": WORKER}, trust_env=False, timeout=60)
    if not answer.is_success or answer.json()["data"]["agent_id"] is None:
        raise SystemExit(f"The worker got no page: {answer.text}")


def children(pid: int) -> dict[str, int]:
    found: dict[str, int] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        stat = stat_of(folder)
        if stat and int(stat[1]) == pid:
            command = (folder / "cmdline").read_text(encoding="utf-8").split("\0")
            found |= {name: int(folder.name) for module, name in PARTS.items() if module in command}
    return found


def seconds_of_help() -> float:
    """Return the processor that `--help` takes."""
    with subprocess.Popen([*COMMAND, "--help"], stdout=subprocess.DEVNULL) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return used.ru_utime + used.ru_stime


def report(starts: Sequence[Started]) -> Table:
    table = Table("start", "page after, s", *starts[0].megabytes, "together, MB")
    for number, one in enumerate(starts, 1):
        sizes = [*one.megabytes.values(), sum(one.megabytes.values())]
        table.add_row(str(number), f"{one.seconds:.2f}", *(f"{size:.0f}" for size in sizes))
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    starts, helps = [], []
    for _ in range(given.rounds):
        with tempfile.TemporaryDirectory(prefix="start-") as folder:
            starts.append(start(Path(folder)))
        helps.append(seconds_of_help())
    console = Console(width=100)
    console.print(report(starts))
    page, whole = (statistics.median(each) for each in ([one.seconds for one in starts], helps))
    console.print(f"medians: a page after {page:.2f} s, --help {whole:.2f} s of processor; {TARGETS}")


if __name__ == "__main__":
    main()
