"""Attacks after a withdrawal, on a campaign of one's own people: nothing new is kept, and nobody else is disturbed."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from beat_the_ai.campaign.settings.configuration import Settings, read_settings
from beat_the_ai.campaign.settings.planned_round import load_contexts
from beat_the_ai.errors import Refused
from beat_the_ai.forms.desk import WITHDRAWN as TOLD
from beat_the_ai.marketplace import withdrawals
from beat_the_ai.marketplace.assignments import Assignment, oldest_open_hit
from beat_the_ai.marketplace.market import Market
from beat_the_ai.marketplace.people import campaigns, person, store
from beat_the_ai.marketplace.people.person import NewPerson
from beat_the_ai.marketplace.workplace import Workplace
from beat_the_ai.messages import said
from beat_the_ai.rehearsal.processes import OperatorProcess
from beat_the_ai.rules.stage import Stage
from beat_the_ai.simulation.page import CallFailed, PageClient
from beat_the_ai.store import WITHDRAWN, Store, open_store
from beat_the_ai.web.signed_assignment import SignedAssignment
from tests.attacks.served import FINAL_DATA, questions_to_ask, until
from tests.cli.launching import NAME, TASK
from tests.marketplace.rehearsal import NUMBERS
from tests.mephisto.rig import kill_router
from tests.mephisto.wire import wait_until
from tests.ports import free_port

CLOSED = "This task is closed."


@dataclass(frozen=True)
class Lab:
    """A campaign in service for one's own people: `ask` and `page` are what a worker's browser does."""

    market: Market
    store: Store
    url: str
    secret: str
    questions: dict[str, list[Any]]

    def joins(self) -> str:
        with self.market.writing() as moment:
            [someone] = person.add_people(moment, [NewPerson(f"Person {next(NUMBERS)} P")], "active")
        return someone.worker_id

    def accept(self, worker: str) -> Assignment:
        made: list[Assignment] = []

        def is_accepted() -> bool:
            found = Workplace(self.market).accept_chosen(worker, lambda moment: oldest_open_hit(moment, worker))
            made.extend([found] if found else [])
            return bool(made)

        wait_until(is_accepted, "a HIT is on offer")
        return made[0]

    def assignments(self, worker: str) -> list[Assignment]:
        return list(Workplace(self.market).assignments(worker).items)

    def submit(self, mine: Assignment) -> None:
        """Post the crowd's form."""
        Workplace(self.market).submit(mine.worker_id, mine.id, [("final", "{}")])

    def page(self, http: httpx.AsyncClient, mine: Assignment) -> PageClient:
        deadline = int(time.time() + (mine.deadline - mine.accepted_at).total_seconds())
        signed = SignedAssignment(mine.worker_id, mine.id, mine.hit_id, deadline).parameters([self.secret])
        return PageClient(
            self.url, http, mine.worker_id, mine.id, hit_id=mine.hit_id, **{"provider_type": "own", **signed}
        )

    async def ask(self, page: PageClient, number: int = 0) -> dict[str, Any]:
        context_id = page.init_data["context"]["id"]
        work = self.questions[context_id][number]
        return await page.insist(
            "submit_attempt", {"attempt_key": f"k{number}", "context_id": context_id, "work": work}
        )

    def withdraw(self, worker: str, *, erase: bool = False) -> None:
        with self.market.writing() as moment:
            withdrawals.withdraw(moment, worker, erase=erase)

    def counted(self) -> set[str]:
        return self.store.assignments.workers(NAME)

    def tries(self, worker: str) -> int:
        taken = self.store.assignments.taken_by(NAME, Stage.WRITING, worker)
        return sum(len(self.store.attempts.of_assignment(each.id)) for each in taken)

    async def works(self, worker: str) -> None:
        """Do a HIT from the acceptance to the submission."""
        mine = await asyncio.to_thread(self.accept, worker)
        async with httpx.AsyncClient(trust_env=False) as http, self.page(http, mine) as page:
            await self.ask(page)
            await page.submit(FINAL_DATA)
        await asyncio.to_thread(self.submit, mine)
        await until(lambda: worker in self.counted(), "it counts")


def settings_of(folder: Path, *options: str) -> Settings:
    """Return the settings of a campaign in `out` with the people in `people`."""
    people, address = str(folder / "people"), f"http://127.0.0.1:{free_port()}"
    crowd = ["crowd=own", f"crowd.people={people}", f"crowd.endpoint_url={address}", "crowd.check_seconds=30"]
    return read_settings(TASK, [*crowd, *options, "round.max_hits=10"], seed=7, out=folder / "out")


@contextmanager
def in_service(folder: Path, settings: Settings) -> Iterator[Lab]:
    """Serve the campaign until the block ends: a second time, it resumes."""
    with ExitStack() as cleanup:
        market = cleanup.enter_context(store.people_at(str(folder / "people"), create=True))
        cleanup.callback(kill_router, folder / "out")
        operator = cleanup.enter_context(OperatorProcess(settings, Stage.WRITING, folder.name, {}))
        opened = cleanup.enter_context(closing(open_store(settings.store.url)))
        questions = {context.id: questions_to_ask(context) for context in load_contexts(settings)}
        secret = store.requester_key(market).secret
        yield Lab(market, opened, str(operator.printed["url"]), secret, questions)


@pytest.fixture(scope="module", params=["forms=consent", "forms=none"])
def lab(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    folder = tmp_path_factory.mktemp("lab")
    with in_service(folder, settings_of(folder, request.param)) as served:
        yield served


def test_whoever_withdraws_in_the_middle_of_a_hit_is_told_and_nothing_more_is_kept(lab: Lab) -> None:
    async def attack() -> str:
        ada = await asyncio.to_thread(lab.joins)
        mine = await asyncio.to_thread(lab.accept, ada)
        async with httpx.AsyncClient(trust_env=False) as http:
            async with lab.page(http, mine) as page:
                await lab.ask(page)
                await asyncio.to_thread(lab.withdraw, ada)
                for number in (1, 2):
                    with pytest.raises(CallFailed) as caught:
                        await lab.ask(page, number)
                    assert str(caught.value) in (said(TOLD), CLOSED)
                await page.submit(FINAL_DATA)
            async with lab.page(http, mine) as copy:  # in another browser
                with pytest.raises(CallFailed, match=CLOSED):
                    await lab.ask(copy, 3)
        with pytest.raises(Refused, match="nothing can be sent for it any more"):
            lab.submit(mine)
        with pytest.raises(Refused, match="You have withdrawn"):
            lab.accept(ada)
        return ada

    ada = asyncio.run(asyncio.wait_for(attack(), 120))
    assert lab.tries(ada) <= 1
    wait_until(lambda: {each.set_aside_reason for each in uncounted(lab, ada)} == {WITHDRAWN}, "it is set aside")
    assert ada not in lab.counted()
    bo = lab.joins()
    asyncio.run(asyncio.wait_for(lab.works(bo), 120))
    assert lab.tries(bo) == 1


def uncounted(lab: Lab, worker: str) -> list[Any]:
    return lab.store.assignments.uncounted(NAME, worker=worker)


def test_work_that_was_submitted_before_still_counts(lab: Lab) -> None:
    ada = lab.joins()
    asyncio.run(asyncio.wait_for(lab.works(ada), 120))
    lab.withdraw(ada, erase=True)
    assert ada in lab.counted()
    assert lab.tries(ada) == 1


def test_a_page_that_was_signed_before_a_withdrawal_opens_no_hit_after_it(lab: Lab) -> None:
    async def attack() -> str:
        eve = await asyncio.to_thread(lab.joins)
        mine = await asyncio.to_thread(lab.accept, eve)
        await asyncio.to_thread(lab.withdraw, eve)
        async with httpx.AsyncClient(trust_env=False) as http:
            with pytest.raises(Refused, match="You have withdrawn"):
                async with lab.page(http, mine):
                    pass
        return eve

    eve = asyncio.run(asyncio.wait_for(attack(), 120))
    assert lab.store.assignments.taken_by(NAME, Stage.WRITING, eve) == []


def test_the_store_of_people_knows_where_the_campaign_lies(lab: Lab) -> None:
    with lab.market.reading() as moment:
        [[place]] = campaigns.places(moment).values()
    assert Path(str(lab.store.database.engine.url.database)).is_relative_to(place)
