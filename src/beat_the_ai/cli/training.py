"""`train`: each kind of task has a command of its own for its models."""

from __future__ import annotations

from typing import cast

import click

from beat_the_ai.cli.model_options import task_option
from beat_the_ai.errors import InvalidInput
from beat_the_ai.process.importing import object_at
from beat_the_ai.rules.registry import bind


@click.command(context_settings={"ignore_unknown_options": True}, add_help_option=False)
@task_option
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def train(task: str, arguments: tuple[str, ...]) -> None:
    """Train a model for a kind of task; what else may be given is its own: see --help."""
    place = bind(task).training
    if place is None:
        raise InvalidInput("--task", f"{task} has no training.")
    command = cast(click.Command, object_at(place, "--task"))
    command.main(list(arguments), prog_name=f"beat-the-ai train --task {task}", standalone_mode=False)
