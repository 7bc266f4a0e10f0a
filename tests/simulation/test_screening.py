"""Simulated newcomers over a real run of real Mephisto, on the shipped quiz."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterator
from pathlib import Path
from typing import Any, TypeVar

import httpx
import pytest

from beat_the_ai.errors import Refused
from beat_the_ai.simulation.page import CallFailed, PageClient
from beat_the_ai.simulation.screening import Persona, Taken, take_screenings
from beat_the_ai.simulation.workplaces import mock_workplaces
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.workforce import Workforce
from tests.kinds.reading_comprehension.screening.quizzes import shipped_newcomers
from tests.mephisto.rig import in_thread, kill_router
from tests.mephisto.wire import PATIENCE_SECONDS, wait_until
from tests.workforce.rig import operator_process, screenings, serving

T = TypeVar("T")
NEWCOMERS = shipped_newcomers()


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path / "run"
    kill_router(tmp_path / "run")


def run(work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(asyncio.wait_for(work, 3 * PATIENCE_SECONDS))


async def take(crowd: list[Persona], url: str, seed: int = 1) -> list[Taken]:
    return await take_screenings(crowd, NEWCOMERS, mock_workplaces(url), seed=seed, on_taken=lambda _: None)


def rehearsed(folder: Path, crowd: list[Persona], places: int, seed: int = 1) -> tuple[list[Taken], dict[str, Any]]:
    with serving(folder, places=places) as campaign:
        taken = run(take(crowd, campaign.url, seed))
        placed = sum(each.phase is not None for each in taken)
        wait_until(lambda: campaign.desk.taken() == placed, "every screening is handed in")
        return taken, campaign.outcomes()


async def refusal(url: str, worker: str) -> str:
    """What a worker is told who comes by another HIT."""
    async with httpx.AsyncClient(trust_env=False) as http:
        with pytest.raises(Refused) as caught:
            await PageClient(url, http, worker, "another-hit").__aenter__()
    return str(caught.value)


def test_the_good_pass_the_malicious_fail_and_the_sloppy_make_mistakes(folder: Path) -> None:
    crowd = [Persona.GOOD] * 2 + [Persona.SLOPPY] * 6 + [Persona.MALICIOUS] * 2
    taken, outcomes = rehearsed(folder, crowd, places=10)
    by_persona: dict[Persona, set[str | None]] = {persona: set() for persona in Persona}
    for number, persona in enumerate(crowd):
        by_persona[persona].add(outcomes[f"writer-{number:03}"])
    assert all(each.mistakes == 0 and each.attempts == 3 for each in taken[:2])
    assert sum(each.mistakes for each in taken[2:8]) > 6
    assert by_persona[Persona.GOOD] == {"passed"}
    assert "passed" in by_persona[Persona.SLOPPY]
    assert by_persona[Persona.MALICIOUS] == {"failed"}


def test_the_same_seed_does_the_same(tmp_path: Path) -> None:
    crowd = [Persona.SLOPPY] * 3
    first, second = (rehearsed(tmp_path / name, crowd, places=3) for name in "ab")
    assert first == second
    assert rehearsed(tmp_path / "c", crowd, places=3, seed=2)[0] != first[0]


def test_who_took_it_is_told_so_by_whatever_hit_they_come_again(folder: Path) -> None:
    with serving(folder, places=2) as campaign:
        run(take([Persona.GOOD], campaign.url))
        wait_until(lambda: campaign.desk.taken() == 1, "the screening is handed in")
        assert "taken this screening before" in run(refusal(campaign.url, "writer-000"))
    with serving(folder, places=2) as campaign:  # nor after a restart
        assert "taken this screening before" in run(refusal(campaign.url, "writer-000"))


def test_there_are_so_many_places_and_no_more(folder: Path) -> None:
    with serving(folder, places=2) as campaign:
        taken = run(take([Persona.GOOD] * 3, campaign.url))
        wait_until(lambda: campaign.desk.taken() == 2, "both screenings are handed in")
    assert sorted(str(each.phase) for each in taken) == ["None", "sample", "sample"]
    with serving(folder, places=2) as campaign:
        assert "no task left for you in this batch" in run(refusal(campaign.url, "late"))


def test_a_place_that_was_refused_goes_to_somebody_else(folder: Path) -> None:
    with serving(folder, places=1) as campaign:
        Workforce(BoundCampaign.open(campaign.store, "pilot")).block("writer-000", "rita", "spam elsewhere")
        refused, taken = run(take([Persona.GOOD] * 2, campaign.url))
    assert (refused.refusal, taken.phase) == ("This screening is not open to you. Please return this task.", "sample")


def test_an_unknown_step_is_refused_and_uses_up_nothing(folder: Path) -> None:
    async def cheat(url: str) -> int:
        async with httpx.AsyncClient(trust_env=False) as http, PageClient(url, http, "w1", "a1") as page:
            for arguments in ({}, {"response_key": "k", "step": 7}, {"response_key": "k", "step": "pair-1"}):
                with pytest.raises(CallFailed):
                    await page.call("respond", arguments)
            with pytest.raises(CallFailed, match="sample task begins"):
                await page.call("submit_attempt", {"attempt_key": "k", "context_id": "x", "work": {"question": "?"}})
            return int((await page.call("state", {}))["screening"]["step"]["tries_left"])

    with serving(folder) as campaign:
        assert run(cheat(campaign.url)) == 3


def test_an_operator_killed_in_the_middle_makes_no_difference(folder: Path, tmp_path: Path) -> None:
    crowd = [Persona.SLOPPY] * 2

    async def rehearse() -> list[Taken]:
        with operator_process(folder, "--die-at", "4") as (process, url):
            working = asyncio.create_task(take(crowd, url))
            await asyncio.to_thread(process.wait, PATIENCE_SECONDS)
            async with in_thread(operator_process(folder)):
                taken = await working
                done = lambda: all(each.submitted_at for each in screenings(folder))  # noqa: E731
                await asyncio.to_thread(wait_until, done, "every screening is handed in")
        return taken

    taken = run(rehearse())
    undisturbed, outcomes = rehearsed(tmp_path / "undisturbed", crowd, places=2)
    assert [(each.phase, each.mistakes) for each in taken] == [(each.phase, each.mistakes) for each in undisturbed]
    assert {each.worker: each.outcome for each in screenings(folder)} == outcomes
