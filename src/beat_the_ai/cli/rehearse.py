"""`rehearse`: a whole campaign with simulated people: qualify, write, review, validate, pay, export, report."""

from __future__ import annotations

import asyncio
import random
import shutil
import time
from collections.abc import Callable, Coroutine, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import Any, TypeVar

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn
from rich.table import Table

from beat_the_ai.campaign.accounts import account, crowd_label
from beat_the_ai.campaign.configuration import Settings, read_settings
from beat_the_ai.campaign.crowds import requester_of
from beat_the_ai.campaign.offers import hits_on_offer, load_contexts, number_of_hits, worst_of_all_stages
from beat_the_ai.campaign.rehearsal import Child, MarketplaceProcess, OperatorProcess, RehearsalFailed, heavy_faults
from beat_the_ai.campaign.stages import quiz_file, validation_desk
from beat_the_ai.campaign.stores import private_folder
from beat_the_ai.campaign.workforce import workforce_of
from beat_the_ai.cli.review.people import machine_user
from beat_the_ai.cli.status import progress_of, progress_table
from beat_the_ai.cli.tasks import REPORT_FILE, leave, overrides, task_dir
from beat_the_ai.dataset.card import CARD_FILE
from beat_the_ai.errors import InvalidInput, PaymentError
from beat_the_ai.mephisto.mturk import survey
from beat_the_ai.modes import private_files
from beat_the_ai.payments import check_launch
from beat_the_ai.requester import Requester
from beat_the_ai.review import ReviewDesk, Reviewer
from beat_the_ai.rules.kind import Kind, People
from beat_the_ai.rules.screening import Newcomers
from beat_the_ai.simulation import manners
from beat_the_ai.simulation.marketplace import Account, enrol, portal_workplaces
from beat_the_ai.simulation.reviewers import SimulatedReviewer
from beat_the_ai.simulation.screening import Manner, take_screenings
from beat_the_ai.simulation.validators import ValidatorCrowd, validate
from beat_the_ai.simulation.writers import Writers, work
from beat_the_ai.store import Store, now, open_store
from beat_the_ai.workforce import Reviewing, Stage, Standing, Workforce, assess
from beat_the_ai.workforce.screening import PASSED
from beat_the_ai.writing import HitsOnOffer

REHEARSAL = "rehearsal"
REVIEWER = "simulated reviewer"
HITS_PER_WRITER = 4
CHECK_SECONDS = 2
WATCH_SECONDS = 0.5
SETTLE_SECONDS = 0.1
PATIENCE_SECONDS = 60  # of newcomers who find no place, and with an operator
REVIEWS_BEFORE_REVOCATION = 3
SHARES = {manners.SLOPPY: 0.1, manners.COPYING: 0.1, manners.MALICIOUS: 0.1}  # the rest is good
CARELESS_NEWCOMERS = 0.25  # for each writer, who do not get through the screening
WATCHED = {manners.SLOPPY: Manner.SLOPPY}  # the others put up a good front while they are watched

T = TypeVar("T")


@click.command()
@task_dir
@overrides
@click.option("--workers", type=click.IntRange(1, 1000), default=12, show_default=True, help="Simulated writers.")
@click.option("--seed", type=int, default=1, show_default=True, help="Decides all draws, and what people do.")
@click.option("--out", type=click.Path(path_type=Path), default=Path("out/rehearsal"), show_default=True)
@click.option(
    "--faults",
    type=click.Choice(("none", "heavy")),
    default="none",
    show_default=True,
    help="heavy: throttling, lost replies, failing services, and one kill of each process.",
)
@private_files()
def rehearse(task_dir: Path, overrides: tuple[str, ...], workers: int, seed: int, out: Path, faults: str) -> None:
    """Run a whole campaign with simulated people on a marketplace of its own, and leave its dataset in --out.

    They use the marketplace's portal and the pages' own protocol. Writers know what stands with the contexts; three in
    ten are sloppy, copy, or type anything, and a simulated reviewer is there to find them. Unless round.max_hits says
    otherwise, there are four HITs for each worker. An earlier rehearsal in --out is replaced.
    """
    careless = -(-workers // round(1 / CARELESS_NEWCOMERS))
    chosen = ["crowd=mturk", f"crowd.check_seconds={CHECK_SECONDS}", *_with_hits(overrides, workers)]
    read = partial(read_settings, task_dir, seed=seed, out=out.resolve(), name=REHEARSAL, simulated=True)
    settings = read(chosen)
    kind = settings.kind
    if kind.people is None:
        raise InvalidInput("TASK_DIR", f"{settings.task.kind} has no simulated people: it cannot be rehearsed.")
    if kind.screening is not None:
        settings = read(["qualification=paper", f"qualification.places={workers + careless}", *chosen])
    private = _make_room(out)
    console = Console()
    with _opened(settings) as store:
        check_launch(worst_of_all_stages(store, settings), settings.pay.cap_cents)
    with MarketplaceProcess(private / "marketplace.db", settings.pay.cap_cents) as market, _opened(settings) as store:
        names = [f"AWRITER{number:03}" for number in range(workers + careless)]
        accounts = enrol(market.address, market.control_token, names)
        if faults == "heavy":
            market.switch_faults(heavy_faults(seed))
        rehearsal = Rehearsal(settings.at_marketplace(market.address), kind, kind.people, market, store, console)
        of_writers = dict(zip(names, manners.mix(workers, SHARES, seed), strict=False))
        if kind.screening is not None:
            newcomers = kind.screening.newcomers(quiz_file(settings))
            rehearsal.qualify(accounts, of_writers, newcomers)
        caught = rehearsal.write(accounts, of_writers, with_kills=faults == "heavy")
        if kind.checking is not None:
            rehearsal.validate(accounts[:workers])
        market.switch_faults({"rules": []})
        rehearsal.pay()
        leave(store, store.campaigns.get(REHEARSAL), out)
        console.print(progress_table(progress_of(store, REHEARSAL)))
        qualified = rehearsal.qualified if kind.screening is not None else set(of_writers)
        console.print(_caught_table(of_writers, qualified, caught))
    for kill in rehearsal.kills:
        console.print(kill)
    if rehearsal.kills:
        console.print(f"What the processes complained about: {market.log}", soft_wrap=True)
    for name in ("jsonl", CARD_FILE, REPORT_FILE):
        console.print(f"[bold]{out / name}[/bold]", soft_wrap=True)


@dataclass
class Rehearsal:
    """A campaign from its first newcomer to the last payment."""

    settings: Settings
    kind: Kind
    people: People
    market: MarketplaceProcess
    store: Store
    console: Console
    qualified: set[str] = field(default_factory=set)
    kills: list[str] = field(default_factory=list)

    def qualify(self, accounts: list[Account], of_writers: Mapping[str, str], newcomers: Newcomers) -> None:
        """Everybody takes the screening; a reviewer lets in whoever has passed."""
        of_newcomers = [
            WATCHED.get(of_writers[one.worker_id], Manner.GOOD) if one.worker_id in of_writers else Manner.MALICIOUS
            for one in accounts
        ]
        with (
            self._operator(Stage.SCREENING) as operator,
            self._progress("screenings", len(accounts)) as (progress, bar),
        ):
            workplaces = portal_workplaces(self.market.address, accounts)
            taken = take_screenings(
                of_newcomers,
                newcomers,
                workplaces,
                seed=self.settings.seed,
                on_taken=lambda _: progress.advance(bar),
                patience_seconds=PATIENCE_SECONDS,
            )
            self._run(taken, operator)
            self._end(operator)
        with self._workforce() as workforce:
            decisions = self._desk(workforce).decisions
            for screening in self.store.screenings.of_campaign(REHEARSAL):
                if screening.outcome == PASSED:
                    decisions.decide(self.reviewer, screening.worker, "grant", "did well in the screening")
                else:
                    decisions.decide(self.reviewer, screening.worker, "refuse", "did not get through the screening")
            _reconcile(workforce)
            self.qualified = {one for one in of_writers if workforce.standing(one) is Standing.QUALIFIED}

    def write(self, accounts: list[Account], of_writers: Mapping[str, str], *, with_kills: bool) -> dict[str, int]:
        """Returns how many HITs each revoked worker had done by then."""
        contexts = {context.id: context for context in load_contexts(self.settings)}
        crowd = Writers(self.people, list(of_writers.values()), self.settings.seed, contexts)
        reviewer = SimulatedReviewer(self.people, REVIEWER, self.store, REHEARSAL)
        revoked = dict[str, int]()
        with (
            self._operator(Stage.WRITING) as operator,
            self._workforce() as workforce,
            self._progress(
                "writing", self.hits, "{task.fields[attempts]} attempts, {task.fields[wins]} beat the AI"
            ) as (progress, bar),
        ):
            on_offer = hits_on_offer(self.store, self.store.campaigns.get(REHEARSAL), self.settings)
            reviewing = Reviewing(self.store, REHEARSAL)
            judged: dict[str, bool] = {}

            def on_attempt(attempt: Mapping[str, Any]) -> None:
                if "attempt_id" in attempt:  # one that is made again after a failure is the same
                    judged[attempt["attempt_id"]] = attempt["fooled"]
                progress.update(bar, attempts=len(judged), wins=sum(judged.values()))

            async def after_turn() -> None:
                await self._settled(on_offer)
                revoked.update(await asyncio.to_thread(self._review, reviewing, reviewer, workforce))

            writing = work(
                crowd,
                portal_workplaces(self.market.address, accounts),
                on_attempt,
                lambda: progress.update(bar, completed=self.submitted(), total=len(on_offer.hits())),
                on_offer.done,
                after_turn,
            )
            self._run(self._disturbed(writing, operator) if with_kills else writing, operator)
            self.store.rounds.close(REHEARSAL, now())  # what is left is for none of these writers
            self._end(operator)
        return revoked

    async def _settled(self, on_offer: HitsOnOffer) -> None:
        """Until all that was handed in is confirmed, and what may be offered again is on offer: turns begin alike."""
        label = crowd_label(self.store.campaigns.get(REHEARSAL), Stage.WRITING)
        requester = self._requester()

        def settled() -> bool:
            try:
                at_crowd = survey(requester, label).counts()
            except PaymentError:  # the crowd could not be asked
                return False
            confirmed = self.store.attempts.confirmed_hits(REHEARSAL)
            open_hits = on_offer.renew().keys() - confirmed
            done = at_crowd["submitted"] + at_crowd["decided"]
            return done <= len(confirmed) and at_crowd["open"] + at_crowd["accepted"] >= len(open_hits)

        try:
            await _until(settled, "hand-ins are not confirmed, or HITs not offered")
        finally:
            requester.close()

    def validate(self, accounts: list[Account]) -> None:
        """By those who write, never their own, as far as there are enough of them."""
        names = [one.worker_id for one in accounts]
        contexts = load_contexts(self.settings)
        crowd = ValidatorCrowd.of(self.people, contexts, validators=len(accounts), seed=self.settings.seed)
        campaign = self.store.campaigns.get(REHEARSAL)
        desk = validation_desk(self.settings, self.store, campaign)
        with self._operator(Stage.VALIDATION) as operator, self._workforce() as workforce:
            wanted = sum(need.wanted for need in desk.needs())
            with self._progress("validation, votes", wanted) as (progress, bar):
                validating = validate(
                    crowd,
                    portal_workplaces(self.market.address, accounts),
                    lambda number: (
                        workforce.may_work(names[number], Stage.VALIDATION) and desk.may_get_work(names[number])
                    ),
                    lambda _: None,
                    lambda: progress.update(bar, completed=wanted - sum(need.wanted for need in desk.needs())),
                    in_turn=True,
                )
                self._run(self._confirmed(validating), operator)
            if desk.complete():
                self._end(operator)
            else:
                self.console.print("Some works have fewer votes than wanted: too few people may check them.")

    async def _confirmed(self, validating: Coroutine[Any, Any, object]) -> None:
        """Until the crowd has confirmed the last votes, too: the operator may be ended then."""
        await validating
        waiting = self.store.validation_hand_ins.waiting
        await _until(lambda: not waiting(REHEARSAL), "votes are not confirmed")

    def pay(self) -> None:
        """Everything that is owed, bonuses included."""
        with closing(self._requester()) as crowd:
            for campaign_id in self.store.campaigns.ids():
                cashier = account(self.store, campaign_id)
                stopped = cashier.pay(cashier.owed, crowd)
                if stopped is not None:
                    raise PaymentError(f"Not everything could be paid: {stopped}")

    def _requester(self) -> Requester:
        return requester_of(self.store.campaigns.get(REHEARSAL), self.settings.crowd.endpoint_url, **self.market.keys)

    def submitted(self) -> int:
        return len(self.store.attempts.confirmed_hits(REHEARSAL))

    @cached_property
    def hits(self) -> int:
        return number_of_hits(self.settings, load_contexts(self.settings))

    @cached_property
    def reviewer(self) -> Reviewer:
        return Reviewer(REVIEWER, lead=True, machine_user=machine_user())

    def _desk(self, workforce: Workforce) -> ReviewDesk:
        return ReviewDesk(self.store, REHEARSAL, workforce, min_reviews=REVIEWS_BEFORE_REVOCATION)

    def _review(self, reviewing: Reviewing, reviewer: SimulatedReviewer, workforce: Workforce) -> dict[str, int]:
        """Fill the sample up, judge it, revoke whom that recommends. Returns the HITs that each of those had done."""
        desk, revoked = self._desk(workforce), {}
        reviewing.draw()
        for assignment, fault in reviewer.verdicts(reviewing).items():
            desk.judge(self.reviewer, assignment, "accept" if fault is None else "reject", fault or "")
        for one in assess(self.store, REHEARSAL, min_reviews=REVIEWS_BEFORE_REVOCATION):
            if one.recommended and one.standing is not Standing.REVOKED:
                because = f"{one.accepted} of {one.reviewed} reviewed HITs were accepted"
                desk.decisions.decide(self.reviewer, one.worker, "revoke", because)
                revoked[one.worker] = one.completed
        _reconcile(workforce)
        return revoked

    def _operator(self, stage: Stage) -> OperatorProcess:
        return OperatorProcess(self.settings, stage, f"{REHEARSAL}-{self.settings.seed}", self.market.keys)

    @contextmanager
    def _workforce(self) -> Iterator[Workforce]:
        needed = self.kind.screening is not None
        with workforce_of(self.store, REHEARSAL, needs_qualification=needed, **self.market.keys) as workforce:
            yield workforce

    @contextmanager
    def _progress(self, name: str, total: int, told: str = "") -> Iterator[tuple[Progress, TaskID]]:
        columns = (TextColumn(name), BarColumn(), MofNCompleteColumn(), TextColumn(told), TimeElapsedColumn())
        with Progress(*columns, console=self.console) as progress:
            yield progress, progress.add_task(name, total=total, attempts=0, wins=0)

    def _run(self, people: Coroutine[Any, Any, T], operator: OperatorProcess) -> T:
        """Raises `RehearsalFailed` when a process fails: the people would wait for it for ever."""
        return asyncio.run(_watched(people, self.market, operator))

    @staticmethod
    def _end(operator: OperatorProcess) -> None:
        if operator.wait() != 0:
            raise RehearsalFailed(f"The operator ended with an error; see {operator.log}.")

    async def _disturbed(self, people: Coroutine[Any, Any, T], operator: OperatorProcess) -> T:
        """Kill every process once, in the order and at the moments (in HITs submitted) that the seed draws."""
        killing = asyncio.create_task(self._kill_each(operator))
        try:
            return await people
        finally:
            killing.cancel()

    async def _kill_each(self, operator: OperatorProcess) -> None:
        chance = random.Random(f"{self.settings.seed}/kills")  # noqa: S311  # a simulation, not a secret
        kills: list[tuple[str, Callable[[], None]]] = [
            ("operator", operator.kill_and_start),
            ("router", operator.kill_router),
            ("model server", operator.kill_model_server),
            ("marketplace", self.market.kill_and_start),
        ]
        chance.shuffle(kills)
        moments = sorted(chance.sample(range(self.hits), min(len(kills), self.hits)))
        for moment, (name, kill) in zip(moments, kills, strict=False):
            while self.submitted() < moment:
                await asyncio.sleep(0.05)
            await asyncio.to_thread(kill)
            self.kills.append(f"killed after {moment} HITs: the {name}")


async def _until(condition: Callable[[], bool], trouble: str) -> None:
    """Raises `RehearsalFailed` when it does not come about."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not await asyncio.to_thread(condition):
        if time.monotonic() > deadline:
            raise RehearsalFailed(f"After {PATIENCE_SECONDS} seconds {trouble}.")
        await asyncio.sleep(SETTLE_SECONDS)


async def _watched(people: Coroutine[Any, Any, T], *children: Child) -> T:
    working = asyncio.ensure_future(people)
    watching = asyncio.create_task(_watch(*children))
    either: set[asyncio.Future[Any]] = {working, watching}
    await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
    if not working.done():
        working.cancel()
        await watching
    watching.cancel()
    return await working


async def _watch(*children: Child) -> None:
    """Raises `RehearsalFailed` when one of them fails."""
    while True:
        for child in children:
            if child.has_failed():
                raise RehearsalFailed(f"The {child.name} ended with an error; see {child.log}.")
        await asyncio.sleep(WATCH_SECONDS)


def _reconcile(workforce: Workforce) -> None:
    """Until the crowd has it as it stands here; replies may have been lost."""
    while any(not one.mended for one in _differences(workforce)):
        pass


def _differences(workforce: Workforce) -> list[Any]:
    try:
        return list(workforce.reconcile())
    except PaymentError:  # the crowd could not be asked
        return _differences(workforce)


def _caught_table(of_writers: Mapping[str, str], qualified: set[str], caught: Mapping[str, int]) -> Table:
    """What the quality control did with the writers of each manner."""
    table = Table(title="What quality control caught")
    for name in ("writers", "newcomers", "got through the screening", "revoked", "after so many HITs"):
        table.add_column(name, justify="left" if name == "writers" else "right")
    for manner in sorted(set(of_writers.values())):
        names = [name for name in of_writers if of_writers[name] == manner]
        revoked = sorted(caught[name] for name in names if name in caught)
        through = sum(name in qualified for name in names)
        table.add_row(manner, str(len(names)), str(through), str(len(revoked)), ", ".join(map(str, revoked)) or "none")
    return table


@contextmanager
def _opened(settings: Settings) -> Iterator[Store]:
    store = open_store(settings.store.url)
    try:
        yield store
    finally:
        store.close()


def _with_hits(overrides: tuple[str, ...], workers: int) -> list[str]:
    chosen = any(override.lstrip("+").startswith("round.max_hits=") for override in overrides)
    return [*overrides] if chosen else [f"round.max_hits={workers * HITS_PER_WRITER}", *overrides]


def _make_room(out: Path) -> Path:
    """Remove an earlier rehearsal; anything else there is left alone and refused. Returns the private folder."""
    mark = out / f".{REHEARSAL}"
    if mark.exists():
        shutil.rmtree(out)
    elif out.exists() and any(out.iterdir()):
        raise InvalidInput("--out", f"{out} holds something that is no rehearsal. Choose another folder.")
    private = private_folder(out)
    mark.touch()
    return private
