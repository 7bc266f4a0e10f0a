"""Datasets among the arguments of commands: a file of any shape, or a folder of parts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from beat_the_ai.files.folders import parts_of
from beat_the_ai.rules.corpora import Corpora, LabelledWork


def tell_left_out(path: Path) -> Path:
    """Return the path, after a word on stderr of each file of data in its folder that is no part of it."""
    for other in parts_of(path).left_out:
        click.echo(f"{other} is no train, dev or test part, and is left out.", err=True)
    return path


def works_of(corpora: Corpora, path: Path) -> Sequence[LabelledWork]:
    """Return the works of a dataset, after a word on stderr of how many others it has."""
    works = corpora.works(path)
    for note in corpora.notes(path):
        click.echo(f"{path}: {note}", err=True)
    return works


def _told(_context: click.Context, _parameter: click.Parameter, path: Path | None) -> Path | None:
    return None if path is None else tell_left_out(path)


def dataset_argument(name: str, *, required: bool = True) -> Callable[[Any], Any]:
    return click.argument(name, type=click.Path(exists=True, path_type=Path), required=required, callback=_told)


def dataset_option(*names: str, help: str) -> Callable[[Any], Any]:
    path = click.Path(exists=True, path_type=Path)
    return click.option(*names, type=path, required=True, callback=_told, help=help, metavar="DATASET")
