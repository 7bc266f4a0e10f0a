"""`review held` and `review release`: what waits for a person before it is paid, and the person's word on it."""

from __future__ import annotations

from typing import Any

import click
from rich.table import Table

from beat_the_ai.campaign.money.on_hold import WORDS, on_hold_in
from beat_the_ai.cli.payments import json_option
from beat_the_ai.cli.review.command import ReviewCommand, on_campaign
from beat_the_ai.cli.review.options import assignment_argument, endpoint_option, reason_option, reviewer_option
from beat_the_ai.cli.review.tables import folded
from beat_the_ai.cli.terminal import shown
from beat_the_ai.errors import UnknownName
from beat_the_ai.payments import Cause, HeldBack, cost_if_paid
from beat_the_ai.review import NotALead
from beat_the_ai.rules.amounts import show
from beat_the_ai.store import PayDecision, Store, now
from beat_the_ai.terms.campaign import BoundCampaign

HINT = 'Pay one with: beat-the-ai review release CAMPAIGN ASSIGNMENT --reason "…"; or not, with --withhold.'


@click.command()
@on_campaign
@json_option
def held(review: ReviewCommand) -> None:
    """List what is not paid by itself in CAMPAIGN: empty HITs, those set aside or never submitted. Oldest first."""
    rows = [_row(campaign, hit) for campaign in BoundCampaign.all_in(review.store) for hit in on_hold_in(campaign)]
    review.show_rows(rows, _table, "Nothing waits for a person.", HINT)


@click.command()
@on_campaign
@assignment_argument
@reason_option
@click.option("--withhold", is_flag=True, help="Do not pay it, and reject it at the crowd, which would pay in the end.")
@reviewer_option
@endpoint_option
@json_option
def release(review: ReviewCommand, assignment: str, reason: str, withhold: bool) -> None:
    """Pay ASSIGNMENT, which `review held` lists, as work that counts; the next `pay --confirm` does it."""
    from beat_the_ai.campaign.money.at_the_crowd import check, settle  # Mephisto takes a second to import

    action, pays = ("withhold", False) if withhold else ("release", True)
    store, who = review.store, review.acting()
    campaign, hit = _find(store, assignment)
    with review.entry(who, action, assignment, reason):
        if not who.lead:
            raise NotALead(f"{who.name} judges HITs; a lead decides what is paid.")
        check(campaign, hit, pays=pays)
        store.pay_decisions.add(PayDecision(assignment, pays, who.name, reason, now()))
        at_crowd = settle(campaign, hit, review.endpoint, pays=pays)
    decision = {"assignment": assignment, "pays": pays, "by": who.name, "reason": reason, "at_crowd": at_crowd}
    review.show(decision, _words(decision))


def _find(store: Store, assignment: str) -> tuple[BoundCampaign, HeldBack]:
    """Return the campaign of a HIT on hold, and the HIT. Raises `UnknownName`."""
    on_hold = {hit.assignment.id: (of, hit) for of in BoundCampaign.all_in(store) for hit in on_hold_in(of)}
    if assignment not in on_hold:
        raise UnknownName("ASSIGNMENT", assignment, on_hold)
    return on_hold[assignment]


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
    names = ("assignment", "worker", "work", "why", "accepted", "if paid", "decided")
    table = folded("Waiting for a person", *names, caption="if paid: with fees")
    for row in rows:
        why = WORDS[Cause(row["kind"])] + (f": {row['reason']}" if row["kind"] == Cause.SET_ASIDE else "")
        who = (row["assignment"], row["worker"], row["work"])
        cells = (*who, why, row["accepted_at"][:16], show(row["cents"]), _decided(row["decision"]))
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
