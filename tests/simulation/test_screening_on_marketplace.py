"""Newcomers find the screening in the portal of a real marketplace, which holds them to the requirement sets."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from beat_the_ai.files.data_file import find_data_file
from beat_the_ai.requester import Requester
from beat_the_ai.simulation.marketplace import Account, enrol, portal_workplaces
from beat_the_ai.simulation.screening import Persona, Taken, take_screenings
from beat_the_ai.terms.campaign import sample_campaign_id
from beat_the_ai.workforce.requirements import load_requirements, requirements
from tests.kinds.reading_comprehension.screening.quizzes import ROOT, shipped_newcomers
from tests.marketplace.rehearsal import Rehearsal, store_in
from tests.mephisto.mturk_rig import use
from tests.mephisto.rig import kill_router
from tests.mephisto.wire import PATIENCE_SECONDS, wait_until
from tests.workforce.rig import serving


@pytest.fixture
def market(tmp_path: Path) -> Iterator[Rehearsal]:
    with Rehearsal.started(store_in(tmp_path)) as running:
        yield running


@pytest.fixture
def requester(market: Rehearsal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Requester]:
    side = use(monkeypatch, market)
    yield side
    side.close()
    kill_router(tmp_path / "run")


@pytest.fixture
def own(requester: Requester) -> str:
    """The id of the campaign's own qualification."""
    made = requester.client.create_qualification_type(
        Name="Beat the AI", Description="Granted by a reviewer.", QualificationTypeStatus="Active"
    )
    return made["QualificationType"]["QualificationTypeId"]


def provider(own: str, name: str) -> dict[str, Any]:
    found = load_requirements(find_data_file(name, ROOT / "qualification" / "requirements", "requirement set"))
    asked = requirements(found, own, "screening")
    return {"_provider_type": "mturk", "requester_name": "lab", "requirements": asked}


def take(market: Rehearsal, people: list[Account], personas: list[Persona]) -> list[Taken]:
    async def work() -> list[Taken]:
        workplaces = portal_workplaces(market.address, people)
        taking = take_screenings(personas, shipped_newcomers(), workplaces, seed=1, on_taken=lambda _: None)
        return await asyncio.wait_for(taking, 3 * PATIENCE_SECONDS)

    return asyncio.run(work())


def test_newcomers_take_it_in_the_portal_and_are_owed_for_it(
    market: Rehearsal, requester: Requester, own: str, tmp_path: Path
) -> None:
    newcomers = enrol(market.address, market.token, ["AGOOD", "AMALLORY"])
    [holder] = enrol(market.address, market.token, ["AQUALIFIED"])
    requester.client.associate_qualification_with_worker(
        QualificationTypeId=own, WorkerId=holder.worker_id, IntegerValue=1
    )
    with serving(tmp_path / "run", places=3, provider=provider(own, "open")) as campaign:
        assert take(market, [holder], [Persona.GOOD]) == [Taken(Persona.GOOD, None)]
        good, mallory = take(market, newcomers, [Persona.GOOD, Persona.MALICIOUS])
        assert (good.phase, mallory.phase) == ("sample", "failed")
        wait_until(lambda: campaign.desk.taken() == 2, "both screenings are handed in")
        assert campaign.outcomes() == {"AGOOD": "passed", "AMALLORY": "failed"}
        [again] = take(market, newcomers[:1], [Persona.GOOD])
        assert "taken this screening before" in str(again.refusal)
        submitted = {one["AssignmentId"] for hit in requester.hits() for one in requester.assignments(hit["HITId"])}
        paid = campaign.store.assignments.confirmed(sample_campaign_id("pilot"))
        assert {assignment.crowd_assignment for assignment in paid} == submitted


def test_the_papers_requirements_keep_others_out(
    market: Rehearsal, requester: Requester, own: str, tmp_path: Path
) -> None:
    properties: list[dict[str, Any]] = [{}, {"locale": "DE"}, {"approved": 999}, {"approval_rate": 98}]
    people = [
        account
        for number, changed in enumerate(properties)
        for account in enrol(market.address, market.token, [f"AWORKER{number}"], **changed)
    ]
    with serving(tmp_path / "run", places=4, provider=provider(own, "paper")) as campaign:
        taken = take(market, people, [Persona.GOOD] * 4)
        wait_until(lambda: campaign.desk.taken() == 1, "the screening is handed in")
    assert [each.phase for each in taken] == ["sample", None, None, None]
