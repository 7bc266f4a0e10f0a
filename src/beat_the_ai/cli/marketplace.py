"""`marketplace serve | requester | worker`: the marketplace that speaks the Mechanical Turk requester protocol."""

from __future__ import annotations

import json
from typing import Any

import click

from beat_the_ai.listening import ConnectionLimits
from beat_the_ai.listening.options import connection_options
from beat_the_ai.marketplace import commands
from beat_the_ai.marketplace import server as marketplace_server
from beat_the_ai.process.parent_death import end_with_the_starter

store_option = click.option("--store", required=True, metavar="URL", help="An SQLAlchemy URL, or an SQLite file.")
json_option = click.option("--json", "as_json", is_flag=True, help="Machine-readable output.")


@click.group()
def marketplace() -> None:
    """A marketplace that speaks the Mechanical Turk protocol."""


@marketplace.command()
@store_option
@click.option("--host", default="127.0.0.1", show_default=True)
@click.option("--port", type=click.IntRange(0, 65535), default=0, show_default=True, help="0 takes a free one.")
@click.option("--rehearsal", is_flag=True, help="With a clock to advance and failures to switch on.")
@click.option("--sqs", metavar="URL", help="An SQS server: event notifications may go to its queues.")
@click.option("--sns", metavar="URL", help="An SNS server: event notifications may go to its topics.")
@click.option(
    "--fees/--no-fees", default=None, help="Charge requesters MTurk's fees or none; else as the store has it."
)
@connection_options
def serve(
    store: str,
    host: str,
    port: int,
    rehearsal: bool,
    sqs: str | None,
    sns: str | None,
    fees: bool | None,
    limits: ConnectionLimits,
) -> None:
    """Serve until stopped; the address is printed as JSON."""
    end_with_the_starter()
    endpoints = {name: url for name, url in (("SQS", sqs), ("SNS", sns)) if url}
    marketplace_server.serve(
        store,
        host,
        port,
        rehearsal=rehearsal,
        endpoints=endpoints,
        limits=limits,
        charges_fees=fees,
    )


@marketplace.group()
def requester() -> None:
    """Requesters, who post HITs and pay for them."""


@requester.command("add")
@click.argument("name")
@store_option
@click.option("--deposit", default=commands.DEFAULT_DEPOSIT, show_default=True, metavar="DOLLARS")
@json_option
def add_requester(name: str, store: str, deposit: str, as_json: bool) -> None:
    """Add a requester; the access key's secret is shown now and never again."""
    _show(commands.add_requester(store, name, deposit), as_json)


@requester.command("deposit")
@click.argument("name")
@click.argument("dollars")
@store_option
@json_option
def deposit(name: str, dollars: str, store: str, as_json: bool) -> None:
    """Give a requester more money."""
    _show(commands.deposit(store, name, dollars), as_json)


@requester.group()
def key() -> None:
    """Access keys. To change one: add another, put it into use, revoke the first."""


@key.command("add")
@click.argument("name")
@store_option
@json_option
def add_key(name: str, store: str, as_json: bool) -> None:
    """Add a key beside a requester's others; its secret is shown now and never again."""
    _show(commands.add_access_key(store, name), as_json)


@key.command("list")
@click.argument("name")
@store_option
@json_option
def list_keys(name: str, store: str, as_json: bool) -> None:
    """List a requester's keys, oldest first, without their secrets."""
    keys = commands.list_access_keys(store, name)
    if as_json:
        click.echo(json.dumps(keys))
        return
    for one in keys:
        ended = f", revoked {one['revoked_at']}" if one["revoked_at"] else ""
        click.echo(f"{one['aws_access_key_id']}  {one['state']}  created {one['created_at']}{ended}")


@key.command("revoke")
@click.argument("name")
@click.argument("key_id")
@store_option
@json_option
def revoke_key(name: str, key_id: str, store: str, as_json: bool) -> None:
    """End a key: from the next request on it signs nothing, and its secret is erased."""
    _show(commands.revoke_access_key(store, name, key_id), as_json)


@marketplace.group()
def worker() -> None:
    """Workers, who work on HITs."""


@worker.command("add")
@click.argument("worker_id")
@store_option
@click.option("--locale", default="US", show_default=True, help="A country, or country-subdivision: US, US-CA.")
@click.option("--approved", type=click.IntRange(0), default=0, show_default=True, help="Approved HITs elsewhere.")
@click.option("--approval-rate", type=click.IntRange(0, 100), default=100, show_default=True, help="Percent.")
@click.option("--adult", is_flag=True)
@click.option("--masters", is_flag=True)
@json_option
def add_worker(worker_id: str, store: str, as_json: bool, **described: Any) -> None:
    """Add a worker, with what counts for requirements; the access code for the portal is shown once."""
    _show(commands.add_worker(store, {"id": worker_id, **described}), as_json)


@worker.command("code")
@click.argument("worker_id")
@store_option
@json_option
def new_access_code(worker_id: str, store: str, as_json: bool) -> None:
    """Give a worker another access code for the portal; the old one counts no more."""
    _show(commands.new_access_code(store, worker_id), as_json)


def _show(result: dict[str, Any], as_json: bool) -> None:
    click.echo(json.dumps(result) if as_json else "\n".join(f"{name}: {value}" for name, value in result.items()))
