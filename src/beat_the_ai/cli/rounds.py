"""`round`: stages of a campaign that have contexts and terms of their own, and models trained on those before."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from beat_the_ai.campaign.money.cost import check_contexts, contexts_of, parts_of_contexts, warnings_of_training_texts
from beat_the_ai.campaign.results.outcomes import Findings
from beat_the_ai.campaign.rounds.next_adversary import trained_models
from beat_the_ai.campaign.rounds.snapshot import freeze, frozen_rounds
from beat_the_ai.campaign.settings.exclusive_writers import check_exclusive_writers
from beat_the_ai.cli.known import Arguments, campaign_out_option, given_argument, known_settings
from beat_the_ai.cli.model_choice import compare
from beat_the_ai.cli.payments import campaign_argument, json_option
from beat_the_ai.cli.round_models import NOTHING_TO_TRAIN_ON, evaluate, train
from beat_the_ai.cli.status import served_stages
from beat_the_ai.errors import InvalidInput, Refused
from beat_the_ai.payments.cap import show
from beat_the_ai.statistics.intervals import wilson
from beat_the_ai.store import Round, Store, now, open_store
from beat_the_ai.terms.campaign import BoundCampaign, BoundRound
from beat_the_ai.terms.division import TRAIN
from beat_the_ai.terms.locate import campaign_store, main_campaigns, only_campaign


@click.group("round")
def rounds() -> None:
    """The rounds of a campaign: the same people, other contexts, and terms and models of their own."""


@rounds.command("open")
@given_argument
@campaign_out_option
def open_round(given: Arguments, out: Path) -> None:
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
    _check_adversary_is_named(given, out, last.round.number)
    number = last.round.number + 1
    settings = Arguments(None, (*given.overrides, f"round.number={number}")).amended(last)
    if (settings.name, settings.seed, settings.task.kind) != (last.name, last.seed, last.task.kind):
        raise InvalidInput("KEY=VALUE", "name, seed and task.kind are the campaign's: they hold for all of its rounds.")
    store = open_store(settings.store.url)
    try:
        _check_over(store, settings.name, last.round.number, out)
        check_contexts(store, settings)
        check_exclusive_writers(store, settings)
        contexts = len(contexts_of(store, settings))
        parts = parts_of_contexts(store, settings)
        store.rounds.close(settings.name, now())
        store.campaigns.amend(settings.name, settings.of_campaign())
        store.rounds.open(Round(settings.name, number, settings.of_round(), now()))
    finally:
        store.close()
    told = ", ".join(f"{part} {count}" for part, count in sorted(parts.items()))
    words = settings.kind.words
    for warning in warnings_of_training_texts(settings):
        click.echo(warning)
    click.echo(f"Round {number} of {settings.name!r} is open, with {contexts} {words.contexts} ({told}).")
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
        frozen = freeze(campaign, out, number or campaign.current.record.number)
    sizes = ", ".join(f"{part} {file.examples:,}" for part, file in frozen.parts.items())
    click.echo(f"Round {frozen.number} of {campaign.id!r} is frozen since {frozen.frozen_at}: {sizes}.")
    if any(each.parts[TRAIN].examples for each in frozen_rounds(out)):
        click.echo(f"Train on it with: beat-the-ai round train --out {out}")
    else:
        click.echo(NOTHING_TO_TRAIN_ON)


rounds.add_command(train)
rounds.add_command(evaluate)
rounds.add_command(compare)


def _check_adversary_is_named(given: Arguments, out: Path, last: int) -> None:
    """Raise `InvalidInput` where models were trained after the last round, and its own would be played unasked."""
    trained = trained_models(out, last)
    if trained and not any(each.startswith("adversary.") for each in given.overrides):
        raise InvalidInput(
            "adversary.members",
            f"{', '.join(trained)} came out of round {last}, and no adversary was named. Name what `beat-the-ai round "
            f"compare --out {out}` prints, or an earlier adversary to play against that one again.",
        )


def _check_over(store: Store, campaign_id: str, number: int, out: Path) -> None:
    """Raises `Refused` while the writing of a round goes on."""
    if any(stage.startswith("writing") for stage in served_stages(out) or ()):
        raise Refused(f"Round {number} is being served. Stop that first: beat-the-ai launch --out {out} --stop.")
    left = store.campaigns.offered(campaign_id, number).keys() - store.attempts.done_hits(campaign_id)
    if left and not store.rounds.get(campaign_id, number).is_closed:
        raise Refused(
            f"Round {number} has {len(left)} HITs that nobody has done. Go on with it, or end it with "
            f"beat-the-ai launch --out {out} --stop."
        )


@dataclass(frozen=True)
class RoundFigures:
    """`error_rate` is the share of the attempts that beat the model, with its interval; None before there is one."""

    campaign: str
    number: int
    opened_at: str
    frozen: dict[str, str]
    closed_at: str | None
    models: list[dict[str, str]]
    contexts: int
    hits: int
    hits_submitted: int
    attempts: int
    fooled: int
    error_rate: tuple[float, float, float] | None
    reward_cents: int | None


@rounds.command("status")
@campaign_argument
@json_option
def status(campaign: str, as_json: bool) -> None:
    """The rounds of CAMPAIGN (its folder, SQLite file or database URL): terms, models, work, and error rates."""
    with campaign_store(campaign) as store:
        found = [figures for name in main_campaigns(store) for figures in _figures(BoundCampaign.open(store, name))]
    if not found:
        raise InvalidInput("CAMPAIGN", f"{campaign} holds no campaign yet.")
    if as_json:
        click.echo(json.dumps([asdict(one) for one in found]))
    else:
        Console().print(_table(found))


def _figures(campaign: BoundCampaign) -> Iterator[RoundFigures]:
    """Yield the figures of each round, without discarded work, HITs excepted."""
    store, campaign_id = campaign.store, campaign.id
    kept: defaultdict[int, list[bool]] = defaultdict(list)
    discarded = Findings(campaign).discarded_writers
    for row in store.attempts.kept(campaign_id):
        if not row.attempt.retracted and row.assignment.worker not in discarded:
            kept[row.hit.round].append(row.attempt.fooled)
    contexts, done = store.campaigns.contexts(campaign_id), store.attempts.done_hits(campaign_id)
    for number, each in campaign.rounds.items():
        offered = store.campaigns.offered(campaign_id, number).keys()
        numbers = len(contexts.get(number, [])), len(offered), len(offered & done)
        yield _figures_of(each, *numbers, kept[number])


def _figures_of(round_: BoundRound, contexts: int, hits: int, hits_submitted: int, kept: list[bool]) -> RoundFigures:
    """`kept` tells of each attempt whether it beat the model."""
    fooled, pay, of = sum(kept), round_.terms.pay, round_.record
    return RoundFigures(
        campaign=of.campaign_id,
        number=of.number,
        opened_at=of.opened_at.isoformat(),
        frozen={stage: at.isoformat() for stage, at in of.frozen.items()},
        closed_at=None if of.closed_at is None else of.closed_at.isoformat(),
        models=[dict(model) for model in of.models],
        contexts=contexts,
        hits=hits,
        hits_submitted=hits_submitted,
        attempts=len(kept),
        fooled=fooled,
        error_rate=(fooled / len(kept), *wilson(fooled, len(kept))) if kept else None,
        reward_cents=None if pay is None else pay.reward_cents,
    )


def _table(found: list[RoundFigures]) -> Table:
    table = Table(title="Rounds")
    for name in ("campaign", "round", "models", "contexts", "HITs", "attempts", "beat the AI", "reward", "state"):
        table.add_column(name, overflow="fold")
    for of in found:
        models = ", ".join(f"{model['member']} {model['hash'][:8]}" for model in of.models) or "not loaded yet"
        rate = "–" if of.error_rate is None else "{:.1%} ({:.1%} to {:.1%})".format(*of.error_rate)
        reward = "–" if of.reward_cents is None else show(of.reward_cents)
        cells: list[Any] = [of.campaign, of.number, models, of.contexts, f"{of.hits_submitted} of {of.hits}"]
        table.add_row(*map(str, [*cells, of.attempts, rate, reward, _state(of)]))
    return table


def _state(of: RoundFigures) -> str:
    if of.closed_at is not None:
        return f"closed {of.closed_at[:10]}"
    return f"frozen since {min(of.frozen.values())[:10]}" if of.frozen else "open, nothing offered yet"
