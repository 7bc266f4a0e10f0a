"""`review doubtful` and `review admit`: works that wait for a reviewer before they count, and the reviewer's word."""

from __future__ import annotations

import json
from typing import Any

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from beat_the_ai.cli.payments import campaign_argument, json_option
from beat_the_ai.cli.review.options import opened, reason_option, reviewer_option
from beat_the_ai.cli.review.people import acting
from beat_the_ai.review import Doubts
from beat_the_ai.store import AttemptInCampaign

SETTLED = {None: "no", True: "admitted", False: "not admitted"}


@click.command()
@campaign_argument
@json_option
def doubtful(campaign: str, as_json: bool) -> None:
    """List the works that a person has to look at before they count in CAMPAIGN, with their writers' appeals."""
    with opened(campaign) as bound:
        rows = [_row(row) for row in Doubts(bound).all()]
    if as_json:
        click.echo(json.dumps(rows))
    elif rows:
        Console().print(_table(rows))
        click.echo('Admit one with: beat-the-ai review admit CAMPAIGN ATTEMPT --reason "…"; or not, with --reject.')
    else:
        click.echo("Nothing is doubtful.")


@click.command()
@campaign_argument
@click.argument("attempt", metavar="ATTEMPT")
@reason_option
@click.option("--reject", is_flag=True, help="It does not count, and is in no dataset.")
@reviewer_option
@json_option
def admit(campaign: str, attempt: str, reason: str, reject: bool, reviewer: str, as_json: bool) -> None:
    """Let ATTEMPT, which `review doubtful` lists, count as any other. The last word on it stands."""
    with opened(campaign) as bound:
        who = acting(bound.store, reviewer)
        Doubts(bound).settle(who, attempt, admitted=not reject, reason=reason)
    told = {"attempt": attempt, "admitted": not reject, "by": who.name, "reason": reason}
    click.echo(json.dumps(told) if as_json else f"{attempt}: {SETTLED[not reject]}")


def _row(row: AttemptInCampaign) -> dict[str, Any]:
    attempt = row.attempt
    return {
        "attempt": attempt.id,
        "worker": row.assignment.worker,
        "work": attempt.work,
        "fooled": attempt.fooled,
        "doubts": attempt.doubts,
        "appeal": attempt.appeal,
        "admitted": attempt.admitted,
        "counts": row.assignment.counts,
    }


def _table(rows: list[dict[str, Any]]) -> Table:
    table = Table(title="Doubtful")
    for name in ("attempt", "worker", "work", "why", "appeal", "settled"):
        table.add_column(name, overflow="fold")
    for row in rows:
        work = " / ".join(str(value) for value in row["work"].values())
        cells = (row["attempt"], row["worker"], work, " ".join(row["doubts"]), row["appeal"], SETTLED[row["admitted"]])
        table.add_row(*map(escape, cells))
    return table
