"""What the blueprint hands out and lets pages call; the way through Mephisto is in tests/mephisto/test_operator.py."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from beat_the_ai.errors import InvalidInput
from beat_the_ai.kinds.nli.labels import Prediction, Probabilities
from beat_the_ai.mephisto.procedures import worker_id
from beat_the_ai.rules.adversary import Asker, Reply
from beat_the_ai.rules.protocol import Value
from beat_the_ai.rules.registry import bind
from beat_the_ai.store import Campaign, Store, now
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.terms.writing import Terms
from beat_the_ai.writing import OpenHits, WritingDesk
from blueprints.writing import WritingBlueprint, writing_state
from blueprints.writing.blueprint import WritingState
from tests.mephisto.rig import QUESTIONS, contexts
from tests.writing.fakes import new_desk, offer_hits


@pytest.fixture
def state(store: Store) -> WritingState:
    offer_hits(store)
    hits = store.campaigns.offer("pilot", contexts(2), round_number=1, slots=2)
    return writing_state(new_desk(store), OpenHits(BoundCampaign.open(store, "pilot"), hits), {"wins_wanted": 3})


def unit_of(hit: str) -> Any:
    data = SimpleNamespace(shared={"hit": hit})
    return SimpleNamespace(
        db_id=f"unit of {hit}",
        db_status="launched",
        get_assignment=lambda: SimpleNamespace(get_assignment_data=lambda: data),
    )


def agent_on(hit: str, worker: str = "w1") -> Any:
    return SimpleNamespace(
        get_unit=lambda: unit_of(hit),
        get_worker=lambda: SimpleNamespace(worker_name=f"{worker}_sandbox"),
        state=SimpleNamespace(page=None, accepted_at=now()),
    )


def opened(state: WritingState, hit: str, worker: str = "w1", registration: str = "r1") -> Any:
    agent = agent_on(hit, worker)
    agent.state.page = state.open_unit(agent, registration)
    return agent


def attempt(page: Mapping[str, Any], **more: object) -> dict[str, Any]:
    return {"attempt_key": "k", "context_id": page["context"]["id"], "work": QUESTIONS[0], **more}


def test_a_page_gets_the_passage_and_nothing_private(state: WritingState) -> None:
    hit = next(iter(state.hits()))
    page = opened(state, hit).state.page
    assert set(page) == {"hit", "context", "brief", "arm"}
    assert page["brief"] == {}
    assert set(page["context"]) == {"id", "title", "text"}


def test_opening_a_unit_twice_is_opening_it_once(state: WritingState) -> None:
    hit = next(iter(state.hits()))
    assert opened(state, hit).state.page == opened(state, hit).state.page


def test_a_worker_is_offered_no_passage_a_second_time(state: WritingState) -> None:
    hits = list(state.hits())
    units = [unit_of(hit) for hit in hits]
    opened(state, hits[0])
    left = list(state.choose_units("w1", units))
    assert [state.hits()[unit.db_id.removeprefix("unit of ")] for unit in left] == ["rome/1", "rome/1"]
    assert list(state.choose_units("w2", units)) == units


def test_units_of_hits_that_the_store_does_not_know_are_given_to_nobody(state: WritingState) -> None:
    """As where a store was put back to an earlier day: workers get the others."""
    unknown, known = unit_of("of another day"), unit_of(next(iter(state.hits())))
    assert list(state.choose_units("w1", [unknown, known])) == [known]


def test_hits_that_have_a_unit_or_were_submitted_get_no_unit(state: WritingState) -> None:
    hits = list(state.hits())
    agent = opened(state, hits[1])
    state.procedures["submit_attempt"](agent, attempt(agent.state.page))
    state.close_unit(agent, {"feedback": ""})
    task_run = SimpleNamespace(get_units=lambda: [unit_of(hits[0])])
    blueprint = WritingBlueprint.__new__(WritingBlueprint)
    blueprint._task_run, blueprint.shared_state = task_run, state
    assert [data.shared["hit"] for data in blueprint.get_initialization_data()] == hits[2:]


class UnitsThatFinish:
    """One for each HIT; that of the first is handed in, and finished, once they were looked at so many times."""

    waiting = 0

    def __init__(self, state: WritingState, looks: int) -> None:
        self._state = state
        self._hits = list(state.hits())
        self._agent = opened(state, self._hits[0])
        state.procedures["submit_attempt"](self._agent, attempt(self._agent.state.page))
        self._looks = looks

    @property
    def unfinished(self) -> int:
        return len(self.hits())

    def hits(self) -> set[str]:
        self._looks -= 1
        if self._looks == 0:
            self._state.close_unit(self._agent, {})
        return set(self._hits) if self._looks > 0 else set(self._hits[1:])


@pytest.mark.parametrize("looks", [1, 2, 3, 4])
def test_a_hit_that_is_handed_in_meanwhile_is_not_offered_again(state: WritingState, looks: int) -> None:
    assert state.work_wanted is not None
    units = UnitsThatFinish(state, looks)
    assert [state.work_wanted(units) for _ in range(3)] == [[], [], []]


def test_a_hit_whose_unit_is_gone_is_offered_again(state: WritingState) -> None:
    assert state.work_wanted is not None
    first, *others = state.hits()
    at_hand: Any = SimpleNamespace(unfinished=len(others), hits=lambda: set(others))
    assert state.work_wanted(at_hand) == [{"hit": first}]


def test_a_campaign_without_hits_cannot_be_launched() -> None:
    with pytest.raises(InvalidInput, match="no HIT to launch"):
        WritingBlueprint.assert_task_args(None, WritingState())


def test_an_attempt_goes_to_the_desk_and_its_verdict_comes_back(state: WritingState) -> None:
    agent = opened(state, next(iter(state.hits())))
    reply = state.procedures["submit_attempt"](agent, attempt(agent.state.page))
    assert (reply["attempt"]["fooled"], reply["hit"]["wins"]) == (True, 1)
    again = state.procedures["submit_attempt"](agent, attempt(agent.state.page))
    assert again["attempt"]["attempt_id"] == reply["attempt"]["attempt_id"]
    assert (again["hit"]["wins"], again["hit"]["tries_left"]) == (1, reply["hit"]["tries_left"])


@pytest.mark.parametrize("name", ["attempt_key", "context_id"])
@pytest.mark.parametrize("value", [None, 7, [], {}])
def test_arguments_that_are_no_text_are_named(state: WritingState, name: str, value: object) -> None:
    agent = opened(state, next(iter(state.hits())))
    with pytest.raises(InvalidInput, match=name):
        state.procedures["submit_attempt"](agent, attempt(agent.state.page, **{name: value}))


def test_the_page_cannot_claim_a_verdict(state: WritingState) -> None:
    agent = opened(state, next(iter(state.hits())))
    with pytest.raises(InvalidInput, match="fooled"):
        state.procedures["submit_attempt"](agent, attempt(agent.state.page, work={**QUESTIONS[0], "fooled": True}))


def test_one_worker_cannot_touch_the_questions_of_another(state: WritingState) -> None:
    hits = list(state.hits())
    mine, theirs = opened(state, hits[0]), opened(state, hits[1], worker="w2", registration="r2")
    made = state.procedures["submit_attempt"](theirs, attempt(theirs.state.page))["attempt"]
    marks: Sequence[tuple[str, dict[str, object]]] = (
        ("retract", {}),
        ("flag", {"reason": "other", "note": "x"}),
        ("explain", {"explanation": {}}),
    )
    for name, more in marks:
        with pytest.raises(InvalidInput, match="no such attempt"):
            state.procedures[name](mine, {"attempt_id": made["attempt_id"], **more})


def test_a_writer_of_pairs_explains_what_beat_the_model(store: Store) -> None:
    pairs = WritingDesk(store, bind("nli").writing, _Neutral(), Terms(1, 1, 5))
    store.campaigns.create(Campaign("pairs", "nli", 7, "k" * 64, {}, now()))
    target = {"target": "entailment"}
    hits = store.campaigns.offer("pairs", contexts(1), round_number=1, slots=1, brief=lambda *_: target)
    state = writing_state(pairs, OpenHits(BoundCampaign.open(store, "pairs"), hits), {})
    agent = opened(state, next(iter(hits)))
    assert agent.state.page["brief"] == {**target, "wording": "definitely correct"}
    reply = state.procedures["submit_attempt"](agent, attempt(agent.state.page, work={"hypothesis": "It is so."}))
    assert (reply["attempt"]["fooled"], reply["hit"]["explanations_missing"]) == (True, 1)
    explanation = {"label_reason": "It says so.", "model_reason": "It does not read."}
    arguments = {"attempt_id": reply["attempt"]["attempt_id"], "explanation": explanation}
    for _ in range(2):
        shown = state.procedures["explain"](agent, arguments)["hit"]
        assert (shown["attempts"][0]["explanation"], shown["explanations_missing"]) == (explanation, 0)
    with pytest.raises(InvalidInput, match="attempt_id"):
        state.procedures["explain"](agent, {"attempt_id": 7, "explanation": explanation})


class _Neutral:
    """A model that finds everything neutral."""

    def ask(self, query: Value, *, key: str, asker: Asker, patient: bool = False) -> Reply:
        del query, key, asker
        probabilities = Probabilities(entailment=0.2, neutral=0.7, contradiction=0.1)
        return Reply(Prediction(label="neutral", probabilities=probabilities), "m", "neutral", "a" * 64, "fp32")


@pytest.mark.parametrize("feedback", [None, 7, ["x"], "a" * 300_000, "\ud800", "fine"])
def test_no_feedback_keeps_a_hit_from_being_submitted(state: WritingState, store: Store, feedback: object) -> None:
    agent = opened(state, next(iter(state.hits())))
    state.procedures["submit_attempt"](agent, attempt(agent.state.page))
    for _ in range(2):
        state.close_unit(agent, {"feedback": feedback})
    assert store.attempts.done_hits("pilot") == {next(iter(state.hits()))}


@pytest.mark.parametrize(("name", "expected"), [("A1B2", "A1B2"), ("w1_sandbox", "w1")])
def test_a_worker_has_the_crowds_own_name(name: str, expected: str) -> None:
    assert worker_id(SimpleNamespace(worker_name=name)) == expected
