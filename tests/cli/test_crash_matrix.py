"""Every process of a campaign is killed at every boundary, and replies are lost: the outcome is the same.

A campaign has four HITs: at the four times that a boundary comes, the four processes are killed one after the other.
The boundaries of one step share a campaign; each has its own order of victims, so that they do not die twice at once.
`make test` kills one process at each boundary, all in one campaign; `make thorough` has every pair.
A failure of any part ends a case at once, and its report tells who was killed at which boundary, the last one last.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import signal
import subprocess
import sys
from collections.abc import Coroutine, Iterator, Sequence
from datetime import timedelta
from itertools import chain
from pathlib import Path
from typing import Any

import httpx
import pytest

from beat_the_ai.campaign.money.crowd import requester_of
from beat_the_ai.campaign.money.payables import payables_of
from beat_the_ai.campaign.settings.configuration import read_settings
from beat_the_ai.errors import ProcessFailed, Refused
from beat_the_ai.mephisto.mturk.confirmation import NEVER_ARRIVED
from beat_the_ai.process.child import Child
from beat_the_ai.rehearsal.processes import MarketplaceProcess, OperatorProcess
from beat_the_ai.rules.stage import Stage
from beat_the_ai.simulation.marketplace import PortalHit, enrol, portal_workplaces
from beat_the_ai.store import now
from beat_the_ai.terms.campaign import BoundCampaign
from tests.cli.launching import (
    DEPOSIT_CENTS,
    HITS,
    NAME,
    OPTIONS,
    TASK,
    Outcome,
    campaign_store,
    check_marketplace,
    make_workers_impatient,
    write,
)
from tests.cli.launching import submitted as number_submitted
from tests.cli.plot import VICTIMS, Plot
from tests.forked.starts import new_interpreters
from tests.mephisto.rig import kill_router
from tests.mephisto.wire import wait_until

PAYERS = 5  # as many as are needed at most
PART_SECONDS = 250.0  # writing, then paying: twenty times what they need on a machine that has nothing else to do
LOG_LINES = 30

BOUNDARIES = {
    "offers and bonuses": [
        "before a HIT is created",
        "after a HIT was created",
        "before a bonus",
        "after a bonus",
    ],
    "acceptances and rewards": [
        "before an acceptance is stored",
        "after an acceptance was stored",
        "before an approval",
        "after an approval",
    ],
    "attempts": [
        "before the model is asked",
        "before an attempt is stored",
        "before an attempt is answered",
    ],
    "submissions": [
        "before a submission is stored",
        "after a submission was stored",
        "before the crowd's form",
        "after the crowd's form",
    ],
}
HAND_INS = [
    "before a hand-in counts",
    "after a hand-in counts",
    "before a hand-in is set aside",
    "after a hand-in is set aside",
]
WITHOUT_LOST_REPLIES = ["before an attempt is answered", "after a bonus"]
WHILE_PAYING = ["before a bonus", "after a bonus"]
PAYING = ["marketplace", "operator"]  # whom a bonus needs
LOST_REPLIES = {
    "seed": 1,
    "rules": [
        {"kind": "lose_reply", "operations": [operation], "times": times}
        for operation, times in (
            ("CreateHITWithHITType", 1),
            ("ListHITs", 1),
            ("ApproveAssignment", 1),
            ("SendBonus", 1),
            ("WorkerPortal", 6),
        )
    ],
}


class DyingOperator(OperatorProcess):
    def __init__(self, plot: Plot, *given: Any) -> None:
        super().__init__(*given)
        self._plot = plot

    def command(self) -> list[str]:
        return [sys.executable, "-m", "tests.cli.plot", str(self._plot.folder), "serve", str(self._settings)]


class Case:
    """One campaign with its plot, its marketplace and its operator."""

    def __init__(self, folder: Path, moments: Sequence[str] = (), times: int = HITS) -> None:
        self.out = folder / "campaign"
        self.out.mkdir()
        victims = {moment: victims_at(moment, order)[:times] for order, moment in enumerate(moments)}
        self.plot = Plot.made(folder / "plot", self.out, victims)
        self.market = MarketplaceProcess(folder / "market.db", DEPOSIT_CENTS)

    def run(self, rules: dict[str, Any] | None) -> Outcome:
        """Write, release the rewards and pay, whatever dies on the way."""
        with self.market:
            self.plot.introduce("marketplace", self.market._process.pid)  # type: ignore[union-attr]
            if rules is not None:
                self.market.switch_faults(rules)
            settings = read_settings(TASK, OPTIONS, out=self.out).at_marketplace(self.market.address)
            operator = DyingOperator(self.plot, settings, Stage.WRITING, "pseudonyms", self.market.keys)
            asyncio.run(self._beside_the_market(self._operate(operator), self._write()))
            asyncio.run(self._beside_the_market(self._pay()))
            outcome = Outcome.of(self.out)
            check_marketplace(outcome, endpoint_url=self.market.address)
            assert self.plot.alive() == []
            return outcome

    async def _beside_the_market(self, *parts: Coroutine[Any, Any, None]) -> None:
        """Until all parts have ended. Whatever fails, of them or of what runs beside them, ends all at once."""
        keeping = asyncio.gather(self._keep_market(), self._watch_logs())
        working = asyncio.gather(*parts)
        try:
            ended, _ = await asyncio.wait((keeping, working), timeout=PART_SECONDS, return_when=asyncio.FIRST_COMPLETED)
            assert ended, f"not over after {PART_SECONDS:.0f} s; still to die: {self.plot.alive()}"
            for part in ended:
                part.result()
        finally:
            keeping.cancel()
            working.cancel()
            await asyncio.gather(keeping, working, return_exceptions=True)

    async def _operate(self, operator: DyingOperator) -> None:
        status = -signal.SIGKILL
        while status == -signal.SIGKILL:
            life = asyncio.get_running_loop().run_in_executor(None, live, operator)
            try:
                status = await asyncio.shield(life)
            finally:
                while not life.done():
                    kill(operator)
                    await asyncio.wait((life,), timeout=0.1)
        assert status == 0, f"the operator ended with status {status}"

    async def _write(self) -> None:
        accounts = enrol(self.market.address, self.market.control_token, ["AWRITER0", "AWRITER1"])
        while not (self.out / "private" / "campaign.db").exists():
            await asyncio.sleep(0.05)
        await write(portal_workplaces(self.market.address, accounts), 2, lambda: number_submitted(self.out) >= HITS)

    async def _keep_market(self) -> None:
        while True:
            if died(self.market):
                await asyncio.to_thread(self.market.wait)
                await asyncio.to_thread(self.market.start)
                self.plot.introduce("marketplace", self.market._process.pid)  # type: ignore[union-attr]
            await asyncio.sleep(0.02)

    async def _watch_logs(self) -> None:
        """Routers and model servers are not ours to wait for; whatever fails in them or because of them is logged."""
        while True:
            for path in self._logs():
                assert "Traceback" not in path.read_text(), f"something failed; see {path.name} below"
            await asyncio.sleep(0.5)

    def _logs(self) -> list[Path]:
        return [path for path in (self.market.log, *self.out.rglob("*.log")) if path.exists()]

    async def _pay(self) -> None:
        """By `pay`, which may be a victim, again and again; and once more when its claims have run out."""
        command = [sys.executable, "-m", "tests.cli.plot", str(self.plot.folder), "pay", str(self.out)]
        for _ in range(PAYERS):
            await asyncio.to_thread(self._until_the_market_answers)
            status, complaints = await run(command)
            assert status in (0, 1, -signal.SIGKILL), complaints
            assert "Traceback" not in complaints
            if not self.plot.alive():
                break
        await asyncio.to_thread(self._until_the_market_answers)
        with (
            campaign_store(self.out) as store,
            contextlib.closing(requester_of(BoundCampaign.open(store, NAME))) as crowd,
        ):
            cashier = payables_of(BoundCampaign.open(store, NAME))
            cashier.ledger.clock = lambda: now() + timedelta(minutes=6)
            assert await asyncio.to_thread(cashier.pay, cashier.owed, crowd) is None
            assert await asyncio.to_thread(cashier.pay, cashier.owed, crowd) is None

    def report(self) -> str:
        ends = [f"-- {path.name}\n{''.join(path.read_text().splitlines(True)[-LOG_LINES:])}" for path in self._logs()]
        return f"killed, in this order:\n{self.plot.story()}{''.join(ends)}"

    def _until_the_market_answers(self) -> None:
        def answers() -> bool:
            with contextlib.suppress(httpx.TransportError):
                return httpx.get(f"{self.market.address}/health", trust_env=False).is_success
            return False

        wait_until(answers, "the marketplace is there")


def victims_at(moment: str, order: int) -> list[str]:
    victims = PAYING if moment in WHILE_PAYING else list(VICTIMS)
    first = order % len(victims)
    return [*victims[first:], *victims[:first]]


async def run(command: Sequence[str]) -> tuple[int | None, str]:
    """The exit status of a command, and what it wrote to stderr."""
    process = await asyncio.create_subprocess_exec(*command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        _, complaints = await process.communicate()
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
    return process.returncode, complaints.decode()


def live(child: Child) -> int:
    """From the start to the end of the process: its exit status."""
    with contextlib.suppress(ProcessFailed):  # it ended before it was ready
        child.start()
    return child.wait()


def kill(child: Child) -> None:
    if child._process is not None and child._process.poll() is None:
        child._process.kill()


def died(child: Child) -> bool:
    return child._process is not None and child._process.poll() is not None


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Outcome]:
    with pytest.MonkeyPatch.context() as patch:
        make_workers_impatient(patch)
        case = Case(tmp_path_factory.mktemp("undisturbed"))
        use_keys(patch, case)
        with new_interpreters():
            outcome = case.run(None)
        yield outcome


def use_keys(patch: pytest.MonkeyPatch, case: Case) -> None:
    for name, value in case.market.keys.items():
        patch.setenv(name.upper(), value)


@pytest.mark.timeout(3 * PART_SECONDS)
@pytest.mark.parametrize(
    ("moments", "times", "rules"),
    [
        pytest.param([*chain.from_iterable(BOUNDARIES.values())], 1, LOST_REPLIES, id="each boundary once"),
        *(
            pytest.param(moments, HITS, LOST_REPLIES, id=step, marks=pytest.mark.thorough)
            for step, moments in BOUNDARIES.items()
        ),
        pytest.param(WITHOUT_LOST_REPLIES, HITS, None, id="no reply is lost", marks=pytest.mark.thorough),
    ],
)
def test_whoever_is_killed_whenever_the_outcome_is_the_same(
    moments: list[str],
    times: int,
    rules: dict[str, Any] | None,
    undisturbed: Outcome,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    make_workers_impatient(monkeypatch)
    case = Case(tmp_path, moments, times)
    use_keys(monkeypatch, case)
    hand_in = PortalHit.hand_in

    async def plotted(hit: PortalHit, final_data: Any) -> None:
        case.plot.strike("before the crowd's form")
        await hand_in(hit, final_data)
        case.plot.strike("after the crowd's form")

    monkeypatch.setattr(PortalHit, "hand_in", plotted)
    try:
        assert case.run(rules) == undisturbed
    finally:
        print(case.report())  # shown when it fails
        kill_router(case.out)


@pytest.mark.timeout(3 * PART_SECONDS)
@pytest.mark.parametrize("times", [1, pytest.param(len(VICTIMS), marks=pytest.mark.thorough)])
def test_hand_ins_that_never_arrive_are_set_aside_once_whoever_is_killed(
    times: int, undisturbed: Outcome, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As often as a boundary has victims a page hands in, and its worker returns the HIT instead of posting the form.

    The same HITs are offered again, and what is written in them then is all that counts.
    """
    make_workers_impatient(monkeypatch)
    case = Case(tmp_path, HAND_INS, times)
    use_keys(monkeypatch, case)
    hand_in, vanished = PortalHit.hand_in, 0

    async def vanish(hit: PortalHit, final_data: Any) -> None:
        nonlocal vanished
        if vanished == times:
            return await hand_in(hit, final_data)
        vanished += 1
        await hit.give_back()
        raise Refused("returned")

    monkeypatch.setattr(PortalHit, "hand_in", vanish)
    try:
        outcome = case.run(LOST_REPLIES)
        with campaign_store(case.out) as store:
            gone = store.assignments.uncounted(NAME, Stage.WRITING)
            assert [one.set_aside_reason for one in gone] == [NEVER_ARRIVED] * times
            assert len(store.assignments.confirmed(NAME, Stage.WRITING)) == HITS
        assert set(outcome.attempts) == set(undisturbed.attempts)
        assert outcome.payments == undisturbed.payments
        assert questions(outcome) == questions(undisturbed)
    finally:
        print(case.report())
        kill_router(case.out)


def questions(outcome: Outcome) -> list[tuple[str, str]]:
    """With their passages."""
    return sorted(
        (paragraph["context"], question["question"])
        for article in json.loads(outcome.squad)["data"]
        for paragraph in article["paragraphs"]
        for question in paragraph["qas"]
    )


@pytest.fixture
def case(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Case]:
    """Nobody is to be killed in it, and yet something fails."""
    make_workers_impatient(monkeypatch)
    case = Case(tmp_path)
    use_keys(monkeypatch, case)
    yield case
    kill_router(case.out)


async def fail(*_: Any) -> None:
    raise RuntimeError("a part of it has failed")


async def do_nothing(*_: Any) -> None:
    pass


@pytest.mark.parametrize(
    ("part", "done_before"), [("_write", ()), ("_keep_market", ()), ("_pay", ("_operate", "_write"))]
)
def test_a_part_that_fails_ends_the_case_with_its_reason(
    part: str, done_before: Sequence[str], case: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Case, part, fail)
    for earlier in done_before:
        monkeypatch.setattr(Case, earlier, do_nothing)
    with pytest.raises(RuntimeError, match="a part of it has failed"):
        case.run(None)


def test_an_operator_that_does_not_come_up_ends_the_case(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(DyingOperator, "command", lambda _: [sys.executable, "-c", "raise SystemExit('no way')"])
    with pytest.raises(AssertionError, match="the operator ended with status 1"):
        case.run(None)
    assert "no way" in case.report()


def test_what_fails_in_a_process_that_nobody_waits_for_ends_the_case(case: Case) -> None:
    (case.out / "router.log").write_text("Traceback (most recent call last):\nno router")
    with pytest.raises(AssertionError, match=r"something failed; see router.log below"):
        case.run(None)
    assert "no router" in case.report()
