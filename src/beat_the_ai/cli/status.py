"""`status`: where a campaign stands: HITs, works, workers, money, and the crowd's own view of it."""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from beat_the_ai.analysis.cells import rate_text
from beat_the_ai.campaign.erasure.keeping import Due
from beat_the_ai.campaign.money.on_hold import on_hold_rows
from beat_the_ai.campaign.results.progress import Progress, Reviewed, progress_of, with_crowd
from beat_the_ai.campaign.results.reached import reached_by_status
from beat_the_ai.campaign.results.totals import StageTotals, totals_of
from beat_the_ai.cli.payments import campaign_argument, json_option
from beat_the_ai.errors import InvalidInput
from beat_the_ai.forecast.keeping import KEPT_FORECAST
from beat_the_ai.forecast.outcome import HEADER, TITLE, made, outcomes_of
from beat_the_ai.forecast.records import Forecast
from beat_the_ai.marketplace import withdrawals
from beat_the_ai.marketplace.people.store import is_there, people_at
from beat_the_ai.rules.amounts import show
from beat_the_ai.statistics.clustered import Bounded
from beat_the_ai.store import Totals, now
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.terms.locate import campaign_store, main_campaigns, served_stages


def progress_table(of: Progress) -> Table:
    people = ": a rehearsal with simulated people" if of.simulated else ""
    name = f"Campaign {of.campaign}" if of.screening_of is None else f"Screening of {of.screening_of}"
    table = Table(title=f"{name}{people}", show_header=False)
    table.add_row("HITs submitted", f"{of.hits_submitted} of {of.hits}")
    revoked = f", and {of.workers_revoked} revoked, whose work is discarded" if of.workers_revoked else ""
    table.add_row("workers", f"{of.workers}{revoked}")
    if of.writers_discarded:
        table.add_row("writers discarded", f"{of.writers_discarded}, for what others say of their work")
    if of.newcomers_refused:
        table.add_row("newcomers refused", str(of.newcomers_refused))
    table.add_row("attempts", f"{of.attempts} ({of.retracted} taken back)")
    table.add_row("beat the AI", str(of.fooled))
    for name, arm in of.arms.items():
        numbers = f"{arm.workers} workers, {arm.hits} HITs, {arm.tries} attempts, {arm.wins} beat the AI"
        table.add_row(f"arm {name}", numbers)
    has_votes = of.checked is not None and of.checked.votes > 0
    unvalidated = "" if has_votes or of.checked is None or of.error_rate is None else ", not yet validated"
    table.add_row("model error rate", f"{_share(of.error_rate)}{unvalidated}")
    if of.checked is not None and has_votes:
        table.add_row("validated", _votes(of, of.checked))
    if of.review.sampled or of.review.candidates:
        table.add_row("review", _review_told(of.review))
    if of.letters.waiting:
        overdue = f", {of.letters.overdue} past the deadline" if of.letters.overdue else ""
        table.add_row("messages and appeals", f"{of.letters.waiting} wait for an answer{overdue}")
    table.add_row("models", ", ".join(of.models))
    table.add_row("paid", show(of.money["confirmed_cents"], of.unit))
    if of.money["models_cents"]:
        table.add_row("spent on language models", f"{show(of.money['models_cents'], of.unit)} at most")
    table.add_row("owed", f"{show(of.unpaid_cents, of.unit)} (cap {show(of.money['cap_cents'], of.unit)})")
    for name, told in on_hold_rows(of.waiting, of.unit):
        table.add_row(name, told)
    for form, counts in of.forms.items():
        answered = ", ".join(f"{count} {outcome}" for outcome, count in sorted(counts.items()))
        table.add_row(f"form {form}", answered or "nobody yet")
    if of.crowd is not None:
        for stage, counts in of.crowd.items():
            told = ", ".join(f"{count} {state}" for state, count in counts.items())
            table.add_row(f"HITs of {stage} at the crowd", told)
    if of.away is not None:
        table.add_row("HITs at the crowd", f"unknown: {of.away}")
    for gone in of.operators_gone:
        table.add_row(f"operator of {gone.name}", f"has died ({gone.operator}), and HITs are open")
    if of.paused_at is not None:
        table.add_row("paused since", _moment(of.paused_at))
    if of.closed_at is not None:
        table.add_row("closed" if of.round == 1 else f"round {of.round} closed", _moment(of.closed_at))
    return table


def _moment(iso: str) -> str:
    return f"{datetime.fromisoformat(iso):%Y-%m-%d %H:%M} UTC"


def totals_table(of: StageTotals) -> Table:
    table = Table(title=f"All stages of {of.campaign}", show_header=False)
    stages = ", ".join(f"{stage.value} {count}" for stage, count in of.submissions.items())
    table.add_row("HITs that count", f"{sum(of.submissions.values())}: {stages}")
    table.add_row("attempts", str(of.attempts))
    table.add_row("paid", show(of.paid_cents, of.unit))
    if of.models_cents:
        table.add_row("spent on language models", f"{show(of.models_cents, of.unit)} at most")
    table.add_row("owed", f"{show(of.owed_cents, of.unit)} (cap {show(of.cap_cents, of.unit)})")
    return table


def outcome_table(found: Forecast, progress: Progress, totals: StageTotals) -> Table:
    """Return a kept forecast beside what `status` knows."""
    table = Table(*HEADER, title=TITLE, caption=made(found), caption_justify="left")
    for one in outcomes_of(found, reached_by_status(progress, totals)):
        table.add_row(*one.row(found.unit))
    return table


def _outcomes(forecast: Forecast | None, progress: Progress, totals: StageTotals) -> list[dict[str, Any]] | None:
    """Return a kept forecast beside its outcome as plain data."""
    if forecast is None:
        return None
    outcomes = outcomes_of(forecast, reached_by_status(progress, totals))
    return [{**one.estimate.model_dump(), "reached": one.reached, "within": one.is_within} for one in outcomes]


def _votes(of: Progress, totals: Totals) -> str:
    saved = f", {totals.votes_saved} saved by stopping early" if totals.votes_saved else ""
    waiting = f"; {totals.waiting} wait for votes" if totals.waiting else ""
    kept = f"{totals.settled} {of.works}, {totals.kept} {of.kept_as}: {_share(of.kept_share)}"
    return f"{kept}; {totals.votes} votes{saved}{waiting}"


def _share(of: Bounded | None) -> str:
    return "none yet" if of is None else rate_text(of, "95% interval ")


def _review_told(of: Reviewed) -> str:
    waiting = f"; {of.candidates} newcomers wait for a person" if of.candidates else ""
    return f"{of.reviewed} of {of.sampled} sampled HITs judged, {of.accepted} accepted{waiting}"


def personal_data(campaign: BoundCampaign) -> str:
    """Say how long personal data are kept, and how many people ask for theirs to be erased."""
    told = Due.of(campaign).words(now())
    people = campaign.crowd.people
    if people is None or not is_there(people):
        return told
    with people_at(people) as market, market.reading() as moment:
        withdrawn = withdrawals.everybody(moment).values()
    asking = sum(each.asks_for_erasure for each in withdrawn)
    return f"{told}; {len(withdrawn)} people have withdrawn, {asking} ask to be erased" if withdrawn else told


def _transcript(campaign: BoundCampaign) -> dict[str, Any] | None:
    """Return the state of its transcript as plain data, and when it last grew; None before its first entry."""
    transcripts = campaign.store.transcripts
    head, at = transcripts.head(campaign.id), transcripts.last_at(campaign.id)
    return None if head is None or at is None else {**asdict(head), "at": at.isoformat(timespec="seconds")}


@click.command()
@campaign_argument
@json_option
def status(campaign: str, as_json: bool) -> None:
    """Show the progress of CAMPAIGN (its folder, SQLite file or database URL)."""
    results, personal, totals, transcripts = [], {}, {}, {}
    with campaign_store(campaign) as store:
        for campaign_ in BoundCampaign.all_in(store):
            results.append(with_crowd(campaign_, progress_of(campaign_)))
            if not campaign_.is_of_samples:
                personal[campaign_.id] = personal_data(campaign_)
                transcripts[campaign_.id] = _transcript(campaign_)
        for campaign_ in main_campaigns(store):
            totals[campaign_.id] = totals_of(campaign_, results)
    if not results:
        raise InvalidInput("CAMPAIGN", f"{campaign} holds no campaign yet.")
    served = served_stages(Path(campaign))
    forecast = KEPT_FORECAST.read(Path(campaign)) if len(totals) == 1 else None
    if as_json:
        told = [
            {
                "served": served,
                "personal_data": personal.get(one.campaign),
                "transcript": transcripts.get(one.campaign),
                "totals": totals.get(one.campaign),
                "forecast": None if one.campaign not in totals else _outcomes(forecast, one, totals[one.campaign]),
            }
            for one in results
        ]
        rows = [{**one.as_json(), **more} for one, more in zip(results, told, strict=True)]
        click.echo(json.dumps(rows, default=asdict))
        return
    for one in results:
        Console().print(progress_table(one))
        if one.campaign in personal:
            Console().print(f"Personal data of {one.campaign}: {personal[one.campaign]}.", soft_wrap=True)
        if (known := transcripts.get(one.campaign)) is not None:
            state = f"{known['entries']:,} entries, {known['at']}, head {known['head']}"
            Console().print(f"Transcript of {one.campaign}: {state}.", soft_wrap=True)
    for of_campaign in totals.values():
        if len(of_campaign.submissions) > 1:
            Console().print(totals_table(of_campaign))
    for one in results:
        if forecast is not None and one.campaign in totals:
            Console().print(outcome_table(forecast, one, totals[one.campaign]))
    if served is not None:
        nobody = "Nobody serves it: `launch --resume` or `serve` goes on."
        click.echo(f"It is being served: {', '.join(served)}." if served else nobody)
