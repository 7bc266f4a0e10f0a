"""`review list`: the sample of HITs, and how their workers stand."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import click
from rich.console import Console

from beat_the_ai.campaign.money.payables import owed_to
from beat_the_ai.cli.payments import json_option
from beat_the_ai.cli.review.command import ReviewCommand, on_campaign
from beat_the_ai.cli.review.options import reviewer_option
from beat_the_ai.cli.review.tables import agreement_text, consequences_text, hits_table, people_table, proposal_text
from beat_the_ai.errors import UnknownName
from beat_the_ai.review import views
from beat_the_ai.store import Proposal
from beat_the_ai.workforce import (
    Assessment,
    Consequences,
    Evidence,
    Reviewing,
    SampledHit,
    assess,
    consequences,
    evidence_for,
    refused_newcomers,
)


@click.command("list")
@on_campaign
@reviewer_option
@click.option("--worker", metavar="ID", help="Only this worker.")
@json_option
def list_(review: ReviewCommand, worker: str | None) -> None:
    """List the HITs to review, the works in them, and each worker's standing.

    The sample is filled up first. Other reviewers' verdicts are shown once your own stands.
    """
    campaign = review.campaign
    reviewing = Reviewing(campaign)
    reviewing.draw()
    everybody = assess(campaign, min_reviews=campaign.decision_rules.min_reviews)
    people = [one for one in everybody if worker in (None, one.worker)]
    if worker is not None and not people:
        raise UnknownName("worker", worker, (one.worker for one in everybody))
    hits = reviewing.queue(review.reviewer, worker)
    evidence = evidence_for(campaign, {hit.assignment.id for hit in hits})
    advised = [one.worker for one in people if one.recommended]
    effects = {name: consequences(campaign, name, owed_to(campaign, name)) for name in advised}
    agreement = reviewing.agreement()
    waiting = review.store.proposals.waiting(campaign.id)
    refused = refused_newcomers(campaign)
    if review.as_json:
        review.show(
            {
                "campaign": campaign.id,
                "workers": [_person(one, effects.get(one.worker), waiting.get(one.worker)) for one in people],
                "hits": [_hit(hit, evidence[hit.assignment.id]) for hit in hits],
                "agreement": views.Agreement.of(agreement).sent(),
            }
        )
        return
    console = Console()
    console.print(people_table(campaign.id, people, refused))
    for one in people:
        if one.worker in waiting:
            console.print(proposal_text(waiting[one.worker]))
    for effect in effects.values():
        console.print(consequences_text(effect, campaign.crowd.unit))
    console.print(hits_table(hits, evidence), agreement_text(agreement))


def _person(one: Assessment, effect: Consequences | None, waiting: Proposal | None) -> dict[str, Any]:
    return {
        **asdict(one),
        "accuracy": one.accuracy,
        "consequences": effect,
        "proposal": waiting and views.Proposal.model_validate(waiting).sent(),
    }


def _hit(one: SampledHit, evidence: list[Evidence]) -> dict[str, Any]:
    return {
        "assignment": one.assignment.id,
        "worker": one.assignment.worker,
        "context_id": one.hit.context.id,
        "context": one.hit.context.text,
        "feedback": one.assignment.feedback,
        "submitted_at": one.assignment.submitted_at,
        "attempts": [
            {
                "attempt_id": made.id,
                "work": made.work,
                "prediction": made.prediction,
                "fooled": made.fooled,
                "retracted": made.retracted,
                "flag": made.flag_reason,
                "telemetry": one.telemetry.get(made.id),
            }
            for made in one.attempts
        ],
        "evidence": evidence,
        "mine": None if one.mine is None else {"verdict": one.mine.verdict, "reason": one.mine.reason},
        "others": one.others,
    }
