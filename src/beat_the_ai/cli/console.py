"""`console CAMPAIGN...`: the requester's page on running campaigns, with the reviewers' page of each."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import click

from beat_the_ai.campaign.service.workforce import workforce_of
from beat_the_ai.cli.review.command import desk_of
from beat_the_ai.cli.review.page import PAGE as REVIEW_PAGE
from beat_the_ai.console import TOKEN_VARIABLE, Pages, Watched, by_key, check_token, serve
from beat_the_ai.errors import InvalidInput
from beat_the_ai.listening import ConnectionLimits
from beat_the_ai.listening.options import connection_options
from beat_the_ai.rules.roles import Right
from beat_the_ai.store import Store
from beat_the_ai.terms.locate import campaign_store, main_campaigns, store_file

PAGE = Path(__file__).resolve().parents[3] / "webapp" / "console" / "dist"


@click.command()
@click.argument("campaigns", nargs=-1, required=True, metavar="CAMPAIGN...")
@click.option("--host", default="127.0.0.1", show_default=True)
@click.option("--port", type=click.IntRange(0, 65535), default=0, show_default=True, help="0 takes a free one.")
@connection_options
def console(campaigns: tuple[str, ...], host: str, port: int, limits: ConnectionLimits) -> None:
    """Watch campaigns in the browser until stopped; the page's address is printed as JSON.

    Each CAMPAIGN is a campaign's folder, a folder of such folders, an SQLite file or a database URL. Sign in with an
    account of the review page: its role says what you see. Scripts read /metrics with the token in the environment
    variable BEAT_THE_AI_CONSOLE_TOKEN.
    """
    given = os.environ.get(TOKEN_VARIABLE)
    token = check_token(given) if given else None
    with _opened(campaigns) as watched:
        serve(by_key(watched), Pages(PAGE, REVIEW_PAGE), host, port, limits, token)


@contextmanager
def _opened(places: tuple[str, ...]) -> Iterator[list[Watched]]:
    """Yield the campaigns of all places. Raises `InvalidInput` for a place without any."""
    stores: dict[str, Store] = {}
    found: list[Watched] = []
    with ExitStack() as opened:
        for place in (each for given in places for each in _in_folder(given)):
            store = opened.enter_context(campaign_store(place))
            if store.database.url in stores:
                continue
            stores[store.database.url] = store
            campaigns = main_campaigns(store)
            if not campaigns:
                raise InvalidInput("CAMPAIGN", f"{place} holds no campaign yet.")
            for campaign in campaigns:
                workforce = opened.enter_context(workforce_of(campaign))
                found.append(Watched(place, desk_of(campaign, workforce)))
            _warn(place, store)
        yield found


def _in_folder(place: str) -> list[str]:
    """Return the campaigns' folders in a folder that is none itself; else the place as it is."""
    folder = Path(place)
    if "://" in place or not folder.is_dir() or store_file(folder) is not None:
        return [place]
    return [str(each) for each in sorted(folder.iterdir()) if each.is_dir() and store_file(each) is not None] or [place]


def _warn(place: str, store: Store) -> None:
    if not any(one.role.may(Right.WATCH) and one.removed_at is None for one in store.accounts.all()):
        click.echo(
            f"Nobody sees {place} yet. Run: beat-the-ai review reviewer add {place} NAME --role requester", err=True
        )
