"""`presets`: the settings of the papers' campaigns, where they come from, and what differs here."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from beat_the_ai.campaign.settings.configuration import configs_of
from beat_the_ai.campaign.settings.presets import preset_names, read_preset
from beat_the_ai.cli.payments import json_option
from beat_the_ai.terms.preset import HEADER, NOT_AS_IN_THE_PAPER, Departure, PresetSettings, differences


@click.command()
@click.argument("name", required=False)
@json_option
def presets(name: str | None, as_json: bool) -> None:
    """List the presets of the papers' campaigns, or show one: NAME.

    A preset is chosen with preset=NAME for rehearse, serve, launch and round open. KEY=VALUE stands above it.
    """
    configs = configs_of(Path.cwd())
    chosen = [read_preset(configs, one) for one in (preset_names(configs) if name is None else [name])]
    if as_json:
        click.echo(json.dumps([each.model_dump(mode="json") for each in chosen]))
    elif name is None:
        for preset in chosen:
            click.echo(f"{preset.name:<24}{preset.title}")
    else:
        _print(chosen[0], Console())


def _print(preset: PresetSettings, console: Console) -> None:
    console.print(f"[bold]{preset.name}[/bold]: {preset.title}. {preset.paper}.", soft_wrap=True, highlight=False)
    groups = " ".join(f"{group}={choice}" for group, choice in preset.groups.items())
    console.print(f"It chooses {groups}", soft_wrap=True, highlight=False)
    settings = Table("setting", "value", "section", title="As in the paper", title_justify="left")
    for key, setting in preset.settings.items():
        settings.add_row(key, escape(json.dumps(setting.value)), setting.section)
    console.print(settings)
    console.print(differences_table(preset))
    needs = Table(title="It needs", title_justify="left", show_header=False)
    for what, need in preset.needs.model_dump().items():
        needs.add_row(what, need)
    console.print(needs)
    command = f"beat-the-ai rehearse tasks/{preset.task} preset={preset.name}"
    console.print(f"Try it with simulated people: {command}", soft_wrap=True, highlight=False)


def differences_table(preset: PresetSettings, departures: Iterable[Departure] = ()) -> Table:
    """Return a table of what differs from the paper; `departures` are what the requester chose otherwise."""
    table = Table(*HEADER, title=NOT_AS_IN_THE_PAPER, title_justify="left")
    for row in differences(preset, departures):
        table.add_row(*map(escape, row))
    return table
