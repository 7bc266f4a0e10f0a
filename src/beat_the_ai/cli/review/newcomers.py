"""`review newcomers` and `requests`: who waits to be let in."""

from __future__ import annotations

import json

import click
from rich.console import Console

from beat_the_ai.cli.payments import campaign_argument, json_option
from beat_the_ai.cli.review.options import endpoint_option, review_desk
from beat_the_ai.cli.review.tables import newcomers_table, requests_table


@click.command()
@campaign_argument
@json_option
def newcomers(campaign: str, as_json: bool) -> None:
    """Every screening with all that was answered there, those who wait for a decision first.

    `review grant` and `review refuse` decide.
    """
    with review_desk(campaign) as desk:
        found = [one.sent() for one in desk.candidates().candidates]
    if as_json:
        click.echo(json.dumps(found))
    elif found:
        Console().print(newcomers_table(found))
    else:
        click.echo("There are no screenings in this campaign.")


@click.command()
@campaign_argument
@endpoint_option
@json_option
def requests(campaign: str, endpoint: str | None, as_json: bool) -> None:
    """Workers who ask for the campaign's qualification on the marketplace, oldest first.

    `review grant` accepts a request and `review refuse` turns it down.
    """
    with review_desk(campaign, endpoint) as desk:
        found = [one.sent() for one in desk.requests().requests]
    if as_json:
        click.echo(json.dumps(found))
    elif found:
        Console().print(requests_table(found))
    else:
        click.echo("Nobody asks for the qualification.")
