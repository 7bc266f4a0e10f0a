"""A writer's wait for a verdict beyond the model's own time: this suite against plain Mephisto 1.1.1.

Both run at once on this machine, each with operator and router as processes of their own, and are measured in turns:
every round lets the same number of writers ask, one after the other system. A writer's registration and first question
(which opens its connection) come before the clock starts. The model answers at once, behind the suite's model server
for both, so that all that is measured is overhead; with --in-process it stands in each operator's process. The rival
stores nothing; the suite's figures include a durable commit. Compare medians by their ratio only: the machine may be
busy with other things. Where the rival's router cannot be installed, --alone leaves it out.

Whoever never pauses asks right after the rival has looked for calls, and waits for all of its 0.3 s. People pause: a
pause is drawn at random from 0 to twice as many seconds as --pauses says, and that is the fair comparison.

    python -m benchmarks.attempt_latency [--writers 1 50] [--pauses 1 0] [--calls 20] [--rounds 3] [--in-process]
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import random
import statistics
import tempfile
import time
import uuid
from collections.abc import Sequence
from contextlib import AsyncExitStack, ExitStack
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import httpx
from rich.console import Console
from rich.table import Table

from beat_the_ai.simulation.page import PageClient
from benchmarks.processes import model_server, operator
from benchmarks.stock.page import StockPage
from benchmarks.stock.router import use_node
from benchmarks.suite import TERMS
from benchmarks.trivial import NAME, losing_work

TARGETS = {1: 20, 50: 5}  # the rival's median over ours
REST_SECONDS = 1.0
TIMEOUT_SECONDS = 90


@dataclass(frozen=True)
class System:
    """One of the two that are compared."""

    name: str
    module: str
    page: type[PageClient]


SUITE = System("this suite", "benchmarks.suite", PageClient)
STOCK = System("Mephisto 1.1.1", "benchmarks.stock.operator", StockPage)
Seconds = dict[tuple[str, int, float], list[float]]  # by system, number of writers and pause


class Writer:
    """Asks one question after the other on its HIT, all different and none of them winning."""

    def __init__(self, page: PageClient, name: str, pause_seconds: float) -> None:
        self._page = page
        self._name = name
        self._pause_seconds = pause_seconds
        self._rng = random.Random(name)
        self._context = page.init_data["context"]

    async def ask(self, number: int) -> float:
        """The seconds until the verdict came."""
        work = losing_work(self._context["text"], f"{self._name}-{number}")
        call = {"attempt_key": str(uuid.uuid4()), "context_id": self._context["id"], "work": work}
        started = time.perf_counter()
        await asyncio.wait_for(self._page.call("submit_attempt", call), TIMEOUT_SECONDS)
        return time.perf_counter() - started

    async def ask_all(self, calls: int) -> list[float]:
        seconds = []
        for number in range(1, calls + 1):
            await asyncio.sleep(self._rng.uniform(0, 2 * self._pause_seconds))
            seconds.append(await self.ask(number))
        return seconds

    async def submit(self) -> None:
        await self._page.submit({"feedback": ""})


async def one_round(system: System, url: str, names: Sequence[str], calls: int, pause_seconds: float) -> list[float]:
    """Latencies of all questions of writers who work at the same time, each on a HIT of its own."""
    limits = httpx.Limits(max_connections=len(names))
    async with httpx.AsyncClient(limits=limits, trust_env=False) as http, AsyncExitStack() as opened:
        pages = [system.page(url, http, name, "1") for name in names]
        await asyncio.gather(*(opened.enter_async_context(page) for page in pages))
        writers = [Writer(page, name, pause_seconds) for page, name in zip(pages, names, strict=True)]
        await asyncio.gather(*(writer.ask(0) for writer in writers))
        seconds = await asyncio.gather(*(writer.ask_all(calls) for writer in writers))
        await asyncio.gather(*(writer.submit() for writer in writers))
    return [second for of_writer in seconds for second in of_writer]


def measure(systems: Sequence[tuple[System, str]], given: argparse.Namespace) -> Seconds:
    """All latencies, the systems taking turns."""
    kinds = list(product(given.writers, given.pauses))
    measured: Seconds = {(system.name, *kind): [] for system, _ in systems for kind in kinds}
    for number in range(given.rounds):
        for (writers, pause), (system, url) in product(kinds, systems):
            names = [f"writer-{number}-{writers}-{pause:g}-{position}" for position in range(writers)]
            measured[system.name, writers, pause] += asyncio.run(one_round(system, url, names, given.calls, pause))
            time.sleep(REST_SECONDS)
    return measured


def report(measured: Seconds, given: argparse.Namespace) -> Table:
    served = "in the operator's process" if given.in_process else "on the suite's model server"
    table = Table(title=f"From question to verdict, ms; a model of 0 ms {served}")
    for heading in ("writers", "pause, s", "system", "verdicts", "median", "p95", "ratio", "target"):
        table.add_column(heading, no_wrap=True, justify="left" if heading == "system" else "right")
    for (name, writers, pause), seconds in sorted(measured.items(), key=lambda item: item[0][1:]):
        cuts = statistics.quantiles(seconds, n=20)
        row = [
            str(writers),
            f"{pause:g}",
            name,
            str(len(seconds)),
            f"{1000 * statistics.median(seconds):.1f}",
            f"{1000 * cuts[-1]:.1f}",
        ]
        if name == SUITE.name and not given.alone:
            ratio = statistics.median(measured[STOCK.name, writers, pause]) / statistics.median(seconds)
            target = TARGETS.get(writers)
            row += [f"1/{ratio:.1f}", "" if target is None else f"1/{target}"]
        table.add_row(*row)
    return table


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--writers", type=int, nargs="+", default=[1, 50])
    parser.add_argument("--calls", type=int, default=20, help="measured questions of each writer in a round")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument(
        "--pauses",
        type=float,
        nargs="+",
        default=[1.0, 0.0],
        metavar="SECONDS",
        help="before a question, on average",
    )
    parser.add_argument("--in-process", action="store_true", help="put the model into each operator's process")
    parser.add_argument("--alone", action="store_true", help="measure this suite only; needs neither Node nor npm")
    given = parser.parse_args()
    if not 1 <= given.calls < TERMS.max_tries:
        parser.error(
            f"--calls: 1 to {TERMS.max_tries - 1}; a HIT has {TERMS.max_tries} tries, the first opens the page"
        )
    return given


def main() -> None:
    given = parsed()
    logging.basicConfig(level=logging.WARNING, force=True)  # Mephisto has set it to INFO
    if not given.alone:
        use_node()
    options = ["--hits", str(given.rounds * len(given.pauses) * sum(given.writers))]
    with tempfile.TemporaryDirectory(prefix="attempt-latency-") as folder, ExitStack() as running:
        if not given.in_process:
            address = running.enter_context(model_server("benchmarks.trivial"))
            options += ["--model-address", address, "--model-name", NAME]
        systems = []
        for system in (SUITE,) if given.alone else (SUITE, STOCK):
            directory = Path(folder) / system.module
            systems.append((system, running.enter_context(operator(system.module, directory, options)).url))
        measured = measure(systems, given)
    Console(width=100).print(report(measured, given))


if __name__ == "__main__":
    main()
