"""Everybody at once: simulated workers who register, write and submit in the same moment, against this suite.

Operator and router are those of `serve`, the model server is started as one starts it oneself; the memory of each is
read. Afterwards the store is compared with what the workers were told: a verdict that somebody saw and the store lacks
is a lost attempt, a question that stands there twice a doubled one. Linux only (reads /proc).

    python -m benchmarks.burst [--workers 200] [--questions 5] [--model onnx:bidaf-small] [--think 0]

`--model trivial` takes a model of 0 ms instead. With `--think SECONDS` nobody hurries: each
worker thinks before each question, for half to one and a half times as long. Then it is the ratio of the 95th
percentile to the model's own time that matters.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import random
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import httpx
from prometheus_client.parser import text_string_to_metric_families
from rich.console import Console
from rich.table import Table

from beat_the_ai.campaign.settings.configuration import Settings, read_settings
from beat_the_ai.errors import BeatTheAIError, Refused
from beat_the_ai.kinds.reading_comprehension.writing import ReadingComprehension
from beat_the_ai.rehearsal.processes import OperatorProcess
from beat_the_ai.rules.stage import Stage
from beat_the_ai.simulation.page import CallFailed, PageClient
from beat_the_ai.store import open_store
from benchmarks.processes import peak_rss_mb, usage
from benchmarks.served_model import ModelServer
from benchmarks.suite import CONTEXTS, MODEL_TIMEOUT_SECONDS, TASKS, handed_in, router_process
from benchmarks.trivial import NAME as TRIVIAL

MAX_RSS_MB = 600
WORKER_SECONDS = 300  # beside thinking
LEAST, MOST = 0.5, 1.5  # of the seconds of thinking
RATIO = 3  # p95 of an attempt over the model's own time, with 50 writers who think for 30 s
SERVED, SERVER = "model", "model server"
FAILURES = (BeatTheAIError, httpx.HTTPError, OSError, asyncio.TimeoutError)

T = TypeVar("T")


@dataclass
class Seen:
    """The workers' view: seconds by kind of request, and failures by their message."""

    seconds: dict[str, list[float]] = field(default_factory=lambda: {"register": [], "attempt": [], "submit": []})
    attempts: list[str] = field(default_factory=list)
    made: int = 0
    failures: Counter[str] = field(default_factory=Counter)

    async def timed(self, what: str, waiting: Awaitable[T]) -> T:
        started = time.perf_counter()
        result = await waiting
        self.seconds[what].append(time.perf_counter() - started)
        return result


class Worker:
    """Takes one HIT, asks its reference questions, and submits it."""

    def __init__(
        self, number: int, questions: dict[str, list[dict[str, Any]]], wanted: int, think_seconds: float, seen: Seen
    ) -> None:
        self._number = number
        self._questions = questions
        self._wanted = wanted
        self._think_seconds = think_seconds
        self._seen = seen
        self._random = random.Random(number)

    async def work(self, url: str, http: httpx.AsyncClient) -> None:
        page = PageClient(url, http, f"worker-{self._number:03}", "1")
        try:
            await asyncio.wait_for(self._work(page), WORKER_SECONDS + self._wanted * MOST * self._think_seconds)
        except FAILURES as error:
            reason = str(error) if isinstance(error, Refused) else f"{type(error).__name__}: {error}"
            self._seen.failures[reason] += 1

    async def _work(self, page: PageClient) -> None:
        await self._seen.timed("register", page.__aenter__())
        try:
            await self._write(page, page.init_data["context"]["id"])
            await self._seen.timed("submit", page.submit({"feedback": ""}))
        finally:
            await page.__aexit__(None, None, None)

    async def _write(self, page: PageClient, context_id: str) -> None:
        for index, item in enumerate(self._questions[context_id][: self._wanted]):
            await asyncio.sleep(self._random.uniform(LEAST, MOST) * self._think_seconds)
            # A worker's number in the question keeps it out of the model server's cache: a crowd never repeats itself.
            question = f"{item['question']} ({self._number})"
            answer = {name: item["answer"][name] for name in ("text", "start")}
            call = {
                "attempt_key": str(index),
                "context_id": context_id,
                "work": {"question": question, "answer": answer},
            }
            self._seen.made += 1
            try:
                reply = await self._seen.timed("attempt", page.call("submit_attempt", call))
            except CallFailed as failed:
                self._seen.failures[str(failed)] += 1
            else:
                self._seen.attempts.append(reply["attempt"]["attempt_id"])


async def burst(url: str, given: argparse.Namespace) -> Seen:
    contexts = ReadingComprehension().load_contexts(CONTEXTS)
    questions = {context.id: context.private["questions"] for context in contexts}
    seen = Seen()
    async with httpx.AsyncClient(limits=httpx.Limits(max_connections=given.workers), trust_env=False) as http:
        workers = (Worker(number, questions, given.questions, given.think, seen) for number in range(given.workers))
        await asyncio.gather(*(worker.work(url, http) for worker in workers))
    return seen


def campaign(folder: Path, given: argparse.Namespace, address: str) -> Settings:
    """One HIT more than there are workers: an operator ends when all are submitted."""
    hits = given.workers + 1
    contexts = sum(1 for _ in CONTEXTS.open(encoding="utf-8"))
    options = [
        "adversary.members=[]",
        f"+adversary.servers.{SERVED}.address={address}",
        f"adversary.timeout_seconds={MODEL_TIMEOUT_SECONDS}",
        f"round.hits_per_context={-(-hits // contexts)}",
        f"round.max_hits={hits}",
        f"pay.cap_cents={10**9}",
        "seed=1",
    ]
    return read_settings(TASKS / "reading_comprehension", options, out=folder / "campaign")


def stored(settings: Settings, hits: int) -> tuple[Counter[tuple[str, str]], set[str], int]:
    """Stored attempts by worker and question, their ids, and the number of submitted HITs, once all came through."""
    store = open_store(settings.store.url)
    submitted = handed_in(store, settings.name, hits)
    rows = list(store.attempts.of_campaign(settings.name))
    store.close()
    questions = Counter((row.assignment.worker, row.attempt.work["question"]) for row in rows)
    return questions, {row.attempt.id for row in rows}, submitted


def print_counts(console: Console, seen: Seen, settings: Settings, processes: Mapping[str, int]) -> None:
    questions, ids, submitted = stored(settings, len(seen.seconds["submit"]))
    counts = Table("registered", "submitted", "in store", "attempts", "verdicts", "stored", "lost", "doubled")
    lost, doubled = len(set(seen.attempts) - ids), questions.total() - len(questions)
    told = [len(seen.seconds["register"]), len(seen.seconds["submit"]), submitted]
    counts.add_row(*(str(n) for n in (*told, seen.made, len(seen.attempts), questions.total(), lost, doubled)))
    console.print(counts)
    completed = sum(number for reason, number in seen.failures.items() if "already completed" in reason)
    console.print(f"told 'already completed': {completed}; other failures: {seen.failures.total() - completed}")
    for reason, number in seen.failures.most_common():
        console.print(f"  {number} x {reason[:150]}")
    peaks = {name: peak_rss_mb(process) for name, process in processes.items()}
    parts = ", ".join(f"{name} {size:.0f}" for name, size in peaks.items())
    limited = sum(size for name, size in peaks.items() if name != SERVER)
    shared = sum(usage(process).pss_mb for process in processes.values())
    console.print(
        f"peak RSS, MB: {parts}; without the model server {limited:.0f} (limit {MAX_RSS_MB}), together "
        f"{sum(peaks.values()):.0f}; PSS at the end {shared:.0f}"
    )


def latencies(seen: Seen) -> Table:
    table = Table("seconds", "number", "p50", "p95", "max")
    for what, seconds in seen.seconds.items():
        if len(seconds) > 1:
            p95 = statistics.quantiles(seconds, n=20)[-1]
            figures = (statistics.median(seconds), p95, max(seconds))
            table.add_row(what, str(len(seconds)), *(f"{figure:.3f}" for figure in figures))
    return table


def model_milliseconds(server: str) -> float:
    """The mean time that its model took for a query so far."""
    families = text_string_to_metric_families(httpx.get(f"{server}/metrics", trust_env=False).text)
    sums = {sample.name: sample.value for family in families for sample in family.samples}
    name = "beat_the_ai_adversary_model_seconds"
    return 1000 * sums[f"{name}_sum"] / sums[f"{name}_count"]


def print_ratio(console: Console, seen: Seen, server: str) -> None:
    seconds = seen.seconds["attempt"]
    p50, p95 = 1000 * statistics.median(seconds), 1000 * statistics.quantiles(seconds, n=20)[-1]
    own = model_milliseconds(server)
    console.print(
        f"an attempt: p50 {p50:.1f} ms, p95 {p95:.1f} ms; the model's own time: {own:.1f} ms; "
        f"ratio of p95: {p95 / own:.1f} (target {RATIO} with 50 workers and --think 30)"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workers", type=int, default=200)
    parser.add_argument("--questions", type=int, default=5, help="of each worker, at most")
    parser.add_argument("--model", default="onnx:bidaf-small", help="backend:source, or trivial")
    parser.add_argument("--think", type=float, default=0.0, metavar="SECONDS", help="before each question")
    given = parser.parse_args()
    logging.basicConfig(level=logging.WARNING, force=True)  # Mephisto has set it to INFO
    console = Console(width=100)
    with tempfile.TemporaryDirectory(prefix="burst-") as folder, ExitStack() as running:
        is_trivial = given.model == TRIVIAL
        serving = (
            ("benchmarks.trivial", SERVED)
            if is_trivial
            else ("beat_the_ai.adversary.server", "--member", f"{SERVED}={given.model}")
        )
        server = running.enter_context(ModelServer(Path(folder), *serving))
        settings = campaign(Path(folder), given, server.address)
        operator = running.enter_context(OperatorProcess(settings, Stage.WRITING, "pseudonyms", {}))
        processes = {"operator": operator.pid, "router": router_process(settings.out), SERVER: server.pid}
        started = time.perf_counter()
        seen = asyncio.run(burst(str(operator.printed["url"]), given))
        hurry = f"who think for about {given.think:g} s" if given.think else "at once"
        console.print(f"{given.workers} workers {hurry}, {given.model}: {time.perf_counter() - started:.1f} s")
        console.print(latencies(seen))
        if not is_trivial and len(seen.seconds["attempt"]) > 1:
            print_ratio(console, seen, server.address)
        print_counts(console, seen, settings, processes)


if __name__ == "__main__":
    main()
