"""Simulated reviewers: they judge sampled HITs by what a person would see there, and by evidence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from random import Random

from beat_the_ai.rules.kind import People
from beat_the_ai.rules.protocol import Json, TaskItem
from beat_the_ai.simulation.personas import GOOD
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.workforce import THRESHOLD, Assessment, Evidence, Reviewing, SampledHit, evidence_for

LOOKED_AT = 10  # works of a good writer, who may have no end of them
BAD_SHARE = 1 / 3  # of a HIT's works; with more of them it is rejected
# Signs in what was written. Simulated people are all fast, and who was first within a turn is a matter of luck.
WEIGHED = frozenset({"empty", "copies_context", "gibberish", "repeats_own", "unfinished"})


def revokes(worker: Assessment) -> bool:
    """Return whether revocation is recommended beyond chance: the whole interval lies below the threshold."""
    return worker.recommended and worker.high < THRESHOLD


class SimulatedReviewer:
    """One who has read the contexts, and so sees what is wrong."""

    def __init__(self, people: People, name: str, campaign: BoundCampaign) -> None:
        self._people = people
        self._name = name
        self._campaign = campaign

    def verdicts(self, reviewing: Reviewing) -> dict[str, str | None]:
        """`{assignment: why it is not accepted, or None}` of all in the sample that this reviewer has not judged."""
        waiting = [sampled for sampled in reviewing.queue(self._name) if sampled.mine is None]
        evidence = evidence_for(self._campaign, {sampled.assignment.id for sampled in waiting})
        nothing_left = self._without_anything_to_ask(waiting)
        return {
            one.assignment.id: None
            if one.assignment.id in nothing_left
            else fault(self._people, one, evidence[one.assignment.id])
            for one in waiting
        }

    def _without_anything_to_ask(self, waiting: Sequence[SampledHit]) -> set[str]:
        """Return the empty HITs of writers who gave up honestly: others had tried all that a good writer would."""
        empty = [one for one in waiting if not one.attempts]
        rows = self._campaign.store.attempts.of_campaign(self._campaign.id) if empty else ()
        tried = [(row.hit.context.id, row.attempt.work) for row in rows]
        return {
            one.assignment.id
            for one in empty
            if all((one.hit.context.id, work) in tried for work in self._good_works(one.hit.task_item))
        }

    def _good_works(self, task_item: TaskItem) -> Iterable[Json]:
        return islice(self._people.works(GOOD, task_item, Random(task_item.context.id), ()), LOOKED_AT)  # noqa: S311


def fault(people: People, sampled: SampledHit, evidence: Sequence[Evidence]) -> str | None:
    """Return why a HIT is not accepted; None if it is.

    A writer who took everything back has given up: then all that was tried is judged.
    """
    signs = [item for item in evidence if item.kind in WEIGHED]
    tried = {attempt.id for attempt in sampled.attempts}
    judged = {attempt.id for attempt in sampled.attempts if not attempt.retracted} or tried
    wrong = {attempt.id for attempt in sampled.attempts if people.is_wrong(attempt.work, sampled.hit.context)}
    bad = judged & (wrong | {item.attempt_id for item in signs if item.attempt_id is not None})
    if judged and len(bad) <= BAD_SHARE * len(judged):
        return None
    named = sorted({item.kind for item in signs if item.attempt_id in (None, *bad)} | ({"wrong"} if wrong else set()))
    return f"{len(bad)} of {len(judged)} attempts are no good: {', '.join(named) or 'there are none'}"
