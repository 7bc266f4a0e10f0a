"""A stage of a campaign under attack: a real marketplace, a real operator with its router and its model server.

The marketplace signs, or sits behind a wire on which nothing is heard of that. Attackers and honest workers speak the
protocols of the portal and of the page.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import httpx
import pytest

from beat_the_ai.campaign.money.payables import crowd_label, payables_of
from beat_the_ai.campaign.settings.configuration import Settings, read_settings
from beat_the_ai.campaign.settings.planned_round import load_contexts
from beat_the_ai.campaign.settings.qualification import quiz_file
from beat_the_ai.errors import Refused
from beat_the_ai.kinds.reading_comprehension.people import Readers
from beat_the_ai.marketplace.assignments import Assignment
from beat_the_ai.mephisto.mturk import survey
from beat_the_ai.mephisto.mturk.survey import Survey
from beat_the_ai.payments import HeldBack, Ledger, held_back
from beat_the_ai.rehearsal.processes import OperatorProcess
from beat_the_ai.requester import Requester
from beat_the_ai.rules.protocol import Context, Json, TaskItem
from beat_the_ai.rules.screening import Newcomers
from beat_the_ai.rules.stage import Stage
from beat_the_ai.simulation.marketplace import Account, PortalWorkplace, enrol
from beat_the_ai.simulation.page import PageClient
from beat_the_ai.simulation.personas import GOOD
from beat_the_ai.simulation.screening import Persona, Visit
from beat_the_ai.store import WITHOUT_PAGE, Campaign, Store, open_store
from beat_the_ai.store import Assignment as StoredAssignment
from beat_the_ai.terms.campaign import BoundCampaign, sample_campaign_id
from tests.cli.launching import NAME, TASK
from tests.marketplace.rehearsal import NUMBERS, Rehearsal, store_in
from tests.marketplace.unsigned import UNSIGNED, unsigned
from tests.mephisto import mturk_rig
from tests.mephisto.rig import kill_router
from tests.mephisto.wire import wait_until

PATIENCE_SECONDS = 90.0
MTURK = ("crowd=mturk", "crowd.check_seconds=1")
FINAL_DATA = {"feedback": ""}

T = TypeVar("T")
Market = tuple[Rehearsal, Requester]
Prepare = Callable[[Settings, Store], None]


@dataclass(frozen=True)
class Served:
    """A stage that is being served, and what its requester and its workers can do with it."""

    stage: Stage
    settings: Settings
    market: Rehearsal
    requester: Requester
    operator: OperatorProcess
    store: Store
    signs: bool
    addresses: dict[str, dict[str, str]] = field(default_factory=dict)

    @property
    def url(self) -> str:
        return str(self.operator.printed["url"])

    @property
    def campaign(self) -> Campaign:
        return self.store.campaigns.get(NAME)

    @property
    def paid(self) -> str:
        """The campaign of the store under which the stage is paid."""
        return sample_campaign_id(NAME) if self.stage is Stage.SCREENING else NAME

    @cached_property
    def label(self) -> str:
        return crowd_label(self.campaign, self.stage)

    # On the crowd

    def survey(self) -> Survey:
        return survey(self.requester, self.label)

    def open_hits(self) -> list[str]:
        return [hit.id for hit in self.survey().hits if hit.state == "open"]

    def accept(self, hit_id: str | None = None, worker: str | None = None) -> Assignment:
        """By a new worker, of the HIT that was offered first."""
        name = worker or self.new_worker()
        mine = self._accept_first(name) if hit_id is None else mturk_rig.accept(self.market, name, hit_id)
        if self.signs:
            self.addresses[mine.id] = mturk_rig.signed(mine)
        return mine

    def _accept_first(self, worker: str) -> Assignment:
        """Others accept as well, and the operator takes back what is too much."""
        accepted: list[Assignment] = []

        def is_accepted() -> bool:
            for hit_id in self.open_hits()[:1]:
                with contextlib.suppress(Refused):
                    accepted.append(mturk_rig.accept(self.market, worker, hit_id))
            return bool(accepted)

        wait_until(is_accepted, "a HIT can be accepted")
        return accepted[0]

    def new_worker(self) -> str:
        return self.market.new_worker(prior_approved=1500, prior_rate_percent=99)

    def give_back(self, assignment: Assignment) -> None:
        with self.market.workplace() as workplace:
            workplace.give_back(assignment.worker_id, assignment.id)

    def post_form(self, assignment: Assignment, final: str = json.dumps(FINAL_DATA)) -> None:
        """The crowd's own form, in the portal."""
        with self.market.workplace() as workplace:
            workplace.submit(assignment.worker_id, assignment.id, [("final", final)])

    def status(self, assignment: Assignment) -> str:
        """At the crowd: Submitted, Approved, Rejected; empty when it was not submitted."""
        found = self.requester.assignment(assignment.id)
        return "" if found is None else str(found["AssignmentStatus"])

    # On the page

    def page(self, http: httpx.AsyncClient, assignment: Assignment, **changes: str) -> PageClient:
        """With what the portal has signed for an accepted assignment of this id, or with `changes` of it."""
        return mturk_rig.page(self.url, http, assignment, **{**self.address(assignment), **changes})

    def address(self, assignment: Assignment) -> dict[str, str]:
        return self.addresses.get(assignment.id, UNSIGNED)

    async def refusal(self, http: httpx.AsyncClient, assignment: Assignment, **changes: str) -> str:
        with pytest.raises(Refused) as caught:
            async with self.page(http, assignment, **changes):
                pass
        return str(caught.value)

    async def work(self, page: PageClient, name: str = "k") -> None:
        """All that a good worker does before the hand-in."""
        if self.stage is Stage.SCREENING:
            await Visit(Persona.GOOD, self._newcomers, page, name).take()
        elif self.stage is Stage.WRITING:
            await self.ask(page)
        else:
            await vote(page)

    async def ask(self, page: PageClient, number: int = 0) -> dict[str, Any]:
        """Ask a question on the passage, with the answer to the next: the model never gives that."""
        context_id = page.init_data["context"]["id"]
        questions = self._questions[context_id]
        answer = questions[(number + 1) % len(questions)]["answer"]
        work = {**questions[number], "answer": answer}
        reply = await page.insist(
            "submit_attempt", {"attempt_key": f"k{number}", "context_id": context_id, "work": work}
        )
        attempt: dict[str, Any] = reply["attempt"]
        return attempt

    @cached_property
    def _newcomers(self) -> Newcomers:
        screening = self.settings.kind.screening
        assert screening is not None
        return screening.newcomers(quiz_file(self.settings))

    @cached_property
    def _questions(self) -> dict[str, list[Any]]:
        return {context.id: questions_to_ask(context) for context in load_contexts(self.settings)}

    async def hand_in(self, http: httpx.AsyncClient, assignment: Assignment, **changes: str) -> dict[str, Any]:
        """Work and hand it in on the page alone. Returns what the page began with."""
        async with self.page(http, assignment, **changes) as page:
            await self.work(page)
            await page.submit(FINAL_DATA)
            await until(lambda: self.has_been_handed_in(page), "it is handed in")
            return page.init_data

    def has_been_handed_in(self, page: PageClient) -> bool:
        return any(each.id == page.init_data["hit"] for each in self.assignments() if each.submitted_at is not None)

    def honest(self, worker: str | None = None) -> Account:
        """A worker of the portal, a new one or this, who has accepted a HIT."""
        [someone] = enrol(self.market.address, self.market.token, [worker or f"AHONEST{next(NUMBERS)}"])
        self.accept(worker=someone.worker_id)
        return someone

    async def serve(self, someone: Account) -> str:
        """The worker does the accepted HIT, up to the reward. Returns the worker's id."""
        async with httpx.AsyncClient(trust_env=False) as browser:
            hit = await PortalWorkplace(self.market.address, browser, someone).next_hit()
            assert hit is not None, "it is in progress"
            async with hit.page as page:
                await self.work(page, someone.worker_id)
                await page.submit(FINAL_DATA)
            await hit.hand_in(FINAL_DATA)
        await until(lambda: someone.worker_id in self.rewarded(), "the honest worker has the reward")
        return someone.worker_id

    # What has come of it

    def assignments(self) -> list[StoredAssignment]:
        stored, which = self.store.assignments, (self.paid, self.stage)
        return stored.confirmed(*which) + stored.uncounted(*which)

    def counted(self) -> set[str]:
        """The workers of whom anything counts."""
        return {each.worker for each in self.assignments() if each.counts}

    def set_aside(self) -> dict[str, str | None]:
        """Reasons by the worker in whose name it was handed in."""
        return {each.worker: each.set_aside_reason for each in self.assignments() if each.set_aside_at is not None}

    def waiting(self) -> list[StoredAssignment]:
        return self.store.assignments.waiting(self.paid, self.stage)

    def held_back(self) -> list[HeldBack]:
        return held_back(BoundCampaign.open(self.store, self.paid))

    def owed(self) -> set[str]:
        """The workers to whom anything is owed, or was paid."""
        return {
            each.key.worker for each in payables_of(BoundCampaign.open(self.store, self.paid)).owed
        } | self.rewarded()

    def rewarded(self) -> set[str]:
        return {each.key.worker for each in Ledger(self.store.database, self.paid).payments()}

    def standing_of(self, worker: str) -> str | None:
        last = self.store.standings.last(NAME, worker)
        return None if last is None else last.standing


async def vote(page: PageClient) -> None:
    """An answer to every question: the first long word of its passage."""
    texts = {context["id"]: context["text"] for context in page.init_data["contexts"]}
    for item in page.init_data["items"]:
        word = re.search(r"\w{4,}", texts[item["context_id"]])
        assert word is not None
        answer = {"text": word.group(), "start": word.start()}
        await page.insist("vote", {"item_id": item["id"], "vote_key": "k", "vote": {"answer": answer}})


def questions_to_ask(context: Context) -> list[Json]:
    """Return questions on a passage that are not gold, with their answers."""
    return Readers().works(GOOD, TaskItem(context), Random(1))


def invented(hit_id: str) -> Assignment:
    """Of an identity that nobody has."""
    at, number = datetime.now(timezone.utc), next(NUMBERS)
    return Assignment(f"3INVENTED{number}", hit_id, "A", f"AINVENTED{number}", "Accepted", at, at)


def waits_for_a_person(served: Served, posted: Sequence[Assignment]) -> None:
    """What reached the crowd without a page, in the names of those who sent it."""
    workers = {each.worker_id for each in posted}
    wait_until(lambda: workers <= served.set_aside().keys(), "it is found at the crowd")
    assert {served.set_aside()[worker] for worker in workers} == {WITHOUT_PAGE}
    assert workers <= {each.assignment.worker for each in served.held_back() if each.decision is None}


def as_another(assignment: Assignment, worker: str) -> Assignment:
    return replace(assignment, worker_id=worker)


async def until(condition: Callable[[], object], what: str) -> None:
    await asyncio.to_thread(wait_until, condition, what)


def under_attack(
    served: Served, attack: Callable[[Served, httpx.AsyncClient], Awaitable[T]], *, paid: int = 0, all_paid: bool = True
) -> T:
    """What the attack returns. An honest worker is served meanwhile, and of nobody else anything counts or is paid.

    `paid` is how many more have earned it; not `all_paid`: there is work that counts and waits for a person.
    """
    counted_before, owed_before = served.counted(), served.owed()

    someone = served.honest()

    async def act() -> tuple[T, str]:
        async with httpx.AsyncClient(trust_env=False) as http:
            return await asyncio.gather(attack(served, http), served.serve(someone))

    outcome, honest = asyncio.run(asyncio.wait_for(act(), PATIENCE_SECONDS))
    owed = served.owed() - owed_before
    assert honest in owed, (honest, owed)
    assert len(owed) == 1 + paid, (honest, owed)
    if all_paid:
        assert served.counted() - counted_before == owed
    return outcome


@contextmanager
def marketplace(folder: Path) -> Iterator[Market]:
    """With one requester, whose keys everything in this process has."""
    with pytest.MonkeyPatch.context() as patch, Rehearsal.started(store_in(folder)) as market:
        requester = mturk_rig.use(patch, market)
        try:
            yield market, requester
        finally:
            requester.close()


def pseudonym_key(folder: Path) -> str:
    """It also distinguishes the HITs of campaigns of one name."""
    return folder.name


@contextmanager
def serving(
    stage: Stage,
    folder: Path,
    market: Market,
    *options: str,
    signs: bool,
    prepare: Prepare = lambda _settings, _store: None,
) -> Iterator[Served]:
    """Serve a stage until the block ends. `prepare` is for what the stage finds there."""
    rehearsal, requester = market
    with ExitStack() as cleanup:
        address = rehearsal.address if signs else cleanup.enter_context(unsigned(rehearsal.address))
        settings = read_settings(TASK, [*MTURK, *options], seed=7, out=folder).at_marketplace(address)
        folder.mkdir(parents=True, exist_ok=True)
        store = open_store(settings.store.url)
        cleanup.callback(store.close)
        prepare(settings, store)
        keys = {name.lower(): os.environ[name] for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY")}
        operator = OperatorProcess(settings, stage, pseudonym_key(folder), keys)
        cleanup.callback(kill_router, folder)
        cleanup.enter_context(operator)
        yield Served(stage, settings, rehearsal, requester, operator, store, signs)
