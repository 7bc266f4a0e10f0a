"""`adversary serve | list`: models outside of a campaign."""

from __future__ import annotations

import json

import click

from beat_the_ai.adversary.protocol import LoadOptions
from beat_the_ai.adversary.registry import BACKENDS, shipped_models
from beat_the_ai.adversary.server import serve as serve_models
from beat_the_ai.cli.evaluation import predict
from beat_the_ai.cli.model_options import DEFAULT_MODEL, device_option, precision_option, task_option, threads_option
from beat_the_ai.errors import InvalidInput
from beat_the_ai.listening import Doors
from beat_the_ai.listening.options import doors_options
from beat_the_ai.rules.registry import bind


@click.group()
def adversary() -> None:
    """The models in the loop."""


adversary.add_command(predict)


@adversary.command("list")
@click.option("--json", "as_json", is_flag=True, help="Machine-readable output.")
def list_models(as_json: bool) -> None:
    """The backends, and the models that ship with the project."""
    shipped = list(shipped_models())
    if as_json:
        click.echo(json.dumps({"backends": sorted(BACKENDS), "models": shipped}))
        return
    click.echo("backends: " + ", ".join(sorted(BACKENDS)))
    click.echo("models that ship with the project: " + ", ".join(shipped))


@adversary.command("serve")
@click.option("--member", "members", multiple=True, required=True, metavar="NAME=BACKEND:SOURCE")
@task_option
@click.option("--host", default="127.0.0.1", show_default=True)
@click.option("--port", type=click.IntRange(0, 65535), default=0, show_default=True, help="0 takes a free one.")
@click.option("--streams", type=click.IntRange(1), default=1, show_default=True, help="Loaded instances of each model.")
@device_option
@threads_option
@precision_option
@doors_options
def serve_members(
    members: tuple[str, ...],
    task: str,
    host: str,
    port: int,
    streams: int,
    device: str,
    threads: int,
    precision: str | None,
    doors: Doors,
) -> None:
    """Serve models over HTTP until stopped; the address is printed as JSON."""
    specs = dict(_member(text) for text in members)
    serve_models(specs, bind(task).name, host, port, streams, LoadOptions(device, threads, precision), doors=doors)


def _member(text: str) -> tuple[str, str]:
    name, equals, spec = text.partition("=")
    if not (name and equals and spec):
        raise InvalidInput("--member", f"{text!r} was given; write NAME=BACKEND:SOURCE, as in bidaf={DEFAULT_MODEL}.")
    return name, spec
