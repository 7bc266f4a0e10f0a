"""`review held` and `review release`: what waits for a person before it is paid, and the person's word on it."""

from __future__ import annotations

import json
from typing import Any

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from beat_the_ai.campaign.money.on_hold import WORDS, on_hold_in
from beat_the_ai.cli.payments import campaign_argument, json_option
from beat_the_ai.cli.review.options import endpoint_option, reason_option, reviewer_option
from beat_the_ai.cli.review.people import acting
from beat_the_ai.errors import UnknownName
from beat_the_ai.payments import Cause, HeldBack, cost_if_paid
from beat_the_ai.payments.cap import show
from beat_the_ai.review import NotALead
from beat_the_ai.review.journal import Journal
from beat_the_ai.store import PayDecision, Store, now
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.terms.locate import campaign_store


@click.command()
@campaign_argument
@json_option
def held(campaign: str, as_json: bool) -> None:
    """List what is not paid by itself in CAMPAIGN: empty HITs, those set aside or never submitted. Oldest first."""
    with campaign_store(campaign) as store:
        campaigns = BoundCampaign.all_in(store)
        rows = [_row(of, one) for of in campaigns for one in on_hold_in(of)]
    if as_json:
        click.echo(json.dumps(rows))
    elif rows:
        Console().print(_table(rows))
        click.echo(
            'Pay one with: beat-the-ai review release CAMPAIGN ASSIGNMENT --reason "…"; or not, with --withhold.'
        )
    else:
        click.echo("Nothing waits for a person.")


@click.command()
@campaign_argument
@click.argument("assignment", metavar="ASSIGNMENT")
@reason_option
@click.option("--withhold", is_flag=True, help="Do not pay it, and reject it at the crowd, which would pay in the end.")
@reviewer_option
@endpoint_option
@json_option
def release(
    campaign: str, assignment: str, reason: str, withhold: bool, reviewer: str, endpoint: str | None, as_json: bool
) -> None:
    """Pay ASSIGNMENT, which `review held` lists, as work that counts; the next `pay --confirm` does it."""
    from beat_the_ai.campaign.money.at_the_crowd import check, settle  # Mephisto takes a second to import

    action, pays = ("withhold", False) if withhold else ("release", True)
    with campaign_store(campaign) as store:
        who = acting(store, reviewer)
        of, one = _find(store, assignment)
        with Journal(store).entry(who, action, assignment, reason):
            if not who.lead:
                raise NotALead(f"{who.name} judges HITs; a lead decides what is paid.")
            check(of, one, pays=pays)
            store.pay_decisions.add(PayDecision(assignment, pays, who.name, reason, now()))
            at_crowd = settle(of, one, endpoint, pays=pays)
    told = {"assignment": assignment, "pays": pays, "by": who.name, "reason": reason, "at_crowd": at_crowd}
    click.echo(json.dumps(told) if as_json else _words(told))


def _find(store: Store, assignment: str) -> tuple[BoundCampaign, HeldBack]:
    """Return the HIT on hold and its campaign. Raises `UnknownName`."""
    campaigns = BoundCampaign.all_in(store)
    found = {one.assignment.id: (of, one) for of in campaigns for one in on_hold_in(of)}
    if assignment not in found:
        raise UnknownName("ASSIGNMENT", assignment, found)
    return found[assignment]


def _row(campaign: BoundCampaign, one: HeldBack) -> dict[str, Any]:
    assignment, decision = one.assignment, one.decision
    return {
        "assignment": assignment.id,
        "worker": assignment.worker,
        "work": "validation" if assignment.is_validation else "writing",
        "kind": one.cause.value,
        "reason": one.reason,
        "accepted_at": assignment.accepted_at.isoformat(),
        "submitted_at": assignment.submitted_at and assignment.submitted_at.isoformat(),
        "cents": cost_if_paid(campaign, [one]),
        "decision": decision and {"pays": decision.pays, "by": decision.by, "reason": decision.reason},
    }


def _table(rows: list[dict[str, Any]]) -> Table:
    table = Table(title="Waiting for a person", caption="if paid: with fees")
    for name in ("assignment", "worker", "work", "why", "accepted", "if paid", "decided"):
        table.add_column(name, overflow="fold")
    for row in rows:
        why = WORDS[Cause(row["kind"])] + (f": {row['reason']}" if row["kind"] == Cause.SET_ASIDE else "")
        decided = _decided(row["decision"])
        cells = (
            row["assignment"],
            row["worker"],
            row["work"],
            why,
            row["accepted_at"][:16],
            show(row["cents"]),
            decided,
        )
        table.add_row(*map(escape, cells))
    return table


def _decided(decision: dict[str, Any] | None) -> str:
    if decision is None:
        return "no"
    return f"{'pay' if decision['pays'] else 'do not pay'} ({decision['by']}: {decision['reason']})"


def _words(told: dict[str, Any]) -> str:
    name = told["assignment"]
    at_crowd = "" if told["at_crowd"] is None else f" The crowd has {told['at_crowd']} it."
    if told["pays"]:
        return f"{name} is released: the next `beat-the-ai pay CAMPAIGN --confirm` pays it.{at_crowd}"
    return f"{name} is not paid.{at_crowd}"
