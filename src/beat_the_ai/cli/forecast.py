"""`forecast`: what a planned campaign comes to, by the rates of a rehearsal or a pilot."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from beat_the_ai.campaign.forecasts.pilots import joined
from beat_the_ai.campaign.forecasts.plans import plan_of_settings
from beat_the_ai.campaign.settings.configuration import Settings, read_settings
from beat_the_ai.cli.payments import json_option
from beat_the_ai.cli.tasks import overrides, task_dir
from beat_the_ai.forecast.forecasting import Wishes, forecast
from beat_the_ai.forecast.keeping import KEPT_FORECAST
from beat_the_ai.forecast.outcome import made
from beat_the_ai.forecast.pilot import Pilot
from beat_the_ai.forecast.plan import Plan
from beat_the_ai.forecast.records import Estimate, Forecast, Source
from beat_the_ai.rules.amounts import show
from beat_the_ai.store import now
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
    plan, (pilot, sources) = plan_of_settings(settings), _pilots(places, settings)
    hourly_cents = None if hourly is None else round(hourly * 100)
    found = forecast(pilot, plan, now(), sources, Wishes(seed, at_once, minutes, hourly_cents))
    if keep:
        KEPT_FORECAST.write(settings.out, found)
    if as_json:
        click.echo(found.model_dump_json())
    else:
        _print(found, plan, Console())
        if keep:
            click.echo(f"Kept in {settings.out}. Launch it there: status and report show how right it was.")


def _pilots(places: Sequence[str], settings: Settings) -> tuple[Pilot, list[Source]]:
    """Return the campaigns of all places as one pilot. Raises `InvalidInput` as `joined`."""
    with ExitStack() as opened:
        stores = [opened.enter_context(campaign_store(place)) for place in places]
        return joined((each for store in stores for each in main_campaigns(store)), settings)


def _print(found: Forecast, plan: Plan, console: Console) -> None:
    console.print(f"Forecast of {plan.campaign}. {made(found)}", soft_wrap=True, highlight=False, markup=False)
    for title, estimates in found.sections.items():
        console.print(_table(title, estimates, found.unit))
    target = found.hourly_target
    if target is not None:
        told = f"{target.words(found.unit)} Set pay.reward_cents={target.reward.value:.0f}."
        console.print(told, soft_wrap=True)
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
