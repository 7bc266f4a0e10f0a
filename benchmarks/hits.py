"""A HIT a statement: annotators without pause who take a HIT, write one statement, hand in, and take the next.

Natural language inference as its campaigns run it: every statement costs a registration, an opened connection, an
attempt and a hand-in. Operator and router are those of `serve`, the model of 0 ms stands behind the suite's model
server. Afterwards the store is compared with what the annotators were told. CPU and memory are those of /proc: Linux
only.

The rivals (`benchmarks.rivals.annotation`) take turns with the suite. Their annotators write as many statements, by the
calls of the rivals' own pages; afterwards the rival's database or files are compared with what was handed in. A HIT
whose calls were answered with an error counts as failed and is not tried again. --alone leaves the rivals out, and
needs no PyPI. What syncs the disk for every call is as slow as the disk: a sync is timed before each measurement.

    python -m benchmarks.hits [--annotators 1 50 200] [--hits 2000] [--rivals psiturk otree potato | --alone]
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import statistics
import tempfile
import time
import uuid
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack, ExitStack
from pathlib import Path

import httpx
from rich.console import Console
from rich.table import Table

from beat_the_ai.campaign.settings.configuration import Settings, read_settings
from beat_the_ai.rehearsal.processes import OperatorProcess
from beat_the_ai.rules.stage import Stage
from beat_the_ai.simulation.page import PageClient
from beat_the_ai.store import open_store
from benchmarks.processes import Usage, usage
from benchmarks.rivals.annotation import RIVALS
from benchmarks.rivals.annotation.measured import Measured, sync_seconds
from benchmarks.rivals.annotation.measured import measure as measure_rival
from benchmarks.served_model import ModelServer
from benchmarks.suite import TASKS, handed_in, router_process
from benchmarks.thousand import p95
from benchmarks.trivial import NAME as TRIVIAL
from benchmarks.trivial import losing_statement

PAGES_PER_CLIENT = 50  # httpx looks through all connections of a client for each request
CENTS = 10**9
SPARE = 1.2  # HITs for each that is needed: near the end those that are left are on passages that somebody has had
CONTEXTS = TASKS / "nli" / "contexts" / "sample.jsonl"
SUITE = "this suite"
STEPS = ("register", "attempt", "hand in", "HIT")


class Annotator:
    """Takes one HIT after the other until so many are done by all."""

    def __init__(self, number: int, url: str, http: httpx.AsyncClient) -> None:
        self.name = f"annotator-{number:03}"
        self.seconds: dict[str, list[float]] = {step: [] for step in STEPS}
        self.verdicts: list[str] = []
        self._url = url
        self._http = http

    async def write(self, hits: int) -> None:
        for number in range(hits):
            began = time.perf_counter()
            page = PageClient(self._url, self._http, self.name, str(number))
            await page.__aenter__()
            registered = time.perf_counter()
            await self._ask(page, number)
            asked = time.perf_counter()
            await page.submit({"feedback": ""})
            ended = time.perf_counter()
            await page.__aexit__(None, None, None)
            taken = (registered - began, asked - registered, ended - asked, time.perf_counter() - began)
            for step, seconds in zip(STEPS, taken, strict=True):
                self.seconds[step].append(seconds)

    async def _ask(self, page: PageClient, number: int) -> None:
        task = page.init_data
        work = losing_statement(task["brief"]["target"], f"{self.name}-{number}")
        call = {"attempt_key": str(uuid.uuid4()), "context_id": task["context"]["id"], "work": work}
        reply = await page.call("submit_attempt", call)
        self.verdicts.append(reply["attempt"]["attempt_id"])


class Bench:
    """A campaign with so many HITs, and its processes."""

    def __init__(self, folder: Path, annotators: int, hits: int, running: ExitStack) -> None:
        self._annotators = annotators
        contexts = contexts_in_sample()
        self._each = hits_of_each(annotators, hits)
        self.hits = self._each * annotators
        model = running.enter_context(ModelServer(folder, "benchmarks.trivial", "--kind", "nli"))
        self.settings = campaign(folder / "campaign", -(-int(self.hits * SPARE) // contexts), model.address)
        operator = running.enter_context(OperatorProcess(self.settings, Stage.WRITING, "pseudonyms", {}))
        self._url = str(operator.printed["url"])
        self._pids = {"operator": operator.pid, "router": router_process(self.settings.out), "model": model.pid}
        self.annotators: list[Annotator] = []
        self.lasted = 0.0

    def usage(self) -> dict[str, Usage]:
        return {name: usage(pid) for name, pid in self._pids.items()}

    async def run(self) -> None:
        began = time.perf_counter()
        async with AsyncExitStack() as opened:
            clients = [
                await opened.enter_async_context(httpx.AsyncClient(trust_env=False))
                for _ in range(0, self._annotators, PAGES_PER_CLIENT)
            ]
            self.annotators = [
                Annotator(number, self._url, clients[number // PAGES_PER_CLIENT]) for number in range(self._annotators)
            ]
            await asyncio.gather(*(annotator.write(self._each) for annotator in self.annotators))
        self.lasted = time.perf_counter() - began

    def kept(self) -> tuple[int, int, int]:
        """Once all are through: HITs handed in, verdicts that are lost, statements that stand there twice."""
        store = open_store(self.settings.store.url)
        done = handed_in(store, self.settings.name, self.hits)
        rows = list(store.attempts.of_campaign(self.settings.name))
        store.close()
        statements = Counter((row.assignment.worker, row.attempt.work["hypothesis"]) for row in rows)
        told = {verdict for annotator in self.annotators for verdict in annotator.verdicts}
        return done, len(told - {row.attempt.id for row in rows}), statements.total() - len(statements)


def contexts_in_sample() -> int:
    return sum(1 for _ in CONTEXTS.open(encoding="utf-8"))


def hits_of_each(annotators: int, hits: int) -> int:
    """Return the HITs of each annotator, so that all have about `hits` together and nobody gets a context twice."""
    return min(-(-hits // annotators), contexts_in_sample() // 2)


def campaign(out: Path, hits_per_context: int, model_address: str, *more: str) -> Settings:
    options = [
        "adversary.members=[]",
        f"+adversary.servers.{TRIVIAL}.address={model_address}",
        f"round.hits_per_context={hits_per_context}",
        f"pay.cap_cents={CENTS}",
        "seed=1",
        *more,
    ]
    return read_settings(TASKS / "nli", options, out=out)


def latencies(bench: Bench) -> Table:
    table = Table("ms", "p50", "p95", "max")
    for step in STEPS:
        seconds = [each for annotator in bench.annotators for each in annotator.seconds[step]]
        shown = (statistics.median(seconds), p95(seconds), max(seconds))
        table.add_row(step, *(f"{1000 * each:.1f}" for each in shown))
    return table


def costs(bench: Bench, before: Mapping[str, Usage], after: Mapping[str, Usage]) -> Table:
    table = Table("process", "CPU ms a HIT", "PSS, MB")
    for name, end in after.items():
        spent = 1000 * (end.cpu_seconds - before[name].cpu_seconds) / bench.hits
        table.add_row(name, f"{spent:.2f}", f"{end.pss_mb:.0f}")
    return table


def measure(console: Console, annotators: int, hits: int) -> Measured:
    with tempfile.TemporaryDirectory(prefix="hits-") as folder, ExitStack() as running:
        bench = Bench(Path(folder), annotators, hits, running)
        sync = sync_seconds(Path(folder))
        before, own = bench.usage(), time.process_time()
        asyncio.run(bench.run())
        own = time.process_time() - own
        done, lost, doubled = bench.kept()
        rate, after = bench.hits / bench.lasted, bench.usage()
        console.print(f"{annotators} annotators, {bench.hits} HITs: [bold]{rate:.0f}[/] a second")
        console.print(latencies(bench))
        console.print(costs(bench, before, after))
        console.print(f"the annotators' own CPU: {1000 * own / bench.hits:.2f} ms a HIT")
        console.print(f"handed in {done}, verdicts lost {lost}, statements doubled {doubled}")
    seconds = [each for annotator in bench.annotators for each in annotator.seconds["HIT"]]
    cpu = sum(end.cpu_seconds - before[name].cpu_seconds for name, end in after.items())
    return Measured(SUITE, annotators, bench.lasted, seconds, cpu, own, sync, bench.hits - done, lost, doubled)


def comparison(measured: Sequence[Measured]) -> Table:
    headings = (
        "annotators",
        "system",
        "HITs",
        "a second",
        "p50, ms",
        "p95, ms",
        "CPU ms",
        "client's",
        "sync, ms",
        "failed",
        "lost",
        "doubled",
    )
    table = Table(
        title="All systems; CPU for each HIT of the server's processes and the annotators'; one sync of the disk"
    )
    for heading in headings:
        table.add_column(heading, no_wrap=True, justify="left" if heading == "system" else "right")
    for one in measured:
        hits = len(one.seconds)
        table.add_row(
            str(one.annotators),
            one.system,
            str(hits),
            f"{hits / one.lasted:.0f}",
            *(f"{1000 * seconds:.0f}" for seconds in (statistics.median(one.seconds or [0.0]), p95(one.seconds))),
            *(f"{1000 * seconds / max(1, hits):.1f}" for seconds in (one.cpu_seconds, one.own_cpu_seconds)),
            f"{1000 * one.sync_seconds:.1f}",
            *(str(count) for count in (one.failed, one.lost, one.doubled)),
        )
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--annotators", type=int, nargs="+", default=[1, 50, 200])
    parser.add_argument("--hits", type=int, default=2000, help="of all together, in each measurement")
    compared = parser.add_mutually_exclusive_group()
    compared.add_argument("--rivals", nargs="+", choices=RIVALS, default=list(RIVALS), help="default: all")
    compared.add_argument("--alone", action="store_true", help="measure this suite only; installs nothing from PyPI")
    given = parser.parse_args()
    logging.basicConfig(level=logging.WARNING, force=True)  # Mephisto has set it to INFO
    console = Console(width=100)
    rivals = [] if given.alone else [RIVALS[name] for name in given.rivals]
    for rival in rivals:
        rival.install()
    measured = []
    for annotators in given.annotators:
        measured.append(measure(console, annotators, given.hits))
        each = hits_of_each(annotators, given.hits)
        measured += [measure_rival(rival, annotators, each) for rival in rivals]
    Console(width=130).print(comparison(measured))
    for rival in rivals:
        console.print(f"{rival.name} stores in {rival.stores}")


if __name__ == "__main__":
    main()
