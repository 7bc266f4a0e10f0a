"""`recruiter serve`: the local recruiter that speaks Prolific's API."""

from __future__ import annotations

import click

from beat_the_ai.errors import InvalidInput
from beat_the_ai.listening import ConnectionLimits
from beat_the_ai.listening.options import connection_options
from beat_the_ai.process.parent_death import end_with_the_starter
from beat_the_ai.recruiter import server as recruiter_server
from beat_the_ai.recruiter.money import SIGNS, parse_cents


@click.group()
def recruiter() -> None:
    """A local recruiter that speaks Prolific's API."""


@recruiter.command()
@click.option("--store", required=True, metavar="FILE", help="An SQLite file, made where there is none.")
@click.option("--host", default="127.0.0.1", show_default=True)
@click.option("--port", type=click.IntRange(0, 65535), default=8800, show_default=True, help="0 takes a free one.")
@click.option("--rehearsal", is_flag=True, help="With a clock to advance, failures to switch on, and the books.")
@click.option("--currency", type=click.Choice(list(SIGNS)), default="GBP", show_default=True, help="Of a new store.")
@click.option("--balance", default="10000.00", show_default=True, metavar="AMOUNT", help="Of a new store.")
@connection_options
def serve(
    store: str, host: str, port: int, rehearsal: bool, currency: str, balance: str, limits: ConnectionLimits
) -> None:
    """Serve until stopped; the address, the token and the workspace are printed as JSON."""
    end_with_the_starter()
    if "://" in store:
        raise InvalidInput("--store", "--store is the address of a database; a recruiter's store is an SQLite file.")
    try:
        cents = parse_cents(balance)
    except ValueError as error:
        raise InvalidInput("--balance", f"--balance: {error}") from None
    recruiter_server.serve(store, host, port, currency=currency, cents=cents, rehearsal=rehearsal, limits=limits)
