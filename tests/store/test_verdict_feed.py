"""The feed of verdicts, on either database: its order, its filters, and that no page reads whole tables."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from beat_the_ai.rules.ids import short_hash
from beat_the_ai.store import Asked, Place, Store
from tests.store.builders import NEW_YEAR, accepted, attempt, campaign, context
from tests.store.plans import read_whole

LARGE = {"assignments", "hits", "contexts", "works"}


@pytest.fixture
def tried(store: Store) -> list[str]:
    """Return the ids of attempts, the newest first: some came in the same moment, some beat the model."""
    store.campaigns.create(campaign())
    hits = list(store.campaigns.offer("pilot", [context()], round_number=1, slots=3))
    made = []
    for number, hit in enumerate(hits):
        taken = store.attempts.accept(hit, f"w{number}", f"r{number}", NEW_YEAR)[0]
        for ordinal in (1, 2):
            one = replace(
                attempt(taken.id, ordinal),
                id=short_hash("tried", number, ordinal),
                fooled=ordinal == 2,
                model_name=f"model {number}",
                created_at=NEW_YEAR + timedelta(minutes=ordinal),
                doubts=["seen before"] if (number, ordinal) == (1, 2) else None,
            )
            store.attempts.add(one)
            made.append(one)
    return [one.id for one in sorted(made, key=lambda one: (one.created_at, one.id), reverse=True)]


def newest(store: Store, asked: Asked, most: int = 50, before: Place | None = None) -> list[str]:
    return [row.attempt.id for row in store.verdict_feed.newest("pilot", asked, most, before)]


def test_pages_follow_each_other_without_a_gap(store: Store, tried: list[str]) -> None:
    assert newest(store, Asked()) == tried
    found: list[str] = []
    before = None
    while rows := store.verdict_feed.newest("pilot", Asked(), 2, before):
        found += [row.attempt.id for row in rows]
        before = Place(rows[-1].attempt.created_at, rows[-1].attempt.id)
    assert found == tried
    assert store.verdict_feed.newest("another", Asked(), 2) == []


def test_filters(store: Store, tried: list[str]) -> None:
    rows = {row.attempt.id: row.attempt for row in store.verdict_feed.newest("pilot", Asked(), 50)}
    assert newest(store, Asked(fooled=True)) == [name for name in tried if rows[name].fooled]
    assert newest(store, Asked(model="model 2")) == [name for name in tried if rows[name].model_name == "model 2"]
    assert newest(store, Asked(held=True)) == [name for name in tried if rows[name].doubted]
    assert newest(store, Asked(voted=1)) == []


def test_only_what_counts_has_error_rates(store: Store, tried: list[str]) -> None:
    assert (store.verdict_feed.handed_in("pilot"), list(store.verdict_feed.tried("pilot"))) == ([], [])
    row = store.verdict_feed.attempt("pilot", tried[0])
    assert row is not None
    store.assignments.submit(row.assignment.id, None, NEW_YEAR + timedelta(minutes=9))
    [hit] = store.verdict_feed.handed_in("pilot")
    assert (hit.assignment_id, hit.context_id) == (row.assignment.id, row.hit.context.id)
    assert sorted(one.ordinal for one in store.verdict_feed.tried("pilot")) == [1, 2]


def test_an_attempt_is_looked_up(store: Store, tried: list[str]) -> None:
    assert store.verdict_feed.attempt("another", tried[0]) is None
    assert read_whole(store, lambda: store.verdict_feed.attempt("pilot", tried[0])) == set()


def test_a_page_looks_its_hits_up(store: Store, tried: list[str]) -> None:
    """Attempts are read in the order of their index, as far as a page goes."""
    assert read_whole(store, lambda: newest(store, Asked(), 2)) & LARGE == set()


def test_a_mark_changes_when_anybody_writes(store: Store) -> None:
    changes = store.changes()
    before = changes.mark()
    accepted(store)
    after = changes.mark()
    assert before != after
    changes.close()
    changes.mark()  # it connects again
    store.campaigns.ids()
    changes.close()
