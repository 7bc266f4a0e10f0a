"""Writers in arms: whom they meet, what they see and what ends their HIT is as their arm has it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from beat_the_ai.errors import InvalidInput, Refused
from beat_the_ai.kinds.reading_comprehension.writing import Prediction, ReadingComprehension
from beat_the_ai.rules.adversary import Asker, Reply
from beat_the_ai.rules.protocol import Context, TaskItem, Value
from beat_the_ai.store import ArmBlocks, Round, Store, now
from beat_the_ai.terms.writing import Terms
from beat_the_ai.writing import DeskArms, HintDesk, WriterTerms, WritingDesk, page_attempt, page_standing, page_state
from tests.writing.fakes import HASH, PASSAGE, RIGHT, WRONG, CentsPerWin, offer_hits, payload, payload_of

BLOCKS = ArmBlocks(("human", "model"), seed=4)


class Members:
    """Answers as the member that an asker may meet, and remembers who asked."""

    def __init__(self, answers: Mapping[str, str] | None = None) -> None:
        self.askers: list[Asker] = []
        self._answers = answers or {}

    def ask(self, query: Value, *, key: str, asker: Asker, patient: bool = False) -> Reply:
        self.askers.append(asker)
        text = self._answers.get(getattr(query, "question", ""), WRONG)
        return Reply(Prediction(text=text, start=0, score=0.9), "m1", "fake", HASH, "fp32")


def arms(**human: Any) -> DeskArms:
    unseen = Terms(wins_wanted=1, max_wins=2, max_tries=5, shows_model=False, **human)
    return DeskArms(
        BLOCKS,
        {
            "human": WriterTerms(unseen, CentsPerWin(0, ("w0", "w1"))),
            "model": WriterTerms(Terms(max_tries=9), CentsPerWin(15), ("small",)),
        },
    )


def taken(store: Store, model: Members | None = None) -> tuple[WritingDesk, dict[str, str]]:
    """A desk, and the assignment of one writer in each arm."""
    hits = offer_hits(store, slots=2)
    store.rounds.open(Round("pilot", 1, {}, now()))
    desk = WritingDesk(store, ReadingComprehension(), model or Members(), Terms(), arms=arms())
    made = [desk.accept(hit, f"w{number}", f"r{number}")[0] for number, hit in enumerate(hits)]
    return desk, {str(each.arm): each.id for each in made}


def test_each_arm_has_its_own_tries_outlook_and_members(store: Store) -> None:
    model = Members()
    desk, of = taken(store, model)
    for arm in ("human", "model"):
        desk.submit(of[arm], arm, PASSAGE.id, payload_of(arm))
    assert [(each.tries, each.members) for each in model.askers] == [(5, ()), (9, ("small",))]
    assert [desk.state(of[arm]).tries_left for arm in ("human", "model")] == [1, 8]
    assert [desk.state(of[arm]).prospect.cents for arm in ("human", "model")] == [0, 15]


def test_a_writer_without_the_model_learns_no_answer_and_no_verdict(store: Store) -> None:
    desk, of = taken(store, Members({"When did Rome fall to lost?": RIGHT}))
    replies = [desk.submit(of["human"], key, PASSAGE.id, payload_of(key)) for key in ("won", "lost")]
    assert [attempt.fooled for attempt, _ in replies] == [True, False]  # it is known, and kept
    (won, state), (lost, _) = replies
    shown = [page_attempt(each, shows_model=state.shows_model) for each in (won, lost)]
    assert [(each["fooled"], each["prediction"], each["scores"]) for each in shown] == [(None, {}, {})] * 2
    assert page_state(desk.state(of["human"]))["attempts"] == shown
    told = [json.dumps({**each, "attempt_id": "", "created_at": "", "work": ""}) for each in shown]
    assert told[0] == told[1]
    assert WRONG not in json.dumps(page_state(desk.state(of["human"])))
    standings = []
    for one in (won, lost):
        desk.retract(of["human"], one.id)
        standings.append({**page_standing(desk.state(of["human"])), "seconds_left": 0})
    assert [each["wins"] for each in standings] == [1, 0]  # one less each time, whichever had won


def test_without_the_model_a_hit_asks_for_so_many_works_whatever_their_verdicts(store: Store) -> None:
    desk, of = taken(store, Members({"When did Rome fall to one?": RIGHT}))
    _, state = desk.submit(of["human"], "one", PASSAGE.id, payload_of("one"))
    assert (state.wins, state.complete) == (1, False)
    _, state = desk.submit(of["human"], "two", PASSAGE.id, payload_of("two"))
    assert (state.wins, state.complete) == (2, True)
    with pytest.raises(Refused, match="You have all 2 wins"):
        desk.submit(of["human"], "three", PASSAGE.id, payload_of("three"))
    for taken_back in range(3):
        assert desk.retract(of["human"], state.attempts[taken_back].id).tries_left == 1
        _, state = desk.submit(of["human"], f"again-{taken_back}", PASSAGE.id, payload_of(f"again-{taken_back}"))
    desk.retract(of["human"], state.attempts[-1].id)
    with pytest.raises(Refused, match="You have used all 5 tries"):
        desk.submit(of["human"], "six", PASSAGE.id, payload_of("six"))


def test_a_repeated_call_and_another_process_show_no_more(store: Store) -> None:
    desk, of = taken(store)
    first, _ = desk.submit(of["human"], "k", PASSAGE.id, payload())
    other = WritingDesk(store, ReadingComprehension(), Members(), Terms(), arms=arms())
    again, state = other.submit(of["human"], "k", PASSAGE.id, payload())
    assert again == first
    assert not state.shows_model


def test_nothing_is_explained_of_a_win_that_its_writer_cannot_know(store: Store) -> None:
    desk, of = taken(store)
    attempt, state = desk.submit(of["human"], "k", PASSAGE.id, payload())
    assert state.explanations_missing == 0
    with pytest.raises(InvalidInput, match="No explanations are asked for"):
        desk.explain(of["human"], attempt.id, {"why": "it is so"})


class Drafts:
    """Hints of which everybody sees the model's answer."""

    draft_type = ReadingComprehension.work_type

    def check(self, draft: Any, task_item: TaskItem) -> Value:
        return ReadingComprehension().check(draft, task_item)

    def query(self, draft: Any, task_item: TaskItem) -> Value:
        return ReadingComprehension().query(draft, task_item)

    def shown(self, draft: Any, prediction: Any, task_item: TaskItem) -> Mapping[str, Any]:
        return {"text": prediction.text}


def test_hints_are_of_the_arms_members_and_for_nobody_without_the_model(store: Store) -> None:
    model = Members()
    desk, of = taken(store, model)
    hints = HintDesk(store, Drafts(), desk.writing, model, 25, arms())
    assert hints.hint(of["model"], "e1", PASSAGE.id, payload(), "pause") == {"text": WRONG}
    assert [(each.tries, each.members) for each in model.askers] == [(9, ("small",))]
    with pytest.raises(Refused, match="There are no hints in this task"):
        hints.hint(of["human"], "e1", PASSAGE.id, payload(), "pause")
    assert len(model.askers) == 1
    assert store.edits.of_assignment(of["human"], after=0, most=9) == []


def test_a_desk_that_is_started_again_goes_on_with_the_arms_that_were_drawn(store: Store) -> None:
    _, of = taken(store)
    more = Context("rome/1", PASSAGE.text, PASSAGE.title, PASSAGE.private)
    [hit] = store.campaigns.offer("pilot", [more], round_number=1, slots=1)
    again = WritingDesk(store, ReadingComprehension(), Members(), Terms(), arms=arms())
    writer = store.assignments.get(of["human"]).worker
    taken_again, _ = again.accept(hit, writer, "r9")
    assert taken_again.arm == "human"
    assert again.terms_of(taken_again).terms.shows_model is False
