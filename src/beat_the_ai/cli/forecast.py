"""`forecast`: what a planned campaign comes to, by the rates of a rehearsal or a pilot."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from contextlib import closing
from functools import reduce
from operator import add
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from beat_the_ai.campaign.forecasts.pilots import pilot_of, source_of
from beat_the_ai.campaign.forecasts.plans import plan_of
from beat_the_ai.campaign.settings.configuration import Settings, read_settings
from beat_the_ai.campaign.settings.planned_round import PlannedRound
from beat_the_ai.cli.payments import json_option
from beat_the_ai.cli.tasks import overrides, task_dir
from beat_the_ai.errors import InvalidInput
from beat_the_ai.forecast.forecasting import Wishes, forecast
from beat_the_ai.forecast.keeping import keep_forecast
from beat_the_ai.forecast.outcome import made
from beat_the_ai.forecast.pilot import Pilot
from beat_the_ai.forecast.plan import Plan
from beat_the_ai.forecast.records import Estimate, Forecast, Source
from beat_the_ai.rules.amounts import show
from beat_the_ai.store import now, open_store
from beat_the_ai.terms.locate import campaign_store, main_campaigns


@click.command("forecast")
@task_dir
@overrides
@click.option(
    "--from",
    "places",
    metavar="CAMPAIGN",
    multiple=True,
    required=True,
    help="A rehearsal or pilot: its folder, SQLite file or database URL. Several are taken together.",
)
@click.option("--hourly", type=click.FloatRange(0, 1000), help="Find the reward for this pay an hour, as in 15.")
@click.option("--minutes", type=click.FloatRange(0.1, 1440), help="How long a HIT takes; else as in the pilot.")
@click.option("--at-once", type=click.FloatRange(0.1, 100_000), help="Writers at a time; else as in the pilot.")
@click.option("--seed", type=int, default=1, show_default=True, help="Decides the draws.")
@click.option("--keep", is_flag=True, help="Keep it in --out, to be set beside the outcome.")
@click.option("--out", type=click.Path(path_type=Path), default=Path("out/campaign"), show_default=True)
@json_option
def forecast_command(
    task_dir: Path,
    overrides: tuple[str, ...],
    places: tuple[str, ...],
    hourly: float | None,
    minutes: float | None,
    at_once: float | None,
    seed: int,
    keep: bool,
    out: Path,
    as_json: bool,
) -> None:
    """Forecast sizes, cost, time and pay of a campaign, with 90% intervals, by the rates of a pilot.

    The campaign is that of TASK_DIR and KEY=VALUE, as `launch` takes them; --from names rehearsals or pilots.
    """
    settings = read_settings(task_dir, list(overrides), out=out.resolve())
    plan, (pilot, sources) = _plan(settings), _pilots(places, settings)
    hourly_cents = None if hourly is None else round(hourly * 100)
    found = forecast(pilot, plan, now(), sources, Wishes(seed, at_once, minutes, hourly_cents))
    if keep:
        keep_forecast(settings.out, found)
    if as_json:
        click.echo(found.model_dump_json())
    else:
        _print(found, plan, Console())
        if keep:
            click.echo(f"Kept in {settings.out}. Launch it there: status and report show how right it was.")


def _plan(settings: Settings) -> Plan:
    with tempfile.TemporaryDirectory() as folder, closing(open_store(f"sqlite:///{folder}/plan.db")) as store:
        return plan_of(PlannedRound(store, settings))


def _pilots(places: Sequence[str], settings: Settings) -> tuple[Pilot, list[Source]]:
    """Return all pilots as one. Raises `InvalidInput` for one of another kind of task, or with other amounts."""
    pilots, sources = [], []
    for place in places:
        with campaign_store(place) as store:
            for campaign in main_campaigns(store):
                if campaign.kind.name != settings.kind.name:
                    raise InvalidInput(
                        "--from", f"{campaign.id} in {place} is {campaign.kind.name}, not {settings.kind.name}."
                    )
                pilots.append(pilot_of(campaign))
                sources.append(source_of(campaign, pilots[-1]))
    if not pilots:
        raise InvalidInput("--from", f"{', '.join(places)}: no campaign is there yet.")
    return reduce(add, pilots), sources


def _print(found: Forecast, plan: Plan, console: Console) -> None:
    console.print(f"Forecast of {plan.campaign}. {made(found)}", soft_wrap=True, highlight=False, markup=False)
    for title, estimates in {
        "Measured": found.measured,
        "Sizes": found.sizes,
        "Cost": found.cost,
        "Time": found.time,
        "Pay": found.pay,
    }.items():
        if estimates:
            console.print(_table(title, estimates, found.unit))
    target = found.hourly_target
    if target is not None:
        wanted = (
            f"{target.reward.cell(found.unit)} a HIT gives the median writer {show(target.target_cents, found.unit)}"
        )
        less = f"{target.share_below:.0%} of the writers would earn less"
        console.print(f"{wanted} an hour: pay.reward_cents={target.reward.value:.0f}. {less}.", soft_wrap=True)
    total = found.estimates["total_cents"]
    if plan.cap_cents and total.high > plan.cap_cents:
        cap = show(plan.cap_cents, found.unit)
        console.print(f"The cap of {cap} may be reached before all HITs are done (pay.cap_cents).", soft_wrap=True)
    for line in found.assumptions:
        console.print(f"- {line}", soft_wrap=True, highlight=False)


def _table(title: str, estimates: Sequence[Estimate], unit: str) -> Table:
    table = Table("what", "forecast" if title != "Measured" else "in the pilot", "90% interval", title=title)
    for one in estimates:
        table.add_row(one.title, one.shown(one.value, unit), "" if one.is_certain(unit) else one.interval(unit))
    return table
