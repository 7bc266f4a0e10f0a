"""Suggestions that were shown: each under its ordinal once, and kept before anybody sees it."""

from __future__ import annotations

import signal
import subprocess
import sys
from contextlib import ExitStack, closing
from datetime import timedelta
from pathlib import Path

import pytest

from beat_the_ai.errors import InvalidInput, Refused
from beat_the_ai.store import ShownSuggestion, Store, open_store
from tests.store.builders import NEW_YEAR, accepted, at_once, attempt

ROOT = Path(__file__).parents[2]


def shown(assignment_id: str, ordinal: int, name: str = "") -> ShownSuggestion:
    content = {"question": f"Question {ordinal}? 𝄞", "answer": None}
    return ShownSuggestion(assignment_id, ordinal, name or f"s{ordinal}", "gpt 𝄞", content, NEW_YEAR)


def test_what_was_shown_first_under_an_ordinal_stays(store: Store) -> None:
    made_in = accepted(store)
    for ordinal in (1, 2):
        store.suggestions.show(shown(made_in.id, ordinal))
    store.suggestions.show(shown(made_in.id, 1, "another"))
    assert store.suggestions.of_assignment(made_in.id) == [shown(made_in.id, 1), shown(made_in.id, 2)]
    assert store.suggestions.of_assignment("another") == []


def test_operators_that_show_the_same_ordinal_at_once_show_one(store: Store, store_url: str) -> None:
    made_in = accepted(store)
    with ExitStack() as opened:
        operators = [opened.enter_context(closing(open_store(store_url))) for _ in range(2)]

        def work(number: int) -> None:
            operators[number % 2].suggestions.show(shown(made_in.id, 1 + number // 4, f"by{number}"))

        at_once(8, work)
    assert [one.ordinal for one in store.suggestions.of_assignment(made_in.id)] == [1, 2]


def test_the_first_taking_stands_and_nothing_is_taken_that_was_not_shown(store: Store) -> None:
    made_in = accepted(store)
    store.suggestions.show(shown(made_in.id, 1))
    later = NEW_YEAR + timedelta(minutes=1)
    for at in (later, later + timedelta(minutes=1)):
        store.suggestions.take(made_in.id, 1, at)
    [one] = store.suggestions.of_assignment(made_in.id)
    assert one.taken_at == later
    with pytest.raises(InvalidInput, match="no such suggestion was shown"):
        store.suggestions.take(made_in.id, 2, NEW_YEAR)


def test_nothing_new_is_shown_in_what_was_handed_in(store: Store) -> None:
    made_in = accepted(store)
    store.suggestions.show(shown(made_in.id, 1))
    store.assignments.submit(made_in.id, None, NEW_YEAR)
    store.suggestions.show(shown(made_in.id, 1))
    with pytest.raises(Refused, match="submitted"):
        store.suggestions.show(shown(made_in.id, 2))


def test_a_killed_operator_has_kept_each_suggestion_that_it_showed(store: Store, store_url: str) -> None:
    made_in = accepted(store)
    command = [sys.executable, "-m", "tests.store.suggest_until_killed", store_url, made_in.id]
    told = list[str]()
    for _ in range(2):
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout
            lines = [process.stdout.readline() for _ in range(25)]
            process.send_signal(signal.SIGKILL)
            told += [line.strip() for line in [*lines, *process.stdout] if line.endswith("\n")]
        assert process.returncode == -signal.SIGKILL
    kept = [f"{one.ordinal} {one.name}" for one in store.suggestions.of_assignment(made_in.id)]
    assert kept[: len(told)] == list(dict.fromkeys(told))
    assert len(kept) <= len(told) + 1


def test_an_attempt_keeps_what_it_was_made_of(store: Store) -> None:
    made_in = accepted(store)
    origin = {"id": "s1", "model": "gpt", "edited": True, "distance": 3}
    store.attempts.add(attempt(made_in.id, 1, suggestion=origin))
    store.attempts.add(attempt(made_in.id, 2))
    assert [one.suggestion for one in store.attempts.of_assignment(made_in.id)] == [origin, None]
    assert [row.attempt.suggestion for row in store.attempts.of_campaign("pilot")] == [origin, None]


def test_they_go_with_their_writer(store: Store) -> None:
    made_in = accepted(store)
    store.suggestions.show(shown(made_in.id, 1))
    assert store.erasure.holdings("w1").rows["suggestions"] == 1
    store.erasure.erase("w1", "AFORGOTTEN1", NEW_YEAR)
    assert store.suggestions.of_assignment(made_in.id) == []
