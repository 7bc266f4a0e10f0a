"""What a registration reads is the same however many units are free, and nobody's unit is anybody else's."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

from beat_the_ai.mephisto.database import FREE_UNITS, UNITS_AT_A_TIME, MephistoDatabase
from beat_the_ai.mephisto.procedures import ProcedureRunner
from beat_the_ai.mephisto.shim import AssignmentState, Unit
from beat_the_ai.simulation.page import PageClient
from tests.mephisto.rig import Serving, serving
from tests.mephisto.wire import PATIENCE_SECONDS, wait_until

HITS = 40
WORKER: Any = SimpleNamespace(worker_name="w1")


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with serving(tmp_path_factory.mktemp("registration"), hits=HITS) as served:
        yield served


@pytest.fixture
def database(campaign: Serving) -> MephistoDatabase:
    found: MephistoDatabase = campaign.operator.db
    return found


@pytest.fixture
def run_id(database: MephistoDatabase) -> str:
    [task_run] = database.find_task_runs()
    return str(task_run.db_id)


@pytest.fixture
def runner(campaign: Serving) -> ProcedureRunner:
    assert campaign.operator._live_run is not None
    found: ProcedureRunner = campaign.operator._live_run.task_runner
    return found


async def open_pages(url: str, names: list[str]) -> list[str]:
    """The HITs that workers get who come in the same moment."""
    async with httpx.AsyncClient(trust_env=False) as http:
        pages = [PageClient(url, http, name, "1") for name in names]
        await asyncio.wait_for(asyncio.gather(*(page.__aenter__() for page in pages)), PATIENCE_SECONDS)
        for page in pages:
            await page.__aexit__(None, None, None)
        return [page.init_data["hit"] for page in pages]


def free(database: MephistoDatabase, run_id: str) -> list[str]:
    return [unit.db_id for unit in database.free_units(run_id)]


def test_units_are_free_in_the_order_in_which_they_were_made(database: MephistoDatabase, run_id: str) -> None:
    launched = [unit.db_id for unit in database.find_units(task_run_id=run_id) if unit.db_status == "launched"]
    assert free(database, run_id) == sorted(launched, key=int)
    assert len(launched) > 2 * UNITS_AT_A_TIME


def test_the_first_of_many_is_found_without_reading_the_others(
    database: MephistoDatabase, run_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, make = [], Unit.__init__

    def counted(unit: Unit, *given: Any, **more: Any) -> None:
        made.append(unit)
        make(unit, *given, **more)

    monkeypatch.setattr(Unit, "__init__", counted)
    next(database.free_units(run_id))
    assert len(made) == 1


def test_free_units_are_looked_up_in_an_index(database: MephistoDatabase, run_id: str) -> None:
    plan = database._rows(f"EXPLAIN QUERY PLAN {FREE_UNITS}", int(run_id), AssignmentState.LAUNCHED, 0, 8)
    steps = [step["detail"] for step in plan]
    assert steps == ["SEARCH units USING INDEX unit_by_run_by_status_index (task_run_id=? AND status=? AND rowid>?)"]


def test_a_unit_that_one_worker_is_being_given_is_no_one_elses(
    database: MephistoDatabase, runner: ProcedureRunner, run_id: str
) -> None:
    with runner.choosing(WORKER, database.free_units(run_id)) as first:
        with runner.choosing(WORKER, database.free_units(run_id)) as second:
            assert first is not None
            assert second is not None
            assert first.db_id != second.db_id
        with runner.choosing(WORKER, database.free_units(run_id)) as again:
            assert again is not None
            assert again.db_id == second.db_id  # nothing came of it


def test_a_unit_that_was_given_away_since_it_was_read_is_passed_over(
    database: MephistoDatabase, runner: ProcedureRunner, run_id: str
) -> None:
    units = list(database.free_units(run_id))
    database.update_unit(units[0].db_id, status=AssignmentState.ASSIGNED)
    with runner.choosing(WORKER, units) as unit:
        assert unit is units[1]
    database.update_unit(units[0].db_id, status=AssignmentState.LAUNCHED)


def test_looking_at_a_unit_whose_agent_has_just_been_made_does_not_give_it_free(
    database: MephistoDatabase, run_id: str
) -> None:
    """As the comparison with the marketplace may, at any moment."""
    unit = next(database.free_units(run_id))
    worker_id = database.new_worker("just-coming", "mock")
    database.new_agent(
        worker_id, unit.db_id, unit.task_id, unit.task_run_id, unit.assignment_id, unit.task_type, "mock"
    )
    assert Unit.get(database, unit.db_id).get_status() == AssignmentState.ASSIGNED
    assert unit.db_id not in free(database, run_id)
    unit.clear_assigned_agent()


def test_a_unit_on_which_somebody_works_is_given_to_nobody_whatever_its_status(
    campaign: Serving, database: MephistoDatabase, runner: ProcedureRunner, run_id: str
) -> None:
    before = set(runner.running_units)
    asyncio.run(open_pages(campaign.url, ["at-work"]))
    wait_until(
        lambda: runner.running_units.keys() > before, "the unit is worked on"
    )  # the page is told a moment before
    running = set(runner.running_units)
    for unit_id in running:
        database.update_unit(unit_id, status=AssignmentState.LAUNCHED)
    try:
        assert running & set(free(database, run_id))
        with runner.choosing(WORKER, database.free_units(run_id)) as unit:
            assert unit is not None
            assert unit.db_id not in running
    finally:
        for unit_id in running:
            database.update_unit(unit_id, status=AssignmentState.ASSIGNED)


def test_workers_who_come_in_one_moment_get_a_hit_each(campaign: Serving) -> None:
    names = [f"worker-{number}" for number in range(HITS // 2)]
    hits = asyncio.run(open_pages(campaign.url, names))
    assert len(set(hits)) == len(names)
    assert asyncio.run(open_pages(campaign.url, names)) == hits  # a reload finds the same
