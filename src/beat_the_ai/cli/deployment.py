"""`adversary deploy | deployed | undeploy`: models on Ray Serve, on one machine or on many."""

from __future__ import annotations

import json

import click

from beat_the_ai.adversary import deployment as ray_serve
from beat_the_ai.adversary.protocol import LoadOptions
from beat_the_ai.cli.model_options import (
    device_option,
    members_option,
    named_members,
    precision_option,
    task_option,
    threads_option,
)
from beat_the_ai.rules.registry import bind

HERE = "here"

cluster_option = click.option(
    "--ray", "ray_address", required=True, metavar="ADDRESS", help="Of the cluster: HOST:PORT, or auto."
)


@click.command("deploy")
@click.option(
    "--ray",
    "ray_address",
    is_flag=False,
    flag_value=HERE,
    required=True,
    metavar="[ADDRESS]",
    help="Of the cluster: HOST:PORT, or auto. Without an address Ray is started here, and ends with the command.",
)
@click.option("--name", default="adversary", show_default=True, help="Of the deployment: the address ends with it.")
@members_option
@task_option
@click.option("--min-replicas", type=click.IntRange(1), default=1, show_default=True)
@click.option("--max-replicas", type=click.IntRange(1), help="As many as there is work for. [default: --min-replicas]")
@click.option("--host", default="127.0.0.1", show_default=True, help="On which each machine listens.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0 takes a free one here.")
@click.option("--streams", type=click.IntRange(1), default=1, show_default=True, help="Of each model in a replica.")
@device_option
@threads_option
@precision_option
def deploy(
    ray_address: str,
    name: str,
    members: tuple[str, ...],
    task: str,
    min_replicas: int,
    max_replicas: int | None,
    host: str,
    port: int,
    streams: int,
    device: str,
    threads: int,
    precision: str | None,
) -> None:
    """Serve models by replicas on Ray Serve; the address is printed as JSON.

    Deployed under the same name again, what is new takes the place of what is there, without a pause.
    """
    deployment = ray_serve.Deployment(
        name,
        named_members(members),
        bind(task).name,
        min_replicas,
        max_replicas or min_replicas,
        streams,
        LoadOptions(device, threads, precision),
    )
    ray_serve.deploy(deployment, None if ray_address == HERE else ray_address, host, port)


@click.command("deployed")
@cluster_option
def deployed(ray_address: str) -> None:
    """Show the deployments on a cluster, as JSON: by name the status, and the number of replicas by state."""
    click.echo(json.dumps(ray_serve.deployed(ray_address), indent=1))


@click.command("undeploy")
@cluster_option
@click.argument("name")
def undeploy(ray_address: str, name: str) -> None:
    """Take what is deployed under a name from a cluster, once it has answered what it was asked."""
    ray_serve.undeploy(name, ray_address)
    click.echo(f"{name} is no longer deployed")
