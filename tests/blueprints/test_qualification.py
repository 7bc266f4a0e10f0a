"""What the blueprint of the screening hands out and lets pages call. The way through Mephisto: tests/simulation."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from beat_the_ai.errors import InvalidInput, Refused
from beat_the_ai.store import Store, now
from blueprints.qualification import QualificationBlueprint, qualification_state
from blueprints.qualification.blueprint import QualificationState
from tests.kinds.reading_comprehension.screening.quizzes import GOOD, new_screening_desk, small_quiz


@pytest.fixture
def state(store: Store, tmp_path: Path) -> QualificationState:
    return qualification_state(new_screening_desk(store, small_quiz(tmp_path)), lambda: 3, {"task_title": "Learn"})


def opened(state: QualificationState, worker: str = "w1", registration: str = "r1") -> Any:
    agent = SimpleNamespace(
        get_worker=lambda: SimpleNamespace(worker_name=f"{worker}_sandbox"),
        state=SimpleNamespace(page=None, accepted_at=now()),
    )
    agent.state.page = state.open_unit(agent, registration)
    return agent


def respond(state: QualificationState, agent: Any, to: str, **more: Any) -> Any:
    return state.procedures["respond"](agent, {"response_key": f"k {to}", "step": to, "work": GOOD[to], **more})


def test_a_page_starts_with_the_name_of_its_assignment_alone(state: QualificationState) -> None:
    assert set(opened(state).state.page) == {"hit"}
    assert opened(state).state.page == opened(state).state.page


def test_the_configuration_is_the_quizs_outline(state: QualificationState) -> None:
    config = state.task_config
    assert (config["page"], config["task_title"]) == ("qualification", "Learn")
    assert (config["steps"], config["min_attempts"]) == (["question", "answer", "pair"], 2)


def test_a_worker_who_took_it_gets_no_unit(state: QualificationState) -> None:
    units: list[Any] = [object(), object()]
    assert state.choose_units("w1", units) == units
    state.close_unit(opened(state), {"feedback": ""})
    with pytest.raises(Refused, match="taken this screening before"):
        state.choose_units("w1", units)
    assert state.choose_units("w2", units) == units


def test_the_way_of_a_newcomer(state: QualificationState, store: Store) -> None:
    agent = opened(state)
    for step in GOOD:
        reply = respond(state, agent, step)
        assert reply["response"]["right"]
    screening = state.procedures["state"](agent, {})["screening"]
    assert (screening["phase"], screening["hit"]["attempts"]) == ("sample", [])
    attempt = {"attempt_key": "a", "context_id": screening["sample"]["id"], "telemetry": {"pastes": 0}}
    work = {"question": "When was it over?", "answer": {"text": "476", "start": 13}}
    reply = state.procedures["submit_attempt"](agent, {**attempt, "work": work})
    made = reply["attempt"]["attempt_id"]
    assert state.procedures["flag"](agent, {"attempt_id": made, "reason": "other", "note": ""})["hit"]["wins"] == 1
    with pytest.raises(InvalidInput, match="No explanations are asked for"):
        state.procedures["explain"](agent, {"attempt_id": made, "explanation": {}})
    assert state.procedures["retract"](agent, {"attempt_id": made})["hit"]["wins"] == 0
    state.close_unit(agent, {})
    [done] = store.screenings.of_campaign("pilot")
    assert (done.worker, done.outcome) == ("w1", "incomplete")


@pytest.mark.parametrize("name", ["response_key", "step"])
@pytest.mark.parametrize("value", [None, 7, [], {}])
def test_arguments_that_are_no_text_are_named(state: QualificationState, name: str, value: object) -> None:
    with pytest.raises(InvalidInput, match=name):
        respond(state, opened(state), "q1", **{name: value})


def test_the_page_cannot_claim_to_be_right(state: QualificationState) -> None:
    with pytest.raises(InvalidInput, match="mistake"):
        respond(state, opened(state), "q1", work={**GOOD["q1"], "mistake": None})


@pytest.mark.parametrize("feedback", [None, 7, ["x"], "a" * 300_000, "\ud800", "fine"])
def test_no_feedback_keeps_a_screening_from_being_handed_in(state: QualificationState, feedback: object) -> None:
    agent = opened(state)
    for _ in range(2):
        state.close_unit(agent, {"feedback": feedback})
    assert state.taken() == 1


def test_a_page_that_was_left_behind_can_still_be_closed(state: QualificationState) -> None:
    """Mephisto tries to close a unit until it works."""
    left, going_on = opened(state), opened(state, registration="r2")
    state.close_unit(left, {})
    assert state.taken() == 0
    with pytest.raises(Refused, match="another task"):
        state.procedures["state"](left, {})
    state.close_unit(going_on, {})
    assert state.taken() == 1


@pytest.mark.parametrize(
    ("statuses", "taken", "missing"),
    [([], 0, 3), (["launched", "assigned"], 0, 1), (["completed", "launched"], 1, 1), (["expired"], 1, 2), ([], 4, 0)],
)
def test_places_that_are_neither_taken_nor_waiting_get_units(statuses: list[str], taken: int, missing: int) -> None:
    blueprint = QualificationBlueprint.__new__(QualificationBlueprint)
    blueprint._task_run = SimpleNamespace(get_units=lambda: [SimpleNamespace(db_status=status) for status in statuses])
    blueprint.shared_state = QualificationState(places=lambda: 3, taken=lambda: taken)
    assert len(blueprint.get_initialization_data()) == missing


def test_a_screening_without_places_cannot_be_launched() -> None:
    with pytest.raises(InvalidInput, match="at least one newcomer"):
        QualificationBlueprint.assert_task_args(None, QualificationState())
