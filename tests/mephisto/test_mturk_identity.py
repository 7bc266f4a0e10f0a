"""Pages that speak for somebody else, and hand-ins that the crowd knows nothing of."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import httpx
import pytest

from beat_the_ai.errors import Refused
from beat_the_ai.marketplace.assignments import Assignment
from beat_the_ai.mephisto.mturk import survey
from beat_the_ai.mephisto.mturk.confirmation import NEVER_ARRIVED
from beat_the_ai.payments import owed_by
from beat_the_ai.requester import Requester
from beat_the_ai.rules.stage import Stage
from beat_the_ai.store import ANOTHER_HITS, ANOTHER_WORKERS
from beat_the_ai.terms.bonuses import BonusRules
from beat_the_ai.terms.fees import Fees
from beat_the_ai.terms.tariff import Tariff
from beat_the_ai.web.signed_assignment import SIGNED, SignedAssignment
from tests.marketplace.rehearsal import Rehearsal, store_in
from tests.marketplace.unsigned import UNSIGNED, unsigned
from tests.mephisto.mturk_rig import accept, page, signed, use
from tests.mephisto.rig import QUESTIONS, Serving
from tests.mephisto.test_mturk_work import agents, client, in_campaign, open_hits, reconcile, submit, until, work
from tests.payments.paid import Paid


@pytest.fixture(scope="module")
def rehearsal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rehearsal]:
    with Rehearsal.started(store_in(tmp_path_factory.mktemp("market"))) as running:
        yield running


@pytest.fixture
def marketplace(rehearsal: Rehearsal, monkeypatch: pytest.MonkeyPatch) -> Iterator[Requester]:
    requester = use(monkeypatch, rehearsal)
    yield requester
    requester.close()


def invented(hit_id: str, number: int) -> Assignment:
    """Of an identity that nobody has."""
    at = datetime.now(timezone.utc)
    return Assignment(f"3INVENTED{number}", hit_id, "A", f"AINVENTED{number}", "Accepted", at, at)


async def refused(running: Serving, http: httpx.AsyncClient, assignment: Assignment, **changes: str) -> str:
    with pytest.raises(Refused) as caught:
        async with page(running.url, http, assignment, **{**UNSIGNED, **changes}):
            pass
    return str(caught.value)


def owed(running: Serving) -> list[str]:
    """To whom the campaign owes anything."""
    tariff = Tariff(running.desk.terms, BonusRules(), Fees())
    return [each.key.worker for each in owed_by(Paid(running.store, "pilot", {1: tariff}))]


def set_aside(running: Serving) -> list[tuple[str, str | None]]:
    return [
        (each.worker, each.set_aside_reason) for each in running.store.assignments.uncounted("pilot", Stage.WRITING)
    ]


async def write_and_hand_in(running: Serving, assignment: Assignment, **changes: str) -> None:
    """As `work`, without the crowd's form."""
    async with client() as http, page(running.url, http, assignment, **changes) as worker:
        question = {"attempt_key": "k", "context_id": worker.init_data["context"]["id"], "work": QUESTIONS[0]}
        await worker.call("submit_attempt", question)
        await worker.submit({"feedback": ""})
        await until(lambda: running.desk.state(worker.init_data["hit"]).submitted, "it is handed in")


# Marketplaces that sign


def test_nobody_gets_a_unit_by_the_hit_of_a_preview_and_honest_workers_go_on(
    marketplace: Requester, rehearsal: Rehearsal, tmp_path: Path
) -> None:
    async def action(running: Serving) -> None:
        hits = open_hits(marketplace)
        async with client() as http:
            for number in range(8):
                assert "not opened from an accepted task" in await refused(running, http, invented(hits[0], number))
        assert agents(running) == []
        await work(running, rehearsal, accept(rehearsal, rehearsal.new_worker(), hits[0]))
        await until(lambda: len(running.submitted()) == 1, "the crowd has confirmed it")

    in_campaign(tmp_path / "run", action, hits=2)


def test_a_worker_cannot_speak_for_another_or_of_another_hit_or_after_the_deadline(
    marketplace: Requester, rehearsal: Rehearsal, tmp_path: Path
) -> None:
    async def action(running: Serving) -> None:
        hits = open_hits(marketplace)
        mine = accept(rehearsal, rehearsal.new_worker(), hits[0])
        async with client() as http:
            signature = signed(mine)
            for changed in (
                replace(mine, worker_id="AVICTIM"),
                replace(mine, id="3ANOTHER"),
                replace(mine, hit_id=hits[1]),
            ):
                assert "not opened from an accepted task" in await refused(running, http, changed, **signature)
            later = {**signature, SIGNED[0]: str(int(signature[SIGNED[0]]) + 1)}
            assert "not opened from an accepted task" in await refused(running, http, mine, **later)
            over = SignedAssignment(mine.worker_id, mine.id, mine.hit_id, int(time.time()) - 1)
            stale = over.parameters([marketplace.secret_key])
            assert "time for this task is over" in await refused(running, http, mine, **stale)
        assert agents(running) == []

    in_campaign(tmp_path / "run", action, hits=2)


def test_an_open_session_is_not_given_to_whoever_knows_its_names(
    marketplace: Requester, rehearsal: Rehearsal, tmp_path: Path
) -> None:
    async def action(running: Serving) -> None:
        mine = accept(rehearsal, rehearsal.new_worker(), open_hits(marketplace)[0])
        async with client() as http, page(running.url, http, mine):
            assert "not opened from an accepted task" in await refused(running, http, mine)
            async with page(running.url, http, mine) as reloaded:
                assert reloaded.init_data["context"]

    in_campaign(tmp_path / "run", action, hits=1)


def test_what_was_handed_in_here_and_never_to_the_crowd_is_set_aside_and_its_hit_offered_again(
    marketplace: Requester, rehearsal: Rehearsal, tmp_path: Path
) -> None:
    async def action(running: Serving) -> None:
        [hit] = open_hits(marketplace)
        lost = accept(rehearsal, rehearsal.new_worker(), hit)
        await write_and_hand_in(running, lost)
        await asyncio.to_thread(reconcile, running)
        assert set_aside(running) == [(lost.worker_id, None)]  # its form may still come
        with rehearsal.workplace() as workplace:
            workplace.give_back(lost.worker_id, lost.id)
        for _ in range(2):
            await asyncio.to_thread(reconcile, running)
        assert set_aside(running) == [(lost.worker_id, NEVER_ARRIVED)]
        assert (running.submitted(), owed(running)) == (set(), [])
        await until(lambda: len(open_hits(marketplace)) >= 1, "it is offered again")
        await work(running, rehearsal, accept(rehearsal, lost.worker_id, open_hits(marketplace)[0]))
        await until(lambda: running.submitted() == set(running.hits), "the crowd has confirmed it")
        assert owed(running) == [lost.worker_id]

    in_campaign(tmp_path / "run", action, hits=1)


def test_a_hand_in_is_confirmed_by_the_next_operator_too(
    marketplace: Requester, rehearsal: Rehearsal, tmp_path: Path
) -> None:
    taken: list[Assignment] = []

    async def begin(running: Serving) -> None:
        taken.append(accept(rehearsal, rehearsal.new_worker(), open_hits(marketplace)[0]))
        await write_and_hand_in(running, taken[0])

    async def end(running: Serving) -> None:
        await until(lambda: len(running.submitted()) == 1, "the crowd has confirmed it")
        assert owed(running) == [taken[0].worker_id]

    in_campaign(tmp_path / "run", begin, hits=1)
    submit(rehearsal, taken[0], json.dumps({"feedback": ""}))
    in_campaign(tmp_path / "run", end, hits=1)


# Crowds that cannot sign


def test_an_unsigned_hit_that_nobody_has_accepted_gets_no_unit(
    marketplace: Requester, rehearsal: Rehearsal, tmp_path: Path
) -> None:
    async def action(running: Serving) -> None:
        hits = open_hits(marketplace)
        async with client() as http:
            for number in range(8):
                assert "Nobody has accepted this task" in await refused(running, http, invented(hits[0], number))
        assert agents(running) == []

    on_an_unsigned_crowd(rehearsal, tmp_path, action)


def test_an_unsigned_hit_has_one_page_at_a_time(marketplace: Requester, rehearsal: Rehearsal, tmp_path: Path) -> None:
    async def action(running: Serving) -> None:
        mine = accept(rehearsal, rehearsal.new_worker(), open_hits(marketplace)[0])
        async with client() as http, page(running.url, http, mine, **UNSIGNED):
            for number in range(3):
                said = await refused(running, http, invented(mine.hit_id, number))
                assert "Somebody works on this task" in said
        assert len(agents(running)) == 1

    on_an_unsigned_crowd(rehearsal, tmp_path, action)


@pytest.mark.parametrize("forgery", ["worker", "HIT"])
def test_work_in_anothers_name_or_for_another_hit_is_set_aside_and_held_against_nobody(
    marketplace: Requester, rehearsal: Rehearsal, tmp_path: Path, forgery: str
) -> None:
    async def action(running: Serving) -> None:
        victim, hits = rehearsal.new_worker(), open_hits(marketplace)
        attacker = accept(rehearsal, rehearsal.new_worker(), hits[0])
        if forgery == "worker":
            forged, reason = replace(attacker, worker_id=victim), ANOTHER_WORKERS
        else:
            accept(rehearsal, victim, hits[1])
            forged, reason = replace(attacker, hit_id=hits[1]), ANOTHER_HITS
        await write_and_hand_in(running, forged, **UNSIGNED)
        await asyncio.to_thread(submit, rehearsal, attacker, "{}")
        await until(lambda: set_aside(running) == [(forged.worker_id, reason)], "it is set aside")
        assert (running.submitted(), owed(running)) == (set(), [])
        assert list(running.store.attempts.kept("pilot")) == []
        assert running.store.attempts.contexts_had_by(victim) == set()
        assert len(running.attempts()) == 1  # it is kept

    on_an_unsigned_crowd(rehearsal, tmp_path, action)


def test_honest_work_on_an_unsigned_crowd_is_confirmed(
    marketplace: Requester, rehearsal: Rehearsal, tmp_path: Path
) -> None:
    async def action(running: Serving) -> None:
        mine = accept(rehearsal, rehearsal.new_worker(), open_hits(marketplace)[0])
        await write_and_hand_in(running, mine, **UNSIGNED)
        await asyncio.to_thread(submit, rehearsal, mine, json.dumps({"feedback": ""}))
        await until(lambda: len(running.submitted()) == 1, "the crowd has confirmed it")
        assert owed(running) == [mine.worker_id]
        assert survey(marketplace, "pilot").counts()["submitted"] == 1

    on_an_unsigned_crowd(rehearsal, tmp_path, action)


def on_an_unsigned_crowd(rehearsal: Rehearsal, tmp_path: Path, action: Any) -> None:
    with unsigned(rehearsal.address) as address:
        in_campaign(tmp_path / "run", action, hits=2, endpoint_url=address)
