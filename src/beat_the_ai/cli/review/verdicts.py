"""`review accept`, `reject` and `undo`: one reviewer's word on one sampled HIT."""

from __future__ import annotations

import json
from dataclasses import asdict

import click

from beat_the_ai.cli.payments import campaign_argument, json_option
from beat_the_ai.cli.review.options import assignment_argument, reason_option, review_desk, reviewer_option
from beat_the_ai.cli.review.people import acting
from beat_the_ai.review.desk import Verdict


@click.command()
@campaign_argument
@assignment_argument
@reviewer_option
@click.option("--reason", default="", help="What is good about it, if it needs saying.")
@json_option
def accept(campaign: str, assignment: str, reviewer: str, reason: str, as_json: bool) -> None:
    """ASSIGNMENT, a sampled one, is good work."""
    _judge(campaign, assignment, reviewer, "accept", reason, as_json=as_json)


@click.command()
@campaign_argument
@assignment_argument
@reviewer_option
@reason_option
@json_option
def reject(campaign: str, assignment: str, reviewer: str, reason: str, as_json: bool) -> None:
    """ASSIGNMENT, a sampled one, is bad work. Its payment is not touched."""
    _judge(campaign, assignment, reviewer, "reject", reason, as_json=as_json)


@click.command()
@campaign_argument
@assignment_argument
@reviewer_option
@json_option
def undo(campaign: str, assignment: str, reviewer: str, as_json: bool) -> None:
    """Take your own verdict on ASSIGNMENT back."""
    _judge(campaign, assignment, reviewer, "undo", "", as_json=as_json)


def _judge(campaign: str, assignment: str, reviewer: str, verdict: Verdict, reason: str, *, as_json: bool) -> None:
    with review_desk(campaign) as desk:
        review = desk.judge(acting(desk.store, reviewer), assignment, verdict, reason)
    told = json.dumps(asdict(review), default=str) if as_json else f"{review.verdict}: {review.assignment_id}"
    click.echo(told)
