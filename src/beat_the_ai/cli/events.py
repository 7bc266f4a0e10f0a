"""`event`: each kind of task has commands of its own for people's events on what was written."""

from __future__ import annotations

from typing import cast

import click

from beat_the_ai.cli.model_options import task_option
from beat_the_ai.errors import InvalidInput
from beat_the_ai.places import object_at
from beat_the_ai.rules.registry import bind


@click.command(context_settings={"ignore_unknown_options": True}, add_help_option=False)
@task_option
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def event(task: str, arguments: tuple[str, ...]) -> None:
    """Hold an event for a kind of task, as a tournament of Quizbowl; what may be given is its own: see --help."""
    place = bind(task).events
    if place is None:
        raise InvalidInput("--task", f"{task} has no events; quizbowl has.")
    command = cast(click.Command, object_at(place, "--task"))
    command.main(list(arguments), prog_name=f"beat-the-ai event --task {task}", standalone_mode=False)
