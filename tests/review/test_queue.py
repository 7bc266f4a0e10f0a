"""The queue of workers by pages, from kept tallies: the same people and numbers as the whole computation has."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beat_the_ai.errors import InvalidInput
from beat_the_ai.review import ReviewDesk, queue
from beat_the_ai.review.views import Worker
from beat_the_ai.store import Draw, Store, open_store, reviews
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.workforce import Reviewing, Workforce, assess
from beat_the_ai.workforce.reviewing import ReviewedSample
from beat_the_ai.workforce.verdicts import accepted, tally_of
from tests.examples import examples
from tests.store.builders import NEW_YEAR, campaign
from tests.store.plans import read_whole
from tests.workforce.builders import submit

REVIEWERS = ("ann", "bob")
verdicts = st.tuples(st.integers(0, 99), st.sampled_from(REVIEWERS), st.sampled_from(["accept", "reject", "undo"]))
standings = st.tuples(st.sampled_from("abcde"), st.sampled_from(["qualified", "revoked", "blocked", "candidate"]))
steps = st.lists(
    st.one_of(
        st.text("abcd", min_size=1, max_size=8),
        st.lists(verdicts, min_size=1, max_size=8),
        standings,
        st.sampled_from("abcde").map(lambda worker: (worker, "proposed")),
    ),
    max_size=8,
)


def desk_of(store: Store, min_reviews: int = 1) -> ReviewDesk:
    bound = BoundCampaign.open(store, "pilot")
    return ReviewDesk(bound, Workforce(bound), min_reviews=min_reviews)


def pages(desk: ReviewDesk, reviewer: str, *, sees_all: bool, sought: str = "") -> list[Worker]:
    """The whole queue, page by page; each says how many are left behind it."""
    read = [desk.workers(reviewer, sees_all=sees_all, sought=sought)]
    while (after := read[-1].after) is not None:
        read.append(desk.workers(reviewer, sees_all=sees_all, sought=sought, after=after))
    shown = [one for page in read for one in page.workers]
    behind = len(shown)
    for page in read:
        behind -= len(page.workers)
        assert page.left == behind
    return shown


def take(store: Store, step: str | list[tuple[int, str, str]] | tuple[str, str]) -> None:
    if isinstance(step, str):
        submit(store, step)
    elif isinstance(step, list):
        Reviewing(BoundCampaign.open(store, "pilot")).draw()
        sample = sorted(store.reviews.draws("pilot"))
        for number, reviewer, verdict in step if sample else ():
            store.reviews.add("pilot", sample[number % len(sample)], reviewer, verdict, "why", NEW_YEAR)
    else:
        worker, standing = step
        if standing != "proposed":
            store.standings.add("pilot", worker, standing, by="ann", reason="why", at=NEW_YEAR)
        elif worker not in store.proposals.waiting("pilot"):
            store.proposals.add("pilot", worker, "ann", "", "why", NEW_YEAR)


def check(store: Store, desk: ReviewDesk, min_reviews: int) -> None:
    bound = BoundCampaign.open(store, "pilot")
    desk.overview("ann")
    reviewed, everybody = ReviewedSample.read(bound), assess(bound, min_reviews=min_reviews)
    for reviewer in REVIEWERS:
        left = [reviewed.workers[one] for one in reviewed.waiting_for(reviewer)]
        others = [reviewed.workers[one] for one in reviewed.waiting_for(reviewer) if one in reviewed.standing]
        for sees_all in (True, False):
            shown = pages(desk, reviewer, sees_all=sees_all)
            assert sorted(one.worker for one in shown) == [one.worker for one in everybody]
            assert [one.worker for one in shown] == [one.worker for one in sorted(shown, key=place)]
            for row, one in zip(sorted(shown, key=lambda row: row.worker), everybody, strict=True):
                assert (row.standing, row.completed, row.sampled) == (one.standing, one.completed, one.sampled)
                assert row.to_judge == left.count(row.worker)
                assert row.judged_by_others == others.count(row.worker)
                own = tally_of(
                    [
                        accepted(said.values())
                        for name, said in reviewed.standing.items()
                        if reviewed.workers[name] == row.worker and reviewer in said
                    ]
                )
                blind = (own.reviewed, own.accepted, own.below_at >= min_reviews)
                together = (one.reviewed, one.accepted, one.recommended)
                assert (row.reviewed, row.accepted, row.recommended) == (together if sees_all else blind)
        waiting = [one.worker for one in everybody if one.standing not in ("revoked", "blocked") and one.worker in left]
        head = desk.overview(reviewer)
        assert (head.to_judge, head.next) == (sum(map(left.count, waiting)), waiting[0] if waiting else None)
        for one in everybody:
            later = [name for name in waiting if name > one.worker] + [name for name in waiting if name < one.worker]
            assert desk.worker(reviewer, one.worker, sees_all=False).next == (later[0] if later else None)
    kept = desk.overview("ann").agreement
    found = reviewed.agreement
    alpha = None if found.alpha is None else found.alpha.value
    assert (kept.units, kept.percent, kept.alpha) == (found.units, found.percent, alpha)


def place(row: Worker) -> tuple[int, str]:
    """Whom somebody has to decide about, who has HITs to judge, the others, those who may not work."""
    if row.standing in ("revoked", "blocked"):
        return 3, row.worker
    if row.recommended or row.proposal is not None:
        return 0, row.worker
    return (1 if row.to_judge else 2), row.worker


@settings(max_examples=examples(8, 250), deadline=None)
@given(steps, st.integers(1, 3))
def test_the_queue_has_what_the_whole_computation_has(
    made: list[str | list[tuple[int, str, str]] | tuple[str, str]], min_reviews: int
) -> None:
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(queue, "PAGE_OF_WORKERS", 2)
        patch.setattr(reviews, "MOST_WORKERS", 1)
        store = open_store(str(Path(folder) / "store.db"))
        try:
            store.campaigns.create(campaign())
            desk = desk_of(store, min_reviews)
            for step in made:
                take(store, step)
                check(store, desk, min_reviews)
        finally:
            store.close()


def test_workers_are_found_by_a_part_of_their_ids(store: Store) -> None:
    desk = desk_of(store)
    everybody = [one.worker for one in pages(desk, "ann", sees_all=False)]
    assert {one.worker for one in pages(desk, "ann", sees_all=False, sought="sloP")} == {
        name for name in everybody if "slop" in name.lower()
    }
    assert pages(desk, "ann", sees_all=False, sought="%") == []
    assert pages(desk, "ann", sees_all=False, sought="_") == []


@pytest.mark.parametrize("after", ["x", "1", "11 a", "² a", " a"])
def test_a_position_that_no_page_ended_with_is_refused(store: Store, after: str) -> None:
    with pytest.raises(InvalidInput, match="last page"):
        desk_of(store).workers("ann", sees_all=False, after=after)


def test_a_page_reads_neither_attempts_nor_hits_nor_reviews(store: Store) -> None:
    desk = desk_of(store)
    desk.overview("ann")
    read = read_whole(store, lambda: (desk.overview("ann"), desk.workers("ann", sees_all=False)))
    assert read & {"attempts", "assignments", "hits", "works", "reviews", "review_draws"} == set()


def test_what_another_request_draws_meanwhile_is_in_the_queue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page asks for its head and its list at once. One of them draws; the other finds nothing left to draw."""
    store = open_store(str(tmp_path / "campaign.db"))
    store.campaigns.create(campaign())
    submit(store, "aa")
    draw = store.reviews.draw

    def draw_as_another(*arguments: Any) -> list[Draw]:
        assert draw(*arguments)
        return draw(*arguments)

    monkeypatch.setattr(store.reviews, "draw", draw_as_another)
    [row] = desk_of(store).workers("ann", sees_all=False).workers
    assert (row.completed, row.sampled, row.to_judge) == (2, 2, 2)
    store.close()
