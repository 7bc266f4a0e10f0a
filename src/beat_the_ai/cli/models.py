"""`adversary list | check | serve | predict | quantise | deploy | deployed | undeploy`: models by themselves."""

from __future__ import annotations

import json

import click

from beat_the_ai.adversary.protocol import LoadOptions
from beat_the_ai.adversary.registry import BACKENDS, shipped_models
from beat_the_ai.adversary.server import serve as serve_models
from beat_the_ai.cli.deployment import deploy, deployed, undeploy
from beat_the_ai.cli.evaluation import predict
from beat_the_ai.cli.model_check import check
from beat_the_ai.cli.model_options import (
    device_option,
    members_option,
    named_members,
    precision_option,
    task_option,
    threads_option,
)
from beat_the_ai.cli.quantisation import quantise
from beat_the_ai.listening import ConnectionLimits
from beat_the_ai.listening.options import connection_options
from beat_the_ai.rules.registry import bind


@click.group()
def adversary() -> None:
    """The models in the loop."""


for command in (check, predict, quantise, deploy, deployed, undeploy):
    adversary.add_command(command)


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
@members_option
@task_option
@click.option("--host", default="127.0.0.1", show_default=True)
@click.option("--port", type=click.IntRange(0, 65535), default=0, show_default=True, help="0 takes a free one.")
@click.option(
    "--streams", type=click.IntRange(1), help="Of each model, at once. [default: as many as cores; 1 on a GPU]"
)
@click.option("--batch-size", type=click.IntRange(1), help="Queries at once. [default: 1; 32 on a GPU]")
@click.option(
    "--memory-gib", type=click.FloatRange(0, min_open=True), help="Of a GPU, for all. [default: what is free]"
)
@device_option
@threads_option
@precision_option
@connection_options
def serve_members(
    members: tuple[str, ...],
    task: str,
    host: str,
    port: int,
    streams: int | None,
    batch_size: int | None,
    memory_gib: float | None,
    device: str,
    threads: int,
    precision: str | None,
    limits: ConnectionLimits,
) -> None:
    """Serve models over HTTP until stopped; the address is printed as JSON."""
    specs = named_members(members)
    options = LoadOptions(device, threads, precision, memory_gib=memory_gib)
    serve_models(
        specs,
        bind(task).name,
        host,
        port,
        options,
        streams=streams,
        batch_size=batch_size,
        connection_limits=limits,
    )
