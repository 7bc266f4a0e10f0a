"""What a writer explains of an attempt that beat the model: durable before it is acknowledged, and asked for before the
hand-in, in a kind of task that asks for it.
"""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from beat_the_ai.errors import InvalidInput, Refused, UnknownName
from beat_the_ai.rules.adversary import Asker, Reply
from beat_the_ai.rules.protocol import Context, Value
from beat_the_ai.rules.registry import bind
from beat_the_ai.store import Attempt, Campaign, Store, now, open_store
from beat_the_ai.terms.writing import Terms
from beat_the_ai.writing import WritingDesk, page_attempt, page_standing
from tests.writing.fakes import new_desk, take_hit
from tests.writing.test_session import submit as submit_question

PLACE = f"{Path(__file__).parents[1] / 'kinds' / 'labels.py'}:kind"
KIND = bind(PLACE)
PREMISE = Context("p", "The mill \U0001d11e turns.")
WHY = {"why": "Nobody would think of it."}


class Says:
    """A model that finds all hypotheses but those that begin with "Beaten" to be what they were to be."""

    def ask(self, query: Value, *, key: str, asker: Asker, patient: bool = False) -> Reply:
        del key, asker
        beaten = query.model_dump()["hypothesis"].startswith("Beaten")
        prediction = KIND.writing.prediction_type(label="neutral" if beaten else "entailment", sure=0.5)
        return Reply(prediction, "m", "says", "a" * 64, "fp32")


@pytest.fixture
def desk(store: Store) -> WritingDesk:
    return WritingDesk(store, KIND.writing, Says(), Terms(2, 2, 5, time_limit_seconds=3600))


@pytest.fixture
def assignment_id(store: Store) -> str:
    return taken(store)


def taken(store: Store, worker: str = "w1", minutes_ago: int = 0) -> str:
    store.campaigns.create(Campaign("labels", PLACE, 3, "k" * 64, {}, now()))
    target = {"target": "entailment"}
    [hit] = store.campaigns.offer("labels", [PREMISE], round_number=1, slots=1, brief=lambda *_: target)
    at = now() - timedelta(minutes=minutes_ago)
    return store.attempts.accept(hit, worker, f"r-{worker}", at)[0].id


def submit(desk: WritingDesk, assignment_id: str, hypothesis: str) -> Attempt:
    attempt, _ = desk.submit(assignment_id, hypothesis, "p", {"hypothesis": hypothesis})
    return attempt


def test_it_is_in_the_store_when_it_is_acknowledged(
    store: Store, desk: WritingDesk, assignment_id: str, tmp_path: Path
) -> None:
    won = submit(desk, assignment_id, "Beaten.")
    state = desk.explain(assignment_id, won.id, {"why": "  It cannot\n count \U0001d11e. "})
    reopened = open_store(f"{tmp_path}/store.db")
    [stored] = reopened.attempts.of_assignment(assignment_id)
    reopened.close()
    assert stored.explanation == {"why": "It cannot count \U0001d11e."}
    assert state.attempts == (stored,)
    assert page_attempt(stored)["explanation"] == stored.explanation


def test_the_page_knows_how_many_are_missing(store: Store, desk: WritingDesk, assignment_id: str) -> None:
    def missing() -> object:
        return page_standing(desk.state(assignment_id))["explanations_missing"]

    submit(desk, assignment_id, "Right.")
    assert missing() == 0
    first, second = (submit(desk, assignment_id, f"Beaten {number}.") for number in range(2))
    assert missing() == 2
    desk.explain(assignment_id, first.id, WHY)
    assert missing() == 1
    desk.retract(assignment_id, second.id)
    assert missing() == 0


def test_nothing_is_missing_once_the_time_is_over(store: Store, desk: WritingDesk) -> None:
    assignment_id = taken(store, minutes_ago=59)
    won = submit(desk, assignment_id, "Beaten.")
    assert desk.state(assignment_id).explanations_missing == 1
    late = WritingDesk(store, KIND.writing, Says(), Terms(2, 2, 5, time_limit_seconds=1800))
    assert late.state(assignment_id).explanations_missing == 0
    assert late.explain(assignment_id, won.id, WHY).attempts[0].explanation == WHY


def test_the_same_again_changes_nothing_even_after_the_hand_in(desk: WritingDesk, assignment_id: str) -> None:
    won = submit(desk, assignment_id, "Beaten.")
    first = desk.explain(assignment_id, won.id, WHY)
    assert desk.explain(assignment_id, won.id, WHY).attempts == first.attempts
    desk.finish(assignment_id)
    assert desk.explain(assignment_id, won.id, WHY).attempts == first.attempts
    with pytest.raises(Refused, match="submitted already"):
        desk.explain(assignment_id, won.id, {"why": "Something else."})
    assert desk.state(assignment_id).attempts == first.attempts


def test_before_the_hand_in_a_later_one_replaces_it(desk: WritingDesk, assignment_id: str) -> None:
    won = submit(desk, assignment_id, "Beaten.")
    desk.explain(assignment_id, won.id, WHY)
    [attempt] = desk.explain(assignment_id, won.id, {"why": "Something else."}).attempts
    assert attempt.explanation == {"why": "Something else."}


@pytest.mark.parametrize(
    ("payload", "field"),
    [
        ({}, "why"),
        ({"why": " "}, "why"),
        ({"why": 7}, "why"),
        ({"why": "x" * 1001}, "why"),
        ({"why": "a\u202eb"}, "why"),
        ({"why": "<script>alert(1)</script>"}, "why"),
        ({"why": "x", "fooled": True}, "fooled"),
        (None, "payload"),
    ],
)
def test_what_is_none_is_refused_and_nothing_is_kept(
    desk: WritingDesk, assignment_id: str, payload: object, field: str
) -> None:
    won = submit(desk, assignment_id, "Beaten.")
    with pytest.raises(InvalidInput) as caught:
        desk.explain(assignment_id, won.id, payload)
    assert caught.value.field == field
    assert desk.state(assignment_id).attempts == (won,)


def test_only_ones_own_attempts_that_beat_the_model_are_explained(
    store: Store, desk: WritingDesk, assignment_id: str
) -> None:
    right = submit(desk, assignment_id, "Right.")
    foreign = submit(desk, taken(store, "w2"), "Beaten by another.")
    with pytest.raises(InvalidInput, match="did not mistake this"):
        desk.explain(assignment_id, right.id, WHY)
    for attempt_id in (foreign.id, "nothing"):
        with pytest.raises(InvalidInput, match="no such attempt in this task"):
            desk.explain(assignment_id, attempt_id, WHY)
    with pytest.raises(UnknownName):
        desk.explain("nothing", right.id, WHY)


def test_a_kind_that_asks_for_none_refuses_them_and_misses_none(store: Store) -> None:
    assignment_id = take_hit(store)
    desk = new_desk(store)
    won = submit_question(desk, assignment_id)
    assert (won.fooled, desk.state(assignment_id).explanations_missing) == (True, 0)
    with pytest.raises(InvalidInput, match="No explanations are asked for"):
        desk.explain(assignment_id, won.id, WHY)
