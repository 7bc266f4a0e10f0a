"""Gold is refused as a repeat is: no writer can collect what validators are measured on."""

from __future__ import annotations

from typing import Any

import pytest

from beat_the_ai.errors import InvalidInput
from beat_the_ai.kinds.reading_comprehension.answerability import Answerability
from beat_the_ai.kinds.reading_comprehension.writing import Prediction, Query, ReadingComprehension, Work
from beat_the_ai.rules.protocol import Context, Json, TaskItem
from beat_the_ai.store import Campaign, Store, now
from beat_the_ai.terms.writing import Terms
from beat_the_ai.writing import HintDesk, WritingDesk
from tests.writing.fakes import FakeModel, payload

RULES = ReadingComprehension()
GOLD, CUT, PLAIN = "When did Rome fall?", "Which number of the year is odd?", "Who was the last emperor?"
TEXT = "Rome fell in 476. The last emperor was Romulus Augustulus of old."


def known(question: str, text: str, **more: Any) -> dict[str, Any]:
    return {"question": question, "answer": {"text": text, "start": TEXT.index(text)}, **more}


PASSAGE = Context(
    "rome/0",
    TEXT,
    "Rome",
    {"questions": [known(GOLD, "476"), known(CUT, "47", gold=True), known(PLAIN, "Romulus", gold=False)]},
)


@pytest.fixture
def model() -> FakeModel:
    return FakeModel()


def take_hit(store: Store) -> str:
    store.campaigns.create(Campaign("pilot", "reading_comprehension", 7, "k" * 64, {}, now()))
    [hit] = store.campaigns.offer("pilot", [PASSAGE], round_number=1, slots=1)
    return store.attempts.accept(hit, "w1", "r1", now())[0].id


def refused(desk: WritingDesk, assignment: str, question: str, key: str = "k1") -> None:
    with pytest.raises(InvalidInput) as caught:
        desk.submit(assignment, key, PASSAGE.id, payload(question))
    assert (caught.value.field, str(caught.value)) == RULES.repeated


@pytest.mark.parametrize("each_alone", [False, True], ids=["campaign", "sample HIT"])
@pytest.mark.parametrize(
    "question",
    [GOLD, GOLD.upper(), "  When  did\u00a0Rome fall", "When did Ro\u200bme fall?", "\uff37hen did Rome fall?", CUT],
)
def test_a_gold_question_uses_no_try_and_asks_no_model(
    store: Store, model: FakeModel, question: str, each_alone: bool
) -> None:
    assignment = take_hit(store)
    desk = WritingDesk(store, RULES, model, Terms(1, 1, 2), each_alone=each_alone)
    refused(desk, assignment, question)
    assert (desk.state(assignment).attempts, desk.state(assignment).tries_left) == ((), 2)
    assert model.asked == []
    refused(desk, assignment, question)


def test_gold_with_another_answer_is_still_gold(store: Store, model: FakeModel) -> None:
    desk, assignment = WritingDesk(store, RULES, model, Terms()), take_hit(store)
    with pytest.raises(InvalidInput, match="asked about this passage already"):
        desk.submit(assignment, "k1", PASSAGE.id, payload(GOLD, text="Rome", start=0))


@pytest.mark.parametrize("question", [PLAIN, "Going by the text, when did Rome fall?"])
def test_a_question_that_is_no_gold_may_win(store: Store, model: FakeModel, question: str) -> None:
    desk, assignment = WritingDesk(store, RULES, model, Terms()), take_hit(store)
    made, state = desk.submit(assignment, "k1", PASSAGE.id, payload(question))
    assert (made.fooled, state.wins) == (True, 1)


def test_validators_are_measured_on_the_gold_that_can_be_answered() -> None:
    assert [work.question for work in RULES.gold(PASSAGE)] == [GOLD, CUT]
    assert Answerability().references(PASSAGE) == [known(GOLD, "476")]


class Drafts:
    """Hints on whole questions."""

    draft_type = Work

    def check(self, draft: Work, task_item: TaskItem) -> Work:
        return draft

    def query(self, draft: Work, task_item: TaskItem) -> Query:
        return RULES.query(draft, task_item)

    def shown(self, draft: Work, prediction: Prediction, task_item: TaskItem) -> Json:
        return {"answer": prediction.text}


def test_a_draft_that_is_gold_gets_no_hint(store: Store, model: FakeModel) -> None:
    hints, assignment = HintDesk(store, Drafts(), RULES, model, 5), take_hit(store)
    for question in (GOLD, GOLD.lower()):
        with pytest.raises(InvalidInput, match="asked about this passage already"):
            hints.hint(assignment, "e1", PASSAGE.id, payload(question), "pause")
    assert (model.asked, store.edits.of_assignment(assignment)) == ([], [])
    assert hints.hint(assignment, "e1", PASSAGE.id, payload("When did Rome"), "pause")
