"""Simulated newcomers over a real run of real Mephisto, on the shipped quiz."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Coroutine, Iterator
from pathlib import Path
from typing import Any, TypeVar

import httpx
import pytest

from beat_the_ai.errors import Refused
from beat_the_ai.simulation.page import CallFailed, PageClient
from beat_the_ai.simulation.screening import Manner, Newcomer, Taken, newcomers, take_screenings
from beat_the_ai.workforce.screening import load_quiz
from tests.mephisto.rig import in_thread, kill_router
from tests.mephisto.wire import PATIENCE_SECONDS, wait_until
from tests.workforce.quizzes import SHIPPED
from tests.workforce.rig import operator_process, screenings, serving

T = TypeVar("T")
QUIZ = load_quiz(SHIPPED)


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path / "run"
    kill_router(tmp_path / "run")


def run(work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(asyncio.wait_for(work, 3 * PATIENCE_SECONDS))


async def take(crowd: list[Newcomer], url: str, seed: int = 1) -> list[Taken]:
    return await take_screenings(crowd, QUIZ, url, seed=seed, on_taken=lambda _: None)


def rehearsed(folder: Path, crowd: list[Newcomer], places: int, seed: int = 1) -> tuple[list[Taken], dict[str, Any]]:
    with serving(folder, places=places) as campaign:
        taken = run(take(crowd, campaign.url, seed))
        placed = sum(each.phase is not None for each in taken)
        wait_until(lambda: campaign.desk.taken() == placed, "every screening is handed in")
        return taken, campaign.outcomes()


def test_the_good_pass_the_malicious_fail_and_the_sloppy_make_mistakes(folder: Path) -> None:
    taken, outcomes = rehearsed(folder, newcomers(2, sloppy=6, malicious=2), places=10)
    by_manner = defaultdict(list)
    for each in taken:
        by_manner[each.newcomer.manner].append(each)
    assert all(each.mistakes == 0 and each.attempts == 3 for each in by_manner[Manner.GOOD])
    assert sum(each.mistakes for each in by_manner[Manner.SLOPPY]) > 6
    passed = {worker for worker, outcome in outcomes.items() if outcome == "passed"}
    assert {"good-000", "good-001"} <= passed
    assert any(worker.startswith("sloppy") for worker in passed)
    assert {outcomes["malicious-000"], outcomes["malicious-001"]} == {"failed"}


def test_the_same_seed_does_the_same(tmp_path: Path) -> None:
    crowd = newcomers(0, sloppy=3)
    first, second = (rehearsed(tmp_path / name, crowd, places=3) for name in "ab")
    assert first == second
    assert rehearsed(tmp_path / "c", crowd, places=3, seed=2)[0] != first[0]


def test_who_took_it_is_told_so_by_whatever_hit_they_come_again(folder: Path) -> None:
    [newcomer] = newcomers(1)

    async def come_again(url: str) -> str:
        async with httpx.AsyncClient(trust_env=False) as http:
            with pytest.raises(Refused) as caught:
                await PageClient(url, http, newcomer.name, "another hit").__aenter__()
        return str(caught.value)

    with serving(folder, places=2) as campaign:
        run(take([newcomer], campaign.url))
        wait_until(lambda: campaign.desk.taken() == 1, "the screening is handed in")
        assert "taken this screening before" in run(come_again(campaign.url))
    with serving(folder, places=2) as campaign:  # nor after a restart
        assert "taken this screening before" in run(come_again(campaign.url))
        others = run(take([Newcomer("late", Manner.GOOD), Newcomer("too-late", Manner.GOOD)], campaign.url))
    assert sorted(str(each.phase) for each in others) == ["None", "sample"]


def test_a_place_that_was_refused_goes_to_somebody_else(folder: Path) -> None:
    def admit(worker: str) -> None:
        if worker == "blocked":
            raise Refused("You may not work here.")

    with serving(folder, places=1, admit=admit) as campaign:
        [refused] = run(take([Newcomer("blocked", Manner.GOOD)], campaign.url))
        assert refused.refusal == "You may not work here."
        [taken] = run(take([Newcomer("ann", Manner.GOOD)], campaign.url))
    assert taken.phase == "sample"


def test_an_unknown_step_is_refused_and_uses_up_nothing(folder: Path) -> None:
    async def cheat(url: str) -> int:
        async with httpx.AsyncClient(trust_env=False) as http, PageClient(url, http, "w1", "a1") as page:
            for arguments in ({}, {"response_key": "k", "step": 7}, {"response_key": "k", "step": "pair-1"}):
                with pytest.raises(CallFailed):
                    await page.call("respond", arguments)
            with pytest.raises(CallFailed, match="sample HIT begins"):
                await page.call("submit_attempt", {"attempt_key": "k", "context_id": "x", "question": "?"})
            return int((await page.call("state", {}))["screening"]["step"]["tries_left"])

    with serving(folder) as campaign:
        assert run(cheat(campaign.url)) == 3


def test_an_operator_killed_in_the_middle_makes_no_difference(folder: Path, tmp_path: Path) -> None:
    crowd = newcomers(0, sloppy=2)

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
