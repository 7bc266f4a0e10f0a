"""What the model says of drafts: kept before it is asked and before it is shown, and no attempt."""

from __future__ import annotations

import json
from typing import Any, ClassVar

import pytest

from beat_the_ai.errors import AdversaryError, InvalidInput, Refused
from beat_the_ai.kinds.reading_comprehension.writing import Prediction, Query, ReadingComprehension
from beat_the_ai.rules.adversary import Asker, Reply
from beat_the_ai.rules.protocol import Json, TaskItem, Value
from beat_the_ai.store import Store, now
from beat_the_ai.store import edits as edits_of_store
from beat_the_ai.writing import HintDesk
from beat_the_ai.writing import hints as hints_of_writing
from tests.writing.fakes import PASSAGE, RIGHT, FakeModel, new_desk, payload, take_hit


class Draft(Value):
    question: str


class Answers:
    """The model's answer to a question that is being typed."""

    draft_type: ClassVar[type[Draft]] = Draft

    def check(self, draft: Draft, task_item: TaskItem) -> Draft:
        if not draft.question.strip():
            raise InvalidInput("draft", "There is nothing yet.")
        return draft

    def query(self, draft: Draft, task_item: TaskItem) -> Query:
        return Query(context=task_item.context.text, question=draft.question)

    def shown(self, draft: Draft, prediction: Prediction, task_item: TaskItem) -> Json:
        return {"question": draft.question, "answer": prediction.text, "title": task_item.context.title}


def desk_with(store: Store, model: Any) -> HintDesk:
    return HintDesk(store, Answers(), ReadingComprehension(), model, 25)


def hint(desk: HintDesk, assignment_id: str, question: str, key: str = "e1", **more: Any) -> Json:
    call = {"context_id": PASSAGE.id, "payload": {"question": question}, "cause": "pause", **more}
    return desk.hint(assignment_id, key, **call)


def test_a_hint_is_shown_kept_and_is_no_attempt(store: Store) -> None:
    assignment_id = take_hit(store)
    desk = desk_with(store, FakeModel(RIGHT))
    assert hint(desk, assignment_id, "When") == {"question": "When", "answer": RIGHT, "title": "Rome"}
    [edit] = store.edits.of_assignment(assignment_id)
    assert (edit.ordinal, edit.attempt, edit.cause, edit.draft) == (1, 1, "pause", {"question": "When"})
    assert edit.prediction is not None
    assert (edit.prediction["text"], edit.member, edit.model_hash) == (RIGHT, "m1", "a" * 64)
    state = new_desk(store).state(assignment_id)
    assert (state.attempts, state.tries_left) == ((), 25)


def test_hints_and_their_attempt_ask_the_same_member(store: Store) -> None:
    assignment_id, model = take_hit(store), FakeModel()
    hints, desk = desk_with(store, model), new_desk(store, model)
    hint(hints, assignment_id, "When did")
    desk.submit(assignment_id, "k1", PASSAGE.id, payload())
    hint(hints, assignment_id, "Who", key="e2")
    first, attempt, second = model.asked
    assert (first.key, first.requester) == (attempt.key, attempt.requester)
    assert second.key != first.key
    assert [edit.attempt for edit in store.edits.of_assignment(assignment_id)] == [1, 2]


def test_a_draft_is_durable_before_the_model_is_asked(store: Store) -> None:
    assignment_id = take_hit(store)

    class Looking:
        def ask(self, query: Value, *, key: str, asker: Asker, patient: bool = False) -> Reply:
            [edit] = store.edits.of_assignment(assignment_id)
            assert (edit.draft, edit.prediction) == ({"question": "When"}, None)
            raise AdversaryError("It is away.")

    with pytest.raises(AdversaryError, match="away"):
        hint(desk_with(store, Looking()), assignment_id, "When")
    assert hint(desk_with(store, FakeModel(RIGHT)), assignment_id, "When")["answer"] == RIGHT
    assert len(store.edits.of_assignment(assignment_id)) == 1


def test_the_same_key_again_shows_the_same_and_asks_nobody(store: Store) -> None:
    assignment_id, model = take_hit(store), FakeModel(RIGHT, "Rome")
    desk = desk_with(store, model)
    shown = hint(desk, assignment_id, "When")
    assert hint(desk, assignment_id, "Something else") == shown
    assert len(model.asked) == 1


@pytest.mark.parametrize(
    "wrong",
    [
        {"cause": "boredom"},
        {"context_id": "another"},
        {"payload": {"question": " "}},
        {"payload": {"question": 7}},
        {"payload": None},
        {"key": ""},
        {"key": "k" * 65},
    ],
    ids=str,
)
def test_what_is_not_as_it_should_be_is_refused_and_not_kept(store: Store, wrong: dict[str, Any]) -> None:
    assignment_id, model = take_hit(store), FakeModel()
    with pytest.raises(InvalidInput):
        hint(desk_with(store, model), assignment_id, "When", **wrong)
    assert (model.asked, store.edits.of_assignment(assignment_id)) == ([], [])


def test_a_hit_that_was_handed_in_gets_no_hints(store: Store) -> None:
    assignment_id, model = take_hit(store), FakeModel(RIGHT)
    desk = desk_with(store, model)
    shown = hint(desk, assignment_id, "When")
    new_desk(store).finish(assignment_id)
    assert hint(desk, assignment_id, "When") == shown
    with pytest.raises(Refused, match="submitted"):
        hint(desk, assignment_id, "Who", key="e2")


def test_nobody_fills_the_store_with_drafts(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(edits_of_store, "MAX_EDITS", 3)
    assignment_id = take_hit(store)
    desk = desk_with(store, FakeModel())
    for number in range(3):
        hint(desk, assignment_id, f"When {number}", key=f"e{number}")
    with pytest.raises(Refused, match="very often"):
        hint(desk, assignment_id, "When", key="e4")
    new_desk(store).submit(assignment_id, "k1", PASSAGE.id, payload())


def test_edits_are_replayed_in_order_with_what_was_shown_and_a_few_at_a_time(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hints_of_writing, "EDITS_A_CALL", 2)
    assignment_id, desk = take_hit(store), desk_with(store, FakeModel(RIGHT, "Rome"))
    shown = hint(desk, assignment_id, "When")
    store.edits.add(assignment_id, "e2", 1, "words", {"question": "When did"}, now())  # nobody answered
    hint(desk, assignment_id, "When did he", key="e3", cause="request")
    first = desk.edits(assignment_id, 0)
    assert [(edit["ordinal"], edit["cause"], edit["draft"]["question"]) for edit in first["edits"]] == [
        (1, "pause", "When"),
        (2, "words", "When did"),
    ]
    assert ([edit["hint"] for edit in first["edits"]], first["more"]) == ([shown, None], True)
    rest = desk.edits(assignment_id, 2)
    assert ([edit["hint"]["question"] for edit in rest["edits"]], rest["more"]) == (["When did he"], False)
    assert json.loads(json.dumps(rest)) == rest
    assert desk.edits(assignment_id, 3) == {"edits": [], "more": False}


@pytest.mark.parametrize("after", [None, "0", True, -1, 1.0, 10**30])
def test_edits_begin_at_a_number(store: Store, after: object) -> None:
    with pytest.raises(InvalidInput, match="0 for all"):
        desk_with(store, FakeModel()).edits(take_hit(store), after)
