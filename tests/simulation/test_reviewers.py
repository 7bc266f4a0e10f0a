"""Simulated reviewers judge the whole sample, once, at each worker's rate."""

from __future__ import annotations

from pathlib import Path

from beat_the_ai.simulation.reviewers import SimulatedReviewer
from beat_the_ai.store import open_store
from beat_the_ai.workforce import Reviewing, assess
from tests.workforce.builders import submit


def test_a_simulated_reviewer_judges_what_is_sampled_and_no_more(tmp_path: Path) -> None:
    store = open_store(str(tmp_path / "store.db"))
    submit(store, "a" * 10 + "b" * 10)
    reviewing = Reviewing(store, "pilot")
    reviewer = SimulatedReviewer("robot", {"a": 1.0, "b": 0.0}, seed=1)
    assert reviewer.review(reviewing) == 0
    reviewing.draw()
    assert [reviewer.review(reviewing) for _ in range(2)] == [12, 0]
    found = [(one.worker, one.reviewed, one.accepted, one.recommended) for one in assess(store, "pilot")]
    assert found == [("a", 6, 6, False), ("b", 6, 0, True)]
    store.close()


def test_two_reviewers_of_the_same_seed_agree_and_the_rate_is_kept() -> None:
    one, two = (SimulatedReviewer(name, {"a": 0.8}, seed=3) for name in ("ann", "bob"))
    hits = [f"hit-{number}" for number in range(2000)]
    passed = [one.passes("a", hit) for hit in hits]
    assert passed == [two.passes("a", hit) for hit in hits]
    assert 1540 < sum(passed) < 1660
