"""The verdicts that stand, and what they come to: on one HIT, and on a worker.

A reviewer's last word on a HIT counts. Where reviewers differ the worker has the benefit of the doubt: a HIT is
rejected when more of them reject than accept it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

from beat_the_ai.store import Review, Tally, Verdict

ACCEPT, REJECT, UNDO = "accept", "reject", "undo"
THRESHOLD = 0.8

Said = TypeVar("Said", Review, Verdict)


def standing_reviews(events: Iterable[Said]) -> dict[str, dict[str, Said]]:
    """`{assignment: {reviewer: last verdict}}`, without those taken back; HITs in the order of their first verdicts."""
    standing: dict[str, dict[str, Said]] = {}
    for event in events:
        of_hit = standing.setdefault(event.assignment_id, {})
        of_hit.pop(event.reviewer, None)
        if event.verdict != UNDO:
            of_hit[event.reviewer] = event
    judged = {assignment_id: reviews for assignment_id, reviews in standing.items() if reviews}
    return dict(sorted(judged.items(), key=lambda item: min(review.id for review in item[1].values())))


def accepted(reviews: Iterable[Review | Verdict]) -> bool:
    """Return whether the reviewers together accept one HIT."""
    verdicts = [review.verdict for review in reviews]
    return verdicts.count(REJECT) <= verdicts.count(ACCEPT)


def tally_of(outcomes: Sequence[bool]) -> Tally:
    """Return the tally of HITs in the order of review, each accepted or not."""
    good = below_at = 0
    for reviewed, outcome in enumerate(outcomes, start=1):
        good += outcome
        if good / reviewed < THRESHOLD:
            below_at = reviewed
    return Tally(len(outcomes), good, below_at)


def measure(events: Iterable[Verdict]) -> tuple[Tally, dict[str, Tally]]:
    """Return the tally of one worker's HITs by all reviewers together, and those of the HITs that each has judged."""
    judged = standing_reviews(events).values()
    names = {reviewer for reviews in judged for reviewer in reviews}
    of_each = {name: tally_of([accepted(reviews.values()) for reviews in judged if name in reviews]) for name in names}
    return tally_of([accepted(reviews.values()) for reviews in judged]), of_each
