"""Simulated writers on the marketplace: its real portal, a real run behind the frame, and whatever may break."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from beat_the_ai.errors import InvalidInput
from beat_the_ai.simulation.marketplace import Account, PortalWorkplace, enrol, portal_workplaces
from beat_the_ai.simulation.workplaces import mock_workplaces
from beat_the_ai.simulation.writers import Crowd, work
from tests.marketplace.rehearsal import HIT, Rehearsal, store_in
from tests.mephisto.rig import contexts, serving
from tests.mephisto.wire import PATIENCE_SECONDS, wait_until
from tests.simulation.test_writers import crowd, questions, rehearsed

if TYPE_CHECKING:
    from types_boto3_mturk import MTurkClient

HITS = 6
QUESTION = (
    '<ExternalQuestion xmlns="http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas/2006-07-14/'
    'ExternalQuestion.xsd"><ExternalURL>{url}/?a=1</ExternalURL><FrameHeight>650</FrameHeight></ExternalQuestion>'
)


@pytest.fixture
def market(tmp_path: Path) -> Iterator[Rehearsal]:
    with Rehearsal.started(store_in(tmp_path)) as running:
        yield running


def accounts(market: Rehearsal, number: int) -> list[Account]:
    return enrol(market.address, market.token, [f"AWRITER{index}" for index in range(number)])


def offer(market: Rehearsal, url: str, number: int = HITS) -> MTurkClient:
    client = market.client(market.new_requester(1000))
    for _ in range(number):
        client.create_hit(**{**HIT, "Question": QUESTION.format(url=url)})
    return client


def submissions(client: MTurkClient) -> list[dict[str, Any]]:
    """What the marketplace has of every submitted assignment."""
    every: list[dict[str, Any]] = []
    token: dict[str, str] = {}
    while True:
        listed = client.list_hits(**token)
        for hit in listed["HITs"]:
            every.extend(client.list_assignments_for_hit(HITId=hit["HITId"])["Assignments"])  # type: ignore[arg-type]
        if "NextToken" not in listed:
            return every
        token = {"NextToken": listed["NextToken"]}


def written(assignment: dict[str, Any]) -> dict[str, Any]:
    """The JSON string in the answer."""
    found = re.search(
        "<QuestionIdentifier>final</QuestionIdentifier><FreeText>(.*?)</FreeText>", assignment["Answer"], re.DOTALL
    )
    assert found is not None, assignment["Answer"]
    content: dict[str, Any] = json.loads(found[1].replace("&quot;", '"'))
    return content


async def write(market: Rehearsal, people: list[Account], seed: int = 1, over: Any = lambda: True) -> int:
    writers = Crowd.of(contexts(HITS), writers=len(people), seed=seed)
    workplaces = portal_workplaces(market.address, people)
    done = work(writers, workplaces, lambda _: None, lambda: None, over)
    return await asyncio.wait_for(done, 3 * PATIENCE_SECONDS)


def test_writers_accept_write_and_submit_on_both_sides(market: Rehearsal, tmp_path: Path) -> None:
    people = accounts(market, 3)
    with serving(tmp_path / "run", hits=HITS) as campaign:
        client = offer(market, campaign.url)
        assert asyncio.run(write(market, people)) == HITS
        wait_until(lambda: len(campaign.submitted()) == HITS, "every HIT is submitted")
        handed_in = submissions(client)
        made = list(campaign.store.attempts.of_campaign("pilot"))
    assert [one["AssignmentStatus"] for one in handed_in] == ["Submitted"] * HITS
    by_assignment = {row.assignment.registration: row.assignment for row in made}
    for one in handed_in:
        assignment = by_assignment[f"{one['AssignmentId']}-{one['WorkerId']}"]
        assert assignment.worker == one["WorkerId"]
        mine = [row.attempt.id for row in made if row.assignment.id == assignment.id]
        assert written(one) == {"hit": assignment.id, "attempt_ids": mine, "feedback": ""}


def test_the_marketplace_and_the_mock_crowd_give_the_same_dataset(market: Rehearsal, tmp_path: Path) -> None:
    with serving(tmp_path / "market", hits=HITS) as campaign:
        offer(market, campaign.url)
        assert asyncio.run(write(market, accounts(market, 2))) == HITS
    rehearsed(tmp_path / "mock", crowd(4))
    assert questions(tmp_path / "market") == questions(tmp_path / "mock")
