"""Several operators of one campaign on one PostgreSQL: HITs a second, what each costs, and what becomes the limit.

Each operator has a share of the contexts, a router and a Mephisto database of its own, as on a machine of its own; the
store, a model server of 0 ms and the cores are common to all. Annotators without pause take a HIT, write one statement,
hand in, and take the next (`benchmarks.hits`). PostgreSQL syncs what it commits, as it does by default.

A HIT costs each kind of process some processor, whoever serves it. So a machine with so many cores makes `cores / (the
sum of these costs)` HITs a second, and one operator, whose Python runs on one core at a time, at most `1 / (its own)`.
The costs of the first measurement predict the others.

    python -m benchmarks.operators [--operators 1 2 4] [--annotators 50] [--hits 2000]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import os
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack, ExitStack, closing
from dataclasses import dataclass
from pathlib import Path

import httpx
from rich.console import Console
from rich.table import Table

from beat_the_ai.campaign.settings.partition import Partition, shared
from beat_the_ai.rehearsal.processes import OperatorProcess
from beat_the_ai.rules.stage import Stage
from beat_the_ai.store import open_store
from benchmarks.hits import CONTEXTS, Annotator, campaign
from benchmarks.processes import cpu_seconds, stat_of, usage
from benchmarks.served_model import ModelServer
from benchmarks.suite import handed_in, router_process
from tests.postgres import PostgresServer, find_postgres

COPIES, LONGEST = 5, 580  # of each passage of the sample; with a number before it, it must not become too long
SPARE = 1.3  # HITs for each that is needed: near the end those that are left are on passages that somebody has had
KINDS = ("operators", "routers", "PostgreSQL", "model server", "annotators")


@dataclass(frozen=True)
class Measured:
    """HITs a second with so many operators, and the processor that a HIT costs each kind of process, in ms."""

    operators: int
    hits: int
    lasted: float
    milliseconds: Mapping[str, float]
    handed_in: int

    @property
    def rate(self) -> float:
        return self.hits / self.lasted

    def predicted_rate(self, operators: int, cores: int) -> float:
        """Predict the rate of so many operators on so many cores, by the costs of this measurement."""
        by_cores = 1000 * cores / sum(self.milliseconds.values())
        return min(by_cores, operators * 1000 / self.milliseconds["operators"])


class Bench:
    """A campaign in a database of its own, its operators, and their annotators."""

    def __init__(self, folder: Path, postgres: PostgresServer, operators: int, running: ExitStack) -> None:
        self._postgres = postgres
        self._database = running.enter_context(postgres.database())
        os.environ["BEAT_THE_AI_DATABASE"] = self._database
        self._contexts = folder / "contexts.jsonl"
        names = write_contexts(self._contexts)
        self._shares = [Partition(number, operators) for number in range(1, operators + 1)]
        self._fewest = min(sum(share.has(name) for name in names) for share in self._shares)
        self._model = running.enter_context(ModelServer(folder, "benchmarks.trivial", "--kind", "nli"))
        self._folder = folder
        self._running = running

    async def measure(self, annotators: int, hits: int) -> Measured:
        """About so many HITs, shared out among the annotators, who are shared out among the operators."""
        of_each_share = -(-annotators // len(self._shares))
        each = min(-(-hits // annotators), self._fewest // 2)
        slots = -(-int(of_each_share * each * SPARE) // self._fewest)
        operators = [self._operator(share, slots) for share in self._shares]
        routers = [router_process(self._out(share)) for share in self._shares]
        pids = {"operators": [one.pid for one in operators], "routers": routers, "model server": [self._model.pid]}
        async with AsyncExitStack() as opened:
            people = []
            for share, operator in zip(self._shares, operators, strict=True):
                http = await opened.enter_async_context(httpx.AsyncClient(trust_env=False))
                url = str(operator.printed["url"])
                people += [Annotator(1000 * share.number + number, url, http) for number in range(of_each_share)]
            before, began = self._spent(pids), time.perf_counter()
            await asyncio.gather(*(one.write(each) for one in people))
            lasted, after = time.perf_counter() - began, self._spent(pids)
        done = each * len(people)
        spent = {kind: 1000 * (after[kind] - before[kind]) / done for kind in KINDS}
        with closing(open_store(self._database)) as store:
            return Measured(len(operators), done, lasted, spent, handed_in(store, "nli", done))

    def _out(self, share: Partition) -> Path:
        return self._folder / f"operator-{share.number}"

    def _operator(self, share: Partition, slots: int) -> OperatorProcess:
        more = ("store=postgresql", f"contexts={self._contexts}")
        settings = campaign(self._out(share), slots, self._model.address, *more)
        process = OperatorProcess(shared(settings, share), Stage.WRITING, "pseudonyms", {}, share)
        return self._running.enter_context(process)

    def _spent(self, pids: Mapping[str, Sequence[int]]) -> dict[str, float]:
        """Seconds of processor so far."""
        found = {kind: sum(usage(pid).cpu_seconds for pid in of_kind) for kind, of_kind in pids.items()}
        return {**found, "PostgreSQL": seconds_of_postgres(self._postgres), "annotators": time.process_time()}


def write_contexts(path: Path) -> list[str]:
    """Write the passages of the sample several times, each with a number of its own, and return their names."""
    sample = [json.loads(line) for line in CONTEXTS.read_text(encoding="utf-8").splitlines()]
    rows = [
        {**row, "id": f"{row['id']}-{number}", "context": f"Note {number}. {row['context']}"}
        for number in range(1, COPIES + 1)
        for row in sample
        if len(row["context"]) <= LONGEST
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return [row["id"] for row in rows]


def seconds_of_postgres(server: PostgresServer) -> float:
    """Add up all its processes, those that have ended included."""
    postmaster = (server.socket_folder / "data" / "postmaster.pid").read_text(encoding="ascii").split()[0]
    stats = map(stat_of, Path("/proc").glob("[0-9]*"))
    of_workers = sum(cpu_seconds(stat) for stat in stats if stat and stat[1] == postmaster)
    return cpu_seconds(stat_of(Path("/proc", postmaster)), with_children=True) + of_workers


def report(measured: Sequence[Measured], cores: int) -> Table:
    title = "HITs a second, and the ms of processor that each costs each kind of process"
    table = Table("operators", "HITs", "a second", "predicted", *KINDS, "lost", title=title)
    for one in measured:
        predicted = measured[0].predicted_rate(one.operators, cores)
        costs = (f"{one.milliseconds[kind]:.2f}" for kind in KINDS)
        lost = str(one.hits - one.handed_in)
        table.add_row(str(one.operators), str(one.hits), f"{one.rate:.0f}", f"{predicted:.0f}", *costs, lost)
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--operators", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--annotators", type=int, default=50, help="of all operators together")
    parser.add_argument("--hits", type=int, default=2000, help="of all annotators together, in each measurement")
    given = parser.parse_args()
    logging.basicConfig(level=logging.WARNING, force=True)  # Mephisto has set it to INFO
    if (binaries := find_postgres()) is None:
        parser.error("PostgreSQL's server is not installed: scripts/install-system-packages postgresql")
    measured = []
    with PostgresServer.started(binaries, is_durable=True) as postgres:
        for operators in given.operators:
            with tempfile.TemporaryDirectory(prefix="operators-") as folder, ExitStack() as running:
                bench = Bench(Path(folder), postgres, operators, running)
                measured.append(asyncio.run(bench.measure(given.annotators, given.hits)))
    cores = len(os.sched_getaffinity(0))
    console = Console(width=140)
    console.print(f"{given.annotators} annotators without pause, {cores} cores for everything, the annotators too")
    console.print(report(measured, cores))


if __name__ == "__main__":
    main()
