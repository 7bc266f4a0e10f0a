"""`review accept`, `reject` and `undo`: one reviewer's word on one sampled HIT."""

from __future__ import annotations

import click

from beat_the_ai.cli.payments import json_option
from beat_the_ai.cli.review.command import ReviewCommand, on_campaign
from beat_the_ai.cli.review.options import assignment_argument, reason_option, reviewer_option
from beat_the_ai.review.desk import Verdict


@click.command()
@on_campaign
@assignment_argument
@reviewer_option
@click.option("--reason", default="", help="What is good about it, if it needs saying.")
@json_option
def accept(review: ReviewCommand, assignment: str, reason: str) -> None:
    """ASSIGNMENT, a sampled one, is good work."""
    _judge(review, assignment, "accept", reason)


@click.command()
@on_campaign
@assignment_argument
@reviewer_option
@reason_option
@json_option
def reject(review: ReviewCommand, assignment: str, reason: str) -> None:
    """ASSIGNMENT, a sampled one, is bad work. Its payment is not touched."""
    _judge(review, assignment, "reject", reason)


@click.command()
@on_campaign
@assignment_argument
@reviewer_option
@json_option
def undo(review: ReviewCommand, assignment: str) -> None:
    """Take your own verdict on ASSIGNMENT back."""
    _judge(review, assignment, "undo")


def _judge(review: ReviewCommand, assignment: str, verdict: Verdict, reason: str = "") -> None:
    judged = review.desk.judge(review.acting(), assignment, verdict, reason)
    review.show(judged, f"{judged.verdict}: {judged.assignment_id}")
