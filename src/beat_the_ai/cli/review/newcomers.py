"""`review newcomers` and `requests`: who waits to be let in."""

from __future__ import annotations

import click

from beat_the_ai.cli.payments import json_option
from beat_the_ai.cli.review.command import ReviewCommand, on_campaign
from beat_the_ai.cli.review.options import endpoint_option
from beat_the_ai.cli.review.tables import newcomers_table, requests_table


@click.command()
@on_campaign
@json_option
def newcomers(review: ReviewCommand) -> None:
    """Every screening with all that was answered there, those who wait for a decision first.

    `review grant` and `review refuse` decide.
    """
    rows = [newcomer.sent() for newcomer in review.desk.candidates().candidates]
    review.show_rows(rows, newcomers_table, "There are no screenings in this campaign.")


@click.command()
@on_campaign
@endpoint_option
@json_option
def requests(review: ReviewCommand) -> None:
    """Workers who ask for the campaign's qualification on the marketplace, oldest first.

    `review grant` accepts a request and `review refuse` turns it down.
    """
    rows = [request.sent() for request in review.desk.requests().requests]
    review.show_rows(rows, requests_table, "Nobody asks for the qualification.")
