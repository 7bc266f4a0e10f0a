"""The common arguments of commands on a task folder."""

from __future__ import annotations

from pathlib import Path

import click

from beat_the_ai.rules.stage import Stage

task_dir = click.argument("task_dir", type=click.Path(exists=True, file_okay=False, path_type=Path))
overrides = click.argument("overrides", nargs=-1, metavar="[KEY=VALUE]...")
stage_option = click.option(
    "--stage",
    type=click.Choice([stage.value for stage in Stage]),
    default=Stage.WRITING.value,
    show_default=True,
    callback=lambda _context, _parameter, value: Stage(value),
    help="Which HITs: the screening of newcomers, the writing, or the validation of what was written.",
)
