"""Simulated reviewers: they judge sampled HITs by what a person would see there, and by evidence."""

from __future__ import annotations

from collections.abc import Sequence

from beat_the_ai.rules.kind import People
from beat_the_ai.store import Store
from beat_the_ai.workforce import THRESHOLD, Assessment, Evidence, Reviewing, SampledHit, evidence_for

BAD_SHARE = 1 / 3  # of a HIT's works; with more of them it is rejected
# Signs in what was written. Simulated people are all fast, and who was first within a turn is a matter of luck.
WEIGHED = frozenset({"empty", "copies_context", "gibberish", "repeats_own", "unfinished"})


def revokes(worker: Assessment) -> bool:
    """Whether that is recommended, and not for what may be chance: its whole interval lies below the threshold."""
    return worker.recommended and worker.high < THRESHOLD


class SimulatedReviewer:
    """One who has read the contexts, and so sees what is wrong."""

    def __init__(self, people: People, name: str, store: Store, campaign_id: str) -> None:
        self._people = people
        self._name = name
        self._store = store
        self._campaign_id = campaign_id

    def verdicts(self, reviewing: Reviewing) -> dict[str, str | None]:
        """`{assignment: why it is not accepted, or None}` of all in the sample that this reviewer has not judged."""
        waiting = [sampled for sampled in reviewing.queue(self._name) if sampled.mine is None]
        evidence = evidence_for(self._store, self._campaign_id, {sampled.assignment.id for sampled in waiting})
        return {one.assignment.id: fault(self._people, one, evidence[one.assignment.id]) for one in waiting}


def fault(people: People, sampled: SampledHit, evidence: Sequence[Evidence]) -> str | None:
    """Why a HIT is not accepted; None if it is."""
    signs = [item for item in evidence if item.kind in WEIGHED]
    kept = {attempt.id for attempt in sampled.attempts if not attempt.retracted}
    wrong = {attempt.id for attempt in sampled.attempts if people.is_wrong(attempt.work, sampled.hit.context)}
    bad = kept & (wrong | {item.attempt_id for item in signs if item.attempt_id is not None})
    if kept and len(bad) <= BAD_SHARE * len(kept):
        return None
    named = sorted({item.kind for item in signs if item.attempt_id in (None, *bad)} | ({"wrong"} if wrong else set()))
    return f"{len(bad)} of {len(kept)} attempts are no good: {', '.join(named) or 'there are none'}"
