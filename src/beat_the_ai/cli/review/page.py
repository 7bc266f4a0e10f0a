"""`review CAMPAIGN`: the reviewers' page."""

from __future__ import annotations

from pathlib import Path

import click

from beat_the_ai.cli.review.command import ReviewCommand, on_campaign
from beat_the_ai.cli.review.options import endpoint_option
from beat_the_ai.listening import ConnectionLimits
from beat_the_ai.listening.options import connection_options
from beat_the_ai.review import serve as serve_page
from beat_the_ai.rules.roles import Right

PAGE = Path(__file__).resolve().parents[4] / "webapp" / "review" / "dist"


@click.command()
@on_campaign
@click.option("--host", default="127.0.0.1", show_default=True)
@click.option("--port", type=click.IntRange(0, 65535), default=0, show_default=True, help="0 takes a free one.")
@endpoint_option
@connection_options
def serve(review: ReviewCommand, host: str, port: int, limits: ConnectionLimits) -> None:
    """Serve the reviewers' page until stopped; its address is printed as JSON.

    Reviewers sign in with an account: `beat-the-ai review reviewer add CAMPAIGN NAME`.
    """
    desk = review.desk
    accounts = [account for account in desk.store.accounts.all() if account.removed_at is None]
    if not accounts:
        click.echo(
            f"Nobody can sign in yet. Run: beat-the-ai review reviewer add {review.place} NAME --role lead", err=True
        )
    elif not any(account.role.may(Right.DECIDE) for account in accounts):
        click.echo("Nobody is a lead, who grants and revokes. `review reviewer role` makes one.", err=True)
    serve_page(desk, PAGE, host, port, limits)
