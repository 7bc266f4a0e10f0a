"""The common parts of commands on a task folder: arguments, and the built page."""

from __future__ import annotations

from pathlib import Path

import click

from beat_the_ai.campaign.settings.configuration import suite_root
from beat_the_ai.errors import Refused
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


def page_folder(task_dir: Path) -> Path:
    """The built page. Raises `Refused` when it is not there."""
    folder = suite_root(task_dir) / "webapp" / "dist"
    if not (folder / "bundle.js").is_file():
        raise Refused("The workers' page is not built yet. Run: make webapp")
    return folder
