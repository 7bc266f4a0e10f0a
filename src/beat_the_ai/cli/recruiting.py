"""`people studies` and `people bonus-batch`: studies at a recruiter, and a person's word on a payment."""

from __future__ import annotations

import json
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from beat_the_ai.cli.payments import json_option
from beat_the_ai.cli.people_place import on_people
from beat_the_ai.cli.terminal import shown
from beat_the_ai.crowds.prolific import bonuses
from beat_the_ai.crowds.prolific.offers import FollowedStudy, followed_studies, offer_of, works_of
from beat_the_ai.errors import Refused
from beat_the_ai.marketplace.market import Market
from beat_the_ai.marketplace.moment import Moment
from beat_the_ai.marketplace.people import store
from beat_the_ai.rules.amounts import show

UNDER_WAY = (
    "Batch {id} was sent less than an hour ago, and Prolific pays some minutes later: sent again, it could be paid "
    "twice. Wait until `people studies` says that nobody knows."
)


@click.command("studies")
@json_option
@on_people
def recruiter_studies(as_json: bool, market: Market) -> None:
    """List the studies that stand at Prolific: open HITs, submissions, payments, and what needs a person."""
    with market.reading() as moment:
        rows = [_row(moment, one) for one in followed_studies(moment)]
    if as_json:
        click.echo(json.dumps(rows, indent=2))
        return
    table = Table(
        "study", "at Prolific", "open", "in progress", "submitted", "rewards paid", "bonuses paid", "open bonuses"
    )
    for row in rows:
        numbers = [str(row[name]) for name in ("open", "in_progress", "submitted")]
        money = [
            show(row[name], row["currency"])
            for name in ("rewards_paid_cents", "bonuses_paid_cents", "bonuses_open_cents")
        ]
        table.add_row(shown(row["title"]), row["external_id"] or "not yet", *numbers, *money)
    Console().print(table)
    for row in rows:
        for problem in row["problems"]:
            click.echo(f"{row['title']}: {problem}")


def _row(moment: Moment, followed: FollowedStudy) -> dict[str, Any]:
    try:
        offer = offer_of(moment, followed.study)
    except Refused:  # the mirror tells why, as a problem of the study
        offer = None
    works = works_of(moment, followed.study).values()
    batches = bonuses.batches_of(moment, followed.study.key)
    unpaid = [batch for batch in batches if batch.state != "paid"]
    problems = [*(followed.problem or "").splitlines(), *(batch.problem(followed.currency) for batch in unpaid)]
    return {
        "title": followed.study.title,
        "external_id": followed.external_id,
        "open": 0 if offer is None else offer.open,
        "in_progress": 0 if offer is None else offer.in_progress,
        "submitted": sum(work.submitted_at is not None for work in works),
        "rewards_paid_cents": sum(work.reward_cents for work in works if work.is_paid),
        "bonuses_paid_cents": sum(batch.paid_cents for batch in batches),
        "bonuses_open_cents": sum(sum(batch.unpaid.values()) for batch in batches),
        "open_batches": [{"id": batch.id, "state": batch.state, "external_id": batch.external_id} for batch in unpaid],
        "currency": followed.currency,
        "problems": list(dict.fromkeys(problem for problem in problems if problem)),
    }


@click.command("bonus-batch")
@click.argument("batch")
@click.option("--paid/--unpaid", "is_paid", required=True, help="As Prolific's page of the study's payments shows it.")
@on_people
def bonus_batch(batch: str, is_paid: bool, market: Market) -> None:
    """Say whether a BATCH of bonuses was paid, when Prolific's answer was lost; an unpaid one is sent anew."""
    with market.writing() as moment:
        if not is_paid and bonuses.get_batch(moment, batch).state == "sent":
            raise Refused(UNDER_WAY.format(id=batch))
        rest = bonuses.get_batch(moment, batch).unpaid
        bonuses.decide(moment, batch, is_paid=is_paid)
        currency = store.unit_of(moment)
    what = "It is noted as paid." if is_paid else "It is set up again, and paid."
    click.echo(f"{show(sum(rest.values()), currency)} to {len(rest)} submissions. {what}")
