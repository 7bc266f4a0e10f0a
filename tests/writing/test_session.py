from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest

from beat_the_ai.errors import AdversaryBusy, AdversaryError, InvalidInput, Refused, UnknownName
from beat_the_ai.kinds.reading_comprehension.writing import Query, ReadingComprehension, Work
from beat_the_ai.rules.deadlines import ANSWER_GRACE
from beat_the_ai.rules.ids import short_hash
from beat_the_ai.store import Attempt, Store, now, open_store
from beat_the_ai.terms.prospect import Prospect
from beat_the_ai.writing import WritingDesk
from beat_the_ai.writing.session import FLAG_REASONS
from tests.store.builders import at_once
from tests.writing.fakes import (
    HASH,
    PASSAGE,
    RIGHT,
    WRONG,
    Asked,
    CentsPerWin,
    FakeModel,
    new_desk,
    offer_hits,
    payload,
    payload_of,
    take_hit,
)


def submit(desk: WritingDesk, assignment_id: str, key: str = "k1", **changes: Any) -> Attempt:
    return desk.submit(assignment_id, key, PASSAGE.id, {**payload_of(key), **changes})[0]


class TestVerdict:
    def test_a_wrong_model_is_beaten_and_a_right_one_is_not(self, store: Store) -> None:
        assignment_id = take_hit(store)
        desk = new_desk(store, FakeModel(WRONG, RIGHT))
        beaten, state = desk.submit(assignment_id, "k1", PASSAGE.id, payload())
        assert (beaten.fooled, beaten.scores["f1"], state.wins) == (True, 0.0, 1)
        lost, state = desk.submit(assignment_id, "k2", PASSAGE.id, payload_of("k2"))
        assert (lost.fooled, lost.scores["f1"], state.wins) == (False, 1.0, 1)
        assert state.attempts == (beaten, lost)

    def test_the_model_is_asked_once_with_what_the_server_knows(self, store: Store) -> None:
        assignment_id = take_hit(store, worker="w7")
        model = FakeModel()
        submit(new_desk(store, model), assignment_id, question="  When\ndid it fall? ")
        query = Query(context=PASSAGE.text, question="When did it fall?")
        assert model.asked == [Asked(query, short_hash(assignment_id, 1), short_hash("w7"))]

    def test_what_was_asked_answered_and_by_which_model_is_stored(self, store: Store) -> None:
        assignment_id = take_hit(store)
        before = now()
        made = submit(new_desk(store, FakeModel("Rome")), assignment_id)
        after = now()
        assert before <= made.created_at <= after
        assert made.answer_ms is not None
        assert 0 <= made.answer_ms <= 1 + 1000 * (after - before).total_seconds()
        assert made == Attempt(
            id=short_hash(assignment_id, 1),
            assignment_id=assignment_id,
            key="k1",
            ordinal=1,
            work=payload_of("k1"),
            prediction={"text": "Rome", "start": 0, "score": 0.5},
            fooled=True,
            scores={"f1": 0.0, "f1_threshold": 0.4},
            member="m1",
            model_name="fake",
            model_hash=HASH,
            model_precision="fp32",
            fingerprint=ReadingComprehension().fingerprint(Work.model_validate(payload_of("k1"))),
            created_at=made.created_at,
            answer_ms=made.answer_ms,
        )
        assert store.attempts.of_assignment(assignment_id) == [made]

    @pytest.mark.parametrize(
        "claim", [{"fooled": True}, {"f1": 0.0}, {"scores": {}}, {"prediction": {}}, {"ordinal": 1}]
    )
    def test_a_page_that_claims_anything_of_a_verdict_is_refused(self, store: Store, claim: dict[str, Any]) -> None:
        assignment_id = take_hit(store)
        model = FakeModel(RIGHT)
        with pytest.raises(InvalidInput) as caught:
            submit(new_desk(store, model), assignment_id, **claim)
        assert caught.value.field == next(iter(claim))
        assert model.asked == []
        assert store.attempts.of_assignment(assignment_id) == []


class TestDurability:
    def test_an_attempt_is_stored_when_its_verdict_is_given_and_not_before_the_model_answered(
        self, store: Store, tmp_path: Path
    ) -> None:
        assignment_id = take_hit(store)
        another = open_store(str(tmp_path / "store.db"))
        seen_while_asked: list[list[Attempt]] = []

        def answer() -> str:
            seen_while_asked.append(another.attempts.of_assignment(assignment_id))
            return WRONG

        made = submit(new_desk(store, FakeModel(answer)), assignment_id)
        assert seen_while_asked == [[]]
        assert another.attempts.of_assignment(assignment_id) == [made]
        another.close()

    def test_the_same_key_gives_the_stored_verdict_and_asks_nobody(self, store: Store) -> None:
        assignment_id = take_hit(store)
        model = FakeModel(WRONG, RIGHT)
        desk = new_desk(store, model)
        first = submit(desk, assignment_id)
        again, state = desk.submit(assignment_id, "k1", PASSAGE.id, payload())
        assert again == first
        assert len(model.asked) == len(state.attempts) == 1

    def test_the_same_key_gives_the_stored_verdict_whatever_comes_with_it(self, store: Store) -> None:
        assignment_id = take_hit(store)
        desk = new_desk(store, FakeModel(WRONG, RIGHT), max_tries=1, max_wins=1, wins_wanted=1)
        first = submit(desk, assignment_id)
        assert desk.submit(assignment_id, "k1", PASSAGE.id, payload("Another question?"))[0] == first
        desk.finish(assignment_id)
        assert desk.submit(assignment_id, "k1", "elsewhere", None)[0] == first

    def test_the_same_key_in_another_assignment_is_another_attempt(self, store: Store) -> None:
        desk = new_desk(store)
        one = take_hit(store)
        made = submit(desk, one)
        two = take_hit(store, "w2", "r2")
        assert submit(desk, two).id != made.id
        assert len(desk.state(one).attempts) == len(desk.state(two).attempts) == 1

    def test_whoever_lost_a_hit_to_somebody_else_is_told_so_and_uses_up_no_try(self, store: Store) -> None:
        model = FakeModel()
        desk = new_desk(store, model)
        one = take_hit(store)
        submit(desk, one)
        two = take_hit(store, "w2", "r2")
        for key in ("k2", "k3", "k4"):  # the desk learns of it when it stores the first
            with pytest.raises(Refused, match="Somebody else has got this task"):
                submit(desk, one, key)
        assert len(model.asked) == 2
        submit(desk, two)
        assert len(desk.state(one).attempts) == len(desk.state(two).attempts) == 1

    def test_an_operator_and_its_successor_that_get_the_same_key_at_once_make_one_attempt(self, store_url: str) -> None:
        """Both have asked the model before either stores; their models even disagree."""
        stores = [open_store(store_url), open_store(store_url)]
        assignment_id = take_hit(stores[0])
        desks: list[WritingDesk] = []

        def answer_after_the_other_asked(answer: str) -> Callable[[], str]:
            def wait() -> str:
                both_asked.wait(30)
                return answer

            return wait

        both_asked = Barrier(2)
        for opened, answer in zip(stores, (WRONG, RIGHT), strict=True):
            desks.append(new_desk(opened, FakeModel(answer_after_the_other_asked(answer))))
        made = at_once(2, lambda number: submit(desks[number], assignment_id))
        assert made[0] == made[1]
        for opened in stores:
            assert opened.attempts.of_assignment(assignment_id) == [made[0]]
            opened.close()

    def test_of_two_questions_at_once_one_is_told_to_wait_and_uses_no_try(self, store: Store) -> None:
        assignment_id = take_hit(store)
        desk = new_desk(store, FakeModel(lambda: (submit(desk, assignment_id, "inner"), WRONG)[1]), max_tries=6)
        with pytest.raises(Refused, match="Another attempt in this task is being checked"):
            submit(desk, assignment_id, "outer")
        assert [attempt.key for attempt in desk.state(assignment_id).attempts] == ["inner"]
        assert submit(desk, assignment_id, "outer").ordinal == 2

    def test_a_verdict_that_comes_after_the_hit_was_submitted_is_not_stored(self, store: Store) -> None:
        assignment_id = take_hit(store)
        desk = new_desk(store, FakeModel(lambda: (desk.finish(assignment_id), WRONG)[1]))
        with pytest.raises(Refused, match="submitted already"):
            submit(desk, assignment_id)
        assert desk.state(assignment_id).attempts == ()


class TestModelFailures:
    @pytest.mark.parametrize("error", [AdversaryError("no answer"), AdversaryBusy("queue is full", 3.5)])
    def test_a_model_that_fails_uses_no_try_and_the_same_key_may_be_sent_again(
        self, store: Store, error: AdversaryError
    ) -> None:
        assignment_id = take_hit(store)
        desk = new_desk(store, FakeModel(error, WRONG), max_tries=5)
        with pytest.raises(type(error)) as caught:
            submit(desk, assignment_id)
        assert caught.value is error
        assert (desk.state(assignment_id).tries_left, desk.state(assignment_id).attempts) == (5, ())
        assert submit(desk, assignment_id).fooled
        assert desk.state(assignment_id).tries_left == 4


class TestLimits:
    def test_every_attempt_uses_a_try_and_no_more_than_allowed_are_stored(self, store: Store) -> None:
        assignment_id = take_hit(store)
        model = FakeModel(RIGHT, RIGHT, RIGHT)
        desk = new_desk(store, model, wins_wanted=1, max_wins=2, max_tries=2)
        assert [(submit(desk, assignment_id, key).ordinal, desk.state(assignment_id).tries_left) for key in "ab"] == [
            (1, 1),
            (2, 0),
        ]
        assert desk.state(assignment_id).complete
        with pytest.raises(Refused, match="used all 2 tries"):
            submit(desk, assignment_id, "c")
        assert len(model.asked) == len(desk.state(assignment_id).attempts) == 2

    def test_no_more_wins_than_allowed(self, store: Store) -> None:
        assignment_id = take_hit(store)
        desk = new_desk(store, FakeModel(WRONG, RIGHT, WRONG), CentsPerWin(50), wins_wanted=1, max_wins=2)
        for key in "abc":
            submit(desk, assignment_id, key)
        assert (desk.state(assignment_id).wins, desk.state(assignment_id).prospect) == (2, Prospect(100))
        with pytest.raises(Refused, match="all 2 wins"):
            submit(desk, assignment_id, "d")

    def test_a_retracted_win_may_be_replaced_but_its_try_stays_used(self, store: Store) -> None:
        assignment_id = take_hit(store)
        desk = new_desk(store, None, CentsPerWin(50), wins_wanted=1, max_wins=1, max_tries=5)
        first = submit(desk, assignment_id)
        state = desk.retract(assignment_id, first.id)
        assert (state.wins, state.tries_left, state.prospect) == (0, 4, Prospect())
        submit(desk, assignment_id, "k2")
        assert (desk.state(assignment_id).wins, desk.state(assignment_id).tries_left) == (1, 3)

    def test_attempts_are_taken_until_shortly_after_the_time_limit(self, store: Store) -> None:
        limit = timedelta(hours=1)
        just_in_time = take_hit(store, registration="r1", at=now() - limit - ANSWER_GRACE + timedelta(seconds=30))
        model = FakeModel()
        desk = new_desk(store, model, time_limit_seconds=3600)
        assert submit(desk, just_in_time)
        assert desk.state(just_in_time).seconds_left < 0
        too_late = take_hit(store, registration="r2", at=now() - limit - ANSWER_GRACE - timedelta(seconds=1))
        with pytest.raises(Refused, match="time for this task is over"):
            submit(desk, too_late)
        assert len(model.asked) == 1

    def test_after_the_time_limit_the_work_can_still_be_submitted_and_verdicts_be_seen(self, store: Store) -> None:
        assignment_id = take_hit(store, at=now() - timedelta(hours=3))
        first = submit(new_desk(store, time_limit_seconds=5 * 3600), assignment_id)
        desk = new_desk(store, time_limit_seconds=3600)
        assert submit(desk, assignment_id) == first
        assert desk.finish(assignment_id).submitted_at

    def test_a_hit_that_is_taken_again_continues_where_it_was_left(self, store: Store) -> None:
        [hit_id] = offer_hits(store)
        desk = new_desk(store)
        assignment, hit = desk.accept(hit_id, "w1", "r1")
        made = submit(desk, assignment.id)
        assert desk.accept(hit_id, "w1", "r1") == (assignment, hit)
        assert hit.context == PASSAGE
        assert desk.state(assignment.id).attempts == (made,)

    def test_an_unknown_hit_cannot_be_taken(self, store: Store) -> None:
        with pytest.raises(UnknownName):
            new_desk(store).accept("nothing", "w1", "r1")


class TestMarks:
    def test_a_retraction_stays_and_keeps_its_first_time(self, store: Store) -> None:
        assignment_id = take_hit(store)
        desk = new_desk(store)
        made = submit(desk, assignment_id)
        [first] = desk.retract(assignment_id, made.id).attempts
        assert first.retracted_at
        assert made.created_at <= first.retracted_at <= now()
        assert desk.retract(assignment_id, made.id).attempts == (first,)
        assert submit(desk, assignment_id) == first

    @pytest.mark.parametrize("reason", FLAG_REASONS)
    def test_a_flag_keeps_its_reason_and_its_cleaned_note(self, store: Store, reason: str) -> None:
        assignment_id = take_hit(store)
        desk = new_desk(store)
        made = submit(desk, assignment_id)
        state = desk.flag(assignment_id, made.id, reason, "  Wrong\n date ")
        assert state.attempts == (replace(made, flag_reason=reason, flag_note="Wrong date"),)
        assert state.wins == 1

    def test_a_flag_may_come_without_a_note_and_be_changed(self, store: Store) -> None:
        assignment_id = take_hit(store)
        desk = new_desk(store)
        made = submit(desk, assignment_id)
        desk.flag(assignment_id, made.id, "other", "note")
        [flagged] = desk.flag(assignment_id, made.id, "ai_was_right", " ").attempts
        assert (flagged.flag_reason, flagged.flag_note) == ("ai_was_right", None)

    @pytest.mark.parametrize(
        ("reason", "note", "field"),
        [("bad", "", "reason"), ("", "", "reason"), ("other", "x" * 1001, "note"), ("other", "a\u202eb", "note")],
    )
    def test_a_bad_flag_is_refused(self, store: Store, reason: str, note: str, field: str) -> None:
        assignment_id = take_hit(store)
        desk = new_desk(store)
        made = submit(desk, assignment_id)
        with pytest.raises(InvalidInput) as caught:
            desk.flag(assignment_id, made.id, reason, note)
        assert caught.value.field == field
        assert desk.state(assignment_id).attempts == (made,)

    def test_another_workers_attempt_can_be_neither_retracted_nor_flagged(self, store: Store) -> None:
        mine, theirs = take_hit(store), take_hit(store, "w2", "r2")
        desk = new_desk(store)
        foreign = submit(desk, theirs)
        for attempt_id in (foreign.id, "nothing"):
            with pytest.raises(InvalidInput, match="no such attempt in this task"):
                desk.retract(mine, attempt_id)
            with pytest.raises(InvalidInput, match="no such attempt in this task"):
                desk.flag(mine, attempt_id, "other", "")
        assert desk.state(theirs).attempts == (foreign,)


class TestFinish:
    def test_nothing_changes_after_the_hit_was_submitted(self, store: Store) -> None:
        assignment_id = take_hit(store)
        desk = new_desk(store)
        made = submit(desk, assignment_id)
        desk.finish(assignment_id)
        with pytest.raises(Refused):
            submit(desk, assignment_id, "k2")
        with pytest.raises(Refused):
            desk.retract(assignment_id, made.id)
        with pytest.raises(Refused):
            desk.flag(assignment_id, made.id, "other", "")
        state = desk.state(assignment_id)
        assert (state.attempts, state.submitted, state.complete) == ((made,), True, True)

    def test_submitting_again_changes_nothing(self, store: Store) -> None:
        assignment_id = take_hit(store)
        desk = new_desk(store)
        closed = desk.finish(assignment_id, "First")
        assert desk.finish(assignment_id, "Second") == closed
        assert closed.feedback == "First"

    @pytest.mark.parametrize(
        ("feedback", "kept"),
        [
            ("", None),
            (" \n\t", None),
            ("Nice 🍕\nHIT", "Nice 🍕 HIT"),
            ("a\u202eb\0c\ud800d\u200be", "a b c de"),
            ("x" * 1_000_000, "x" * 1000),
        ],
        ids=["empty", "blank", "emoji", "hidden", "huge"],
    )
    def test_feedback_is_cut_to_plain_text_and_never_refused(
        self, store: Store, feedback: str, kept: str | None
    ) -> None:
        assignment_id = take_hit(store)
        assert new_desk(store).finish(assignment_id, feedback).feedback == kept
        assert store.assignments.get(assignment_id).feedback == kept


def bad(field: str, **changes: Any) -> Any:
    return pytest.param(
        {"payload": payload(**changes)}, field, id=f"{field}: {changes!r}"[:80].encode("ascii", "replace").decode()
    )


BAD_INPUTS = [
    bad("answer", start=12),
    bad("answer", start=-1),
    bad("answer", text="𝄞 of old", start=-9),
    bad("answer", start=10**30),
    bad("answer", text="not in the passage"),
    bad("answer", text="", start=0),
    bad("answer", text="The", start=18),
    bad("answer", text=" 476", start=13),
    bad("answer", text="x" * 1_000_000),
    bad("answer.text", text=None),
    bad("answer.start", start="13"),
    bad("answer.start", start=13.0),
    bad("answer.start", start=True),
    bad("question", question=""),
    bad("question", question=" \n"),
    bad("question", question="?!"),
    bad("question", question="x" * 301),
    bad("question", question="x" * 1_000_000),
    bad("question", question=["When?"]),
    bad("question", question=None),
    bad("question", question=b"When?"),
    bad("question", question="What is 🍕?"),
    bad("question", question="When \u202edid it?"),
    bad("question", question="When\u2028\u202e did it?"),
    bad("question", question="When\0 did it?"),
    bad("question", question="When \ud800 did it?"),
    bad("question", question="When <script>alert(1)</script>?"),
    bad("fooled", fooled=True),
    bad("worker", worker="w2"),
    pytest.param({"payload": {**payload(), "x" * 1_000_000: 1}}, None, id="a field with a huge name"),
    pytest.param({"payload": {**payload(), "\ud800": 1}}, None, id="a field with an invalid name"),
    pytest.param({"payload": None}, "payload", id="nothing"),
    pytest.param({"payload": []}, "payload", id="a list"),
    pytest.param({"payload": "text"}, "payload", id="a text"),
    pytest.param({"payload": {}}, "question", id="an empty object"),
    pytest.param({"payload": {"question": "When?", "answer": []}}, "answer", id="an answer that is a list"),
    pytest.param({"payload": {"question": "When?", "answer": {"text": "476"}}}, "answer.start", id="no start"),
    pytest.param({"context_id": "elsewhere"}, "context_id", id="an unknown context"),
    pytest.param({"context_id": ""}, "context_id", id="no context"),
    pytest.param({"context_id": "x" * 1_000_000}, "context_id", id="a huge context id"),
    pytest.param({"key": ""}, "attempt_key", id="an empty key"),
    pytest.param({"key": "x" * 65}, "attempt_key", id="a long key"),
    pytest.param({"key": "é"}, "attempt_key", id="a key that is not ASCII"),
    pytest.param({"key": "a\0b"}, "attempt_key", id="a key with NUL"),
    pytest.param({"key": "a\nb"}, "attempt_key", id="a key of two lines"),
]


@pytest.mark.parametrize(("changes", "field"), BAD_INPUTS)
def test_bad_input_is_refused_clearly_uses_no_try_and_breaks_nothing(
    store: Store, changes: dict[str, Any], field: str | None
) -> None:
    assignment_id = take_hit(store)
    model = FakeModel()
    desk = new_desk(store, model, max_tries=5)
    request = {"key": "k1", "context_id": PASSAGE.id, "payload": payload(), **changes}
    begun = time.perf_counter()
    with pytest.raises(InvalidInput) as caught:
        desk.submit(assignment_id, **request)
    assert time.perf_counter() - begun < 2
    message = str(caught.value)
    assert field in (None, caught.value.field)
    assert len(message) < 300
    assert len(caught.value.field) < 100
    f"{message} {caught.value.field}".encode()
    assert model.asked == []
    assert (desk.state(assignment_id).attempts, desk.state(assignment_id).tries_left) == ((), 5)
    assert submit(desk, assignment_id).ordinal == 1


def test_what_has_no_shape_is_not_kept_and_refuses_nobody(store: Store) -> None:
    assignment_id = take_hit(store)
    attempt = submit(new_desk(store), assignment_id, question="\ufeffWhen\u200b did Ro\u00adme fall?")
    assert attempt.work["question"] == "When did Rome fall?"


def test_an_emoji_of_the_passage_may_be_asked_about(store: Store) -> None:
    assignment_id = take_hit(store)
    assert submit(new_desk(store), assignment_id, question="Which sign is 𝄞?").work["question"] == "Which sign is 𝄞?"


def test_an_unknown_assignment_is_refused(store: Store) -> None:
    desk = new_desk(store)
    for call in (
        lambda: desk.state("nothing"),
        lambda: desk.submit("nothing", "k1", PASSAGE.id, payload()),
        lambda: desk.retract("nothing", "a"),
        lambda: desk.flag("nothing", "a", "other", ""),
        lambda: desk.finish("nothing"),
    ):
        with pytest.raises(UnknownName):
            call()
