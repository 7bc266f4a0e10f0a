from __future__ import annotations

import json

from beat_the_ai.store import Store, open_store
from beat_the_ai.writing import page_attempt, page_state
from tests.writing.fakes import (
    PASSAGE,
    RIGHT,
    WRONG,
    CentsPerWin,
    FakeModel,
    new_desk,
    payload,
    payload_of,
    take_hit,
)


def test_a_page_shows_the_verdict_with_its_reasons(store: Store) -> None:
    assignment_id = take_hit(store)
    desk = new_desk(store, FakeModel(WRONG))
    attempt, _ = desk.submit(assignment_id, "k1", PASSAGE.id, payload())
    assert page_attempt(attempt) == {
        "attempt_id": attempt.id,
        "work": {"question": "When did Rome fall?", "answer": {"text": "476", "start": 13}},
        "prediction": {"text": "Romulus", "start": 39, "score": 0.5},
        "scores": {"f1": 0.0, "f1_threshold": 0.4},
        "fooled": True,
        "retracted": False,
        "flag": None,
        "explanation": None,
        "doubts": None,
        "admitted": None,
        "created_at": attempt.created_at.isoformat(),
    }


def test_a_page_shows_marks(store: Store) -> None:
    assignment_id = take_hit(store)
    desk = new_desk(store)
    attempt, _ = desk.submit(assignment_id, "k1", PASSAGE.id, payload())
    desk.flag(assignment_id, attempt.id, "other", "")
    desk.retract(assignment_id, attempt.id)
    [shown] = page_state(desk.state(assignment_id))["attempts"]
    assert shown["retracted"] is True
    assert shown["flag"] == {"reason": "other", "note": ""}


def test_a_page_shows_where_the_worker_stands(store: Store) -> None:
    assignment_id = take_hit(store)
    desk = new_desk(store, FakeModel(WRONG, RIGHT), CentsPerWin(15, ("w1",)), max_tries=6, time_limit_seconds=600)
    desk.submit(assignment_id, "k1", PASSAGE.id, payload())
    desk.submit(assignment_id, "k2", PASSAGE.id, payload_of("k2"))
    shown = page_state(desk.state(assignment_id))
    assert [attempt["fooled"] for attempt in shown["attempts"]] == [True, False]
    assert 590 < shown["seconds_left"] <= 600
    del shown["attempts"], shown["seconds_left"]
    assert shown == {
        "wins": 1,
        "tries_left": 4,
        "complete": False,
        "bonus_cents": 15,
        "possible_bonus_cents": 15,
        "is_checked": True,
        "tries_missing": 0,
        "explanations_missing": 0,
    }


def test_a_page_whose_questions_nobody_checks_is_told_so_and_promised_nothing_for_it(store: Store) -> None:
    assignment_id = take_hit(store, worker="w2")
    desk = new_desk(store, FakeModel(WRONG), CentsPerWin(15, ("w1",)))
    desk.submit(assignment_id, "k1", PASSAGE.id, payload())
    shown = page_state(desk.state(assignment_id))
    assert (shown["bonus_cents"], shown["possible_bonus_cents"], shown["is_checked"]) == (15, 0, False)


def test_a_page_is_the_same_after_a_reload(store: Store, tmp_path: object) -> None:
    assignment_id = take_hit(store)
    attempt, _ = new_desk(store).submit(assignment_id, "k1", PASSAGE.id, payload("  What is e\u0301 𝄞? "))
    reopened = open_store(f"{tmp_path}/store.db")
    [again] = page_state(new_desk(reopened).state(assignment_id))["attempts"]
    reopened.close()
    assert again == page_attempt(attempt)


def test_a_page_holds_neither_the_worker_nor_what_is_private_nor_which_model_it_was(store: Store) -> None:
    assignment_id = take_hit(store, worker="WORKER-ID", registration="REGISTRATION")
    attempt, state = new_desk(store).submit(assignment_id, "k1", PASSAGE.id, payload())
    sent = json.dumps([page_attempt(attempt), page_state(state)])
    for secret in ("WORKER-ID", "REGISTRATION", "Secret reference", attempt.model_name, attempt.model_hash):
        assert secret not in sent
