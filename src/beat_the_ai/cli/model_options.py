"""Options of commands outside of a campaign: the kind of task, and the loading of models."""

from __future__ import annotations

from collections.abc import Iterable

import click

from beat_the_ai.errors import InvalidInput

DEFAULT_MODEL = "onnx:bidaf-small"

members_option = click.option("--member", "members", multiple=True, required=True, metavar="NAME=BACKEND:SOURCE")
model_option = click.option("--model", default=DEFAULT_MODEL, show_default=True, metavar="BACKEND:SOURCE")
device_option = click.option("--device", type=click.Choice(["cpu", "cuda"]), default="cpu", show_default=True)
threads_option = click.option("--threads", type=click.IntRange(1), default=1, show_default=True)
precision_option = click.option("--precision", help="As the backend offers: fp32, fp16, bf16, int8.")
task_option = click.option(
    "--task", default="reading_comprehension", show_default=True, help="The kind of task, named as task.kind is."
)


def named_members(members: Iterable[str]) -> dict[str, str]:
    """`backend:source` by name, of what `members_option` reads. Raises `InvalidInput`."""
    named: dict[str, str] = {}
    for name, spec in map(_member, members):
        if name in named:
            raise InvalidInput("--member", f"{name!r} is the name of two members. Name each but once.")
        named[name] = spec
    return named


def _member(text: str) -> tuple[str, str]:
    name, equals, spec = text.partition("=")
    if not (name and equals and spec):
        raise InvalidInput("--member", f"{text!r} was given; write NAME=BACKEND:SOURCE, as in bidaf={DEFAULT_MODEL}.")
    return name, spec
