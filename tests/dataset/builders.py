"""Campaigns in a store, made without a desk or a model: as many attempts as a test wants, at fixed times."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from beat_the_ai.rules.ids import short_hash
from beat_the_ai.rules.protocol import Context
from beat_the_ai.store import Attempt, Campaign, Store
from tests.store.builders import NEW_YEAR

ANSWER = "forty-two"


@dataclass(frozen=True)
class Tried:
    """One attempt to store."""

    context: int
    worker: str
    fooled: bool = True
    retracted: bool = False
    question: str = "How many?"


def passage(number: int) -> Context:
    return Context(f"passage/{number}", f"Of number {number} there are {ANSWER}. 𝄞 \u2028 end", f"Title {number % 3}")


def stored(store: Store, tried: Sequence[Tried], contexts: int, *, seed: int = 7) -> Campaign:
    """A campaign of one round with these attempts, each of an assignment of its own."""
    campaign = store.campaigns.create(Campaign("pilot", "reading_comprehension", seed, "k" * 32, {}, NEW_YEAR))
    offered = store.campaigns.offer(campaign.id, [passage(n) for n in range(contexts)], round_number=1, slots=1)
    hit_of = {context_id: hit_id for hit_id, context_id in offered.items()}
    for number, one in enumerate(tried):
        hit_id = hit_of[passage(one.context).id]
        assignment = store.attempts.accept(hit_id, one.worker, f"r{number}-{one.worker}", NEW_YEAR)[0]
        store.attempts.add(attempt(assignment.id, one, number))
        store.assignments.submit(assignment.id, None, NEW_YEAR + timedelta(minutes=10))
    return campaign


def attempt(assignment_id: str, one: Tried, number: int) -> Attempt:
    text = passage(one.context).text
    made = Attempt(
        id=short_hash(assignment_id, number),
        assignment_id=assignment_id,
        key="key",
        ordinal=1,
        work={"question": one.question, "answer": {"text": ANSWER, "start": text.index(ANSWER)}},
        prediction={"text": "number", "start": 3, "score": 0.5},
        fooled=one.fooled,
        scores={"f1": 0.0 if one.fooled else 1.0},
        member="m1",
        model_name="fake",
        model_hash="a" * 64,
        model_precision="fp32",
        created_at=NEW_YEAR + timedelta(seconds=number),
    )
    return replace(made, retracted_at=NEW_YEAR) if one.retracted else made
