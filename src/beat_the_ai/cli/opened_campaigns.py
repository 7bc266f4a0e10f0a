"""The campaigns of some places, with their open stores: folders, files and databases, and folders of such folders."""

from __future__ import annotations

import logging
import time
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotYet
from contextlib import ExitStack, closing, suppress
from pathlib import Path

import click

from beat_the_ai.campaign.service.workforce import workforce_of
from beat_the_ai.campaign.starting.accounts import open_accounts
from beat_the_ai.cli.review.command import desk_of
from beat_the_ai.console import Watched
from beat_the_ai.errors import BeatTheAIError, InvalidInput, StoreAway
from beat_the_ai.rules.roles import Right
from beat_the_ai.store import Store, open_store
from beat_the_ai.terms.locate import (
    campaign_store,
    has_record,
    is_folder_of_campaigns,
    is_of_campaign,
    main_campaigns,
    store_of,
    store_record,
)

START_SECONDS = 3.0  # for which databases of a folder's campaigns are waited for
AGAIN_SECONDS = 30.0
AWAY_SECONDS = 3.0  # a person waits for the page
ADD_REQUESTER = "beat-the-ai review reviewer add {} NAME --role requester"
OPENINGS = 16  # at a time: a server that does not answer takes ten seconds of one

log = logging.getLogger(__name__)


class Opened(ExitStack):
    """The campaigns of some places, with their open stores.

    In a folder of campaigns, those whose store cannot be opened are `unopened`: none keeps the others from being shown.
    """

    def __init__(self, places: tuple[str, ...]) -> None:
        super().__init__()
        self._places = places
        self._stores: dict[str, Store] = {}  # by their URLs as they are given
        self._openings: dict[str, Future[Store]] = {}
        self._executor = self.enter_context(ThreadPoolExecutor(OPENINGS, "stores"))
        self._watched: set[tuple[str, str]] = set()  # the campaigns by URL and id
        self._seen: set[str] = set()
        self._failed_at: dict[str, float] = {}
        self._accounts: Store | None = None

    @property
    def unopened(self) -> list[str]:
        """The names of the folders whose campaign cannot be shown now. They are tried again."""
        return [Path(place).name for place in self._failed_at]

    @property
    def accounts(self) -> Store | None:
        """The store of the accounts that the one folder of campaigns has itself; None while it has none."""
        if self._accounts is None and self._folder is not None:
            try:
                self._accounts = open_accounts(Path(self._folder))
            except BeatTheAIError as error:
                log.warning("%s", error)
            if self._accounts is not None:
                self.enter_context(closing(self._accounts))
        return self._accounts

    def all(self) -> list[Watched]:
        """Return the campaigns of all places. Raises `InvalidInput` where there is none."""
        found: list[Watched] = []
        for place in self._places:
            if not is_folder_of_campaigns(place):
                self._begin(place)
                campaigns = self._campaigns(place, None)
                if place not in self._seen:
                    raise InvalidInput("CAMPAIGN", f"{place} holds no campaign yet.")
                found += campaigns
        found += self._in_folders(START_SECONDS)
        if self._folder is not None:
            self._warn_of(self._folder)
        elif not found and not self._failed_at:
            raise InvalidInput("CAMPAIGN", f"{', '.join(self._places)} holds no campaign yet.")
        return found

    def more(self) -> list[Watched]:
        """Return the campaigns that have appeared in folders of campaigns since."""
        return self._in_folders(0.0)

    @property
    def _folder(self) -> str | None:
        """The folder in which campaigns are started."""
        return self._places[0] if len(self._places) == 1 and is_folder_of_campaigns(self._places[0]) else None

    def _warn_of(self, folder: str) -> None:
        stores = [*self._stores.values(), *([] if self.accounts is None else [self.accounts])]
        if not any(_has_a(Right.START, store) for store in stores):
            click.echo(f"Nobody can start a campaign yet. Run: {ADD_REQUESTER.format(folder)}", err=True)

    def _in_folders(self, seconds: float) -> list[Watched]:
        until, found = time.monotonic() + seconds, list[Watched]()
        places = [place for place in self._new_places() if self._is_due(place)]
        for place in places:
            self._begin(place)
        for place in places:
            try:
                found += self._campaigns(place, max(0.0, until - time.monotonic()))
                self._failed_at.pop(place, None)
            except BeatTheAIError as error:
                log.warning("%s cannot be opened: %s", place, error)
                self._failed_at[place] = time.monotonic()
        return found

    def _new_places(self) -> list[str]:
        """Return the folders of campaigns that are not shown yet. Those with a record of theirs come first."""
        folders = {each for place in self._places if is_folder_of_campaigns(place) for each in _campaigns_in(place)}
        return sorted(folders - self._seen, key=lambda place: (not has_record(Path(place)), place))

    def _is_due(self, place: str) -> bool:
        failed_at = self._failed_at.get(place)
        return failed_at is None or time.monotonic() - failed_at >= AGAIN_SECONDS

    def _campaigns(self, place: str, seconds: float | None) -> list[Watched]:
        """Return the campaigns of a place that are not shown yet. Raises `StoreError` for a store that does not open.

        The database of a folder's campaign is waited for so many seconds.
        """
        with ExitStack() as opened:
            store = self._store(place, seconds, opened)
            url, found = store.database.url, main_campaigns(store)
            only = _campaign_of(place)
            new = [each for each in found if only in (None, each.id) and (url, each.id) not in self._watched]
            desks = [desk_of(each, opened.enter_context(workforce_of(each))) for each in new]
            if found:
                self._seen.add(place)
                self._stores[_url_of(place) or url] = store
                self.push(opened.pop_all())
        self._watched |= {(url, each.id) for each in new}
        if new:
            _warn(place, store)
        # Of several campaigns in a database, nobody knows which one is the folder's.
        is_of_folder = len(found) == 1 or only is not None or _url_of(place) is None
        return [Watched(place if is_of_folder else url, desk) for desk in desks]

    def _store(self, place: str, seconds: float | None, opened: ExitStack) -> Store:
        """Return the store of a place, open already or `opened` now."""
        url = _url_of(place)
        if url is None:
            store = opened.enter_context(campaign_store(place))
            store = self._stores.get(store.database.url, store)
        elif url in self._stores:
            store = self._stores[url]
        else:
            store = self._database(url, seconds)
            opened.callback(store.close)
        store.database.away_seconds = AWAY_SECONDS
        return store

    def _begin(self, place: str) -> None:
        """Begin to open the database of a folder's campaign, beside all others."""
        with suppress(InvalidInput):  # which is told in its turn
            url = _url_of(place)
            if url is not None and url not in self._stores and url not in self._openings:
                self._openings[url] = self._executor.submit(open_store, url)

    def _database(self, url: str, seconds: float | None) -> Store:
        """Return a store that was begun to be opened. Raises `StoreAway` while it is not open."""
        try:
            store = self._openings[url].result(seconds)
        except NotYet:
            raise StoreAway from None
        except BeatTheAIError:
            self._openings.pop(url)
            raise
        self._openings.pop(url)
        return store


def _campaigns_in(place: str) -> list[str]:
    return [str(each) for each in sorted(Path(place).iterdir()) if each.is_dir() and is_of_campaign(each)]


def _url_of(place: str) -> str | None:
    """Return the URL of the database of a campaign's folder; None for any other place."""
    found = store_of(Path(place)) if "://" not in place and Path(place).is_dir() else None
    return found if found is not None and "://" in found else None


def _campaign_of(place: str) -> str | None:
    """Return the id of the campaign that a folder says is its own."""
    record = store_record(Path(place)) if _url_of(place) is not None else None
    return None if record is None else record.campaign


def _warn(place: str, store: Store) -> None:
    if not _has_a(Right.WATCH, store):
        click.echo(f"Nobody sees {place} yet. Run: {ADD_REQUESTER.format(place)}", err=True)


def _has_a(right: Right, store: Store) -> bool:
    """Return whether a store has an account with a right."""
    return any(one.role.may(right) and one.removed_at is None for one in store.accounts.all())
