from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from beat_the_ai.campaign.starting.ground import Ground
from beat_the_ai.cli.review.command import desk_of
from beat_the_ai.console import Pages, Site, Watched, by_key
from beat_the_ai.review import new_account
from beat_the_ai.rules.roles import Role
from beat_the_ai.store import Store, open_store
from beat_the_ai.terms.locate import main_campaigns
from beat_the_ai.workforce import Workforce
from tests.review.builders import PASSWORD, fill
from tests.review.conftest import PAGE, Clock, Reviewer, clock, filled, store

__all__ = ["clock", "filled", "store"]
ELSEWHERE = "correct horse stapler"

Visitor = Callable[..., Reviewer]


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Store]:
    """Another store with a campaign of the same name: ann is no lead there, and carl is in this one alone."""
    opened = open_store(str(tmp_path / "other.db"))
    fill(opened)
    new_account(opened, "ann", PASSWORD)
    new_account(opened, "bob", ELSEWHERE, role=Role.LEAD)
    new_account(opened, "carl", PASSWORD, role=Role.LEAD)
    yield opened
    opened.close()


def watched_at(store: Store, place: Path) -> Watched:
    [campaign] = main_campaigns(store)
    return Watched(str(place), desk_of(campaign, Workforce(campaign)))


@pytest.fixture
def site(store: Store, other: Store, clock: Clock, tmp_path: Path) -> Iterator[Site]:
    """The console of `pilot` and, from the other store, `pilot-2`."""
    pages = Pages(tmp_path / "console", tmp_path / "review")
    for folder in (pages.console, pages.review):
        folder.mkdir()
        for name, text in PAGE.items():
            (folder / name).write_text(text)
    campaigns = [watched_at(store, tmp_path / "campaign.db"), watched_at(other, tmp_path / "other.db")]
    with ThreadPoolExecutor(1) as executor:
        opened = Site(by_key(campaigns), pages, executor, clock, ground=Ground(tmp_path / "started", {}))
        yield opened
        opened.close()


@pytest.fixture
def visitor(site: Site) -> Iterator[Visitor]:
    """Open a browser, and sign in under a name."""
    clients: list[TestClient] = []
    app = site.app()

    def open_browser(name: str = "", password: str = PASSWORD) -> Reviewer:
        clients.append(TestClient(app, client=("10.0.0.1", 5000)))
        browser = Reviewer(clients[-1])
        if name:
            assert browser.sign_in(name, password) == 200
        return browser

    yield open_browser
    for client in clients:
        client.close()
