"""Two operators of one campaign on PostgreSQL. One is killed: the other goes on, and nothing is lost or doubled."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from beat_the_ai.campaign.settings.partition import Partition
from beat_the_ai.requester import Requester
from beat_the_ai.rules.stage import Stage
from beat_the_ai.simulation.marketplace import portal_workplaces
from beat_the_ai.store import Store, open_store
from beat_the_ai.terms.locate import StoreRecord, store_record
from tests.cli.launching import (
    NAME,
    PATIENCE_SECONDS,
    Launch,
    call,
    launch_arguments,
    make_workers_impatient,
    needs_pages,
    people,
    write,
)
from tests.marketplace.rehearsal import Rehearsal
from tests.mephisto.rig import kill_router
from tests.mephisto.wire import wait_until
from tests.postgres import PostgresServer

pytestmark = [needs_pages, pytest.mark.timeout(4 * PATIENCE_SECONDS)]
HITS = WRITERS = 8  # whoever holds a HIT of the operator that is away waits for it
OPTIONS = (f"round.max_hits={HITS}", "round.reoffers=0", "qualification.first_hits=null", "store=postgresql")
FIRST, SECOND = Partition(1, 2), Partition(2, 2)


@pytest.fixture
def url(postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    with postgres.database() as made:
        monkeypatch.setenv("BEAT_THE_AI_DATABASE", made)
        yield made


@pytest.fixture
def folders(tmp_path: Path) -> Iterator[dict[Partition, Path]]:
    """Each operator has its own, as on machines of their own."""
    found = {share: tmp_path / share.folder("operator") for share in (FIRST, SECOND)}
    yield found
    for folder in found.values():
        kill_router(folder)


def operator(folders: dict[Partition, Path], share: Partition, *options: str) -> Launch:
    return Launch(folders[share], *OPTIONS, "--share", str(share), *options)


@contextlib.contextmanager
def opened(url: str) -> Iterator[Store]:
    store = open_store(url)
    try:
        yield store
    finally:
        store.close()


def submitted(url: str) -> set[str]:
    with opened(url) as store:
        return store.attempts.done_hits(NAME)


def hits_of(url: str, share: Partition) -> set[str]:
    with opened(url) as store:
        return {hit for hit, context in store.campaigns.offered(NAME, 1).items() if share.has(context)}


def test_one_is_killed_and_the_other_goes_on(
    market: Rehearsal, requester: Requester, url: str, folders: dict[Partition, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    make_workers_impatient(monkeypatch)
    first = operator(folders, FIRST, "--yes")
    launches = [first, operator(folders, SECOND, "--yes")]
    told: list[str] = []
    elsewhere = folders[FIRST].with_name("elsewhere")
    doubled = call("launch", *launch_arguments(elsewhere, *OPTIONS, "--share", "1/2", "--yes"))
    assert doubled.returncode == 1
    assert "Another process serves this campaign already" in doubled.stderr
    mine, others = hits_of(url, FIRST), hits_of(url, SECOND)
    assert store_record(folders[FIRST]) == StoreRecord(campaign=NAME)  # of the environment, which has the password
    assert mine
    assert others
    assert len(mine | others) == HITS

    async def survive() -> None:
        workplaces = portal_workplaces(market.address, people(market, WRITERS))

        def on_attempt(attempt: Any) -> None:
            if "attempt_id" in attempt:
                told.append(attempt["attempt_id"])

        working = asyncio.create_task(write(workplaces, WRITERS, lambda: len(submitted(url)) >= HITS, on_attempt))
        while not told:
            await asyncio.sleep(0.05)
        await asyncio.to_thread(first.kill)
        await asyncio.to_thread(wait_until, lambda: others <= submitted(url), "the other ends its share")
        launches.append(await asyncio.to_thread(operator, folders, FIRST, "--resume"))
        await working

    try:
        asyncio.run(survive())
        assert [launch.end() for launch in launches[1:]] == [0, 0]
    finally:
        for launch in launches:
            if launch.process.poll() is None:
                launch.kill()
    with opened(url) as store:
        rows = list(store.attempts.of_campaign(NAME))
        assert store.assignments.uncounted(NAME, Stage.WRITING) == []
    assert sorted(row.attempt.id for row in rows) == sorted(set(told))
    assert len(submitted(url)) == HITS
    made = [one for hit in requester.hits() for one in requester.assignments(hit["HITId"])]
    assert [one["AssignmentStatus"] for one in made] == ["Approved"] * HITS
