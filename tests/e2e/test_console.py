"""A requester in a real browser: figures, the feed as it grows, a verdict with its HIT, and the review page."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from beat_the_ai.review import new_account
from beat_the_ai.rules.roles import Role
from beat_the_ai.store import open_store
from benchmarks.stored_campaign import stored_campaign
from tests.browser import check_accessible, fits
from tests.e2e.conftest import ROOT, screenshots
from tests.e2e.test_review import DESKTOP, PHONE, SMALLEST_TARGET_PIXELS, contexts, open_page
from tests.review.builders import HOSTILE, PASSWORD, SCRIPT, doubt, fill, hand_in, screen
from tests.thorough import cases

__all__ = ["contexts"]

TARGETS = "button:visible, summary:visible, select:visible, nav a:visible, .button:visible, .verdict a:visible"


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign with validation and payments."""
    folder = tmp_path_factory.mktemp("large") / "campaign"
    stored_campaign(folder, 1000)
    store = open_store(str(folder / "private" / "campaign.db"))
    new_account(store, "ann", PASSWORD, role=Role.LEAD)
    store.close()
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A campaign with hostile texts, in which ann is a lead and bob is none."""
    store = open_store(str(tmp_path / "campaign.db"))
    fill(store)
    screen(store)
    doubt(store)
    new_account(store, "ann", PASSWORD, role=Role.LEAD)
    new_account(store, "bob", PASSWORD)
    new_account(store, "olga", PASSWORD, role=Role.OBSERVER)
    store.close()
    return tmp_path


@pytest.fixture
def address(folder: Path, large: Path) -> Iterator[str]:
    if not (ROOT / "webapp" / "console" / "dist" / "bundle.js").is_file():
        pytest.skip("the console is not built: make webapp")
    command = [sys.executable, "-m", "beat_the_ai.cli", "console", str(folder), str(large)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield json.loads(process.stdout.readline())["address"]
        process.terminate()
        assert process.wait(60) == 0


def sign_in(page: Page, name: str = "ann", heading: str = "Campaigns") -> None:
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=heading)).to_be_visible()


def check(page: Page, state: str) -> None:
    """No violation, nothing sticks out sideways, targets are large; a picture, where one is asked for."""
    folder = screenshots()
    if folder is not None:
        page.screenshot(path=folder / f"console-{state}-{page.evaluate('innerWidth')}.png", full_page=True)
    check_accessible(page, state)
    assert fits(page), f"{state}: the page scrolls sideways"
    heights = page.locator(TARGETS).evaluate_all(
        "all => all.map(e => [e.textContent, e.getBoundingClientRect().height])"
    )
    assert [name for name, height in heights if height < SMALLEST_TARGET_PIXELS] == [], state


@pytest.mark.parametrize("options", cases({"desktop": DESKTOP, "phone dark": PHONE}, ["phone dark"]))
def test_a_lead_reads_figures_and_verdicts(
    browser: Browser, contexts: list[BrowserContext], address: str, options: dict[str, Any]
) -> None:
    page = open_page(browser, contexts, address, **options)
    expect(page.get_by_label("Name")).to_be_visible()
    check(page, "sign-in")
    sign_in(page)
    check(page, "campaigns")
    page.get_by_role("link", name="growth", exact=True).press("Enter")
    expect(page.get_by_role("heading", name="Nobody serves it")).to_be_visible()
    plots = page.locator(".plot canvas")
    expect(plots).to_have_count(2)
    assert plots.first.evaluate(
        "canvas => canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.some(Boolean)"
    )
    check(page, "figures")
    page.get_by_label("In each step").check()
    tables = page.get_by_text("The figures as a table")
    tables.first.press("Enter")
    tables.last.press("Enter")
    expect(page.get_by_role("region", name="Model error rate, as a table").locator("tbody tr").first).to_contain_text(
        "%"
    )
    check(page, "tables")
    expect(page.get_by_role("region", name="Round 1, by part").get_by_role("row").nth(4)).to_contain_text("all")
    expect(page.get_by_role("region", name="Table of models").get_by_role("row").nth(1)).to_contain_text(
        "is not asked now"
    )
    page.get_by_label("Parts of the console").get_by_role("link", name="Workers").press("Enter")
    workers = page.get_by_role("region", name="Table of workers")
    expect(workers.get_by_role("row").nth(1)).to_contain_text("W00000")
    workers.get_by_role("link", name="Last seen").press("Enter")
    expect(workers.get_by_role("columnheader", name="Last seen")).to_have_attribute("aria-sort", "descending")
    expect(workers.get_by_role("row").nth(1)).to_contain_text("V")
    check(page, "workers")
    page.get_by_role("link", name="Agreement", exact=True).press("Enter")
    expect(page.get_by_role("region", name="Table of validators").get_by_role("row").nth(1)).to_contain_text("V000000")
    check(page, "agreement")
    page.get_by_role("link", name="Verdicts", exact=True).press("Enter")
    verdicts = page.locator("ol.feed > li")
    expect(verdicts).to_have_count(30)
    page.get_by_role("button", name="Older verdicts").press("Enter")
    expect(verdicts).to_have_count(60)
    page.get_by_label("Only").select_option("divided")
    expect(verdicts.first).to_contain_text("3 votes that differ")
    check(page, "verdicts")
    verdicts.first.get_by_role("link").press("Enter")
    expect(page.get_by_text("It counts.")).to_be_visible()
    expect(page.get_by_text("3 validation votes").first).to_be_visible()
    check(page, "verdict")


def test_hostile_text_is_text_and_the_review_is_a_link_away(
    browser: Browser, contexts: list[BrowserContext], address: str
) -> None:
    page = open_page(browser, contexts, address, **DESKTOP)
    sign_in(page)
    page.get_by_role("link", name="pilot", exact=True).click()
    expect(page.get_by_text("1 newcomers to decide about")).to_be_visible()
    page.get_by_role("link", name="Verdicts on hold").click()
    expect(page.locator("ol.feed > li")).to_have_count(1)
    page.get_by_role("link", name=SCRIPT).click()
    expect(page.get_by_text("It is not handed in.")).to_be_visible()
    assert page.title() == "A HIT – pilot – Console – Beat the AI"
    assert page.locator("main img, main script").count() == 0
    page.get_by_role("link", name="Review the worker").click()
    expect(page.get_by_role("heading", name=re.compile("^Review pilot"))).to_be_visible()
    page.get_by_role("link", name="Workers", exact=True).click()
    expect(page.get_by_role("link", name=HOSTILE)).to_be_visible()


def test_new_verdicts_come_by_themselves(
    browser: Browser, contexts: list[BrowserContext], address: str, folder: Path
) -> None:
    page = open_page(browser, contexts, f"{address}/", **DESKTOP)
    sign_in(page)
    page.goto(f"{address}/#/pilot/verdicts?outcome=beaten")
    expect(page.locator("ol.feed > li")).to_have_count(22)
    store = open_store(str(folder / "campaign.db"))
    hand_in(store, "A7LATE", 50, "Who climbed the steps in the evening?", "Olga Brandt")
    expect(page.get_by_role("link", name="Who climbed the steps in the evening?")).to_be_visible()
    page.locator("ol.feed a").nth(3).focus()
    hand_in(store, "A8LATER", 60, "Who paid for the gas?", "Olga Brandt")
    page.get_by_role("button", name="Show newer verdicts").press("Enter")
    expect(page.get_by_role("link", name="Who paid for the gas?")).to_be_focused()
    store.accounts.remove("ann", store.campaigns.get("pilot").created_at)
    store.close()
    expect(page.get_by_role("heading", name="Campaigns")).to_be_visible()  # growth still knows ann


def test_whoever_is_no_lead_is_led_to_the_review(
    browser: Browser, contexts: list[BrowserContext], address: str
) -> None:
    page = open_page(browser, contexts, address, **PHONE)
    sign_in(page, "bob")
    check(page, "no-lead")
    page.get_by_role("link", name="Review pilot").click()
    expect(page.get_by_role("heading", name="Workers")).to_be_visible()


def test_an_observer_reads_the_console_alone(browser: Browser, contexts: list[BrowserContext], address: str) -> None:
    page = open_page(browser, contexts, address, **DESKTOP)
    sign_in(page, "olga", "Console pilot")
    expect(page.get_by_role("heading", name="Money")).to_be_visible()
    expect(page.get_by_role("heading", name="What needs a person")).to_have_count(0)
    expect(page.get_by_role("link", name="Review")).to_have_count(0)
    page.get_by_role("link", name="Verdicts").click()
    page.locator("ol.feed a").first.click()
    expect(page.get_by_role("heading", name=re.compile("^A HIT of "))).to_be_visible()
    expect(page.get_by_text("A1GOOD")).to_have_count(0)
    page.goto(f"{address}/review/pilot/")
    expect(page.get_by_text("The role observer watches the console")).to_be_visible()
