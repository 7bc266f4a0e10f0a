"""`review list`: the sample of HITs, and how their workers stand."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

import click
from rich.console import Console

from beat_the_ai.campaign.money.payables import owed_to
from beat_the_ai.cli.payments import campaign_argument, json_option
from beat_the_ai.cli.review.options import opened, reviewer_option
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
@campaign_argument
@reviewer_option
@click.option("--worker", metavar="ID", help="Only this worker.")
@json_option
def list_(campaign: str, reviewer: str, worker: str | None, as_json: bool) -> None:
    """List the HITs to review, the works in them, and each worker's standing.

    The sample is filled up first. Other reviewers' verdicts are shown once your own stands.
    """
    with opened(campaign) as bound:
        reviewing = Reviewing(bound)
        reviewing.draw()
        everybody = assess(bound, min_reviews=bound.decision_rules.min_reviews)
        people = [one for one in everybody if worker in (None, one.worker)]
        if worker is not None and not people:
            raise UnknownName("worker", worker, (one.worker for one in everybody))
        hits = reviewing.queue(reviewer, worker)
        evidence = evidence_for(bound, {one.assignment.id for one in hits})
        effects = {
            one.worker: consequences(bound, one.worker, owed_to(bound, one.worker)) for one in people if one.recommended
        }
        agreement = reviewing.agreement()
        waiting = bound.store.proposals.waiting(bound.id)
        refused = refused_newcomers(bound)
    if as_json:
        told = {
            "campaign": bound.id,
            "workers": [_person(one, effects.get(one.worker), waiting.get(one.worker)) for one in people],
            "hits": [_hit(one, evidence[one.assignment.id]) for one in hits],
            "agreement": {
                "units": agreement.units,
                "percent": agreement.percent,
                "alpha": agreement.alpha,
                "kappa": [{"reviewers": list(pair), "kappa": kappa} for pair, kappa in agreement.kappa.items()],
            },
        }
        click.echo(json.dumps(told, default=str))
        return
    console = Console()
    console.print(people_table(bound.id, people, refused))
    for one in people:
        if one.worker in waiting:
            console.print(proposal_text(waiting[one.worker]))
    for effect in effects.values():
        console.print(consequences_text(effect))
    console.print(hits_table(hits, evidence), agreement_text(agreement))


def _person(one: Assessment, effect: Consequences | None, waiting: Proposal | None) -> dict[str, Any]:
    more = {"consequences": None if effect is None else asdict(effect)}
    return {
        **asdict(one),
        "accuracy": one.accuracy,
        **more,
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
                "telemetry": asdict(one.telemetry[made.id]) if made.id in one.telemetry else None,
            }
            for made in one.attempts
        ],
        "evidence": [asdict(item) for item in evidence],
        "mine": None if one.mine is None else {"verdict": one.mine.verdict, "reason": one.mine.reason},
        "others": [asdict(other) for other in one.others],
    }
