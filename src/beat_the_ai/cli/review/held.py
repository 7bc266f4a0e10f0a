"""`review held` and `review release`: what waits for a person before it is paid, and the person's word on it."""

from __future__ import annotations

from typing import Any

import click
from rich.table import Table

from beat_the_ai.campaign.money.on_hold import explained
from beat_the_ai.cli.payments import json_option
from beat_the_ai.cli.review.command import ReviewCommand, on_campaign
from beat_the_ai.cli.review.options import assignment_argument, endpoint_option, reviewer_option
from beat_the_ai.cli.review.tables import folded
from beat_the_ai.cli.terminal import shown
from beat_the_ai.payments import Cause, cost_if_paid
from beat_the_ai.review import Held, HeldHit
from beat_the_ai.rules.amounts import show
from beat_the_ai.store import PayDecision

HINT = 'Pay one with: beat-the-ai review release CAMPAIGN ASSIGNMENT --reason "…"; or not, with --withhold.'


@click.command()
@on_campaign
@json_option
def held(review: ReviewCommand) -> None:
    """List what is not paid by itself in CAMPAIGN: empty HITs, those set aside or never submitted. Oldest first."""
    rows = [_row(one) for one in Held(review.store).all()]
    review.show_rows(rows, _table, "Nothing waits for a person.", HINT)


@click.command()
@on_campaign
@assignment_argument
@click.option("--reason", required=True, help="Kept with the decision; the worker sees it where --category is needed.")
@click.option("--withhold", is_flag=True, help="Do not pay it, and reject it at the crowd, which would pay in the end.")
@click.option("--category", metavar="NAME", help="The kind of rejection, for a crowd that asks for it and names them.")
@reviewer_option
@endpoint_option
@json_option
def release(review: ReviewCommand, assignment: str, reason: str, withhold: bool, category: str | None) -> None:
    """Pay ASSIGNMENT, which `review held` lists, as work that counts; the next `pay --confirm` does it."""
    held, pays = Held(review.store, review.endpoint), not withhold
    outcome = held.decide(review.acting(), assignment, pays=pays, reason=reason, category=category)
    decision = {"assignment": assignment, **_decision(outcome.decision), "at_crowd": outcome.at_crowd}
    review.show(decision, _words(decision))


def _decision(one: PayDecision) -> dict[str, Any]:
    return {"pays": one.pays, "by": one.by, "reason": one.reason, "category": one.category}


def _row(held: HeldHit) -> dict[str, Any]:
    one = held.work
    assignment, decision = one.assignment, one.decision
    return {
        "assignment": assignment.id,
        "worker": assignment.worker,
        "work": "validation" if assignment.is_validation else "writing",
        "kind": one.cause.value,
        "reason": one.reason,
        "accepted_at": assignment.accepted_at.isoformat(),
        "submitted_at": assignment.submitted_at and assignment.submitted_at.isoformat(),
        "cents": cost_if_paid(held.campaign, [one]),
        "unit": held.campaign.crowd.unit,
        "decision": decision and _decision(decision),
    }


def _table(rows: list[dict[str, Any]]) -> Table:
    names = ("assignment", "worker", "work", "why", "accepted", "if paid", "decided")
    table = folded("Waiting for a person", *names, caption="if paid: with fees")
    for row in rows:
        why = explained(Cause(row["kind"]), row["reason"])
        who = (row["assignment"], row["worker"], row["work"])
        cells = (*who, why, row["accepted_at"][:16], show(row["cents"], row["unit"]), _decided(row["decision"]))
        table.add_row(*map(shown, cells))
    return table


def _decided(decision: dict[str, Any] | None) -> str:
    if decision is None:
        return "no"
    return f"{'pay' if decision['pays'] else 'do not pay'} ({decision['by']}: {decision['reason']})"


def _words(decision: dict[str, Any]) -> str:
    name = decision["assignment"]
    at_crowd = "" if decision["at_crowd"] is None else f" The crowd has {decision['at_crowd']} it."
    if decision["pays"]:
        return f"{name} is released: the next `beat-the-ai pay CAMPAIGN --confirm` pays it.{at_crowd}"
    return f"{name} is not paid.{at_crowd}"
