"""`status`: where a campaign stands: HITs, works, workers, money, and the crowd's own view of it."""

from __future__ import annotations

import json
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from beat_the_ai.campaign.money.on_hold import on_hold_rows
from beat_the_ai.campaign.results.progress import Progress, Reviewed, progress_of, with_crowd
from beat_the_ai.cli.payments import campaign_argument, json_option
from beat_the_ai.errors import InvalidInput
from beat_the_ai.rules.amounts import show
from beat_the_ai.store import Totals
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.terms.locate import campaign_store, served_stages


def progress_table(of: Progress) -> Table:
    people = ": a rehearsal with simulated people" if of.simulated else ""
    table = Table(title=f"Campaign {of.campaign}{people}", show_header=False)
    table.add_row("HITs submitted", f"{of.hits_submitted} of {of.hits}")
    revoked = f", and {of.workers_revoked} revoked, whose work is discarded" if of.workers_revoked else ""
    table.add_row("workers", f"{of.workers}{revoked}")
    if of.writers_discarded:
        table.add_row("writers discarded", f"{of.writers_discarded}, for what others say of their work")
    if of.newcomers_refused:
        table.add_row("newcomers refused", str(of.newcomers_refused))
    table.add_row("attempts", f"{of.attempts} ({of.retracted} taken back)")
    table.add_row("beat the AI", str(of.fooled))
    has_votes = of.checked is not None and of.checked.votes > 0
    unvalidated = "" if has_votes or of.checked is None or of.error_rate is None else ", not yet validated"
    table.add_row("model error rate", f"{_share(of.error_rate)}{unvalidated}")
    if of.checked is not None and has_votes:
        table.add_row("validated", _votes(of, of.checked))
    if of.review.sampled or of.review.candidates:
        table.add_row("review", _review_told(of.review))
    table.add_row("models", ", ".join(of.models))
    table.add_row("paid", show(of.money["confirmed_cents"]))
    if of.money["models_cents"]:
        table.add_row("spent on language models", f"{show(of.money['models_cents'])} at most")
    waiting = sum(of.money[f"{state}_cents"] for state in ("intent", "sent", "unknown", "owed"))
    table.add_row("owed", f"{show(waiting)} (cap {show(of.money['cap_cents'])})")
    for name, told in on_hold_rows(of.waiting):
        table.add_row(name, told)
    if of.crowd is not None:
        for stage, counts in of.crowd.items():
            told = ", ".join(f"{count} {state}" for state, count in counts.items())
            table.add_row(f"HITs of {stage} at the crowd", told)
    if of.away is not None:
        table.add_row("HITs at the crowd", f"unknown: {of.away}")
    if of.closed_at is not None:
        table.add_row("closed" if of.round == 1 else f"round {of.round} closed", of.closed_at)
    return table


def _votes(of: Progress, totals: Totals) -> str:
    saved = f", {totals.votes_saved} saved by stopping early" if totals.votes_saved else ""
    waiting = f"; {totals.waiting} wait for votes" if totals.waiting else ""
    kept = f"{totals.settled} {of.works}, {totals.kept} {of.kept_as}: {_share(of.kept_share)}"
    return f"{kept}; {totals.votes} votes{saved}{waiting}"


def _share(of: tuple[float, float, float] | None) -> str:
    if of is None:
        return "none yet"
    share, low, high = of
    return f"{share:.1%} (95% interval {low:.1%} to {high:.1%})"


def _review_told(of: Reviewed) -> str:
    waiting = f"; {of.candidates} newcomers wait for a person" if of.candidates else ""
    return f"{of.reviewed} of {of.sampled} sampled HITs judged, {of.accepted} accepted{waiting}"


@click.command()
@campaign_argument
@json_option
def status(campaign: str, as_json: bool) -> None:
    """Show the progress of CAMPAIGN (its folder, SQLite file or database URL)."""
    results = []
    with campaign_store(campaign) as store:
        for campaign_ in BoundCampaign.all_in(store):
            results.append(with_crowd(campaign_, progress_of(campaign_)))
    if not results:
        raise InvalidInput("CAMPAIGN", f"{campaign} holds no campaign yet.")
    served = served_stages(Path(campaign))
    if as_json:
        click.echo(json.dumps([{**one.as_json(), "served": served} for one in results]))
        return
    for one in results:
        Console().print(progress_table(one))
    if served is not None:
        nobody = "Nobody serves it: `launch --resume` or `serve` goes on."
        click.echo(f"It is being served: {', '.join(served)}." if served else nobody)
