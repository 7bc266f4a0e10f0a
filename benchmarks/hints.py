"""The wait of Quizbowl authors for hints, and of a submission beside them.

So many authors type at once, each a question that is known, five words at a time, and send what they have after each
five. Operator, router and model server are processes of their own; the model is retrieval over the questions that ship
with the project. A hint is stale when its author had typed on before it came, overtaken when it was never answered
because a newer draft was there. In the end everybody submits, each beside the others' hints.

    python -m benchmarks.hints [--authors 1 5 20] [--pause 2.5] [--model tantivy:sample]
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import random
import statistics
import tempfile
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack, ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from rich.console import Console
from rich.table import Table

from beat_the_ai.kinds.quizbowl.writing import NAME
from beat_the_ai.rules.registry import bind
from beat_the_ai.simulation.page import CallFailed, PageClient
from benchmarks.processes import model_server, operator
from benchmarks.suite import TASKS

STEP = 5  # words
SERVED = "model"
TIMEOUT_SECONDS = 120
TARGET_MS = 300  # at the median, with 20 authors


@dataclass
class Seen:
    """Seconds of hints and of submissions, and how many hints were of no use."""

    hints: list[float] = field(default_factory=list)
    submissions: list[float] = field(default_factory=list)
    stale: int = 0
    overtaken: int = 0


class Author:
    """Types one question, with hints, and submits it."""

    def __init__(self, page: PageClient, work: dict[str, str], pause_seconds: float, seen: Seen) -> None:
        self._page = page
        self._work = work
        self._pause_seconds = pause_seconds
        self._seen = seen
        self._typed = 0

    async def write(self) -> None:
        words = self._work["text"].split()
        hints = []
        await asyncio.sleep(random.uniform(0, self._pause_seconds))  # nobody begins together
        for end in range(STEP, len(words) + STEP, STEP):
            self._typed = end
            hints.append(asyncio.create_task(self._hint(" ".join(words[:end]), end)))
            await asyncio.sleep(self._pause_seconds)
        await self._submit()
        await asyncio.gather(*hints)

    async def _hint(self, text: str, end: int) -> None:
        draft = {**self._work, "text": text}
        call = {"edit_key": f"e{end}", "context_id": self._context, "draft": draft, "cause": "words"}
        started = time.perf_counter()
        try:
            await asyncio.wait_for(self._page.call("hint", call), TIMEOUT_SECONDS)
        except CallFailed as failed:
            if failed.error.get("code") != "overtaken":
                raise
            self._seen.overtaken += 1
            return
        self._seen.hints.append(time.perf_counter() - started)
        self._seen.stale += self._typed > end

    async def _submit(self) -> None:
        call = {"attempt_key": "k", "context_id": self._context, "work": self._work}
        started = time.perf_counter()
        await asyncio.wait_for(self._page.call("submit_attempt", call), TIMEOUT_SECONDS)
        self._seen.submissions.append(time.perf_counter() - started)

    @property
    def _context(self) -> str:
        return str(self._page.init_data["context"]["id"])


def works() -> dict[str, list[dict[str, Any]]]:
    """Return a question on each answer."""
    contexts = bind(NAME).writing.load_contexts(TASKS / NAME / "contexts" / "sample.jsonl")
    return {
        context.id: [
            {"text": question, "answer": answer["page"]}
            for answer in context.private["answers"]
            for question in answer["questions"]
        ]
        for context in contexts
    }


async def one_run(url: str, authors: int, known: dict[str, list[dict[str, Any]]], pause_seconds: float) -> Seen:
    seen = Seen()
    async with httpx.AsyncClient(trust_env=False) as http, AsyncExitStack() as opened:
        pages = [PageClient(url, http, f"author-{authors}-{number}", "1") for number in range(authors)]
        await asyncio.gather(*(opened.enter_async_context(page) for page in pages))
        writers = []
        for number, page in enumerate(pages):
            choice = known[page.init_data["context"]["id"]]
            work = choice[number % len(choice)]
            text = f"{work['text']} (Author {authors}, {number}.)"
            writers.append(Author(page, {**work, "text": text}, pause_seconds, seen))
        await asyncio.gather(*(writer.write() for writer in writers))
    return seen


def report(measured: Sequence[tuple[int, Seen]], pause_seconds: float, model: str) -> Table:
    title = (
        f"Hints of {model}, ms; each author sends a draft every {pause_seconds:g} s (target: {TARGET_MS} at the median)"
    )
    table = Table(title=title)
    for heading in ("authors", "hints", "p50", "p95", "stale", "overtaken", "submissions p50", "p95"):
        table.add_column(heading, justify="right", no_wrap=True)
    for authors, seen in measured:
        counts = [str(authors), str(len(seen.hints))]
        waste = [str(seen.stale), str(seen.overtaken)]
        table.add_row(*counts, *_quantiles(seen.hints), *waste, *_quantiles(seen.submissions))
    return table


def _quantiles(seconds: Sequence[float]) -> tuple[str, str]:
    ordered = sorted(seconds)
    p95 = ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]
    return f"{1000 * statistics.median(seconds):.0f}", f"{1000 * p95:.0f}"


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--authors", type=int, nargs="+", default=[1, 5, 20])
    parser.add_argument("--pause", type=float, default=2.5, help="seconds in which an author types five words")
    parser.add_argument("--model", default="tantivy:sample")
    return parser.parse_args()


def main() -> None:
    given = parsed()
    logging.basicConfig(level=logging.WARNING, force=True)  # Mephisto has set it to INFO
    known = works()
    server = ["--kind", NAME, "--member", f"{SERVED}={given.model}"]
    with tempfile.TemporaryDirectory(prefix="hints-") as folder, ExitStack() as running:
        address = running.enter_context(model_server("beat_the_ai.adversary.server", server))
        options = ["--kind", NAME, "--hits", str(sum(given.authors))]
        options += ["--model-address", address, "--model-name", SERVED]
        url = running.enter_context(operator("benchmarks.suite", Path(folder) / "suite", options)).url
        measured = [(n, asyncio.run(one_run(url, n, known, given.pause))) for n in given.authors]
    Console(width=120).print(report(measured, given.pause, given.model))


if __name__ == "__main__":
    main()
