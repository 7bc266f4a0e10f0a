"""Simulated writers on the marketplace: its real portal, a real run behind the frame, and whatever may break."""

from __future__ import annotations

import asyncio
import json
import subprocess
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa

from beat_the_ai.errors import InvalidInput
from beat_the_ai.kinds.reading_comprehension.people import Readers
from beat_the_ai.marketplace.answers import read_answers
from beat_the_ai.marketplace.tables import assignments
from beat_the_ai.mephisto.mturk.unit import external_question
from beat_the_ai.requester import Requester
from beat_the_ai.rules.stage import Stage
from beat_the_ai.simulation.marketplace import Account, PortalWorkplace, enrol, portal_workplaces
from beat_the_ai.simulation.personas import GOOD
from beat_the_ai.simulation.writers import Writers, _Writer, work
from tests.marketplace.rehearsal import HIT, Rehearsal, store_in
from tests.mephisto.mturk_rig import launching, serving, use
from tests.mephisto.rig import contexts, in_thread, kill_router, submitted
from tests.mephisto.wire import PATIENCE_SECONDS, wait_until
from tests.simulation.test_writers import crowd, questions, rehearsed

HITS = 6


@pytest.fixture
def market(tmp_path: Path) -> Iterator[Rehearsal]:
    with Rehearsal.started(store_in(tmp_path)) as running:
        yield running


@pytest.fixture
def requester(market: Rehearsal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Requester]:
    """The requester's side of it; campaigns of this process find it by the environment."""
    side = use(monkeypatch, market)
    yield side
    side.close()
    for folder in tmp_path.iterdir():
        kill_router(folder)


def accounts(market: Rehearsal, number: int) -> list[Account]:
    return enrol(market.address, market.token, [f"AWRITER{index}" for index in range(number)])


def submissions(requester: Requester) -> list[dict[str, Any]]:
    """What the marketplace has of every submitted assignment."""
    return [one for hit in requester.hits() for one in requester.assignments(hit["HITId"])]


def written(assignment: dict[str, Any]) -> dict[str, Any]:
    """The JSON string that is the whole answer."""
    [(name, text)] = read_answers(assignment["Answer"]).items()
    assert name == "final"
    content: dict[str, Any] = json.loads(text)
    return content


async def write(market: Rehearsal, people: list[Account], seed: int = 1, over: Any = lambda: True) -> int:
    writers = Writers.of(Readers(), contexts(HITS), writers=len(people), seed=seed)
    workplaces = portal_workplaces(market.address, people)
    done = work(writers, workplaces, lambda _: None, lambda: None, over)
    return await asyncio.wait_for(done, 3 * PATIENCE_SECONDS)


def test_writers_accept_write_and_submit_on_both_sides(market: Rehearsal, requester: Requester, tmp_path: Path) -> None:
    people = accounts(market, 3)
    with serving(tmp_path / "run", hits=HITS) as campaign:
        assert asyncio.run(write(market, people)) == HITS
        wait_until(lambda: len(campaign.submitted()) == HITS, "every HIT is submitted")
        handed_in = submissions(requester)
        made = list(campaign.store.attempts.of_campaign("pilot"))
    assert [one["AssignmentStatus"] for one in handed_in] == ["Submitted"] * HITS
    by_assignment = {row.assignment.registration: row.assignment for row in made}
    for one in handed_in:
        assignment = by_assignment[f"{one['AssignmentId']}-{one['WorkerId']}"]
        assert assignment.worker == one["WorkerId"]
        mine = [row.attempt.id for row in made if row.assignment.id == assignment.id]
        assert written(one) == {"hit": assignment.id, "attempt_ids": mine, "feedback": ""}


def test_the_marketplace_and_the_mock_crowd_give_the_same_dataset(
    market: Rehearsal, requester: Requester, tmp_path: Path
) -> None:
    with serving(tmp_path / "market", hits=HITS):
        assert asyncio.run(write(market, accounts(market, 2))) == HITS
    rehearsed(tmp_path / "mock", crowd(4))
    assert questions(tmp_path / "market") == questions(tmp_path / "mock")


PORTAL_FAULTS: dict[str, Any] = {
    "seed": 3,
    "rules": [
        {"kind": kind, "operations": ["WorkerPortal"], "probability": 0.1}
        for kind in ("lose_reply", "throttle", "fault")
    ],
}


def test_lost_replies_throttling_and_faults_change_nothing(
    market: Rehearsal, requester: Requester, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("beat_the_ai.simulation.site.RETRY_SECONDS", 0.01)
    people = accounts(market, 3)
    market.control("faults", PORTAL_FAULTS)
    with serving(tmp_path / "faults", hits=HITS) as campaign:
        done = asyncio.run(write(market, people, over=lambda: len(campaign.submitted()) == HITS))
        assert done == HITS
        handed_in = submissions(requester)
    struck = httpx.get(
        f"{market.address}/rehearsal/faults", headers={"Authorization": f"Bearer {market.token}"}
    ).json()["rules"]
    assert all(rule["struck"] > 0 for rule in struck)
    assert [one["AssignmentStatus"] for one in handed_in] == ["Submitted"] * HITS
    rehearsed(tmp_path / "calm", crowd(3))
    assert questions(tmp_path / "faults") == questions(tmp_path / "calm")


def test_router_operator_and_marketplace_are_killed_and_come_back_and_it_makes_no_difference(
    market: Rehearsal, requester: Requester, tmp_path: Path
) -> None:
    folder, done = tmp_path / "killed", Counter[str]()

    async def after(hits: int) -> None:
        while done["hits"] < hits:
            await asyncio.sleep(0.01)

    async def disasters(operator: subprocess.Popen[str], writing: asyncio.Future[int]) -> None:
        await after(1)
        kill_router(folder)
        await after(2)
        operator.kill()
        operator.wait()
        async with operating(folder):
            await after(4)
            market.kill()
            port = httpx.URL(market.address).port
            assert port is not None
            async with in_thread(Rehearsal.started(market.store, port)):
                assert await writing == HITS  # before the marketplace ends: a writer may be looking for more
                await asyncio.to_thread(wait_until, lambda: submitted(folder) == HITS, "every HIT is submitted")
                assert [one["AssignmentStatus"] for one in submissions(requester)] == ["Submitted"] * HITS

    async def survive() -> None:
        writers = Writers.of(Readers(), contexts(HITS), writers=2, seed=1)
        workplaces = portal_workplaces(market.address, accounts(market, 2))
        async with operating(folder) as operator:
            working = work(
                writers, workplaces, lambda _: None, lambda: done.update(["hits"]), lambda: submitted(folder) == HITS
            )
            writing = asyncio.ensure_future(working)
            await asyncio.gather(writing, disasters(operator, writing))

    asyncio.run(asyncio.wait_for(survive(), 5 * PATIENCE_SECONDS))
    rehearsed(tmp_path / "calm", crowd(2))
    assert questions(folder) == questions(tmp_path / "calm")


@asynccontextmanager
async def operating(folder: Path) -> AsyncIterator[subprocess.Popen[str]]:
    """An operator in a process of its own, once its router is there."""
    with launching(folder, "--hits", str(HITS)) as process:
        try:
            assert process.stdout is not None
            assert await asyncio.to_thread(process.stdout.readline)
            yield process
        finally:
            process.kill()


@pytest.mark.parametrize("moment", ["accepted", "asked", "submitted"])
def test_an_interrupted_worker_goes_on_with_the_assignment_that_it_holds(
    market: Rehearsal, requester: Requester, tmp_path: Path, moment: str
) -> None:
    """The first process of the worker ends there; another one takes over with nothing but id and code."""
    [account] = accounts(market, 1)

    async def begin() -> None:
        async with httpx.AsyncClient(trust_env=False) as http:
            hit = await PortalWorkplace(market.address, http, account).next_hit()
            assert hit is not None
            if moment == "accepted":
                return
            async with hit.page as page:
                portal = PortalWorkplace(market.address, http, account)
                writer = _Writer(crowd(1), GOOD, [], portal, print, print, lambda: True)
                final_data = await writer._write(page)
                if moment == "submitted":
                    await page.submit(final_data)

    with serving(tmp_path / "run", hits=1) as campaign:
        asyncio.run(asyncio.wait_for(begin(), PATIENCE_SECONDS))
        if moment == "submitted":
            wait_until(lambda: campaign.store.assignments.waiting("pilot", Stage.WRITING), "the operator has it")
        assert asyncio.run(write(market, [account])) == 1
        wait_until(lambda: len(campaign.submitted()) == 1, "the HIT is submitted")
        [handed_in] = submissions(requester)
        made = list(campaign.store.attempts.of_campaign("pilot"))
    assert handed_in["AssignmentStatus"] == "Submitted"
    assert len({row.attempt.key for row in made}) == len(made) > 0
    if moment != "submitted":
        assert written(handed_in)["attempt_ids"] == [row.attempt.id for row in made]


def test_a_hit_behind_which_there_is_no_work_is_returned_and_others_come_first_then(
    market: Rehearsal, requester: Requester, tmp_path: Path
) -> None:
    with serving(tmp_path / "run", hits=2) as campaign:
        stranger = market.client(market.new_requester())
        question = external_question(campaign.url, 600)
        hit_id = stranger.create_hit(**{**HIT, "Title": "Newest, so first", "Question": question})["HIT"]["HITId"]
        attempts = campaign.store.attempts
        finished = asyncio.run(
            write(market, accounts(market, 1), over=lambda: len(attempts.handed_in_hits("pilot")) == 2)
        )
        assert finished == 2
        assert stranger.list_assignments_for_hit(HITId=hit_id)["Assignments"] == []
        assert stranger.get_hit(HITId=hit_id)["HIT"]["HITStatus"] == "Assignable"
    with market.market() as opened, opened.reading() as moment:
        statuses = Counter(moment.connection.scalars(sa.select(assignments.c.status)))
    assert statuses["Submitted"] == 2
    assert statuses["Returned"] in (1, 2)  # once more when it looks for a third


SCHEMAS = "http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas"
HTML_QUESTION = (
    f'<HTMLQuestion xmlns="{SCHEMAS}/2011-11-11/HTMLQuestion.xsd"><HTMLContent>?</HTMLContent>'
    "<FrameHeight>0</FrameHeight></HTMLQuestion>"
)
QUESTION_FORM = (
    f'<QuestionForm xmlns="{SCHEMAS}/2017-11-06/QuestionForm.xsd"><Question>'
    "<QuestionIdentifier>q</QuestionIdentifier><QuestionContent><Text>?</Text></QuestionContent>"
    "<AnswerSpecification><FreeTextAnswer/></AnswerSpecification></Question></QuestionForm>"
)


@pytest.mark.parametrize("question", [HTML_QUESTION, QUESTION_FORM])
def test_hits_of_other_kinds_are_returned(
    market: Rehearsal, requester: Requester, tmp_path: Path, question: str
) -> None:
    with serving(tmp_path / "run", hits=1):
        stranger = market.client(market.new_requester())
        hit_id = stranger.create_hit(**{**HIT, "Title": "Newest, so first", "Question": question})["HIT"]["HITId"]
        assert asyncio.run(write(market, accounts(market, 1))) == 1
        assert stranger.get_hit(HITId=hit_id)["HIT"]["HITStatus"] == "Assignable"


def test_a_wrong_access_code_is_told(market: Rehearsal) -> None:
    [account] = accounts(market, 1)
    for wrong in (Account(account.worker_id, "WRONG"), Account("A" + "B" * 100, "WRONG")):
        with pytest.raises(InvalidInput, match="cannot sign in: Nobody is known here by this name and secret"):
            asyncio.run(write(market, [wrong]))


def test_workers_are_enrolled_once_and_get_new_codes_after(market: Rehearsal) -> None:
    first = accounts(market, 2)
    again = enrol(market.address, market.token, [account.worker_id for account in first])
    assert [account.worker_id for account in again] == [account.worker_id for account in first]
    assert {account.access_code for account in again}.isdisjoint(account.access_code for account in first)
    with pytest.raises(InvalidInput, match="is no worker's id"):
        enrol(market.address, market.token, ["nobody"])
