"""A requester's acts on a campaign that may be served meanwhile: `pause`, `continue`, `change`, `add-contexts`."""

from __future__ import annotations

from pathlib import Path

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from beat_the_ai.campaign.acts.act import Actor, Estimate, Place
from beat_the_ai.campaign.acts.adding_contexts import AddContexts
from beat_the_ai.campaign.acts.pausing import Continue, Pause
from beat_the_ai.campaign.acts.terms import ChangeTerms, changeable
from beat_the_ai.campaign.settings.changes import Possibility
from beat_the_ai.cli.estimates import estimate_table
from beat_the_ai.cli.payments import campaign_argument
from beat_the_ai.errors import InvalidInput, Refused
from beat_the_ai.process.user import machine_user
from beat_the_ai.terms.locate import campaign_store


@click.command()
@campaign_argument
def pause(campaign: str) -> None:
    """Give nobody a HIT of CAMPAIGN (its folder, SQLite file or database URL) until `continue`.

    Whoever has a HIT finishes it and is paid. A process that serves the campaign notices within crowd.check_seconds.
    """
    _do(Pause(), campaign)


@click.command("continue")
@campaign_argument
def continue_(campaign: str) -> None:
    """Give HITs of CAMPAIGN (its folder, SQLite file or database URL) again after `pause`."""
    _do(Continue(), campaign)


def _do(act: Pause | Continue, campaign: str) -> None:
    with campaign_store(campaign) as store:
        click.echo(act.do(Place.only(store, campaign), operator()).told)


def operator() -> Actor:
    """Return the user of this machine, who acts on the command line."""
    return Actor(machine_user(), machine_user())


@click.command("change")
@campaign_argument
@click.argument("values", nargs=-1, metavar="[KEY=VALUE]...")
@click.option("--yes", is_flag=True, help="Do not ask whether this may cost what it may cost.")
def change_(campaign: str, values: tuple[str, ...], yes: bool) -> None:
    """Change settings of CAMPAIGN (its folder, SQLite file or database URL), also while it is served.

    Without KEY=VALUE, list all settings, whether they may change, and when a change takes effect.
    """
    with campaign_store(campaign) as store:
        place = Place.only(store, campaign)
        if not values:
            Console().print(_settings_table(changeable(place)))
            return
        act = ChangeTerms(values=values)
        estimate = act.estimate(place)
        agree(estimate, yes=yes)
        click.echo(act.do(place, operator(), estimate.worst_cents).told)


def agree(estimate: Estimate, *, yes: bool) -> None:
    """Show an estimate, and ask whether to go on if it needs consent. Raises `Refused` without consent."""
    Console().print(estimate_table(estimate))
    if estimate.needs_consent and not yes and not click.confirm("Go on?"):
        raise Refused("Nothing was changed.")


def _settings_table(of: list[Possibility]) -> Table:
    table = Table(title="Settings")
    for name in ("key", "value", "may change", "in effect"):
        table.add_column(name, overflow="fold")
    for each in of:
        table.add_row(each.key, escape(str(each.value)), each.reason, each.takes_effect)
    return table


@click.command("add-contexts")
@campaign_argument
@click.argument("file", type=click.Path(exists=True, path_type=Path))
@click.option("--yes", is_flag=True, help="Do not ask whether this may cost what it may cost.")
def add_contexts(campaign: str, file: Path, yes: bool) -> None:
    """Offer the contexts of FILE in the current round of CAMPAIGN, also while it is served.

    FILE may be a folder of parts, too: it is read as `contexts=FILE` of `launch`. Contexts that are in the campaign
    stay as they are.
    """
    with campaign_store(campaign) as store:
        place = Place.only(store, campaign)
        preview = AddContexts(file=file).preview(place)
        click.echo(
            f"{file}: {preview.new:,} new, {preview.there:,} in the campaign already, {preview.repeated:,} repeated."
        )
        for fault in preview.faults:
            click.echo(f"  {fault}", err=True)
        if preview.faults:
            raise InvalidInput("FILE", f"{file} has faults, and nothing was changed. Correct them and try again.")
        if preview.estimate is not None:
            agree(preview.estimate, yes=yes)
            act = AddContexts(file=file, sha256=preview.sha256)
            click.echo(act.do(place, operator(), preview.estimate.worst_cents).told)
