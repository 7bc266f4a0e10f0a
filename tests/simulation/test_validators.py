"""A whole campaign: simulated writers, then (or meanwhile) simulated validators through an operator of their own."""

from __future__ import annotations

import asyncio
import json
import subprocess
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from beat_the_ai.kinds.reading_comprehension.answerability import Answerability
from beat_the_ai.kinds.reading_comprehension.people import Readers
from beat_the_ai.rules.stage import Stage
from beat_the_ai.simulation.marketplace import enrol, portal_workplaces
from beat_the_ai.simulation.validators import ValidatorCrowd, validate
from beat_the_ai.simulation.workplaces import mock_name, mock_workplaces
from beat_the_ai.simulation.writers import Writers, work
from beat_the_ai.store import Store, open_store
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.terms.validation import ValidationTerms
from beat_the_ai.validation import ValidationDesk, results, validators
from tests.marketplace.rehearsal import Rehearsal, store_in
from tests.mephisto.mturk_rig import settings, use
from tests.mephisto.rig import Serving, contexts, in_thread, kill_router, serving
from tests.mephisto.wire import PATIENCE_SECONDS, wait_until
from tests.reading_comprehension import RULINGS
from tests.validation.recount import adjudicated
from tests.validation.rig import operator_process, validating
from tests.validation.written import ANSWERS, new_campaign, passages
from tests.validation.written import new_desk as desk_of
from tests.validation.written import write as write_down

HITS = 6
TERMS = ValidationTerms(works_per_hit=4, gold_per_hit=1)


def run(work: Any) -> Any:
    return asyncio.run(asyncio.wait_for(work, 3 * PATIENCE_SECONDS))


def new_desk(store: Store, terms: ValidationTerms = TERMS, **more: Any) -> ValidationDesk:
    return ValidationDesk(BoundCampaign.open(store, "pilot"), Answerability(), terms, **more)


def crowd(validators: int = 5) -> ValidatorCrowd:
    return ValidatorCrowd.of(Readers(), contexts(HITS), validators=validators, seed=3)


def writers() -> Writers:
    return Writers.of(Readers(), contexts(HITS), writers=3, seed=1)


def written(campaign: Serving) -> bool:
    return len(campaign.submitted()) == HITS


async def write(campaign: Serving) -> None:
    await work(writers(), mock_workplaces(campaign.url), lambda _: None, lambda: None)


async def at_once() -> None:
    """Votes count at once without a crowd."""


async def check(
    people: ValidatorCrowd,
    url: str,
    desk: ValidationDesk,
    seen: list[Any],
    before_hit: Callable[[], Awaitable[None]] | None = None,
) -> int:
    workplaces = mock_workplaces(url, "validator")

    def may_work(number: int) -> bool:
        return desk.may_get_work(mock_name(number, "validator"))

    return await validate(people, workplaces, may_work, seen.append, lambda: None, before_hit)


def votes(store: Store) -> dict[str, tuple[str, list[tuple[str, str | None]]]]:
    found = results(adjudicated(store, store.campaigns.get("pilot").id, RULINGS), RULINGS)
    return {
        name: (each.adjudication.status, [(vote.worker, vote.label) for vote in each.votes])
        for name, each in found.items()
    }


def in_turn(folder: Path) -> dict[str, tuple[str, list[tuple[str, str | None]]]]:
    with serving(folder, hits=HITS) as campaign:
        run(write(campaign))
        wait_until(lambda: written(campaign), "everything is written")
        desk = new_desk(campaign.store)
        with validating(folder, desk) as stage:
            run(check(crowd(), stage.url, desk, [], at_once))
        assert desk.complete()
        return votes(campaign.store)


def test_validators_one_after_the_other_give_the_same_votes_in_every_run(tmp_path: Path) -> None:
    assert in_turn(tmp_path / "a") == in_turn(tmp_path / "b")


def test_validation_while_writing_goes_on_gives_every_question_its_validators(tmp_path: Path) -> None:
    seen: list[Mapping[str, Any]] = []

    async def both(campaign: Serving, url: str, desk: ValidationDesk) -> None:
        checking = asyncio.create_task(check(crowd(), url, desk, seen))
        await write(campaign)
        await checking

    with serving(tmp_path, hits=HITS) as campaign:
        desk = new_desk(campaign.store, final=lambda: written(campaign))
        with validating(tmp_path, desk) as stage:
            run(both(campaign, stage.url, desk))
        found = results(adjudicated(campaign.store, desk.campaign.id, RULINGS), RULINGS)
        assert len(found) > HITS
        for each in found.values():
            workers = [vote.worker for vote in each.votes]
            assert len(workers) == len(set(workers)) == 3
            assert each.writer not in workers
            assert each.adjudication.status in ("answerable", "unanswerable")
        assert not any("error" in vote for vote in seen)
        records = validators(campaign.store.validations.snapshot(desk.campaign.id).placed, RULINGS)
    assert sum(each.adjudication.status == "answerable" for each in found.values()) > len(found) / 2
    exact, _ = Answerability().performance(list(found.values()), 1, adaptive=False)
    assert exact.observations == len(found)
    assert exact.value is not None
    assert 30 < exact.value <= 100
    gold = {record.worker: (record.gold_right, record.gold) for record in records}
    assert sum(right for right, _ in gold.values()) > 0
    assert json.dumps(sorted(gold))  # plain data


@pytest.mark.parametrize("moment", ["answered", "closing", "closed"])
def test_an_operator_killed_in_the_middle_loses_no_vote_and_doubles_none(tmp_path: Path, moment: str) -> None:
    """Killed at the fourth answer or the second HIT; the votes are those of a run that nothing disturbed."""
    store = open_store(str(tmp_path / "store.db"))
    campaign = new_campaign(store)
    write_down(store, answers=ANSWERS[:4])
    desk = desk_of(store, campaign, works_per_hit=2)
    people = ValidatorCrowd.of(Readers(), passages(3), validators=3, seed=1)
    seen: list[Mapping[str, Any]] = []

    async def go_on(url: str, process: subprocess.Popen[str]) -> None:
        checking = asyncio.create_task(check(people, url, desk, seen, at_once))
        await asyncio.to_thread(process.wait, PATIENCE_SECONDS)
        async with in_thread(operator_process(tmp_path)):
            await checking
            await asyncio.to_thread(
                wait_until, lambda: len(store.assignments.confirmed("pilot", Stage.VALIDATION)) == 6, "all are in"
            )

    try:
        with operator_process(tmp_path, "--die", moment, "--at", "4" if moment == "answered" else "2") as (
            process,
            url,
        ):
            run(go_on(url, process))
    finally:
        kill_router(tmp_path)
    assert not any("error" in vote for vote in seen)
    placed = store.validations.snapshot("pilot").placed
    assert len(placed) == 6 * 3
    for each in placed:
        assert each.vote is not None
        assert each.vote.ordinal == 1  # a call that came again was kept once
    for found in results(adjudicated(store, campaign.id, RULINGS), RULINGS).values():
        assert len(found.votes) == 3
        for vote in found.votes:
            question = next(q for q in store.validations.snapshot("pilot").outcomes if q.attempt_id == found.attempt_id)
            said = people.vote(int(vote.worker[-3:]), question.context_id, {"question": question.work["question"]})
            assert vote.vote == said
    store.close()


def test_validators_on_the_marketplace_find_hits_as_they_are_needed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = open_store(str(tmp_path / "store.db"))
    desk = desk_of(store, new_campaign(store), works_per_hit=2, gold_per_hit=1)
    people = ValidatorCrowd.of(Readers(), passages(3), validators=3, seed=1)
    names = [f"AVALIDATOR{number}" for number in range(3)]
    seen: list[Mapping[str, Any]] = []
    with Rehearsal.started(store_in(tmp_path)) as market:
        requester = use(monkeypatch, market)
        workplaces = portal_workplaces(market.address, enrol(market.address, market.token, names))
        with validating(tmp_path, desk, settings()):
            write_down(store, answers=ANSWERS[:4])  # after the launch: there is no HIT yet
            run(
                validate(people, workplaces, lambda number: desk.may_get_work(names[number]), seen.append, lambda: None)
            )
            wait_until(
                lambda: len(store.assignments.confirmed("pilot", Stage.VALIDATION)) == 6, "every HIT is submitted"
            )
        handed_in = [one for hit in requester.hits() for one in requester.assignments(hit["HITId"])]
        requester.close()
    kill_router(tmp_path)
    assert {one["AssignmentStatus"] for one in handed_in} == {"Submitted"}
    assert {each.registration for each in store.assignments.confirmed("pilot", Stage.VALIDATION)} == {
        f"{one['AssignmentId']}-{one['WorkerId']}" for one in handed_in
    }
    assert not any("error" in vote for vote in seen)
    for found in results(adjudicated(store, desk.campaign.id, RULINGS), RULINGS).values():
        assert {vote.worker for vote in found.votes} == set(names)
    store.close()
