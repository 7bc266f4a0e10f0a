"""The page of commands: from click, as `--help` prints them."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from typing import cast

import click

from beat_the_ai.cli import main
from beat_the_ai.process.importing import object_at
from beat_the_ai.rules.registry import KINDS, bind
from scripts.reference.types import code, table

PROGRAM = "beat-the-ai"
INTRODUCTION = """# Commands

What `--help` prints for each command. `TASK_DIR` is a task folder, such as `tasks/nli`. `CAMPAIGN` is the campaign's
folder, its SQLite file or a database URL. `key=value` are [settings](settings.md). `BACKEND:SOURCE` names
[a model](../how-to/serve-models.md). The exit status is 0 when the command is done, 1 when it failed, and 2 for wrong
usage. `beat-the-ai -v` logs what is going on; `python tasks/KIND/run.py key=value` is `serve`, or `launch` with
`crowd=mturk`.
"""


def page() -> str:
    commands = list(_commands(main, click.Context(main, info_name=PROGRAM)))
    overview = table(
        ("command", "what it does"),
        ((f"[`{name}`](#{_anchor(name)})", _first_sentence(command)) for name, command, _ in commands),
    )
    return "\n".join([INTRODUCTION, overview, *(_section(*one) for one in commands)])


def _commands(group: click.Group, context: click.Context) -> Iterator[tuple[str, click.Command, click.Context]]:
    """Yield each command with its name, those of the kinds of task under `train --task KIND` and `event`."""
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None, name
        for used_name, used in _by_kind(name, command) if context.parent is None else [(name, command)]:
            inner = click.Context(used, info_name=used_name, parent=context)
            if isinstance(used, click.Group):
                yield from _commands(used, inner)
            else:
                yield inner.command_path.removeprefix(f"{PROGRAM} "), used, inner


def _by_kind(name: str, command: click.Command) -> Iterator[tuple[str, click.Command]]:
    """Yield the commands that a kind of task brings for `train` and `event`, in place of the one that finds them."""
    kinds = [bind(kind) for kind in KINDS]
    if name == "train":
        places = {f"train --task {kind.name}": kind.training for kind in kinds}
    elif name == "event":
        places = {name: next(kind.events for kind in kinds if kind.events)}
    else:
        yield name, command
        return
    for used_name, place in places.items():
        if place is not None:
            yield used_name, cast(click.Command, object_at(place, "--task"))


def _anchor(heading: str) -> str:
    return re.sub(r"[-\s]+", "-", heading)


def _first_sentence(command: click.Command) -> str:
    return re.split(r"(?<=[.:;])\s", " ".join(_help(command).split()), maxsplit=1)[0].rstrip(":;")


def _help(command: click.Command) -> str:
    return inspect.cleandoc(command.help or "").replace("\b\n", "").replace("\f", "")


def _section(name: str, command: click.Command, context: click.Context) -> str:
    pieces = " ".join(command.collect_usage_pieces(context))
    usage = f"```text\n{PROGRAM} {name} {pieces}\n```\n"
    options = [
        record for one in command.params if isinstance(one, click.Option) and (record := one.get_help_record(context))
    ]
    rows = ((code(names), " ".join(meaning.split())) for names, meaning in options)
    listed = table(("option", "meaning"), rows) if options else ""
    return "\n".join(part for part in (f"## {name}\n", usage, f"{_help(command)}\n", listed) if part.strip())
