"""`review letters CAMPAIGN`: the workers' pages of results and letters, while no stage is served."""

from __future__ import annotations

import click

from beat_the_ai.cli.review.command import ReviewCommand, on_campaign
from beat_the_ai.letters import serve
from beat_the_ai.listening import ConnectionLimits
from beat_the_ai.listening.options import connection_options


@click.command()
@on_campaign
@click.option("--host", default="127.0.0.1", show_default=True)
@click.option("--port", type=click.IntRange(0, 65535), default=0, show_default=True, help="0 takes a free one.")
@connection_options
def letters(review: ReviewCommand, host: str, port: int, limits: ConnectionLimits) -> None:
    """Serve the workers' pages of results, messages and appeals until stopped; the address is printed as JSON.

    A stage that is served has them at its own address. Give `--host` and `--port` of the stage between stages, and the
    addresses that workers have keep working.
    """
    from beat_the_ai.campaign.service.letters import pages  # Mephisto takes a second to import

    serve(pages(review.campaign), host, port, limits)
