"""`event`: each kind of task has commands of its own for people's events on what was written."""

from __future__ import annotations

from typing import cast

import click

from beat_the_ai.errors import InvalidInput
from beat_the_ai.process.importing import object_at
from beat_the_ai.rules.registry import KINDS, bind


@click.command(context_settings={"ignore_unknown_options": True}, add_help_option=False)
@click.option("--task", help="The kind of task; if not given, the first that has events.")
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def event(task: str | None, arguments: tuple[str, ...]) -> None:
    """Hold an event for a kind of task, as a tournament of Quizbowl; what may be given is its own: see --help."""
    names = [name for name in KINDS if bind(name).events is not None]
    chosen = task or names[0]
    place = bind(chosen).events
    if place is None:
        raise InvalidInput("--task", f"{chosen} has no events. Allowed: {', '.join(names)}.")
    command = cast(click.Command, object_at(place, "--task"))
    command.main(list(arguments), prog_name="beat-the-ai event", standalone_mode=False)
