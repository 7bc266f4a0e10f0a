"""`console CAMPAIGN...`: the requester's page on running campaigns, with the reviewers' page of each."""

from __future__ import annotations

import os
from pathlib import Path

import click

from beat_the_ai.campaign.starting.ground import Ground, task_folders
from beat_the_ai.cli.opened_campaigns import Opened
from beat_the_ai.cli.review.page import PAGE as REVIEW_PAGE
from beat_the_ai.console import TOKEN_VARIABLE, Pages, by_key, check_token, serve
from beat_the_ai.listening import ConnectionLimits
from beat_the_ai.listening.options import connection_options
from beat_the_ai.terms.locate import is_folder_of_campaigns

ROOT = Path(__file__).resolve().parents[3]
PAGE = ROOT / "webapp" / "console" / "dist"
TASKS = ROOT / "tasks"


@click.command()
@click.argument("campaigns", nargs=-1, required=True, metavar="CAMPAIGN...")
@click.option("--host", default="127.0.0.1", show_default=True)
@click.option("--port", type=click.IntRange(0, 65535), default=0, show_default=True, help="0 takes a free one.")
@click.option(
    "--tasks",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    multiple=True,
    help="A folder of task folders that campaigns may be started from; by default the project's tasks.",
)
@connection_options
def console(
    campaigns: tuple[str, ...], host: str, port: int, tasks: tuple[Path, ...], limits: ConnectionLimits
) -> None:
    """Watch campaigns in the browser until stopped; the page's address is printed as JSON.

    Each CAMPAIGN is a campaign's folder, a folder of such folders, an SQLite file or a database URL. Sign in with an
    account of the review page: its role says what you see. A requester starts campaigns where CAMPAIGN is one folder
    of campaigns, which may have accounts itself. Scripts read /metrics with the token in the environment variable
    BEAT_THE_AI_CONSOLE_TOKEN.
    """
    given = os.environ.get(TOKEN_VARIABLE)
    token = check_token(given) if given else None
    with Opened(campaigns) as opened:
        watched = opened.all()
        ground = console_ground(campaigns, tasks)
        serve(by_key(watched), Pages(PAGE, REVIEW_PAGE), host, port, limits, token, opened, ground)


def console_ground(places: tuple[str, ...], tasks: tuple[Path, ...]) -> Ground | None:
    """Return where campaigns are started: in the one folder of campaigns, if one was given."""
    [first, *others] = places
    if others or not is_folder_of_campaigns(first):
        return None
    return Ground(Path(first), task_folders(tasks or [TASKS]))
