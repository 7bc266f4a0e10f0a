"""A kill at any point loses no attempt whose verdict was shown, and duplicates none."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
from itertools import chain
from pathlib import Path

import pytest

from beat_the_ai.store import Store, open_store
from tests.writing.fakes import PASSAGE, FakeModel, new_desk, payload_of, take_hit

ROOT = Path(__file__).parents[2]


def dying_desk(*arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.writing.dying_desk", *arguments]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def resubmit(store: Store, assignment_id: str, keys: list[str]) -> FakeModel:
    """A worker's page sends again, to the operator's successor, whatever it has no verdict for (and what it has)."""
    model = FakeModel()
    desk = new_desk(store, model, max_tries=10_000, max_wins=10_000)
    for key in keys:
        desk.submit(assignment_id, key, PASSAGE.id, payload_of(key))
    return model


@pytest.mark.parametrize(
    ("moment", "stored"), [("asked", False), ("inserted", False), ("committing", False), ("committed", True)]
)
def test_an_operator_that_dies_at_any_moment_of_an_attempt_leaves_it_whole_or_not_at_all(
    store_url: str, moment: str, stored: bool
) -> None:
    store = open_store(store_url)
    assignment_id = take_hit(store)
    with dying_desk(store_url, assignment_id, moment, "first", "second") as process:
        assert process.stdout
        shown = process.stdout.read().split()
    assert (process.returncode, shown) == (-signal.SIGKILL, ["first"])
    kept = [attempt.key for attempt in store.attempts.of_assignment(assignment_id)]
    assert kept == (["first", "second"] if stored else ["first"])
    model = resubmit(store, assignment_id, ["first", "second"])
    assert len(model.asked) == (0 if stored else 1)
    assert [attempt.key for attempt in store.attempts.of_assignment(assignment_id)] == ["first", "second"]
    store.close()


def test_an_operator_that_is_killed_while_it_works_has_kept_every_verdict_that_it_gave(
    store: Store, tmp_path: Path
) -> None:
    assignment_id = take_hit(store)
    shown: list[str] = []
    draw = random.Random(1453)
    for _ in range(2):
        with dying_desk(str(tmp_path / "store.db"), assignment_id, "any") as process:
            assert process.stdout
            before = [process.stdout.readline() for _ in range(draw.randint(len(shown) + 1, len(shown) + 15))]
            process.send_signal(signal.SIGKILL)
            shown = [line.strip() for line in chain(before, process.stdout) if line.endswith("\n")]
        stored = store.attempts.of_assignment(assignment_id)
        assert [attempt.key for attempt in stored][: len(shown)] == shown
        assert len(stored) <= len(shown) + 1
        resubmit(store, assignment_id, shown)
        assert store.attempts.of_assignment(assignment_id) == stored
