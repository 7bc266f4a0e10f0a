"""A browser for all tests of the pages, and for each test a crowd of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from tests.browser import PATIENCE_MS
from tests.webapp.fake_crowd import FakeCrowd, Stage, serving
from tests.webapp.tours import remember_tours

WEBAPP = Path(__file__).parents[2] / "webapp"

NewPage = Callable[..., Page]


@pytest.fixture(scope="session")
def dist() -> Path:
    """The built pages."""
    if not (WEBAPP / "dist" / "bundle.js").is_file():
        pytest.fail("the pages are not built: run `make webapp`")
    return WEBAPP / "dist"


@pytest.fixture(scope="session")
def stage(dist: Path) -> Iterator[Stage]:
    with serving(dist) as running:
        yield running


@pytest.fixture
def crowd(stage: Stage) -> FakeCrowd:
    return stage.enter(FakeCrowd())


@pytest.fixture
def new_page(browser: Browser) -> Iterator[NewPage]:
    """Opens pages; whatever one writes to its console as an error, or throws, fails the test.

    `first_hit` is for a browser that has not seen the tour. What says "on purpose" is let be.
    """
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def open_page(*, first_hit: bool = False, **options: object) -> Page:
        context = browser.new_context(reduced_motion="reduce", **options)  # type: ignore[arg-type]
        if not first_hit:
            remember_tours(context)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        return page

    yield open_page
    for context in contexts:
        context.close()
    expected = ("503", "WebSocket", "on purpose")
    assert [complaint for complaint in complaints if not any(word in complaint for word in expected)] == []


@pytest.fixture
def page(new_page: NewPage) -> Page:
    """A page on a desktop, not opened yet."""
    return new_page(viewport={"width": 1280, "height": 900})


@pytest.fixture
def writing(page: Page, crowd: FakeCrowd) -> Page:
    """The writing page, opened and ready."""
    page.goto(crowd.page)
    page.get_by_label("Your question").wait_for()
    return page
