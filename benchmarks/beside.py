"""The wait of writers beside validators and a reviewer, or a console, on a campaign that is already large.

All have one store, and each a process, as with two operators and a review server. The writers, whose model takes 0 ms,
take turns: alone; beside twenty validators, who vote every two seconds, hand in and take the next HIT, and a reviewer,
who opens a worker's page every two seconds and judges a HIT of it; and with a console open, whose page listens to the
campaign's changes and asks for its figures after each, as a browser does. Router and channel are left out: what is
measured is how long those who read and write much hold up those who write little.

    python -m benchmarks.beside [--attempts 100000] [--seconds 20] [--rounds 3]
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from functools import partial
from itertools import chain
from pathlib import Path
from threading import Event, Thread

import httpx
from rich.console import Console
from rich.table import Table

from beat_the_ai.campaign.service.hits import create_hits
from beat_the_ai.campaign.settings.planned_round import PlannedRound
from beat_the_ai.cli.review.command import ReviewCommand
from beat_the_ai.errors import Refused
from beat_the_ai.review import ReviewDesk, new_account
from beat_the_ai.review.accounts import Reviewer
from beat_the_ai.rules.roles import Role
from beat_the_ai.rules.stage import Stage
from beat_the_ai.store import open_store
from beat_the_ai.terms.writing import Terms
from beat_the_ai.validation import ValidationDesk
from beat_the_ai.writing import WritingDesk
from benchmarks.growth import REVIEWER, desk_of
from benchmarks.stored_campaign import NAME, settings_in, stored_campaign
from benchmarks.trivial import TrivialInProcess, losing_work

WRITERS, VALIDATORS = 10, 20
WRITERS_PAUSE, VALIDATORS_PAUSE, REVIEWERS_PAUSE, CHECKS_PAUSE, PAGES_LOOK = 1.0, 2.0, 2.0, 1.0, 0.05  # seconds
OPEN_WORKS = 2000
MAX_TRIES = 10**6
TARGETS = {"the others": 2, "a console": 1.2}  # times what writers wait alone, at the 95th percentile
PASSWORD = "a password of the benchmark"

Latencies = list[float]  # seconds
Begin = Callable[[], None]


class Writers:
    """Each keeps one HIT, and makes an attempt about every second."""

    def __init__(self, folder: Path) -> None:
        settings = settings_in(folder)
        self._store = open_store(settings.store.url)
        hits = sorted(create_hits(PlannedRound(self._store, settings)).open())[:WRITERS]
        terms = Terms(max_tries=MAX_TRIES)
        self._desk = WritingDesk(self._store, settings.kind.writing, TrivialInProcess(), terms)
        names = [f"writer-{number}" for number in range(len(hits))]
        self._taken = [self._desk.accept(hit, name, name) for hit, name in zip(hits, names, strict=True)]
        self._attempts = 0

    def write(self, seconds: float) -> Latencies:
        """Return the seconds of each attempt."""
        with ThreadPoolExecutor(len(self._taken)) as threads:
            deadline = time.monotonic() + seconds
            of_each = threads.map(partial(self._write, deadline), range(len(self._taken)))
            return list(chain.from_iterable(of_each))

    def _write(self, deadline: float, number: int) -> Latencies:
        assignment, hit = self._taken[number]
        waited = []
        while (pause := random.uniform(0, 2 * WRITERS_PAUSE)) < deadline - time.monotonic():
            time.sleep(pause)
            self._attempts += 1
            name = f"{number}-{self._attempts}"
            began = time.perf_counter()
            self._desk.submit(assignment.id, name, hit.context.id, losing_work(hit.context.text, name))
            waited.append(time.perf_counter() - began)
        return waited

    def close(self) -> None:
        self._store.close()


def validate(folder: Path, begin: Begin, ended: Event) -> dict[str, int]:
    """Validators, and what an operator asks for itself; how many votes there were."""
    run = f"{time.time_ns()}"
    names = [f"validator-{run}-{number}" for number in range(VALIDATORS)]
    with desk_of(folder) as desk:
        begin()
        checks = Thread(target=_look_after, args=(desk, ended))
        checks.start()
        with ThreadPoolExecutor(VALIDATORS) as threads:
            votes = sum(threads.map(partial(_vote, desk, ended), names))
        checks.join()
    return {"votes": votes}


def _look_after(desk: ValidationDesk, ended: Event) -> None:
    while not ended.wait(CHECKS_PAUSE):
        desk.hits_wanted()
        desk.store.assignments.waiting(NAME, Stage.VALIDATION)
        desk.complete()


def _vote(desk: ValidationDesk, ended: Event, name: str) -> int:
    """Until it is ended or nothing is left. Validators do not come all at once."""
    votes = hits = 0
    with suppress(Refused):
        while not ended.wait(random.uniform(0, 2 * VALIDATORS_PAUSE)):
            hits += 1
            assignment = desk.accept(f"{name}-{hits}", name, f"{name}-{hits}").id
            for each in desk.state(assignment).items:
                if ended.wait(random.uniform(0, 2 * VALIDATORS_PAUSE)):
                    return votes
                desk.vote(assignment, each.item.id, "k", {"answer": None})
                votes += 1
            desk.finish(assignment)
    return votes


def review(folder: Path, begin: Begin, ended: Event) -> dict[str, int]:
    """Judge HITs as a reviewer, and return how many."""
    with closing(ReviewCommand(str(folder))) as command:
        desk = command.desk
        begin()
        return {"judged": sum(1 for _ in _judged(desk, ended))}


def _judged(desk: ReviewDesk, ended: Event) -> Iterator[str]:
    who = Reviewer(f"{REVIEWER}-{time.time_ns()}", role=Role.LEAD)
    for worker in _workers(desk, who.name):
        for hit in desk.worker(who.name, worker, sees_all=False).hits:
            if ended.wait(random.uniform(0, 2 * REVIEWERS_PAUSE)):
                return
            desk.worker(who.name, worker, sees_all=False)
            desk.judge(who, hit.assignment, "accept")
            yield hit.assignment


def _workers(desk: ReviewDesk, reviewer: str) -> Iterator[str]:
    """Yield the workers of the queue, page by page."""
    page = desk.workers(reviewer, sees_all=False)
    yield from [one.worker for one in page.workers]
    while page.after is not None:
        page = desk.workers(reviewer, sees_all=False, after=page.after)
        yield from [one.worker for one in page.workers]


def watch(folder: Path, begin: Begin, ended: Event) -> dict[str, int]:
    """Keep a console open, with a page that shows the figures; how many changes it was told, and figures it got."""
    command = [sys.executable, "-m", "beat_the_ai.cli", "console", str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as console:
        assert console.stdout is not None
        address = json.loads(console.stdout.readline())["address"].rstrip("/")
        with httpx.Client(base_url=address, trust_env=False, timeout=None) as http:
            http.post("/api/session", json={"name": REVIEWER, "password": PASSWORD}).raise_for_status()
            page = _Page(http)
            page.show()
            begin()
            Thread(target=page.listen, daemon=True).start()
            while not ended.wait(PAGES_LOOK):
                page.look()
        console.terminate()
    return {"changes": page.changes, "figures": page.figures}


class _Page:
    """The figures' tab: it asks for figures at each change, and when newer ones are announced."""

    def __init__(self, http: httpx.Client) -> None:
        self.changes = self.figures = 0
        self._http = http
        self._asked = {"campaign": NAME}
        self._again_at = float("inf")
        self._has_changed = Event()

    def show(self) -> None:
        self._has_changed.clear()
        shown = self._http.get("/api/figures", params=self._asked).raise_for_status().json()
        self.figures += 1
        again = shown["again_seconds"]
        self._again_at = float("inf") if again is None else time.monotonic() + again

    def look(self) -> None:
        if self._has_changed.is_set() or time.monotonic() >= self._again_at:
            self.show()

    def listen(self) -> None:
        with (
            suppress(httpx.HTTPError),  # the console ends
            self._http.stream("GET", "/api/changes", params=self._asked) as events,
        ):
            for line in events.iter_lines():
                if line == "event: changed":
                    self.changes += 1
                    self._has_changed.set()


ROLES: dict[str, Callable[[Path, Begin, Event], dict[str, int]]] = {
    "validators": validate,
    "reviewer": review,
    "console": watch,
}
TURNS = {"the others": ("validators", "reviewer"), "a console": ("console",)}


def play(role: str, folder: Path) -> None:
    """Until standard input ends. Prints a line once it begins, and what was done in the end."""
    ended = Event()
    Thread(target=_await_end, args=(ended,), daemon=True).start()
    print(json.dumps(ROLES[role](folder, partial(print, flush=True), ended)))


def _await_end(ended: Event) -> None:
    sys.stdin.buffer.read()
    ended.set()


@contextmanager
def others(folder: Path, roles: Iterable[str], done: dict[str, int]) -> Iterator[None]:
    """At work meanwhile; what they did is added to `done`."""
    command = [sys.executable, "-m", "benchmarks.beside", "--folder", str(folder), "--role"]
    running = [
        subprocess.Popen([*command, role], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for role in roles
    ]
    try:
        for process in running:
            assert process.stdout is not None
            process.stdout.readline()
        yield
    finally:
        for process in running:
            printed, _ = process.communicate()
            for what, number in json.loads(printed).items():
                done[what] = done.get(what, 0) + number


def find_out(folder: Path) -> None:
    """Adjudicate all votes, draw the reviewers' sample and add a requester, as in a campaign served for so long."""
    with desk_of(folder) as validation, closing(ReviewCommand(str(folder))) as review:
        validation.hits_wanted()
        review.desk.overview(REVIEWER)
        new_account(review.store, REVIEWER, PASSWORD, role=Role.REQUESTER)


def measured(attempts: int, seconds: float, rounds: int) -> tuple[Latencies, dict[str, Latencies], dict[str, int]]:
    """Return the waits of writers alone and in each of the `TURNS`, and what the others did."""
    alone: Latencies = []
    beside: dict[str, Latencies] = {name: [] for name in TURNS}
    done: dict[str, int] = {}
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "campaign"
        stored_campaign(folder, attempts, open_works=OPEN_WORKS)
        find_out(folder)
        writers = Writers(folder)
        for _ in range(rounds):
            alone += writers.write(seconds)
            for name, roles in TURNS.items():
                with others(folder, roles, done):
                    beside[name] += writers.write(seconds)
        writers.close()
    return alone, beside, done


def table_of(alone: Latencies, beside: Mapping[str, Latencies], title: str) -> Table:
    table = Table(title=title)
    for heading in ("writers", "attempts", "p50, ms", "p95, ms", "max, ms"):
        table.add_column(heading, justify="left" if heading == "writers" else "right")
    for name, waited in (("alone", alone), *((f"beside {name}", of) for name, of in beside.items())):
        middle, late = statistics.median(waited), p95(waited)
        table.add_row(name, f"{len(waited):,}", *(f"{1000 * each:.1f}" for each in (middle, late, max(waited))))
    return table


def p95(waited: Iterable[float]) -> float:
    return statistics.quantiles(waited, n=20, method="inclusive")[-1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--attempts", type=int, default=100_000)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--role", choices=ROLES, help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.role is not None:
        play(given.role, given.folder)
        return
    alone, beside, done = measured(given.attempts, given.seconds, given.rounds)
    console = Console(width=120)
    console.print(table_of(alone, beside, f"An attempt, on a campaign of {given.attempts:,}"))
    for name, target in TARGETS.items():
        ratio = p95(beside[name]) / p95(alone)
        console.print(f"p95 beside {name}, times that alone: {ratio:.2f} (target: below {target})")
    console.print(f"the others cast {done['votes']:,} votes and judged {done['judged']:,} HITs")
    console.print(f"the console told {done['changes']:,} changes and showed figures {done['figures']:,} times")


if __name__ == "__main__":
    main()
