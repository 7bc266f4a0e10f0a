"""Newcomers as a reviewer sees them: all that they did in their screening, and how they stand."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from beat_the_ai.review import views
from beat_the_ai.rules.kind import Reading
from beat_the_ai.store import Assignment, Attempt, Hit, Screening, ScreeningResponse, Store
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.workforce import Evidence, Standing, evidence_for

Json = dict[str, Any]
Taken = tuple[Screening, list[ScreeningResponse], Assignment, list[Attempt], Hit]


def newcomers(campaign: BoundCampaign) -> list[Json]:
    """Screenings and candidates: those who wait for a decision first, in the order in which they came.

    A newcomer whom the grader has failed may be decided about as well.
    """
    store, campaign_id = campaign.store, campaign.id
    current = store.standings.current(campaign_id)
    screenings, counting = _screenings(campaign), store.screenings.confirmed(campaign_id)
    waiting = [worker for worker, event in current.items() if event.standing == Standing.CANDIDATE]
    told = []
    for worker in [*waiting, *(name for name in screenings if name not in waiting)]:
        standing = views.standing(current[worker]) if worker in current else None
        screening = screenings.get(worker)
        decidable = worker in waiting or (standing is None and worker in counting)
        told.append({"worker": worker, "standing": standing, "screening": screening, "decidable": decidable})
    return told


def _screenings(campaign: BoundCampaign) -> dict[str, Json]:
    """Return by worker the answers to the quiz, and the sample HIT, which belongs to a campaign of its own."""
    store = campaign.store
    taken = [_taken(store, screening) for screening in store.screenings.of_campaign(campaign.id)]
    samples: dict[str, set[str]] = {}
    for _, _, assignment, _, hit in taken:
        samples.setdefault(hit.campaign_id, set()).add(assignment.id)
    evidence = {
        name: items
        for sample, assignments in samples.items()
        for name, items in evidence_for(BoundCampaign.open(store, sample), assignments).items()
    }
    telemetry = {sample: store.attempts.telemetry(sample) for sample in samples}
    reading = campaign.kind.reading
    return {one[0].worker: _told(one, telemetry[one[4].campaign_id], evidence[one[2].id], reading) for one in taken}


def _taken(store: Store, screening: Screening) -> Taken:
    _, responses = store.screenings.session(screening.assignment_id)
    assignment, attempts = store.attempts.session(screening.assignment_id)
    return screening, responses, assignment, attempts, store.campaigns.hit(assignment.hit_id)


def _told(taken: Taken, telemetry: Any, evidence: Iterable[Evidence], reading: Reading | None) -> Json:
    screening, responses, assignment, attempts, hit = taken
    return {
        "outcome": screening.outcome,
        "started_at": views.time(screening.started_at),
        "submitted_at": views.time(screening.submitted_at),
        "steps": [views.response(one) for one in responses],
        "context": views.context(hit.context),
        "attempts": views.attempts(attempts, telemetry, list(evidence), {}, reading),
        "feedback": assignment.feedback,
    }
