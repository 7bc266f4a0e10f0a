"""Campaigns that are launched on a real marketplace, in processes of their own, and what is left of them in the end."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from beat_the_ai.cli import main
from beat_the_ai.dataset.export import export_campaign
from beat_the_ai.dataset.placement import Placement
from beat_the_ai.kinds.reading_comprehension.people import Readers
from beat_the_ai.kinds.reading_comprehension.squad_files import SQUAD_FILE
from beat_the_ai.kinds.reading_comprehension.writing import ReadingComprehension
from beat_the_ai.payments import Ledger, State
from beat_the_ai.process.job import jobs_in
from beat_the_ai.requester import Requester
from beat_the_ai.rules.amounts import cents_of
from beat_the_ai.simulation.marketplace import Account, enrol, portal_workplaces
from beat_the_ai.simulation.workplaces import Workplaces
from beat_the_ai.simulation.writers import Writers, work
from beat_the_ai.store import Store, open_store
from beat_the_ai.terms.campaign import BoundCampaign
from tests.marketplace.rehearsal import Rehearsal
from tests.mephisto.rig import kill_router
from tests.mephisto.wire import wait_until

ROOT = Path(__file__).parents[2]
TASK = ROOT / "tasks" / "reading_comprehension"
NAME = "reading-comprehension"
HITS = 4
OPTIONS = ["crowd=mturk", "crowd.check_seconds=0.5", f"round.max_hits={HITS}", "pay.bonus_cents_per_win=10", "seed=7"]
DEPOSIT_CENTS = 100_000
needs_pages = pytest.mark.skipif(
    not (ROOT / "webapp" / "dist" / "bundle.js").is_file(), reason="the workers' page is not built: make webapp"
)
PATIENCE_SECONDS = 200.0  # on a machine that is busy with other things, too


def command(name: str, *arguments: str) -> list[str]:
    return [sys.executable, "-m", "beat_the_ai.cli", name, *arguments]


def run(name: str, *arguments: str, answer: str | None = None) -> Result:
    """A command that serves nothing, in this process."""
    return CliRunner().invoke(main, [name, *arguments], input=answer)


def call(
    name: str, *arguments: str, answer: str | None = None, cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """A command that ends by itself, in a process of its own."""
    given = command(name, *arguments)
    return subprocess.run(given, capture_output=True, text=True, input=answer, timeout=PATIENCE_SECONDS, cwd=cwd)


def launch_arguments(out: Path, *options: str) -> list[str]:
    return [str(TASK), *OPTIONS, "--out", str(out), *options]


class Launch:
    """`beat-the-ai launch` in a process of its own, from the moment that it serves. `known`: the campaign is there."""

    def __init__(self, out: Path, *options: str, known: bool = False) -> None:
        self._log = out.with_name(f"{out.name}.log")
        with self._log.open("a") as log:
            arguments = ["--out", str(out), *options] if known else launch_arguments(out, *options)
            given = command("launch", *arguments)
            self.process = subprocess.Popen(given, stdout=subprocess.PIPE, stderr=log, text=True)
        self.printed = ""
        while "Serving at" not in self.printed:
            line = self._stdout.readline()
            if not line:
                self.kill()
                raise AssertionError(f"it ended: {self.printed}{self._log.read_text()}")
            self.printed += line

    @property
    def _stdout(self) -> Any:
        return self.process.stdout

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(PATIENCE_SECONDS)
        self._stdout.close()

    def stop(self, with_signal: signal.Signals) -> int:
        self.process.send_signal(with_signal)
        return self.end()

    def end(self) -> int:
        """Its exit status, once it has ended by itself. A test that fails shows what a failed one said."""
        told, _ = self.process.communicate(timeout=PATIENCE_SECONDS)
        self.printed += told
        if self.process.returncode:
            print(told, self._log.read_text(), file=sys.stderr)
        return self.process.returncode


@contextmanager
def launching(out: Path, *options: str, known: bool = False) -> Iterator[Launch]:
    launch = Launch(out, *options, known=known)
    try:
        yield launch
    finally:
        if launch.process.poll() is None:
            launch.kill()


def make_workers_impatient(patch: pytest.MonkeyPatch) -> None:
    """They look again at once, whatever they wait for."""
    for module in ("site", "page", "screening", "writers"):
        patch.setattr(f"beat_the_ai.simulation.{module}.RETRY_SECONDS", 0.1)
    patch.setattr("beat_the_ai.simulation.writers.LONGEST_PAUSE_SECONDS", 0.5)


def people(market: Rehearsal, number: int) -> list[Account]:
    return enrol(market.address, market.token, [f"AWRITER{index}" for index in range(number)])


async def write(
    workplaces: Workplaces,
    writers: int,
    over: Callable[[], bool],
    on_attempt: Callable[[Mapping[str, Any]], None] = lambda _: None,
    on_hit: Callable[[], None] = lambda: None,
) -> int:
    """Let workers write on the sample passages until it is `over`. Returns the number of HITs that they handed in."""
    contexts = ReadingComprehension().load_contexts(TASK / "contexts" / "sample.jsonl")
    crowd = Writers.of(Readers(), contexts, writers=writers, seed=7)
    return await asyncio.wait_for(work(crowd, workplaces, on_attempt, on_hit, over), PATIENCE_SECONDS)


def write_all(market: Rehearsal, out: Path, writers: int = 2, **hooks: Any) -> int:
    """Until every HIT of the campaign is submitted."""
    accounts = people(market, writers)
    done = write(portal_workplaces(market.address, accounts), writers, lambda: submitted(out) >= HITS, **hooks)
    return asyncio.run(done)


@contextmanager
def campaign_store(out: Path) -> Iterator[Store]:
    store = open_store(str(out / "private" / "campaign.db"))
    try:
        yield store
    finally:
        store.close()


def submitted(out: Path) -> int:
    with campaign_store(out) as store:
        return len(store.attempts.done_hits(NAME))


@dataclass(frozen=True)
class Outcome:
    """What a campaign has come to, without the names and times that differ from run to run."""

    attempts: list[tuple[str, str, bool, bool]]
    squad: bytes
    payments: list[tuple[str, int, int]]

    @classmethod
    def of(cls, out: Path, name: str = NAME) -> Outcome:
        """Raises `AssertionError` for a payment that is not confirmed."""
        with campaign_store(out) as store, tempfile.TemporaryDirectory() as folder:
            export_campaign(Placement(BoundCampaign.open(store, name)), Path(folder), ["squad"])
            payments = Ledger(store.database, name).payments()
            assert {payment.state for payment in payments} <= {State.CONFIRMED}
            return cls(
                attempts=sorted(
                    (row.hit.context.id, row.attempt.key, row.attempt.fooled, row.attempt.retracted)
                    for row in store.attempts.of_campaign(name)
                ),
                squad=(Path(folder) / SQUAD_FILE).read_bytes(),
                payments=sorted((one.key.purpose, one.cents, one.fee_cents) for one in payments),
            )

    def cents(self) -> int:
        return sum(cents + fee_cents for _, cents, fee_cents in self.payments)


def check_marketplace(outcome: Outcome, hits: int = HITS, endpoint_url: str | None = None) -> None:
    """The marketplace has paid exactly what the ledger says, each assignment once, and holds nothing any more."""
    requester = Requester.connect(endpoint_url)
    try:
        offered = list(requester.hits())
        made = [one for hit in offered for one in requester.assignments(hit["HITId"])]
        bonuses = [bonus for one in made for bonus in requester.bonuses_paid(one["AssignmentId"])]
        balance = requester.client.get_account_balance()
    finally:
        requester.close()
    assert {hit["MaxAssignments"] for hit in offered} == {1}
    assert max(Counter(hit["RequesterAnnotation"] for hit in offered).values()) == 1
    assert [one["AssignmentStatus"] for one in made] == ["Approved"] * hits
    assert all(hit["HITStatus"] in ("Reviewable", "Reviewing", "Disposed") for hit in offered), offered
    assert max(Counter(bonus.reason for bonus in bonuses).values(), default=1) == 1
    paid = Counter(cents for purpose, cents, _ in outcome.payments if purpose != "reward")
    assert Counter(bonus.cents for bonus in bonuses) == paid
    assert cents_of(balance["AvailableBalance"]) == DEPOSIT_CENTS - outcome.cents()
    assert balance.get("OnHoldBalance", "0.00") == "0.00"


def stop_serving(out: Path) -> None:
    """End the processes that a page has started for a campaign, and its router."""

    def has_ended() -> bool:
        with campaign_store(out) as store:
            for lease in store.leases.held():
                if lease.pid is not None:
                    os.kill(lease.pid, signal.SIGTERM)
        return not any(each.stands == "running" for each in jobs_in(out / "private" / "jobs"))

    wait_until(has_ended, "nobody serves the campaign", PATIENCE_SECONDS)
    kill_router(out)
