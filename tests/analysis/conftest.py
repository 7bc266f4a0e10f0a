from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect, sync_playwright


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Of one module: as long as Playwright runs, no other test can run an event loop."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None:
        pytest.skip("no Chromium is installed: scripts/install-system-packages chromium")
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        expect.set_options(timeout=60_000)  # its five seconds are for a machine that does nothing else
        yield launched
        launched.close()
