"""`review board` and `review unlist`: whose name is on the leader board, and taking a name off it."""

from __future__ import annotations

from contextlib import closing
from typing import Any

import click
from rich.table import Table

from beat_the_ai.campaign.service.withdrawals import Withdrawn
from beat_the_ai.cli.payments import json_option
from beat_the_ai.cli.review.command import ReviewCommand, on_campaign
from beat_the_ai.cli.review.options import reason_option, reviewer_option, worker_argument
from beat_the_ai.cli.review.tables import folded
from beat_the_ai.cli.terminal import shown
from beat_the_ai.letters import Board
from beat_the_ai.rules.roles import Right
from beat_the_ai.store import now

HINT = 'Take a name off with: beat-the-ai review unlist CAMPAIGN WORKER --reason "…"'


@click.command()
@on_campaign
@json_option
def board(review: ReviewCommand) -> None:
    """List the names on the leader board of CAMPAIGN, with their owners, verified wins and streaks."""
    with closing(Withdrawn(review.campaign)) as withdrawn:
        names = Board(review.campaign, withdrawn=withdrawn).names()
    rows = [{"worker": one.worker, "name": one.name, **vars(record), "at": one.at} for one, record in names]
    review.show_rows(rows, _table, "Nobody has chosen a name for the leader board.", HINT)


@click.command()
@on_campaign
@worker_argument
@reason_option
@click.option("--undo", is_flag=True, help="Let the worker choose a name again.")
@reviewer_option
@json_option
def unlist(review: ReviewCommand, worker: str, reason: str, undo: bool) -> None:
    """Take the name of WORKER off the leader board; the worker can choose no other one."""
    who, names, campaign = review.acting(), review.store.board, review.campaign.id
    with review.entry(who, "relist" if undo else "unlist", worker, reason):
        who.check(Right.DECIDE)
        if undo:
            names.allow(campaign, worker)
        else:
            names.take_off(campaign, worker, now())
    words = "may choose a name again" if undo else "is off the leader board"
    review.show({"worker": worker, "unlisted": not undo, "by": who.name, "reason": reason}, f"{worker} {words}.")


def _table(rows: list[dict[str, Any]]) -> Table:
    table = folded("Leader board", "name", "worker", "verified wins", "streak", "best streak", "since")
    for row in rows:
        name = "(taken off)" if row["name"] is None else row["name"]
        numbers = (str(row[key]) for key in ("wins", "streak", "best"))
        table.add_row(*map(shown, (name, row["worker"], *numbers, f"{row['at']:%Y-%m-%d}")))
    return table
