"""The progress of a command: bars in a terminal, and lines elsewhere, as in the log of a job."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, TextColumn, TimeElapsedColumn

LINE_SECONDS = 2.0

Advance = Callable[[int], None]
Watch = Callable[[str, int], Advance]


@contextmanager
def shown_progress(counted: ProgressColumn) -> Iterator[Watch]:
    """Yield a function that begins a step with so much to do, and returns another that counts what is done of it.

    `counted` is the column that shows the count.
    """
    console = Console(stderr=True)
    if not console.is_terminal:
        yield _told
        return
    columns = (TextColumn("{task.description}"), BarColumn(), counted, TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as progress:

        def watch(step: str, total: int) -> Advance:
            task = progress.add_task(step, total=total)
            return lambda done: progress.advance(task, done)

        yield watch


def _told(step: str, total: int) -> Advance:
    """Print a line now and then; a step that is soon done has none."""
    done, told_at = 0, time.monotonic()

    def advance(more: int) -> None:
        nonlocal done, told_at
        done += more
        if time.monotonic() - told_at >= LINE_SECONDS:
            told_at = time.monotonic()
            click.echo(f"{step}: {min(1, done / max(1, total)):.0%}", err=True)

    return advance
