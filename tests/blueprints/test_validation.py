"""What the blueprint lets pages call, and that no packet of a whole campaign says what a validator must not know."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

from beat_the_ai.errors import InvalidInput, Refused
from beat_the_ai.mephisto.procedures import ProcedureState
from beat_the_ai.rules.stage import Stage
from beat_the_ai.simulation.page import CallFailed, PageClient
from beat_the_ai.store import Store, now
from beat_the_ai.validation import ValidationDesk, results
from blueprints.validation import ValidationBlueprint, validation_state
from tests.mephisto.rig import kill_router
from tests.mephisto.wire import PATIENCE_SECONDS, wait_until
from tests.reading_comprehension import RULINGS
from tests.validation.recount import adjudicated
from tests.validation.rig import CONFIG, validating
from tests.validation.written import ANSWERS, MODEL_ANSWER, new_campaign, new_desk, span, write

KNOWN_TO_PAGES = {
    "task_config.json": {
        *("page", "task_title", "works_per_hit", "reward_cents", "time_limit_seconds"),
    },
    "item": {"id", "context_id", "work", "question"},
    "context": {"id", "title", "text"},
    "hit": {"votes", "complete", "seconds_left"},
}


@pytest.fixture
def desk(store: Store) -> ValidationDesk:
    campaign = new_campaign(store)
    write(store, answers=ANSWERS[:2])
    return new_desk(store, campaign, works_per_hit=2, gold_per_hit=1)


@pytest.fixture
def state(desk: ValidationDesk) -> ProcedureState:
    return validation_state(desk, CONFIG)


def agent(state: ProcedureState, worker: str = "v1", hit: str = "h1") -> Any:
    data = SimpleNamespace(shared={"hit": hit})
    assignment = SimpleNamespace(get_assignment_data=lambda: data)
    made = SimpleNamespace(
        get_unit=lambda: SimpleNamespace(get_assignment=lambda: assignment),
        get_worker=lambda: SimpleNamespace(worker_name=worker),
        state=SimpleNamespace(page=None, accepted_at=now()),
    )
    made.state.page = state.open_unit(made, f"r-{worker}")
    return made


def test_opening_a_unit_twice_is_opening_it_once(state: ProcedureState) -> None:
    assert agent(state).state.page == agent(state).state.page


def test_a_worker_without_questions_is_offered_no_unit(state: ProcedureState) -> None:
    units: list[Any] = ["a unit"]
    assert state.choose_units("v1", units) == units
    assert state.choose_units("writer-secret", units) == []
    agent(state)
    assert state.choose_units("v1", units) == []


def test_a_unit_that_is_abandoned_gives_its_questions_back(state: ProcedureState, desk: ValidationDesk) -> None:
    wanted = desk.hits_wanted()
    left = agent(state)
    assert desk.hits_wanted() == wanted - 1
    state.abandon_unit(left)
    assert desk.hits_wanted() == wanted
    state.abandon_unit(SimpleNamespace(state=SimpleNamespace(page=None)))  # died before it was opened


def test_answers_are_kept_and_come_back(state: ProcedureState) -> None:
    page = agent(state)
    item = page.state.page["items"][0]["id"]
    call = {"item_id": item, "vote_key": "k", "vote": {"answer": span("1807")}}
    assert state.procedures["vote"](page, call)["hit"]["votes"] == {item: {"answer": span("1807")}}
    assert state.procedures["state"](page, {})["hit"]["votes"] == {item: {"answer": span("1807")}}


@pytest.mark.parametrize("name", ["item_id", "vote_key"])
@pytest.mark.parametrize("value", [None, 7, [], {}])
def test_arguments_that_are_no_text_are_named(state: ProcedureState, name: str, value: object) -> None:
    page = agent(state)
    call = {"item_id": page.state.page["items"][0]["id"], "vote_key": "k", "vote": {"answer": None}, name: value}
    with pytest.raises(InvalidInput, match=name):
        state.procedures["vote"](page, call)


@pytest.mark.parametrize("feedback", [None, 7, ["x"], "a" * 300_000, "\ud800", "fine"])
def test_no_feedback_keeps_a_hit_from_being_submitted(state: ProcedureState, store: Store, feedback: object) -> None:
    page = agent(state)
    for _ in range(2):
        state.close_unit(page, {"feedback": feedback})
    assert len(store.assignments.confirmed("pilot", Stage.VALIDATION)) == 1


def test_the_blueprint_can_start_before_anything_is_written(store: Store) -> None:
    empty = validation_state(new_desk(store, new_campaign(store)), CONFIG)
    ValidationBlueprint.assert_task_args(None, empty)
    assert empty.work_wanted is not None
    nothing_at_hand: Any = SimpleNamespace(waiting=0, unfinished=0)
    assert empty.work_wanted(nothing_at_hand) == []


# Through real Mephisto


class ListeningPage(PageClient):
    """Keeps every packet that the router sends to it."""

    def __init__(self, *arguments: Any, heard: list[Any]) -> None:
        super().__init__(*arguments)
        self._heard = heard

    def _receive(self, packet: Any) -> None:
        self._heard.append(packet)
        super()._receive(packet)


async def one_hit(url: str, worker: str, heard: list[Any]) -> bool:
    """Take a HIT if there is one, answer everything with a word that nobody wrote, submit."""

    async def keep(response: httpx.Response) -> None:
        heard.append(json.loads(await response.aread()))

    async with httpx.AsyncClient(trust_env=False, event_hooks={"response": [keep]}) as http:
        try:
            async with ListeningPage(url, http, worker, "a", heard=heard) as page:
                heard.append(await page.task_config())
                for item in page.init_data["items"]:
                    await page.call("state", {})
                    call = {"item_id": item["id"], "vote_key": "k", "vote": {"answer": span("crowns")}}
                    await page.call("vote", call)
                    with pytest.raises(CallFailed):
                        await page.call(
                            "vote", {**call, "vote_key": "other", "vote": {"answer": {"text": "x", "start": 0}}}
                        )
                await page.submit({"feedback": ""})
        except Refused:
            return False
    return True


def keys(value: Any) -> set[str]:
    """Every key at any depth, inside texts that are JSON too."""
    if isinstance(value, dict):
        return set(value) | {key for each in value.values() for key in keys(each)}
    if isinstance(value, list):
        return {key for each in value for key in keys(each)}
    if isinstance(value, str) and value.startswith("{"):
        return keys(json.loads(value))
    return set()


def test_no_packet_tells_a_page_what_decides_or_who_wrote_it(tmp_path: Path, store: Store) -> None:
    campaign = new_campaign(store)
    made = write(store, answers=ANSWERS[:4])
    desk = new_desk(store, campaign, works_per_hit=2, gold_per_hit=1)
    heard: list[Any] = []

    async def work(url: str) -> None:
        for number in range(200):
            if desk.complete():
                return
            if not await one_hit(url, f"v{number % 12}", heard):
                await asyncio.sleep(0.2)

    with validating(tmp_path, desk) as stage:
        asyncio.run(asyncio.wait_for(work(stage.url), 3 * PATIENCE_SECONDS))
        wait_until(lambda: len(store.assignments.confirmed("pilot", Stage.VALIDATION)) >= 6, "every HIT is submitted")
    kill_router(tmp_path)
    assert all(len(each.votes) == 3 for each in results(adjudicated(store, campaign.id, RULINGS), RULINGS).values())
    assert len(heard) > 50
    inside = keys(heard)
    assert inside >= KNOWN_TO_PAGES["item"] | KNOWN_TO_PAGES["context"] | KNOWN_TO_PAGES["hit"]
    allowed = set().union(*KNOWN_TO_PAGES.values()) | {
        *("packet_type", "subject_id", "data", "client_timestamp", "router_outgoing_timestamp", "status", "operator"),
        *("router_incoming_timestamp", "server_timestamp", "request_id"),
        *(
            "worker_id",
            "agent_id",
            "agent_secret",
            "init_task_data",
            "failure_reason",
            "failure_said",
            "failure_code",
            "run",
            "hit",
            "contexts",
            "items",
        ),
        *(
            "handles",
            "response",
            "update_id",
            "ok",
            "error",
            "code",
            "field",
            "message",
            "said",
            "key",
            "answer",
            "text",
            "start",
            "revealed",
        ),
    }
    items = {item.item.id for item in store.validations.snapshot("pilot").placed}
    assert inside - allowed - items == set()
    said = json.dumps(heard)
    # Only the validator's own answer is ever sent as an answer, whatever the writer marked and the key of the gold is.
    for answer in ANSWERS[:4]:
        assert f'\\"text\\": \\"{answer}\\"' not in said
        assert f'"text": "{answer}"' not in said
    assert '\\"text\\": \\"crowns\\"' in said
    for secret in (*made, MODEL_ANSWER, '"writer-secret', "fooled", "bidaf", "fake"):
        assert secret not in said


def test_a_page_that_leaves_frees_its_questions_for_others(tmp_path: Path, store: Store) -> None:
    campaign = new_campaign(store)
    write(store)
    desk = new_desk(store, campaign)

    async def take_and_vanish(url: str) -> None:
        async with httpx.AsyncClient(trust_env=False) as http:
            while True:
                try:
                    async with PageClient(url, http, "v1", "a") as page:
                        await page.call("state", {})
                        return
                except Refused:
                    await asyncio.sleep(0.1)

    with validating(tmp_path, desk, absence_seconds=0.3) as stage:
        asyncio.run(asyncio.wait_for(take_and_vanish(stage.url), PATIENCE_SECONDS))
        wait_until(
            lambda: not any(each.held for each in store.validations.snapshot("pilot").placed), "it is free again"
        )
        assert [set(need.holders) for need in desk.needs()] == [set()]
        assert desk.has_work("v1")
    kill_router(tmp_path)


def test_a_run_that_is_taken_up_again_goes_on_feeding(tmp_path: Path, store: Store) -> None:
    campaign = new_campaign(store)
    desk = new_desk(store, campaign, works_per_hit=1)
    with validating(tmp_path, desk):
        pass
    write(store)
    heard: list[Any] = []

    async def work(url: str) -> None:
        for number in range(100):
            if desk.complete():
                return
            if not await one_hit(url, f"v{number % 4}", heard):
                await asyncio.sleep(0.1)

    with validating(tmp_path, desk) as stage:
        asyncio.run(asyncio.wait_for(work(stage.url), 2 * PATIENCE_SECONDS))
        wait_until(
            lambda: len(store.assignments.confirmed("pilot", Stage.VALIDATION)) == 3, "three validators are done"
        )
    kill_router(tmp_path)
