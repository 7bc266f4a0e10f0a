"""Workers with finished HITs, written as one letter per HIT: the letter is the worker."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from beat_the_ai.rules.stage import Stage
from beat_the_ai.store import Assignment, Store
from tests.store.builders import NEW_YEAR, attempt, campaign, context


def offer(store: Store, hits: int, campaign_id: str = "pilot") -> list[str]:
    """Open HITs; asked again for more, only the new ones."""
    store.campaigns.create(campaign(campaign_id))
    before = store.campaigns.hits(campaign_id)
    name = f"rome/{len(before)}"
    return list(store.campaigns.offer(campaign_id, [context(name)], round_number=1, slots=hits))


def submit(store: Store, workers: Sequence[str], campaign_id: str = "pilot") -> list[Assignment]:
    """Submitted HITs with two attempts each, the first of which beat the AI."""
    done = []
    begun = len(store.assignments.confirmed(campaign_id, Stage.WRITING))
    for number, (hit, worker) in enumerate(zip(offer(store, len(workers), campaign_id), workers, strict=True), begun):
        made = store.attempts.accept(hit, worker, f"3X{number}-{worker}", NEW_YEAR)[0]
        for ordinal in (1, 2):
            store.attempts.add(attempt(made.id, ordinal))
        done.append(store.assignments.submit(made.id, None, NEW_YEAR + timedelta(minutes=number)))
    return done
