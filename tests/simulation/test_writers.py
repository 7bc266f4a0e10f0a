"""Simulated writers over a real run, with a model that always loses (or is busy)."""

from __future__ import annotations

import asyncio
import random
import subprocess
from collections import Counter
from collections.abc import Coroutine, Iterator, Mapping
from pathlib import Path
from typing import Any

import httpx
import pytest

from beat_the_ai.dataset.export import export_campaign
from beat_the_ai.dataset.placement import Placement
from beat_the_ai.errors import AdversaryBusy, Refused
from beat_the_ai.kinds.reading_comprehension.people import Readers
from beat_the_ai.simulation.page import PageClient
from beat_the_ai.simulation.workplaces import mock_workplaces
from beat_the_ai.simulation.writers import Writers, work
from beat_the_ai.store import open_store
from beat_the_ai.terms.campaign import BoundCampaign
from tests.mephisto.rig import contexts, in_thread, kill_router, operator_process, rows, serving, submitted
from tests.mephisto.wire import PATIENCE_SECONDS, wait_until
from tests.writing.fakes import FakeModel

HITS = 6


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path / "run"
    kill_router(tmp_path / "run")


def run(work: Coroutine[Any, Any, int]) -> int:
    return asyncio.run(asyncio.wait_for(work, 3 * PATIENCE_SECONDS))


def crowd(writers: int = 3, seed: int = 1, **more: float) -> Writers:
    return Writers.of(Readers(), contexts(HITS), writers=writers, seed=seed)


def squad(folder: Path) -> bytes:
    """The dataset of a campaign, as its researchers get it."""
    store = open_store(f"sqlite:///{folder}/store.db")
    try:
        export_campaign(Placement(BoundCampaign.open(store, "pilot")), folder / "export", ("squad",))
        return (folder / "export" / "squad.json").read_bytes()
    finally:
        store.close()


def rehearsed(folder: Path, crowd: Writers, model: FakeModel | None = None) -> list[Mapping[str, Any]]:
    """A whole rehearsal: what the writers saw of their attempts."""
    seen: list[Mapping[str, Any]] = []
    with serving(folder, model, hits=HITS) as campaign:
        assert run(work(crowd, mock_workplaces(campaign.url), seen.append, lambda: None)) == HITS
        wait_until(lambda: len(campaign.submitted()) == HITS, "every HIT is submitted")
    return seen


def test_writers_do_every_hit_once_and_every_question_once(folder: Path) -> None:
    seen = rehearsed(folder, crowd())
    stored = rows(folder)
    assert len(seen) == len(stored)
    assert {context for _, context, _ in stored} == {context.id for context in contexts(HITS)}
    assert set(Counter((context, key) for _, context, key in stored).values()) == {1}


def test_the_same_seed_collects_the_same_dataset_whoever_gets_which_hit(tmp_path: Path) -> None:
    for name, writers in (("a", 1), ("b", 5)):
        rehearsed(tmp_path / name, crowd(writers))
    assert questions(tmp_path / "a") == questions(tmp_path / "b")


def test_another_seed_asks_in_another_order(tmp_path: Path) -> None:
    for name, seed in (("a", 1), ("b", 2)):
        rehearsed(tmp_path / name, crowd(seed=seed))
    assert questions(tmp_path / "a") != questions(tmp_path / "b")


def questions(folder: Path) -> list[tuple[str, int, str, bool]]:
    """What was asked of every passage, in its order, and whether it counts."""
    store = open_store(f"sqlite:///{folder}/store.db")
    try:
        every = store.attempts.of_campaign("pilot")
        return [
            (row.hit.context.id, row.attempt.ordinal, row.attempt.work["question"], row.attempt.retracted)
            for row in every
        ]
    finally:
        store.close()


def test_a_busy_model_is_asked_again_and_no_question_is_left_out(tmp_path: Path) -> None:
    rng = random.Random(5)
    busy = [AdversaryBusy("busy", 0.01) if rng.random() < 0.5 else "Romulus" for _ in range(40)]
    seen = rehearsed(tmp_path / "busy", crowd(), FakeModel(*busy))
    assert not any("error" in attempt for attempt in seen)
    rehearsed(tmp_path / "calm", crowd())
    assert questions(tmp_path / "busy") == questions(tmp_path / "calm")


@pytest.mark.parametrize("moment", ["opening", "answered", "closed"])
def test_an_operator_killed_in_the_middle_makes_no_difference_to_the_dataset(
    folder: Path, tmp_path: Path, moment: str
) -> None:
    async def rehearse(url: str, process: subprocess.Popen[str]) -> int:
        writers = asyncio.create_task(work(crowd(2), mock_workplaces(url), lambda _: None, lambda: None))
        await asyncio.to_thread(process.wait, PATIENCE_SECONDS)
        async with in_thread(operator_process(folder, "--hits", str(HITS))):
            done = await writers
            await asyncio.to_thread(wait_until, lambda: submitted(folder) == HITS, "every HIT is submitted")
        return done

    with operator_process(folder, "--hits", str(HITS), "--die", moment, "--at", "3") as (process, url):
        assert run(rehearse(url, process)) == HITS
    rehearsed(tmp_path / "undisturbed", crowd(2))
    assert questions(folder) == questions(tmp_path / "undisturbed")
    assert squad_questions(folder) == squad_questions(tmp_path / "undisturbed")


def squad_questions(folder: Path) -> Counter[str]:
    return Counter(line for line in squad(folder).decode().split('"') if line.endswith("?"))


def test_a_page_tells_a_worker_without_work_why(folder: Path) -> None:
    async def register(url: str) -> int:
        async with httpx.AsyncClient(trust_env=False) as http, PageClient(url, http, "w1", "a1"):
            with pytest.raises(Refused, match="no task left for you in this batch"):
                await PageClient(url, http, "w2", "a1").__aenter__()
        return 0

    with serving(folder, hits=1) as campaign:
        run(register(campaign.url))
