"""What a desk remembers is never older than what it was told to forget."""

from __future__ import annotations

from beat_the_ai.rules.stage import Stage
from beat_the_ai.store import Assignment, Attempt, now
from beat_the_ai.writing.memory import Session, SessionMemory


def session(assignment: str, attempts: int = 0) -> Session:
    made = [
        Attempt(f"{assignment}/{n}", assignment, str(n), n, {}, {}, False, {}, "m", "m", "h", "fp32", now())
        for n in range(1, attempts + 1)
    ]
    return Assignment(assignment, "campaign", Stage.WRITING, "hit", "worker", "registration", now()), made


def test_the_last_session_kept_is_recalled() -> None:
    memory = SessionMemory(2)
    for attempts in (1, 2):
        memory.keep(session("a", attempts), memory.epoch)
    assert (recalled := memory.recall("a")) is not None
    assert len(recalled[1]) == 2


def test_the_session_that_was_used_longest_ago_makes_room() -> None:
    memory = SessionMemory(2)
    memory.keep(session("a"), memory.epoch)
    memory.keep(session("b"), memory.epoch)
    memory.recall("a")
    memory.keep(session("c"), memory.epoch)
    assert [memory.recall(name) is not None for name in "abc"] == [True, False, True]


def test_what_was_read_before_it_was_forgotten_is_not_kept_and_neither_is_what_it_replaces() -> None:
    memory = SessionMemory(2)
    epoch = memory.epoch
    memory.forget("a")
    memory.keep(session("a", 1), memory.epoch)
    memory.keep(session("a", 2), epoch)
    assert memory.recall("a") is None


def test_what_was_read_before_another_was_forgotten_is_kept() -> None:
    memory = SessionMemory(2)
    epoch = memory.epoch
    memory.forget("another")
    memory.keep(session("a"), epoch)
    assert memory.recall("a") is not None


def test_what_was_read_so_long_ago_that_nobody_knows_what_was_forgotten_since_is_not_kept() -> None:
    memory = SessionMemory(2)
    epoch = memory.epoch
    for name in ("a", "b", "c"):
        memory.forget(name)
    memory.keep(session("a"), epoch)
    assert memory.recall("a") is None
