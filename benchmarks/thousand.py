"""A thousand workers at once: how soon all have a page, and how long each then waits for a verdict.

They hold HITs of this suite's own marketplace, and register, write and submit over the page's own protocol; operator,
router, marketplace and model server are the processes of `launch`. All register in the same moment; once all have, each
makes an attempt every five seconds against a model of 0 ms. Afterwards the store is compared with what the workers were
told: a verdict that somebody saw and the store lacks is lost, a question that stands there twice is doubled.

    python -m benchmarks.thousand [--workers 1000] [--seconds 60] [--hits 0]

From two minutes on (`--seconds 3600 --workers 200`) each minute's memory, file handles and 95th percentile are printed,
and whether the last third of the minutes is as the first. CPU and memory are those of /proc: Linux only.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

from rich.console import Console
from rich.table import Table

from beat_the_ai.campaign.settings.configuration import Settings, read_settings
from beat_the_ai.rehearsal.processes import MarketplaceProcess, OperatorProcess
from beat_the_ai.rules.stage import Stage
from beat_the_ai.store import open_store
from benchmarks.crowd import Marketplace, Writer, worker_name
from benchmarks.processes import Usage, usage
from benchmarks.served_model import ModelServer
from benchmarks.suite import CONTEXTS, TASKS, router_process
from benchmarks.trivial import NAME as TRIVIAL

MAX_TRIES = 60  # so many minutes of a HIT, at 12 a minute, are five
SPARE = 1.2  # HITs for each that is needed: near the end those that are left are on passages that a worker has had
ACCEPTING = 16  # at a time, before the clock starts
MINUTE = 60
FLAT = 1.1  # the last third over the first
TARGETS = "targets on a quiet machine: all registered within 5 s, p95 of an attempt below 100 ms, 1,000 MB in all"
CENTS = 10**9

Snapshot = Mapping[str, Usage]


class Bench:
    """The processes of one campaign with its workers."""

    def __init__(self, folder: Path, given: argparse.Namespace, console: Console, running: ExitStack) -> None:
        self._given = given
        self._console = console
        model = running.enter_context(ModelServer(folder, "benchmarks.trivial"))
        market = running.enter_context(MarketplaceProcess(folder / "market.db", CENTS))
        self.settings = campaign(folder, given, model.address).at_marketplace(market.address)
        operator = running.enter_context(OperatorProcess(self.settings, Stage.WRITING, "pseudonyms", market.keys))
        self._processes = {
            "operator": operator.pid,
            "router": router_process(self.settings.out),
            "marketplace": market.pid,
            "model server": model.pid,
        }
        secret = market.keys["aws_secret_access_key"]
        self._crowd = Marketplace(folder / "market.db", secret, str(operator.printed["url"]))
        self._crowd.enrol([worker_name(number) for number in range(given.workers)])
        self.writers = [Writer(number, self._crowd, given.pause) for number in range(given.workers)]

    def usage(self) -> Snapshot:
        return {name: usage(pid) for name, pid in self._processes.items()}

    async def run(self) -> tuple[Snapshot, Snapshot, Snapshot]:
        """Return what the processes had used before the registrations, before the attempts and after them."""
        turns = asyncio.Semaphore(ACCEPTING)

        async def accept(writer: Writer) -> None:
            async with turns:
                await writer.accept()

        await asyncio.gather(*(accept(writer) for writer in self.writers))
        before = self.usage()
        await asyncio.gather(*(writer.register() for writer in self.writers))
        registered = self.usage()
        until = time.perf_counter() + self._given.seconds
        watching = asyncio.create_task(self._watch())
        await asyncio.gather(*(writer.write(until) for writer in self.writers))
        watching.cancel()
        after = self.usage()
        await asyncio.gather(*(writer.submit() for writer in self.writers))
        await self._crowd.close()
        return before, registered, after

    async def _watch(self) -> None:
        """Each minute a line; at the end of the last, whether they differ."""
        minutes: list[tuple[float, float, float]] = []
        while self._given.seconds >= 2 * MINUTE:
            began = time.perf_counter()
            await asyncio.sleep(MINUTE)
            taken = [each for writer in self.writers for sent, each in writer.attempts if sent >= began]
            now = self.usage()
            parts = ", ".join(f"{name} {each.pss_mb:.0f}" for name, each in now.items())
            memory, handles = sum(each.pss_mb for each in now.values()), sum(each.handles for each in now.values())
            minutes.append((memory, handles, 1000 * p95(taken)))
            self._console.print(
                f"minute {len(minutes)}: {len(taken)} attempts, p95 {minutes[-1][2]:.1f} ms, {handles} file handles, "
                f"PSS {memory:.0f} MB ({parts})"
            )
            if len(minutes) >= self._given.seconds // MINUTE - 1:
                self._console.print(flatness(minutes))
                return


def campaign(folder: Path, given: argparse.Namespace, model_address: str) -> Settings:
    """With HITs for all workers for the whole time, and `--hits` more."""
    contexts = sum(1 for _ in CONTEXTS.open(encoding="utf-8"))
    attempts = given.seconds / given.pause + 1
    needed = given.hits or int(given.workers * (1 + attempts // MAX_TRIES) * SPARE)
    options = [
        "crowd=mturk",
        "adversary.members=[]",
        f"+adversary.servers.{TRIVIAL}.address={model_address}",
        f"round.hits_per_context={-(-needed // contexts)}",
        f"round.max_hits={needed}",
        f"round.max_tries={MAX_TRIES}",
        "round.reoffers=0",
        f"pay.cap_cents={CENTS}",
        "qualification.first_hits=1000",
        "seed=1",
    ]
    return read_settings(TASKS / "reading_comprehension", options, out=folder / "campaign")


def p95(seconds: Sequence[float]) -> float:
    return statistics.quantiles(seconds, n=20)[-1] if len(seconds) > 1 else max(seconds, default=0.0)


def flatness(minutes: Sequence[tuple[float, float, float]]) -> str:
    """The medians of the last third of the minutes over those of the first."""
    third = max(1, len(minutes) // 3)
    said = []
    for name, figures in zip(("memory", "file handles", "p95"), zip(*minutes, strict=True), strict=True):
        ratio = statistics.median(figures[-third:]) / statistics.median(figures[:third])
        said.append(f"{name} {ratio:.2f} ({'flat' if ratio <= FLAT else 'not flat'})")
    return f"the last third of the minutes over the first: {', '.join(said)}"


def latencies(bench: Bench, given: argparse.Namespace) -> Table:
    table = Table("ms", "number", "a second", "p50", "p95", "p99", "max")
    attempts = [taken for writer in bench.writers for _, taken in writer.attempts]
    first = [writer.registrations[0] for writer in bench.writers]
    figures = {
        "register, all at once": (first, max(first)),
        "attempt": (attempts, given.seconds),
        "submit, all at once": ([writer.hand_ins[-1] for writer in bench.writers], 0.0),
    }
    for name, (seconds, lasted) in figures.items():
        cuts = statistics.quantiles(seconds, n=100)
        shown = (1000 * each for each in (statistics.median(seconds), cuts[94], cuts[98], max(seconds)))
        rate = f"{len(seconds) / lasted:.0f}" if lasted else ""
        table.add_row(name, str(len(seconds)), rate, *(f"{each:.1f}" for each in shown))
    return table


def costs(bench: Bench, used: tuple[Snapshot, Snapshot, Snapshot]) -> Table:
    before, registered, after = used
    table = Table("process", "CPU ms a registration", "CPU ms an attempt", "PSS, MB", "RSS, MB", "file handles")
    attempts = sum(len(writer.attempts) for writer in bench.writers)
    for name, end in after.items():
        registering = 1000 * (registered[name].cpu_seconds - before[name].cpu_seconds) / len(bench.writers)
        writing = 1000 * (end.cpu_seconds - registered[name].cpu_seconds) / max(1, attempts)
        shown = (f"{registering:.2f}", f"{writing:.2f}", f"{end.pss_mb:.0f}", f"{end.rss_mb:.0f}", str(end.handles))
        table.add_row(name, *shown)
    return table


def lost_and_doubled(bench: Bench) -> tuple[int, int]:
    store = open_store(bench.settings.store.url)
    told = {verdict for writer in bench.writers for verdict in writer.verdicts}
    questions: Counter[tuple[str, str]] = Counter()
    for row in store.attempts.of_campaign(bench.settings.name):
        told.discard(row.attempt.id)
        questions[row.assignment.worker, row.attempt.work["question"]] += 1
    store.close()
    return len(told), questions.total() - len(questions)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workers", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=60.0, help="of attempts, after the registrations")
    parser.add_argument("--pause", type=float, default=5.0, help="seconds from attempt to attempt of a worker")
    parser.add_argument("--hits", type=int, default=0, help="on offer; otherwise as many as are needed")
    given = parser.parse_args()
    logging.basicConfig(level=logging.WARNING, force=True)  # Mephisto has set it to INFO
    console = Console(width=120)
    with tempfile.TemporaryDirectory(prefix="thousand-") as folder, ExitStack() as running:
        bench = Bench(Path(folder), given, console, running)
        used = asyncio.run(bench.run())
        hits = bench.settings.round.max_hits
        console.print(f"{given.workers} workers, {hits} HITs on offer, an attempt every {given.pause:g} s each")
        console.print(latencies(bench, given))
        console.print(costs(bench, used))
        lost, doubled = lost_and_doubled(bench)
        memory = sum(each.pss_mb for name, each in used[2].items() if name != "model server")
        console.print(f"lost {lost}, doubled {doubled}; PSS without the model server {memory:.0f} MB; {TARGETS}")


if __name__ == "__main__":
    main()
