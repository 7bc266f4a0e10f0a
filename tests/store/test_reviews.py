"""The review sample and what reviewers said."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

import pytest

from beat_the_ai.errors import UnknownName
from beat_the_ai.store import Draw, Store
from tests.store.builders import NEW_YEAR, at_once, campaign, context, draw


def submitted(store: Store, workers: str) -> list[str]:
    """One submitted HIT for each letter, a minute apart; the letter is the worker."""
    store.campaigns.create(campaign())
    hits = list(store.campaigns.offer("pilot", [context()], round_number=1, slots=len(workers)))
    made = []
    for number, (hit, worker) in enumerate(zip(hits, workers, strict=True)):
        assignment = store.attempts.accept(hit, worker, f"r{number}", NEW_YEAR)[0]
        store.assignments.submit(assignment.id, None, NEW_YEAR + timedelta(minutes=number))
        made.append(assignment.id)
    return made


def all_of(_worker: str, completed: Sequence[str], drawn: set[str]) -> list[str]:
    return [one for one in completed if one not in drawn]


def test_draws_see_every_workers_submissions_in_order(store: Store) -> None:
    made = submitted(store, "baab")
    open_hit = next(iter(store.campaigns.offer("pilot", [context("rome/1")], round_number=1, slots=1)))
    store.attempts.accept(open_hit, "a", "open", NEW_YEAR)
    seen = []

    def first(worker: str, completed: Sequence[str], drawn: set[str]) -> list[str]:
        seen.append((worker, list(completed), drawn))
        return list(completed[:1])

    drawn = draw(store, first)
    assert seen == [("a", [made[1], made[2]], set()), ("b", [made[0], made[3]], set())]
    assert drawn == [Draw(made[1], 2, NEW_YEAR), Draw(made[0], 2, NEW_YEAR)]
    assert store.reviews.draws("pilot") == {one.assignment_id: one for one in drawn}
    again = draw(store, all_of, NEW_YEAR + timedelta(1))
    assert [one.assignment_id for one in again] == [made[2], made[3]]


def test_of_two_draws_at_once_the_second_sees_the_first(store: Store) -> None:
    made = submitted(store, "aaaa")
    draws = at_once(4, lambda _: draw(store, all_of))
    assert sorted(map(len, draws)) == [0, 0, 0, 4]
    assert store.reviews.draws("pilot").keys() == set(made)


def test_reviews_are_kept_in_order_and_only_of_the_sample(store: Store) -> None:
    first, second = submitted(store, "aa")
    draw(store, lambda _worker, completed, _drawn: completed[:1])
    events = [
        store.reviews.add("pilot", first, reviewer, verdict, "naïve 𝄞", NEW_YEAR)
        for reviewer, verdict in (("ann", "reject"), ("bob", "accept"), ("ann", "undo"))
    ]
    assert store.reviews.of_campaign("pilot") == events
    store.campaigns.create(campaign("other"))
    for campaign_id, assignment_id in (("pilot", second), ("pilot", "nothing"), ("other", first)):
        with pytest.raises(UnknownName, match="sampled assignment"):
            store.reviews.add(campaign_id, assignment_id, "ann", "accept", "", NEW_YEAR)
