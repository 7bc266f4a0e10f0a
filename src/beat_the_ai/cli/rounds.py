"""`round`: stages of a campaign that have contexts and terms of their own, and models trained on those before."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from beat_the_ai.analysis.cells import rate_text
from beat_the_ai.campaign.acts.act import Place
from beat_the_ai.campaign.acts.round_acts import FreezeRound, OpenRound
from beat_the_ai.campaign.results.rounds import RoundFigures, figures_by_round
from beat_the_ai.campaign.rounds.snapshot import frozen_rounds
from beat_the_ai.cli.acts import operator
from beat_the_ai.cli.campaign_arguments import CampaignArguments, campaign_out_option, given_argument, known_settings
from beat_the_ai.cli.model_choice import compare
from beat_the_ai.cli.payments import campaign_argument, json_option
from beat_the_ai.cli.round_models import NOTHING_TO_TRAIN_ON, evaluate, train
from beat_the_ai.errors import InvalidInput
from beat_the_ai.rules.amounts import show
from beat_the_ai.store import open_store
from beat_the_ai.terms.division import TRAIN
from beat_the_ai.terms.locate import campaign_store, main_campaigns, only_campaign


@click.group("round")
def rounds() -> None:
    """The rounds of a campaign: the same people, other contexts, and terms and models of their own."""


@rounds.command("open")
@given_argument
@campaign_out_option
def open_round(given: CampaignArguments, out: Path) -> None:
    """Open the next round of the campaign in --out, with the terms of the last one but for KEY=VALUE.

    The last round has to be over. Nothing is offered yet: `launch --out DIR` does that. Where models were trained
    since, name the new round's own: adversary.members=[…], as `round compare` prints them.
    """
    if given.task_dir is not None:
        raise InvalidInput("TASK_DIR", "A round goes on with its campaign's task: leave the folder out.")
    out = out.resolve()
    last = known_settings(out)
    if last is None:
        raise InvalidInput("--out", f"{out} holds no campaign.")
    with closing(open_store(last.store.url)) as store:
        act = OpenRound(number=last.round.number + 1, values=given.overrides)
        click.echo(act.do(Place(store, last.name, out), operator()).told)
    click.echo(f"Offer it with: beat-the-ai launch --out {out}    (or serve)")


@rounds.command("freeze")
@campaign_out_option
@click.option("--round", "number", type=click.IntRange(1), help="Which; else the last one.")
def freeze_round(out: Path, number: int | None) -> None:
    """Write the data of a round that is over to OUT/rounds/N; they change no more.

    The round is closed, and its votes are in. A second time changes nothing.
    """
    out = out.resolve()
    with campaign_store(str(out)) as store:
        campaign = only_campaign(store)
        act = FreezeRound(number=number or campaign.current.record.number)
        click.echo(act.do(Place(store, campaign.id, out), operator()).told)
    if any(each.parts[TRAIN].examples for each in frozen_rounds(out)):
        click.echo(f"Train on it with: beat-the-ai round train --out {out}")
    else:
        click.echo(NOTHING_TO_TRAIN_ON)


rounds.add_command(train)
rounds.add_command(evaluate)
rounds.add_command(compare)


@rounds.command("status")
@campaign_argument
@json_option
def status(campaign: str, as_json: bool) -> None:
    """The rounds of CAMPAIGN (its folder, SQLite file or database URL): terms, models, work, and error rates."""
    with campaign_store(campaign) as store:
        found = [figures for one in main_campaigns(store) for figures in figures_by_round(one)]
    if not found:
        raise InvalidInput("CAMPAIGN", f"{campaign} holds no campaign yet.")
    if as_json:
        click.echo(json.dumps([asdict(one) for one in found]))
    else:
        Console().print(_table(found))


def _table(found: list[RoundFigures]) -> Table:
    table = Table(title="Rounds")
    for name in ("campaign", "round", "models", "contexts", "HITs", "attempts", "beat the AI", "reward", "state"):
        table.add_column(name, overflow="fold")
    for of in found:
        models = ", ".join(f"{model['member']} {model['hash'][:8]}" for model in of.models) or "not loaded yet"
        reward = "–" if of.reward_cents is None else show(of.reward_cents, of.unit)
        cells: list[Any] = [of.campaign, of.number, models, of.contexts, f"{of.hits_submitted} of {of.hits}"]
        table.add_row(*map(str, [*cells, of.attempts, rate_text(of.error_rate), reward, _state(of)]))
    return table


def _state(of: RoundFigures) -> str:
    if of.closed_at is not None:
        return f"closed {of.closed_at[:10]}"
    return f"frozen since {min(of.frozen.values())[:10]}" if of.frozen else "open, nothing offered yet"
