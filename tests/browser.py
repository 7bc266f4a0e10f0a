"""The browser in which the pages are tested: Chromium without its window, at half the cost of the whole one."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT, AxeResults
from playwright.sync_api import Browser, Page, expect, sync_playwright

COMMANDS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
OPTIONS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
PATIENCE_MS = 60_000  # Playwright's five seconds are for a machine that does nothing else


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Of one module: as long as Playwright runs, no other test can run an event loop."""
    command = next(filter(None, map(shutil.which, COMMANDS)), None)
    if command is None:
        pytest.skip("no Chromium is installed: scripts/install-system-packages chromium-headless-shell")
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=command, args=OPTIONS)
        expect.set_options(timeout=PATIENCE_MS)
        yield launched
        launched.close()


def fits(page: Page) -> bool:
    """Nothing sticks out sideways. `innerWidth` grows on a phone with what does."""
    assert page.viewport_size is not None
    return bool(page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"])


def check_accessible(page: Page, state: str, rules: Sequence[str] | None = WCAG) -> None:
    """axe-core finds no violation of rules with these tags: None are all that it has. A document loads it once."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    asked: dict[str, Any] = {"resultTypes": ["violations"]}
    if rules is not None:
        asked["runOnly"] = {"type": "tag", "values": rules}
    found = AxeResults(page.evaluate("asked => axe.run(asked)", asked))
    assert found.violations_count == 0, f"{state}: {found.generate_report()}"
