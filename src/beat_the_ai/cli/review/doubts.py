"""`review doubtful` and `review admit`: works that wait for a reviewer before they count, and the reviewer's word."""

from __future__ import annotations

from typing import Any

import click
from rich.table import Table

from beat_the_ai.cli.payments import json_option
from beat_the_ai.cli.review.command import ReviewCommand, on_campaign
from beat_the_ai.cli.review.options import reason_option, reviewer_option
from beat_the_ai.cli.review.tables import folded
from beat_the_ai.cli.terminal import shown
from beat_the_ai.review import Doubts
from beat_the_ai.store import AttemptInCampaign

SETTLED = {None: "no", True: "admitted", False: "not admitted"}
HINT = 'Admit one with: beat-the-ai review admit CAMPAIGN ATTEMPT --reason "…"; or not, with --reject.'


@click.command()
@on_campaign
@json_option
def doubtful(review: ReviewCommand) -> None:
    """List the works that a person has to look at before they count in CAMPAIGN, with their writers' appeals."""
    rows = [_row(attempt) for attempt in Doubts(review.campaign).all()]
    review.show_rows(rows, _table, "Nothing is doubtful.", HINT)


@click.command()
@on_campaign
@click.argument("attempt", metavar="ATTEMPT")
@reason_option
@click.option("--reject", is_flag=True, help="It does not count, and is in no dataset.")
@reviewer_option
@json_option
def admit(review: ReviewCommand, attempt: str, reason: str, reject: bool) -> None:
    """Let ATTEMPT, which `review doubtful` lists, count as any other. The last word on it stands."""
    doubts, who = Doubts(review.campaign), review.acting()
    doubts.settle(who, attempt, admitted=not reject, reason=reason)
    decision = {"attempt": attempt, "admitted": not reject, "by": who.name, "reason": reason}
    review.show(decision, f"{attempt}: {SETTLED[not reject]}")


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
    table = folded("Doubtful", "attempt", "worker", "work", "why", "appeal", "settled")
    for row in rows:
        work = " / ".join(str(value) for value in row["work"].values())
        cells = (row["attempt"], row["worker"], work, " ".join(row["doubts"]), row["appeal"], SETTLED[row["admitted"]])
        table.add_row(*map(shown, cells))
    return table
