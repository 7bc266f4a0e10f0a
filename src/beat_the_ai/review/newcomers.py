"""Newcomers as a reviewer sees them: all that they did in their screening, and how they stand."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from beat_the_ai.review import views
from beat_the_ai.rules.kind import Reading
from beat_the_ai.store import Assignment, Attempt, Hit, Screening, ScreeningResponse, StandingEvent, Store
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.workforce import Evidence, Standing, evidence_for

Taken = tuple[Screening, list[ScreeningResponse], Assignment, list[Attempt], Hit]


def newcomers(campaign: BoundCampaign) -> tuple[views.Candidate, ...]:
    """Screenings and candidates: those who wait for a decision first, in the order in which they came.

    A newcomer whom the grader has failed may be decided about as well.
    """
    store, campaign_id = campaign.store, campaign.id
    current = store.standings.current(campaign_id)
    screenings, counting = _screenings(campaign), store.screenings.confirmed(campaign_id)
    waiting = [worker for worker, event in current.items() if event.standing == Standing.CANDIDATE]
    others = [name for name in screenings if name not in waiting]
    return tuple(
        _candidate(name, current.get(name), screenings.get(name), counts=name in counting)
        for name in [*waiting, *others]
    )


def _candidate(
    worker: str, event: StandingEvent | None, screening: views.Screening | None, *, counts: bool
) -> views.Candidate:
    """`counts`: the screening was handed in and confirmed."""
    standing = None if event is None else views.StandingEvent.model_validate(event)
    decidable = counts if standing is None else standing.standing is Standing.CANDIDATE
    return views.Candidate(worker=worker, standing=standing, screening=screening, decidable=decidable)


def _screenings(campaign: BoundCampaign) -> dict[str, views.Screening]:
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
    return screening, responses, assignment, attempts, store.campaigns.hit(assignment.hit)


def _told(taken: Taken, telemetry: Any, evidence: Iterable[Evidence], reading: Reading | None) -> views.Screening:
    screening, responses, assignment, attempts, hit = taken
    return views.Screening(
        outcome=screening.outcome,
        started_at=screening.started_at,
        submitted_at=screening.submitted_at,
        steps=tuple(views.Response.model_validate(one) for one in responses),
        context=views.Context.model_validate(hit.context),
        attempts=views.attempts(attempts, telemetry, list(evidence), {}, reading),
        feedback=assignment.feedback,
    )
