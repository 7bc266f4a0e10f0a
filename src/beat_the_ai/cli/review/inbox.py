"""`review inbox` and `review answer`: workers' messages and appeals, and a reviewer's answers, as on the page."""

from __future__ import annotations

from typing import Any

import click
from rich.table import Table

from beat_the_ai.cli.payments import json_option
from beat_the_ai.cli.review.command import ReviewCommand, on_campaign
from beat_the_ai.cli.review.options import endpoint_option, reviewer_option
from beat_the_ai.cli.review.people import operator
from beat_the_ai.cli.review.tables import folded
from beat_the_ai.cli.terminal import shown

ABOUT = {"message": "message", "rejection": "appeal of a rejection", "standing": "appeal of a refusal or revocation"}
HINT = (
    'Answer one with: beat-the-ai review answer CAMPAIGN LETTER --text "…"; an appeal needs --uphold or --not-uphold.'
)


@click.command()
@on_campaign
@json_option
def inbox(review: ReviewCommand) -> None:
    """List the messages and appeals that wait for an answer in CAMPAIGN, those with the earliest deadline first."""
    rows = [letter.sent() for letter in review.desk.letters(operator()).waiting]
    review.show_rows(rows, _table, "No message and no appeal waits.", HINT)


@click.command()
@on_campaign
@click.argument("letter", metavar="LETTER")
@click.option("--text", required=True, help="The answer, which the worker reads.")
@click.option("--uphold/--not-uphold", "upheld", default=None, help="Decide an appeal; a message has no decision.")
@reviewer_option
@endpoint_option
@json_option
def answer(review: ReviewCommand, letter: str, text: str, upheld: bool | None) -> None:
    """Answer LETTER, which `review inbox` lists. An upheld appeal takes the decision back."""
    who = review.acting()
    left = review.desk.answer(who, letter, text, upheld=upheld)
    decision = {None: "answered", True: "upheld", False: "not upheld"}[upheld]
    [told] = [one.answer.told for one in left.answered if one.id == letter and one.answer is not None]
    reached = "" if told else " The crowd takes no message to the worker, who reads it on their own page."
    review.show({"letter": letter, "answer": decision, "by": who.name, "told": told}, f"{letter}: {decision}.{reached}")


def _table(rows: list[dict[str, Any]]) -> Table:
    table = folded("Messages and appeals", "letter", "worker", "about", "text", "decided before by", "answer until")
    for row in rows:
        hit = f" ({row['assignment']})" if row["assignment"] else ""
        before = "; ".join(f"{one['by']}: {one['reason']}" for one in row["decided_by"])
        until = f"{row['due_at'][:16]}{', overdue' if row['overdue'] else ''}"
        cells = (row["id"], row["worker"], f"{ABOUT[row['kind']]}{hit}", row["text"], before, until)
        table.add_row(*map(shown, cells))
    return table
