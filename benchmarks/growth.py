"""The growth of commands and calls with the size of a campaign: `python -m benchmarks.growth [--attempts SMALL LARGE]`.

A campaign of 1,000 attempts and one of 100,000, unless others are named, each figure from a process of its own: CPU
seconds, peak memory, and how many times the small campaign's that is. A command counts from its start; a call of a
process that serves counts once that process has been asked before.
"""

from __future__ import annotations

import argparse
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from itertools import count
from pathlib import Path

import pyarrow.parquet
from rich.console import Console
from rich.table import Table

from beat_the_ai.campaign.service.earnings import current_earnings
from beat_the_ai.campaign.service.hits import create_hits
from beat_the_ai.campaign.service.stages.validation import validation_desk
from beat_the_ai.campaign.settings.planned_round import PlannedRound
from beat_the_ai.cli.review.command import ReviewCommand
from beat_the_ai.console import Watched
from beat_the_ai.console.feed import Filters, feed
from beat_the_ai.console.figures import figures_of
from beat_the_ai.review import Reviewer
from beat_the_ai.rules.roles import Role
from beat_the_ai.rules.stage import Stage
from beat_the_ai.store import Store, open_store
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.validation import ValidationDesk
from benchmarks.processes import peak_rss_mb
from benchmarks.stored_campaign import NAME, settings_in, stored_campaign

ATTEMPTS = (1000, 100_000)
REPEATS = 5
COMMANDS = {
    "status": "status {folder}",
    "pay": "pay {folder}",
    "statement": "statement {folder}",
    "statement of one worker": "statement {folder} --worker W00001",
    "export, JSON Lines": "export {folder} --format jsonl --out {folder}/jsonl",
    "export, Parquet": "export {folder} --format parquet --out {folder}/parquet",
    "export, Hugging Face": "export {folder} --format hf --out {folder}/hf",
    "export, SQuAD": "export {folder} --format squad --out {folder}/squad",
    "all formats at once": "export {folder} --out {folder}/all",
    "report": "report {folder} --out {folder}/report.html",
}
WRITER, REVIEWER = "W00001", "nora"

PYARROW = "pyarrow alone, the same table"
SQLITE = "sqlite3 alone, the same attempts"
PARQUET = "parquet/attempts.parquet"

Call = Callable[[], object]


@dataclass(frozen=True)
class Cost:
    """The cost of a command or a call: processor time, and the most memory that its process had."""

    cpu_seconds: float
    peak_megabytes: float


@contextmanager
def opened(folder: Path) -> Iterator[Store]:
    store = open_store(settings_in(folder).store.url)
    try:
        yield store
    finally:
        store.close()


@contextmanager
def desk_of(folder: Path) -> Iterator[ValidationDesk]:
    with opened(folder) as store:
        yield validation_desk(settings_in(folder), BoundCampaign.open(store, NAME))


@contextmanager
def writing_checks(folder: Path) -> Iterator[Call]:
    """Ask what a process that serves writing asks every few seconds."""
    with opened(folder) as store:
        on_offer = create_hits(PlannedRound(store, settings_in(folder)))

        def check() -> None:
            on_offer.renew()
            on_offer.open()
            store.assignments.waiting(NAME, Stage.WRITING)
            on_offer.done()

        yield check


@contextmanager
def validation_checks(folder: Path) -> Iterator[Call]:
    """And one that serves validation."""
    with desk_of(folder) as desk:

        def check() -> None:
            desk.hits_wanted()
            desk.store.assignments.waiting(NAME, Stage.VALIDATION)
            desk.complete()

        yield check


@contextmanager
def validation_work(folder: Path) -> Iterator[Call]:
    """A newcomer asks for validation work and gets some."""
    numbers = count()
    with desk_of(folder) as desk:

        def choose() -> None:
            name = f"chooser-{next(numbers)}"
            assert desk.has_work(name)
            desk.release(desk.accept(name, name, name).id)

        yield choose


@contextmanager
def vote(folder: Path) -> Iterator[Call]:
    numbers = count()
    with desk_of(folder) as desk:
        assignment = desk.accept("voter", "voter", "voter").id
        item = desk.state(assignment).items[0].item.id
        yield lambda: desk.vote(assignment, item, str(next(numbers)), {"answer": None})


@contextmanager
def settling(folder: Path) -> Iterator[Call]:
    """A validation HIT is handed in, its votes count from then on, and what is wanted now is looked up."""
    with desk_of(folder) as desk:
        assignments = iter([_answered(desk, f"settler-{number}") for number in range(REPEATS + 1)])

        def settle() -> None:
            desk.finish(next(assignments))
            desk.hits_wanted()

        yield settle


def _answered(desk: ValidationDesk, worker: str) -> str:
    assignment = desk.accept(worker, worker, worker).id
    for each in desk.state(assignment).items:
        desk.vote(assignment, each.item.id, "k", {"answer": None})
    return assignment


@contextmanager
def earnings(folder: Path) -> Iterator[Call]:
    """A worker's page asks for the worker's pay."""
    with opened(folder) as store:
        campaign = BoundCampaign.open(store, NAME)
        yield lambda: current_earnings(campaign, WRITER)


@contextmanager
def review_queue(folder: Path) -> Iterator[Call]:
    with closing(ReviewCommand(str(folder))) as review:
        desk = review.desk

        def queue() -> None:
            desk.overview(REVIEWER)
            desk.workers(REVIEWER, sees_all=False)

        yield queue


@contextmanager
def review_page(folder: Path) -> Iterator[Call]:
    """A reviewer opens one worker's page."""
    with closing(ReviewCommand(str(folder))) as review:
        desk = review.desk
        yield lambda: desk.worker(REVIEWER, WRITER, sees_all=False)


@contextmanager
def verdict(folder: Path) -> Iterator[Call]:
    """A reviewer judges a HIT, and sees what stands on it and how its worker stands."""
    who, reasons = Reviewer(REVIEWER, Role.LEAD), count()
    with closing(ReviewCommand(str(folder))) as review:
        desk = review.desk
        sample = desk.store.reviews.sample(NAME, WRITER)
        assignment = next(iter(sample))

        def judge() -> None:
            desk.judge(who, assignment, "reject", f"the reason of verdict {next(reasons)}")
            desk.judged(REVIEWER, assignment, sees_all=False)

        yield judge


@contextmanager
def console_figures(folder: Path) -> Iterator[Call]:
    """The requester's console makes its figures anew, as it does in the background."""
    with watched(folder) as campaign:
        yield lambda: figures_of(campaign)


@contextmanager
def console_verdicts(folder: Path) -> Iterator[Call]:
    """The console shows the newest verdicts, and older ones whose votes differ."""
    who = Reviewer(REVIEWER, Role.LEAD)
    filters = [Filters.read(model="", outcome="", label="", category="", only=only) for only in ("", "divided")]
    with watched(folder) as campaign:
        yield lambda: [feed(campaign, each, "", who) for each in filters]


@contextmanager
def watched(folder: Path) -> Iterator[Watched]:
    with closing(ReviewCommand(str(folder))) as review:
        yield Watched(str(folder), review.desk)


CALLS = {
    "checks while writing": writing_checks,
    "checks while validating": validation_checks,
    "choosing validation work": validation_work,
    "a vote": vote,
    "settling a validation HIT": settling,
    "a worker's earnings": earnings,
    "review queue": review_queue,
    "review page": review_page,
    "a verdict": verdict,
    "console, figures": console_figures,
    "console, verdicts": console_verdicts,
}


def called(name: str, folder: Path) -> Cost:
    with CALLS[name](folder) as call:
        call()
        began = time.process_time()
        for _ in range(REPEATS):
            call()
        seconds = (time.process_time() - began) / REPEATS
    return Cost(seconds, peak_rss_mb(os.getpid()))


def write_with_pyarrow(folder: Path) -> Cost:
    """Nothing but the table of all attempts, which the export has made, from memory into a file."""
    table = pyarrow.parquet.read_table(folder / PARQUET)
    began = time.process_time()
    pyarrow.parquet.write_table(table, folder / "again.parquet")
    return Cost(time.process_time() - began, peak_rss_mb(os.getpid()))


def read_with_sqlite(folder: Path) -> Cost:
    """Nothing but the rows of the table of attempts, as the database has them: no text is parsed."""
    with closing(sqlite3.connect(folder / "private" / "campaign.db")) as connection:
        began = time.process_time()
        connection.execute("SELECT * FROM attempts").fetchall()
        return Cost(time.process_time() - began, peak_rss_mb(os.getpid()))


def commanded(arguments: str, folder: Path) -> Cost:
    """The whole command line, from its start."""
    given = [each.format(folder=folder) for each in arguments.split()]
    ran = subprocess.run(
        [sys.executable, "-m", "benchmarks.measured_command", *given], check=True, capture_output=True, text=True
    )
    return Cost(**json.loads(ran.stderr.splitlines()[-1]))


def in_a_process(name: str, folder: Path) -> Cost:
    command = [sys.executable, "-m", "benchmarks.growth", "--call", name, "--folder", str(folder)]
    ran = subprocess.run(command, check=True, capture_output=True, text=True)
    return Cost(**json.loads(ran.stdout.splitlines()[-1]))


def measured(attempts: Sequence[int], beginnings: tuple[str, ...]) -> dict[str, tuple[Cost, Cost]]:
    """`{what: (small campaign, large campaign)}`."""
    with tempfile.TemporaryDirectory() as scratch:
        small, large = Path(scratch) / "small", Path(scratch) / "large"
        for folder, number in zip((small, large), attempts, strict=True):
            stored_campaign(folder, number)
        runs = {name: partial(commanded, arguments) for name, arguments in COMMANDS.items()}
        runs |= {name: partial(in_a_process, name) for name in (PYARROW, SQLITE, *CALLS)}
        chosen = {name: run for name, run in runs.items() if name.startswith(beginnings)}
        return {name: (run(small), run(large)) for name, run in chosen.items()}


def measure(name: str, folder: Path) -> Cost:
    alone = {PYARROW: write_with_pyarrow, SQLITE: read_with_sqlite}
    return alone[name](folder) if name in alone else called(name, folder)


def table_of(found: dict[str, tuple[Cost, Cost]], attempts: Sequence[int]) -> Table:
    small, large = (f"{each:,}" for each in attempts)
    table = Table(title=f"{small} attempts and {large}: CPU seconds and peak memory")
    table.add_column("what")
    for heading in (f"s at {small}", f"s at {large}", "times", f"MB at {small}", f"MB at {large}"):
        table.add_column(heading, justify="right")
    for name, costs in found.items():
        seconds = [f"{each.cpu_seconds:.4f}" for each in costs]
        megabytes = [f"{each.peak_megabytes:.0f}" for each in costs]
        ratio = costs[1].cpu_seconds / max(costs[0].cpu_seconds, 1e-6)
        table.add_row(name, *seconds, f"{ratio:.1f}", *megabytes)
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--attempts", type=int, nargs=2, default=ATTEMPTS, metavar=("SMALL", "LARGE"))
    parser.add_argument("--only", nargs="*", metavar="WHAT", help="These figures, by the beginnings of their names.")
    parser.add_argument("--call", help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.call is not None:
        print(json.dumps(asdict(measure(given.call, given.folder))))
        return
    Console(width=120).print(table_of(measured(given.attempts, tuple(given.only or ("",))), given.attempts))


if __name__ == "__main__":
    main()
