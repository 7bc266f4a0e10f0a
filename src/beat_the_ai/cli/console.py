"""`console CAMPAIGN...`: the requester's page on running campaigns, with the reviewers' page of each."""

from __future__ import annotations

import logging
import os
from contextlib import ExitStack
from pathlib import Path

import click

from beat_the_ai.campaign.service.workforce import workforce_of
from beat_the_ai.campaign.starting.ground import Ground, task_folders
from beat_the_ai.cli.review.command import desk_of
from beat_the_ai.cli.review.page import PAGE as REVIEW_PAGE
from beat_the_ai.console import TOKEN_VARIABLE, Pages, Watched, by_key, check_token, serve
from beat_the_ai.errors import BeatTheAIError, InvalidInput
from beat_the_ai.listening import ConnectionLimits
from beat_the_ai.listening.options import connection_options
from beat_the_ai.rules.roles import Right
from beat_the_ai.store import Store
from beat_the_ai.terms.locate import campaign_store, is_of_campaign, main_campaigns, store_file

ROOT = Path(__file__).resolve().parents[3]
PAGE = ROOT / "webapp" / "console" / "dist"
TASKS = ROOT / "tasks"

log = logging.getLogger(__name__)


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
    of campaigns. Scripts read /metrics with the token in the environment variable BEAT_THE_AI_CONSOLE_TOKEN.
    """
    given = os.environ.get(TOKEN_VARIABLE)
    token = check_token(given) if given else None
    with Opened(campaigns) as opened:
        watched = opened.all()
        ground = console_ground(campaigns, tasks)
        serve(by_key(watched), Pages(PAGE, REVIEW_PAGE), host, port, limits, token, opened.more, ground)


def console_ground(places: tuple[str, ...], tasks: tuple[Path, ...]) -> Ground | None:
    """Return where campaigns are started: in the one folder of campaigns, if one was given."""
    [first, *others] = places
    if others or not _is_folder_of_campaigns(first):
        return None
    return Ground(Path(first), task_folders(tasks or [TASKS]))


class Opened(ExitStack):
    """The campaigns of some places, with their open stores."""

    def __init__(self, places: tuple[str, ...]) -> None:
        super().__init__()
        self._places = places
        self._stores: dict[str, Store] = {}
        self._seen: set[str] = set()

    def all(self) -> list[Watched]:
        """Return the campaigns of all places. Raises `InvalidInput` for a place without any."""
        found: list[Watched] = []
        for place in (each for given in self._places for each in _in_folder(given)):
            campaigns = self._campaigns(place)
            if campaigns is None:
                raise InvalidInput("CAMPAIGN", f"{place} holds no campaign yet.")
            found += campaigns
        return found

    def more(self) -> list[Watched]:
        """Return the campaigns that have appeared in folders of campaigns since."""
        found: list[Watched] = []
        for place in (each for given in self._places if _is_folder_of_campaigns(given) for each in _in_folder(given)):
            if place not in self._seen:
                try:
                    found += self._campaigns(place) or []
                except BeatTheAIError as error:
                    log.warning("%s cannot be opened: %s", place, error)
        return found

    def _campaigns(self, place: str) -> list[Watched] | None:
        """Return the campaigns of a store, unless it is open already; None for a store without any."""
        with ExitStack() as opened:
            store = opened.enter_context(campaign_store(place))
            campaigns = main_campaigns(store)
            if store.database.url in self._stores:
                self._seen.add(place)
                return []
            if not campaigns:
                return None
            watched = [Watched(place, desk_of(each, opened.enter_context(workforce_of(each)))) for each in campaigns]
            self.enter_context(opened.pop_all())
        self._stores[store.database.url] = store
        self._seen.add(place)
        _warn(place, store)
        return watched


def _is_folder_of_campaigns(place: str) -> bool:
    folder = Path(place)
    return "://" not in place and folder.is_dir() and not is_of_campaign(folder)


def _in_folder(place: str) -> list[str]:
    """Return the campaigns' folders in a folder that is none itself; else the place as it is."""
    if not _is_folder_of_campaigns(place):
        return [place]
    folders = sorted(Path(place).iterdir())
    return [str(each) for each in folders if each.is_dir() and store_file(each) is not None] or [place]


def _warn(place: str, store: Store) -> None:
    if not any(one.role.may(Right.WATCH) and one.removed_at is None for one in store.accounts.all()):
        click.echo(
            f"Nobody sees {place} yet. Run: beat-the-ai review reviewer add {place} NAME --role requester", err=True
        )
