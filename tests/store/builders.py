"""Records for the tests of the store, with every field filled."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from threading import Barrier
from typing import Any, TypeVar

from beat_the_ai.rules.ids import short_hash
from beat_the_ai.rules.protocol import Context
from beat_the_ai.store import Assignment, Attempt, Campaign, Draw, Store, Tally
from beat_the_ai.store.reviews import Choose

T = TypeVar("T")
NEW_YEAR = datetime(2020, 1, 1, 0, 30, 15, 123456, tzinfo=timezone.utc)
VIENNA_SUMMER = timezone(timedelta(hours=2))


def campaign(campaign_id: str = "pilot", **changes: Any) -> Campaign:
    config = {"threshold": 0.4, "locales": ["CA", "GB", "US"], "pool": {"bidaf": None}, "title": "naïve 𝄞"}
    record = Campaign(campaign_id, "reading_comprehension", 7, "k" * 64, config, NEW_YEAR)
    return replace(record, **changes)


def context(context_id: str = "rome/0", **changes: Any) -> Context:
    private = {"questions": [{"question": "When?", "answer": {"text": "476", "start": 13}}]}
    return replace(Context(context_id, "Rome fell in 476 — 𝄞 é e\u0301.", "Rome", private), **changes)


def attempt(assignment_id: str, ordinal: int, key: str | None = None, **changes: Any) -> Attempt:
    key = key or f"key-{ordinal}"
    record = Attempt(
        id=short_hash(assignment_id, key),
        assignment_id=assignment_id,
        key=key,
        ordinal=ordinal,
        work={"question": f"Question {ordinal}? 𝄞 e\u0301", "answer": {"text": "476", "start": 13}},
        prediction={"text": "Rome", "start": 0, "score": 0.1 + 0.2},
        fooled=ordinal % 2 == 1,
        scores={"f1": 1 / 3},
        member="second",
        model_name="bidaf",
        model_hash="a" * 64,
        model_precision="fp32",
        created_at=NEW_YEAR.replace(tzinfo=VIENNA_SUMMER),
    )
    return replace(record, **changes)


def accepted(store: Store, worker: str = "w1", registration: str = "r1") -> Assignment:
    """An assignment of the only HIT of a new campaign (or of the one that is there)."""
    store.campaigns.create(campaign())
    [hit_id] = store.campaigns.offer("pilot", [context()], round_number=1, slots=1)
    return store.attempts.accept(hit_id, worker, registration, NEW_YEAR)[0]


def at_once(calls: int, function: Callable[[int], T]) -> list[T]:
    """The results of `function(0)` … `function(calls - 1)`, each in a thread, all let go at the same time."""
    ready = Barrier(calls)

    def call(number: int) -> T:
        ready.wait(30)
        return function(number)

    with ThreadPoolExecutor(calls) as threads:
        return list(threads.map(call, range(calls)))


def draw(store: Store, choose: Choose, at: datetime = NEW_YEAR) -> list[Draw]:
    """Draw as many HITs as each worker has completed, from tallies that are up to date."""
    store.review_tallies.update("pilot", lambda _events: (Tally(0, 0, 0), {}))
    return store.reviews.draw("pilot", int, choose, at)
