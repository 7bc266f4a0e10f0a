"""A round of a rehearsal: qualify, write and review, validate, pay. What is done already is not done again."""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn
from rich.table import Table

from beat_the_ai.campaign.money.crowd import requester_of
from beat_the_ai.campaign.money.payables import crowd_label, payables_of
from beat_the_ai.campaign.service.hits import create_hits
from beat_the_ai.campaign.service.stages.validation import validation_desk
from beat_the_ai.campaign.service.workforce import workforce_of
from beat_the_ai.campaign.settings.configuration import Settings
from beat_the_ai.campaign.settings.planned_round import PlannedRound, load_contexts, number_of_hits
from beat_the_ai.campaign.settings.resume import settings_of
from beat_the_ai.errors import InvalidInput, PaymentError, ProcessFailed
from beat_the_ai.mephisto.mturk import survey
from beat_the_ai.process.child import Child
from beat_the_ai.rehearsal.processes import OperatorProcess
from beat_the_ai.rehearsal.venue import Venue
from beat_the_ai.requester import Requester
from beat_the_ai.review import ReviewDesk, Reviewer
from beat_the_ai.rules.kind import Judgement, Kind, People
from beat_the_ai.rules.screening import Newcomers
from beat_the_ai.rules.stage import Stage
from beat_the_ai.simulation import personas
from beat_the_ai.simulation.marketplace import Account
from beat_the_ai.simulation.reviewers import SimulatedReviewer, revokes
from beat_the_ai.simulation.screening import Persona, take_screenings
from beat_the_ai.simulation.validators import ValidatorCrowd, validate
from beat_the_ai.simulation.writers import Writers, work
from beat_the_ai.store import Store, now
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.workforce import Reviewing, Standing, Workforce, assess
from beat_the_ai.workforce.screening import PASSED
from beat_the_ai.writing import OpenHits

REHEARSAL = "rehearsal"  # the campaign's name
WATCH_SECONDS = 0.5
SETTLE_SECONDS = 0.1
PATIENCE_SECONDS = 60  # of newcomers who find no place, and with an operator
REVIEWS_BEFORE_REVOCATION = 3
SAMPLED = "Of a writer's n HITs, 5·log10(n) + 1 are reviewed: all of five, 6 of ten."
WATCHED = {personas.SLOPPY: Persona.SLOPPY}  # the others put up a good front while they are watched

T = TypeVar("T")


def check_vote(told: Mapping[str, Any]) -> None:
    """Raise `ProcessFailed` for a vote that no vote can be: its simulated validator would get that work for ever."""
    error = told.get("error", {})
    if error.get("code") == InvalidInput.code:
        raise ProcessFailed(f"A simulated validator gave a vote that is refused: {error.get('message', error)}")


@dataclass
class Rehearsal:
    """A round of a campaign from its first newcomer to the last payment. What is done already is not done again."""

    settings: Settings
    kind: Kind
    people: People
    venue: Venue
    store: Store
    reviewer: Reviewer
    console: Console
    kills: list[str] = field(default_factory=list)

    def take_up(self) -> int:
        """The round to go on with. The marketplace of a rehearsal that was cut off has another address now."""
        if REHEARSAL not in self.store.campaigns.ids():
            return 1
        self.store.campaigns.amend(replace(self.campaign.record, config=self.settings.of_campaign()))
        return self.store.rounds.current(REHEARSAL).number

    def enter(self, number: int) -> None:
        """From now on it is about this round, as it was opened."""
        if number > 1:
            self.settings = settings_of(self.campaign, self.settings.out, number=number)

    def qualify(self, accounts: list[Account], of_writers: Mapping[str, str], newcomers: Newcomers) -> None:
        """Everybody takes the screening; a reviewer lets in whoever has passed."""
        screened = {each.worker for each in self.store.screenings.of_campaign(REHEARSAL) if each.submitted_at}
        accounts = [one for one in accounts if one.worker_id not in screened]
        if accounts:
            self._screen(accounts, of_writers, newcomers)
        with self._workforce() as workforce:
            decisions = self._desk(workforce).decisions
            for screening in self.store.screenings.of_campaign(REHEARSAL):
                if workforce.standing(screening.worker) is not Standing.CANDIDATE:
                    continue
                if screening.outcome == PASSED:
                    decisions.decide(self.reviewer, screening.worker, "grant", "did well in the screening")
                else:
                    decisions.decide(self.reviewer, screening.worker, "refuse", "did not get through the screening")
            _reconcile(workforce)

    def _screen(self, accounts: list[Account], of_writers: Mapping[str, str], newcomers: Newcomers) -> None:
        of_newcomers = [
            WATCHED.get(of_writers[one.worker_id], Persona.GOOD) if one.worker_id in of_writers else Persona.MALICIOUS
            for one in accounts
        ]
        with (
            self._operator(Stage.SCREENING) as operator,
            self._progress("screenings", len(accounts)) as (progress, bar),
        ):
            workplaces = self.venue.workplaces(accounts)
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

    def write(self, accounts: list[Account], of_writers: Mapping[str, str], *, with_kills: bool) -> None:
        if REHEARSAL in self.store.campaigns.ids() and self._is_written():
            return
        contexts = {context.id: context for context in load_contexts(self.settings)}
        memories = {number: self._memory(name) for number, name in enumerate(of_writers)}
        crowd = Writers(self.people, list(of_writers.values()), self.settings.seed, contexts, memories=memories)
        with (
            self._operator(Stage.WRITING) as operator,
            self._workforce() as workforce,
            self._progress(
                "writing", self.hits, "{task.fields[attempts]} attempts, {task.fields[wins]} beat the AI"
            ) as (progress, bar),
        ):
            on_offer = create_hits(PlannedRound(self.store, self.settings))
            reviewer = SimulatedReviewer(self.people, self.reviewer.name, self.campaign)
            reviewing = Reviewing(self.campaign)
            judged: dict[str, bool] = {}

            def on_attempt(attempt: Mapping[str, Any]) -> None:
                if "attempt_id" in attempt:  # one that is made again after a failure is the same
                    judged[attempt["attempt_id"]] = attempt["fooled"] is True  # an arm may show no verdict
                progress.update(bar, attempts=len(judged), wins=sum(judged.values()))

            async def after_turn() -> None:
                await self._settled(on_offer)
                await asyncio.to_thread(self._review, reviewing, reviewer, workforce)

            writing = work(
                crowd,
                self.venue.workplaces(accounts),
                on_attempt,
                lambda: progress.update(bar, completed=self.submitted(), total=len(on_offer.hits())),
                on_offer.done,
                after_turn,
                before=lambda: self._settled(on_offer),
            )
            self._run(self._disturbed(writing, operator) if with_kills else writing, operator)
            self.store.rounds.close(REHEARSAL, now())  # what is left is for none of these writers
            self._end(operator)

    def _memory(self, worker: str) -> list[Judgement]:
        """Return the verdicts that the page showed a writer of this round before the rehearsal was cut off."""
        if REHEARSAL not in self.store.campaigns.ids():
            return []
        tariff = self.campaign.round(self.number).tariff
        return [
            Judgement(row.hit.task_item, row.attempt.work, row.attempt.fooled)
            for row in self.store.attempts.of_campaign(REHEARSAL)
            if (row.assignment.worker, row.hit.round) == (worker, self.number)
            and tariff.of(row.assignment).terms.shows_model
        ]

    def _is_written(self) -> bool:
        """The round is closed, and nothing that was handed in waits for the crowd."""
        round_ = self.store.rounds.get(REHEARSAL, self.number)
        return round_.is_closed and not self.store.assignments.waiting(REHEARSAL, Stage.WRITING)

    async def _settled(self, on_offer: OpenHits) -> None:
        """Until all that was handed in is confirmed, and what may be offered again is on offer: turns begin alike."""
        label = crowd_label(self.store.campaigns.get(REHEARSAL), Stage.WRITING, self.number)
        requester = self._requester()

        def settled() -> bool:
            try:
                at_crowd = survey(requester, label).counts()
            except PaymentError:  # the crowd could not be asked
                return False
            confirmed = sum(
                each.round == self.number for each in self.store.assignments.confirmed(REHEARSAL, Stage.WRITING)
            )
            on_offer.renew()
            open_hits = on_offer.hits().keys() - self._done_hits()
            handed_in = at_crowd["submitted"] + at_crowd["decided"]
            if handed_in > confirmed or at_crowd["open"] + at_crowd["accepted"] < len(open_hits):
                return False
            return self.venue.follows()

        try:
            await _until(settled, "hand-ins are not confirmed, or HITs not offered")
        finally:
            requester.close()

    def validate(self, accounts: list[Account]) -> None:
        """Validate works by those who write, never their own, as far as there are enough people."""
        names = [one.worker_id for one in accounts]
        contexts = load_contexts(self.settings)
        crowd = ValidatorCrowd.of(self.people, contexts, validators=len(accounts), seed=self.settings.seed)
        desk = validation_desk(self.settings, self.campaign)
        if desk.complete():
            return
        with self._operator(Stage.VALIDATION) as operator, self._workforce() as workforce:
            wanted = sum(need.wanted for need in desk.needs())
            with self._progress("validation, votes", wanted) as (progress, bar):
                validating = validate(
                    crowd,
                    self.venue.workplaces(accounts),
                    lambda number: (
                        workforce.may_work(names[number], Stage.VALIDATION) and desk.may_get_work(names[number])
                    ),
                    check_vote,
                    lambda: progress.update(bar, completed=wanted - sum(need.wanted for need in desk.needs())),
                    self._votes_confirmed,
                )
                self._run(validating, operator)
            if desk.complete():
                self._end(operator)
            else:
                self.console.print("Some works have fewer votes than wanted: too few people may check them.")

    async def _votes_confirmed(self) -> None:
        """Until the crowd has confirmed all votes: what a HIT shows depends on those that count."""
        waiting = self.store.assignments.waiting
        await _until(lambda: not waiting(REHEARSAL, Stage.VALIDATION), "votes are not confirmed")

    def pay(self) -> None:
        """Pay everything that is owed, bonuses included, until the books of whoever pays are those of the campaign."""
        with closing(self._requester()) as crowd:
            for campaign in BoundCampaign.all_in(self.store):
                payables = payables_of(campaign)
                stopped = payables.pay(payables.owed, crowd)
                if stopped is not None:
                    raise PaymentError(f"Not everything could be paid: {stopped}")
        paid = self.venue.settle()
        if paid is not None:
            self._compare(paid)

    def _compare(self, paid: Mapping[str, int]) -> None:
        """Raise `ProcessFailed` unless each worker was paid what stands in the ledger."""
        booked, amount = Counter[str](), self.settings.crowd.amount
        for campaign in BoundCampaign.all_in(self.store):
            for payment in payables_of(campaign).ledger.payments():
                booked[payment.key.worker] += payment.cents
        wrong = [name for name in booked.keys() | paid.keys() if booked[name] != paid.get(name, 0)]
        if wrong:
            one = min(wrong)
            raise ProcessFailed(
                f"The recruiter has paid {amount(paid.get(one, 0))} to {one}, and the ledger says "
                f"{amount(booked[one])}."
            )
        self.console.print(f"The recruiter has paid {amount(sum(paid.values()))}, as the ledger says.")

    def _requester(self) -> Requester:
        return requester_of(self.campaign, self.settings.crowd.endpoint_url, **self.venue.keys)

    @property
    def campaign(self) -> BoundCampaign:
        """The campaign as it is now."""
        return BoundCampaign.open(self.store, REHEARSAL)

    @property
    def number(self) -> int:
        return self.settings.round.number

    def submitted(self) -> int:
        return len(self._done_hits())

    def _done_hits(self) -> set[str]:
        """Return the done HITs of this round."""
        offered = self.store.campaigns.offered(REHEARSAL, self.number)
        return self.store.attempts.done_hits(REHEARSAL) & offered.keys()

    @property
    def hits(self) -> int:
        return number_of_hits(self.settings, load_contexts(self.settings))

    def _desk(self, workforce: Workforce) -> ReviewDesk:
        return ReviewDesk(self.campaign, workforce, min_reviews=REVIEWS_BEFORE_REVOCATION)

    def _review(self, reviewing: Reviewing, reviewer: SimulatedReviewer, workforce: Workforce) -> None:
        """Fill the sample up, judge it, revoke whom that shows to be bad."""
        desk = self._desk(workforce)
        reviewing.draw()
        for assignment, fault in reviewer.verdicts(reviewing).items():
            desk.judge(self.reviewer, assignment, "accept" if fault is None else "reject", fault or "")
        for one in assess(self.campaign, min_reviews=REVIEWS_BEFORE_REVOCATION):
            if revokes(one) and one.standing is not Standing.REVOKED:
                because = f"{one.accepted} of {one.reviewed} reviewed HITs were accepted"
                desk.decisions.decide(self.reviewer, one.worker, "revoke", because)
        _reconcile(workforce)

    def caught_table(self, of_writers: Mapping[str, str]) -> Table:
        """Return the table of quality control: what became of the writers of each persona."""
        passed = {each.worker for each in self.store.screenings.of_campaign(REHEARSAL) if each.outcome == PASSED}
        admitted = set(of_writers) if self.kind.screening is None else passed
        assessed = {each.worker: each for each in assess(self.campaign)}
        completed = {
            each.worker: each.completed
            for each in assessed.values()
            if each.standing is Standing.REVOKED and each.worker in admitted
        }
        table = Table(title="What quality control caught", caption=SAMPLED)
        columns = ("writers", "newcomers", "got through the screening", "HITs", "reviewed", "revoked")
        for name in (*columns, "after so many HITs"):
            table.add_column(name, justify="left" if name == "writers" else "right")
        for persona in sorted(set(of_writers.values())):
            names = {name for name in of_writers if of_writers[name] == persona}
            revoked = sorted(completed[name] for name in names & completed.keys())
            after = ", ".join(map(str, revoked)) or "none"
            worked = [assessed[name] for name in names & assessed.keys()]
            hits = [sum(each.completed for each in worked), sum(each.reviewed for each in worked)]
            numbers = (len(names), len(names & admitted), *hits, len(revoked))
            table.add_row(persona, *map(str, numbers), after)
        return table

    def _operator(self, stage: Stage) -> OperatorProcess:
        return OperatorProcess(self.settings, stage, f"{REHEARSAL}-{self.settings.seed}", self.venue.keys)

    @contextmanager
    def _workforce(self) -> Iterator[Workforce]:
        needed = self.kind.screening is not None
        address = self.settings.crowd.endpoint_url
        with workforce_of(self.campaign, address, needs_qualification=needed, **self.venue.keys) as workforce:
            yield workforce

    @contextmanager
    def _progress(self, name: str, total: int, told: str = "") -> Iterator[tuple[Progress, TaskID]]:
        columns = (TextColumn(name), BarColumn(), MofNCompleteColumn(), TextColumn(told), TimeElapsedColumn())
        with Progress(*columns, console=self.console) as progress:
            yield progress, progress.add_task(name, total=total, attempts=0, wins=0)

    def _run(self, people: Coroutine[Any, Any, T], operator: OperatorProcess) -> T:
        """Raises `ProcessFailed` when a process fails: the people would wait for it for ever."""
        return asyncio.run(_watched(people, *self.venue.servers, operator))

    @staticmethod
    def _end(operator: OperatorProcess) -> None:
        if operator.wait() != 0:
            raise ProcessFailed(f"The operator ended with an error; see {operator.log}.")

    async def _disturbed(self, people: Coroutine[Any, Any, T], operator: OperatorProcess) -> T:
        """Kill every process once, in the order and at the moments (in HITs submitted) that the seed draws."""
        killing = asyncio.create_task(self._kill_each(operator))
        try:
            return await people
        finally:
            killing.cancel()

    async def _kill_each(self, operator: OperatorProcess) -> None:
        rng = random.Random(f"{self.settings.seed}/kills")  # noqa: S311  # a simulation, not a secret
        kills: list[tuple[str, Callable[[], None]]] = [
            ("operator", operator.kill_and_start),
            ("router", operator.kill_router),
            ("model server", operator.kill_model_server),
            *((server.name, server.kill_and_start) for server in self.venue.servers),
        ]
        rng.shuffle(kills)
        moments = sorted(rng.sample(range(self.hits), min(len(kills), self.hits)))
        for moment, (name, kill) in zip(moments, kills, strict=False):
            while self.submitted() < moment:
                await asyncio.sleep(0.05)
            await asyncio.to_thread(kill)
            self.kills.append(f"killed after {moment} HITs: the {name}")


async def _until(condition: Callable[[], bool], trouble: str) -> None:
    """Raises `ProcessFailed` when it does not come about."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not await asyncio.to_thread(condition):
        if time.monotonic() > deadline:
            raise ProcessFailed(f"After {PATIENCE_SECONDS} seconds {trouble}.")
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
    """Raises `ProcessFailed` when one of them fails."""
    while True:
        for child in children:
            if child.has_failed():
                raise ProcessFailed(f"The {child.name} ended with an error; see {child.log}.")
        await asyncio.sleep(WATCH_SECONDS)


def _reconcile(workforce: Workforce) -> None:
    """Until the crowd has it as it stands here; replies may have been lost. Raises `ProcessFailed`."""
    asyncio.run(_until(lambda: _is_reconciled(workforce), "the crowd's qualifications do not follow the standings"))


def _is_reconciled(workforce: Workforce) -> bool:
    try:
        return all(one.mended for one in workforce.reconcile())
    except PaymentError:  # the crowd could not be asked
        return False
