"""The size of the review sample, and that it only ever grows."""

from __future__ import annotations

import math
import tempfile
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beat_the_ai.rules.stage import Stage
from beat_the_ai.store import Store, open_store
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.workforce import Reviewing, choose, sample_size
from tests.examples import examples
from tests.workforce.builders import submit


@pytest.mark.parametrize(
    ("completed", "reviewed"),
    [(0, 0), (1, 1), (2, 2), (3, 3), (5, 5), (6, 5), (7, 6), (10, 6), (15, 7), (50, 10), (100, 11), (1000, 16)],
)
def test_the_papers_formula(completed: int, reviewed: int) -> None:
    assert sample_size(completed) == reviewed


@given(st.integers(1, 10**6))
def test_the_sample_never_shrinks_and_never_exceeds_what_there_is(completed: int) -> None:
    assert sample_size(completed - 1) <= sample_size(completed) <= completed


batches = st.lists(
    st.tuples(
        st.text("abc", max_size=12),
        st.lists(st.tuples(st.integers(0, 99), st.sampled_from(["accept", "reject", "undo"])), max_size=6),
    ),
    max_size=5,
)


def play(folder: Path, made: list[tuple[str, list[tuple[int, str]]]], *, reviews: bool = True) -> list[set[str]]:
    """The sample after each batch; `made` is, for each, whose HITs were submitted, and what reviewers did then."""
    store = open_store(str(folder / "store.db"))
    try:
        return [_batch(store, workers, done if reviews else []) for workers, done in made]
    finally:
        store.close()


def _batch(store: Store, workers: str, done: list[tuple[int, str]]) -> set[str]:
    submit(store, workers)
    reviewing = Reviewing(BoundCampaign.open(store, "pilot"))
    reviewing.draw()
    sample = sorted(store.reviews.draws("pilot"))
    for number, verdict in done:
        if sample:
            store.reviews.add(
                "pilot",
                sample[number % len(sample)],
                "ann",
                verdict,
                "because",
                store.campaigns.get("pilot").created_at,
            )
    assert reviewing.draw() == []  # reviews do not change what has to be reviewed
    return set(store.reviews.draws("pilot"))


@settings(max_examples=examples(8), deadline=None)
@given(batches)
def test_for_any_order_of_batches_and_reviews_the_sample_only_grows_and_equals_the_formula(
    made: list[tuple[str, list[tuple[int, str]]]],
) -> None:
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as two:
        samples = play(Path(one), made)
        assert samples == play(Path(two), made, reviews=False)  # the same for the same seed, whatever was reviewed
        store = open_store(str(Path(one) / "store.db"))
        worker_of = {
            done.id: done.worker for done in (store.assignments.confirmed("pilot", Stage.WRITING) if made else [])
        }
        store.close()
    completed: Counter[str] = Counter()
    before: set[str] = set()
    for sample, (workers, _) in zip(samples, made, strict=True):
        completed.update(workers)
        assert before <= sample
        assert Counter(worker_of[drawn] for drawn in sample) == Counter(
            {worker: min(n, math.ceil(5 * math.log10(n) + 1)) for worker, n in completed.items() if n}
        )
        before = sample


def test_every_hit_of_a_batch_has_the_same_chance_and_the_seed_decides() -> None:
    hits = [f"hit-{number}" for number in range(10)]
    counts = Counter(one for seed in range(2000) for one in choose(seed, "A1", hits, set()))
    assert all(1100 < counts[one] < 1300 for one in hits)  # 6 of 10 are drawn: 1,200 each, 22 is one standard deviation
    assert choose(1, "A1", hits, set()) == choose(1, "A1", hits, set())
    assert len({tuple(choose(seed, "A1", hits, set())) for seed in range(50)}) > 20
    assert len({tuple(choose(1, f"A{number}", hits, set())) for number in range(50)}) > 20


def test_what_was_drawn_is_never_drawn_again_and_never_too_much() -> None:
    hits = [f"hit-{number}" for number in range(20)]
    first = choose(7, "A1", hits[:10], set())
    more = choose(7, "A1", hits, set(first))
    assert len(first) == 6
    assert len(more) == sample_size(20) - 6
    assert not set(first) & set(more)
    assert choose(7, "A1", hits, {*first, *more}) == []
    assert choose(7, "A1", hits, set(hits)) == []  # a larger sample than the formula's stays as it is
