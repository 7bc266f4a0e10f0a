"""What is doubted is no attempt until its writer appeals, and no win until a reviewer admits it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from beat_the_ai.errors import Doubtful, InvalidInput, UnknownName
from beat_the_ai.kinds.reading_comprehension.writing import ReadingComprehension, Work
from beat_the_ai.rules.protocol import Json, TaskItem
from beat_the_ai.store import AttemptResult, Store
from beat_the_ai.terms.bonuses import BonusRules
from beat_the_ai.terms.writing import Terms
from beat_the_ai.writing import WritingDesk, page_attempt
from tests.writing.fakes import PASSAGE, WRONG, FakeModel, payload, take_hit

WHY = "It says Rome."


class Suspicious:
    """Of questions that say Rome."""

    def __init__(self) -> None:
        self.remembered: list[Json] = []

    def about(self, work: Work, task_item: TaskItem) -> Sequence[str]:
        return [WHY] if "Rome" in work.question else []

    def remember(self, work: Json) -> None:
        self.remembered.append(work)


def desk_of(store: Store, model: FakeModel | None = None) -> tuple[WritingDesk, Suspicious]:
    doubts = Suspicious()
    return WritingDesk(store, ReadingComprehension(), model or FakeModel(), Terms(), doubts=doubts), doubts


def test_a_doubt_is_told_and_uses_no_try(store: Store) -> None:
    assignment_id, model = take_hit(store), FakeModel()
    desk, doubts = desk_of(store, model)
    with pytest.raises(Doubtful, match=WHY) as told:
        desk.submit(assignment_id, "k1", PASSAGE.id, payload())
    assert (told.value.code, told.value.field) == ("doubtful", "question")
    assert (model.asked, doubts.remembered, desk.state(assignment_id).attempts) == ([], [], ())


def test_with_an_appeal_it_is_judged_and_waits(store: Store) -> None:
    assignment_id = take_hit(store)
    desk, doubts = desk_of(store)
    attempt, state = desk.submit(assignment_id, "k1", PASSAGE.id, payload(), appeal=" It has to. ")
    assert (attempt.fooled, attempt.doubts, attempt.appeal, attempt.won) == (True, [WHY], "It has to.", False)
    assert (state.wins, doubts.remembered) == (1, [attempt.work])
    assert page_attempt(attempt)["doubts"] == [WHY]
    [stored] = store.attempts.of_assignment(assignment_id)
    assert stored == attempt


def test_what_nobody_doubts_needs_no_appeal_and_keeps_none(store: Store) -> None:
    desk, _ = desk_of(store)
    attempt, _ = desk.submit(take_hit(store), "k1", PASSAGE.id, payload("When did it fall?"), appeal="Why?")
    assert (attempt.doubts, attempt.appeal, attempt.won) == (None, None, True)


@pytest.mark.parametrize("appeal", ["", " ", "x" * 1001, "a\u202eb"])
def test_an_appeal_is_text(store: Store, appeal: str) -> None:
    desk, _ = desk_of(store)
    assignment_id = take_hit(store)
    with pytest.raises(InvalidInput):
        desk.submit(assignment_id, "k1", PASSAGE.id, payload(), appeal=appeal)
    assert desk.state(assignment_id).attempts == ()


@pytest.mark.parametrize(("admitted", "wins"), [(True, 1), (False, 0)])
def test_it_counts_once_it_is_admitted(store: Store, admitted: bool, wins: int) -> None:
    desk, _ = desk_of(store)
    assignment_id = take_hit(store)
    attempt, _ = desk.submit(assignment_id, "k1", PASSAGE.id, payload(), appeal="It has to.")
    desk.finish(assignment_id)

    def won() -> tuple[int, set[str], int]:
        attempts = store.attempts.of_assignment(assignment_id)
        results = [AttemptResult(each.id, each.ordinal, each.won, each.doubted, each.on_hold) for each in attempts]
        assert store.attempts.results([assignment_id]) == {assignment_id: results}
        cents = sum(bonus.cents for bonus in BonusRules(cents_per_win=7).earned(attempts, ()))
        return sum(each.won for each in attempts), store.attempts.contexts_with_a_win("pilot"), cents

    assert won() == (0, set(), 0)
    assert store.attempts.settle_doubts(attempt.id, admitted=admitted)
    assert not store.attempts.settle_doubts(attempt.id, admitted=admitted)
    assert won() == (wins, {PASSAGE.id} if wins else set(), 7 * wins)
    assert [row.attempt.id for row in store.attempts.doubtful("pilot")] == [attempt.id]


def test_only_what_is_doubted_is_settled(store: Store) -> None:
    desk, _ = desk_of(store)
    attempt, _ = desk.submit(take_hit(store), "k1", PASSAGE.id, payload("When did it fall?"))
    for name in (attempt.id, "nothing"):
        with pytest.raises(UnknownName):
            store.attempts.settle_doubts(name, admitted=True)


def test_the_model_is_asked_once_also_about_what_is_doubted(store: Store) -> None:
    assignment_id, model = take_hit(store), FakeModel(WRONG)
    desk, _ = desk_of(store, model)
    first, _ = desk.submit(assignment_id, "k1", PASSAGE.id, payload(), appeal="It has to.")
    again, _ = desk.submit(assignment_id, "k1", PASSAGE.id, payload())
    assert (again, len(model.asked)) == (first, 1)
