"""Simulated reviewers judge what they see in a HIT, once, whoever wrote it."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from beat_the_ai.kinds.reading_comprehension.people import Readers
from beat_the_ai.kinds.reading_comprehension.writing import ReadingComprehension
from beat_the_ai.rules.protocol import TaskItem
from beat_the_ai.simulation.personas import PERSONAS
from beat_the_ai.simulation.reviewers import SimulatedReviewer, revokes
from beat_the_ai.statistics.intervals import wilson
from beat_the_ai.store import Store
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.workforce import Assessment, Reviewing, Standing, assess, evidence_for
from tests.store.builders import NEW_YEAR, attempt, campaign

SAMPLE = Path(__file__).parents[2] / "tasks" / "reading_comprehension" / "contexts" / "sample.jsonl"
CONTEXTS = ReadingComprehension().load_contexts(SAMPLE)
HITS_EACH = 6
PATIENT = timedelta(minutes=20)


@pytest.fixture
def store(store: Store) -> Store:
    store.campaigns.create(campaign())
    return store


def work(store: Store, persona: str, worker: str, seconds: timedelta = PATIENT, *, gives_up: bool = False) -> list[str]:
    """HITs that a worker writes as one of that persona does, on passages of their own. Returns the assignments.

    Whoever `gives_up` takes everything back.
    """
    first = len(store.campaigns.hits("pilot"))
    contexts = CONTEXTS[first : first + HITS_EACH]
    hits = store.campaigns.offer("pilot", contexts, round_number=1, slots=1)
    found: list[str] = []
    for hit, context in zip(hits, contexts, strict=True):
        begun = NEW_YEAR + len(found) * PATIENT
        taken = store.attempts.accept(hit, worker, f"r-{hit}", begun)[0]
        rng = random.Random(f"1/{context.id}")
        asked = Readers().works(persona, TaskItem(context), rng)[:5] if persona in PERSONAS else []
        for number, item in enumerate(asked, start=1):
            made = replace(attempt(taken.id, number), work=item, fooled=True, created_at=begun + number * PATIENT / 50)
            store.attempts.add(replace(made, retracted_at=made.created_at) if gives_up else made)
        store.assignments.submit(taken.id, None, begun + seconds)
        found.append(taken.id)
    return found


def review(store: Store) -> dict[str, tuple[int, int]]:
    """`{worker: (reviewed, accepted)}` after a review of the whole sample."""
    reviewing = Reviewing(BoundCampaign.open(store, "pilot"))
    reviewer = SimulatedReviewer(Readers(), "robot", BoundCampaign.open(store, "pilot"))
    assert reviewer.verdicts(reviewing) == {}, "nothing is in the sample yet"
    drawn = reviewing.draw()
    verdicts = reviewer.verdicts(reviewing)
    assert len(verdicts) == len(drawn)
    for assignment, fault in verdicts.items():
        if fault is None:
            reviewing.accept(assignment, "robot")
        else:
            reviewing.reject(assignment, "robot", fault)
    assert reviewer.verdicts(reviewing) == {}
    return {one.worker: (one.reviewed, one.accepted) for one in assess(BoundCampaign.open(store, "pilot"))}


def test_good_work_is_accepted_and_every_kind_of_bad_work_is_not(store: Store) -> None:
    for persona in (*PERSONAS, "empty"):
        work(store, persona, persona)
    judged = review(store)
    assert judged["good"] == (5, 5)
    assert judged["empty"] == (5, 0)
    for persona in ("sloppy", "copying", "malicious"):
        reviewed, accepted = judged[persona]
        assert accepted < 0.8 * reviewed, persona


def test_whoever_gave_up_is_judged_by_what_was_tried(store: Store) -> None:
    """Taking everything back makes good work no worse, and bad work no better."""
    for persona in ("good", "malicious"):
        work(store, persona, persona, gives_up=True)
    judged = review(store)
    assert judged["good"] == (5, 5)
    reviewed, accepted = judged["malicious"]
    assert accepted < 0.8 * reviewed


def test_whoever_found_nothing_left_to_ask_has_given_up_honestly(store: Store) -> None:
    """Somebody else has asked all questions that stand with the passages, and each asked again is refused."""
    for name, context in enumerate(CONTEXTS[:HITS_EACH]):
        hits = store.campaigns.offer("pilot", [context], round_number=1, slots=2)
        for hit, (worker, asks) in zip(hits, (("first", True), ("second", False)), strict=True):
            taken = store.attempts.accept(hit, worker, f"{worker}-{name}", NEW_YEAR)[0]
            works = Readers().works("good", TaskItem(context), random.Random(1)) if asks else []
            for number, work_ in enumerate(works, start=1):
                made = replace(attempt(taken.id, number), work=work_, created_at=NEW_YEAR + number * PATIENT / 50)
                store.attempts.add(made)
            store.assignments.submit(taken.id, None, NEW_YEAR + PATIENT)
    assert review(store) == {"first": (5, 5), "second": (5, 5)}


def test_every_kind_of_bad_writer_leaves_evidence_and_a_good_one_next_to_none(store: Store) -> None:
    signs = {}
    for persona in (*PERSONAS, "empty"):
        found = evidence_for(BoundCampaign.open(store, "pilot"), set(work(store, persona, persona)))
        signs[persona] = Counter(item.kind for items in found.values() for item in items)
    assert signs["good"].total() <= 2
    assert "unfinished" in signs["sloppy"]
    assert "copies_context" in signs["copying"]
    assert "repeats_own" in signs["malicious"]
    assert signs["empty"] == {"empty": HITS_EACH}


def test_a_rejection_says_what_was_seen(store: Store) -> None:
    work(store, "empty", "w1")
    work(store, "copying", "w2")
    review(store)
    reasons = {event.reason for event in store.reviews.of_campaign("pilot")}
    assert any("there are none" in reason or "empty" in reason for reason in reasons)
    assert any("copies_context" in reason for reason in reasons)


def test_the_writers_name_and_haste_decide_nothing(store: Store) -> None:
    work(store, "good", "malicious", seconds=timedelta(seconds=1))
    assert review(store)["malicious"] == (5, 5)


@pytest.mark.parametrize(
    ("accepted", "reviewed", "bad"),
    [(0, 3, True), (1, 3, True), (1, 4, True), (4, 9, True), (2, 3, False), (3, 4, False), (5, 8, False)],
)
def test_nobody_is_revoked_for_a_hit_that_went_wrong_by_chance(accepted: int, reviewed: int, bad: bool) -> None:
    interval = wilson(accepted, reviewed)
    worker = Assessment("a", Standing.QUALIFIED, reviewed, reviewed, reviewed, accepted, *interval, recommended=True)
    assert revokes(worker) is bad
    assert not revokes(replace(worker, recommended=False))
