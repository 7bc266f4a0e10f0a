"""A reviewer in a real browser: judges by keyboard, undoes, revokes; the dataset follows."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from playwright.sync_api import Browser, BrowserContext, Page, expect

from beat_the_ai.cli import main
from beat_the_ai.review import new_account
from beat_the_ai.rules.roles import Role
from beat_the_ai.store import open_store
from tests.browser import PATIENCE_MS, check_accessible, fits
from tests.e2e.conftest import ROOT, screenshots
from tests.review.builders import GOOD, HOSTILE, NEWCOMER, PASSWORD, SCRIPT, SLOPPY, fill, hand_in, screen
from tests.thorough import cases

SMALLEST_TARGET_PIXELS = 44
DESKTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 900}, "color_scheme": "light"}
PHONE: dict[str, Any] = {
    "viewport": {"width": 360, "height": 740}, "is_mobile": True, "has_touch": True, "color_scheme": "dark",
}  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    store = open_store(str(tmp_path / "campaign.db"))
    fill(store)
    screen(store)
    new_account(store, "ann", PASSWORD, role=Role.LEAD)
    new_account(store, "bob", PASSWORD)
    store.close()
    return tmp_path


@pytest.fixture
def address(folder: Path) -> Iterator[str]:
    if not (ROOT / "webapp" / "review" / "dist" / "bundle.js").is_file():
        pytest.skip("the review page is not built: make webapp")
    command = [sys.executable, "-m", "beat_the_ai.cli", "review", str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield json.loads(process.stdout.readline())["address"]
        process.terminate()
        assert process.wait(60) == 0


@pytest.fixture
def contexts(browser: Browser) -> Iterator[list[BrowserContext]]:
    opened: list[BrowserContext] = []
    yield opened
    for one in opened:
        one.close()


def open_page(browser: Browser, contexts: list[BrowserContext], address: str, **options: Any) -> Page:
    """A page whose complaints fail the test: what breaks the policy, or throws."""
    context = browser.new_context(reduced_motion="reduce", **options)
    contexts.append(context)
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.on("pageerror", lambda error: pytest.fail(str(error)))
    page.goto(address)
    return page


def sign_in(page: Page, name: str = "ann") -> None:
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Workers")).to_be_visible()


def check(page: Page, state: str) -> None:
    """No violation, nothing sticks out sideways; a picture, where one is asked for."""
    folder = screenshots()
    if folder is not None:
        width = page.evaluate("innerWidth")
        page.screenshot(path=folder / f"review-{state}-{width}.png", full_page=True)
    check_accessible(page, state)
    assert fits(page), f"{state}: the page scrolls sideways"
    targets = page.locator("button:visible, summary:visible, input[type=text]:visible, nav a:visible, .button:visible")
    heights = targets.evaluate_all("all => all.map(e => [e.textContent, e.getBoundingClientRect().height])")
    assert [name for name, height in heights if height < SMALLEST_TARGET_PIXELS] == [], state


def exported(folder: Path, out: Path) -> str:
    result = CliRunner().invoke(main, ["export", str(folder), "--format", "squad", "--out", str(out)])
    assert result.exit_code == 0, result.stderr
    return (out / "squad.json").read_text(encoding="utf-8")


def standing(page: Page, heading: str) -> None:
    expect(page.get_by_role("heading", name=heading)).to_be_visible()


def test_a_reviewer_judges_by_keyboard_revokes_and_the_export_follows(
    browser: Browser, contexts: list[BrowserContext], address: str, folder: Path, tmp_path: Path
) -> None:
    page = open_page(browser, contexts, address, **DESKTOP)
    sign_in(page)
    assert "asdf qwrtzx" in exported(folder, tmp_path / "before")
    page.get_by_role("link", name=SLOPPY).click()
    standing(page, "HIT 1 of 6")
    expect(page.get_by_label("Signs to weigh").last).to_contain_text("40 characters pasted")
    expect(page.locator(".passage mark")).to_have_text("1871")

    page.keyboard.press("j")
    standing(page, "HIT 2 of 6")
    page.keyboard.press("k")
    standing(page, "HIT 1 of 6")
    page.keyboard.press("a")
    standing(page, "HIT 2 of 6")
    page.keyboard.press("u")
    standing(page, "HIT 1 of 6")
    expect(page.get_by_text("You have not judged it.")).to_be_visible()
    for number in range(1, 7):
        standing(page, f"HIT {number} of 6")
        if number % 2:
            page.keyboard.press("r")
            dialog = page.get_by_role("dialog")
            expect(dialog.get_by_role("textbox", name="Reason")).to_be_focused()
            page.keyboard.type("no question at all, ur")  # letters that are shortcuts elsewhere
            page.keyboard.press("Control+Enter")
            expect(dialog).to_be_hidden()
        else:
            page.keyboard.press("a")
    expect(page.get_by_text("All HITs are judged.")).to_be_visible()
    expect(page.get_by_text("Revocation recommended")).to_be_visible()
    expect(page.get_by_text("50% of 6 accepted (3)")).to_be_visible()

    page.get_by_role("button", name="Revoke …").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("10 HITs with 20 attempts are discarded")
    expect(dialog).to_contain_text("10 questions that beat the AI leave the dataset")
    expect(dialog).to_contain_text("$22.50 is still owed and will be paid")
    dialog.get_by_label("Reason").fill("three of six rejected")
    dialog.get_by_role("button", name="Revoke and discard").click()
    expect(dialog.get_by_role("alert")).to_contain_text(f"type {SLOPPY} exactly")
    dialog.get_by_label(re.compile("Type .* to confirm")).fill(SLOPPY)
    dialog.get_by_role("button", name="Revoke and discard").click()
    expect(page.get_by_role("button", name="Reinstate …")).to_be_visible()
    gone = exported(folder, tmp_path / "revoked")
    assert "asdf qwrtzx" not in gone
    assert "keeper number 3" in gone

    page.get_by_role("button", name="Reinstate …").click()
    page.get_by_role("dialog").get_by_label("Reason").fill("the wrong worker")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("button", name="Revoke …")).to_be_visible()
    assert "asdf qwrtzx" in exported(folder, tmp_path / "back")
    page.get_by_role("link", name="Log").click()
    expect(page.get_by_role("row", name=re.compile("ann Reinstate A2SLOPPY the wrong worker"))).to_be_visible()


def test_single_letter_keys_can_be_switched_off(browser: Browser, contexts: list[BrowserContext], address: str) -> None:
    page = open_page(browser, contexts, address, **DESKTOP)
    sign_in(page)
    page.keyboard.press("?")
    page.get_by_role("dialog").get_by_label("Use the single-letter keys").uncheck()
    page.get_by_role("dialog").get_by_role("button", name="Close").click()
    page.get_by_role("link", name=HOSTILE).click()
    standing(page, "HIT 1 of 1")
    expect(page.get_by_text(f"Made of a suggestion by {SCRIPT}, 4 characters changed")).to_be_visible()
    page.keyboard.press("a")
    page.get_by_role("button", name="Accept").click()
    expect(page.get_by_text("All HITs are judged.")).to_be_visible()
    page.get_by_role("link", name="Log").click()
    expect(page.get_by_role("row", name=re.compile("ann Accept"))).to_have_count(1)
    page.get_by_role("button", name="Keyboard shortcuts").click()
    page.get_by_role("dialog").get_by_label("Use the single-letter keys").check()
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()


def test_many_workers_are_shown_fifty_at_a_time(
    browser: Browser, contexts: list[BrowserContext], address: str, folder: Path
) -> None:
    store = open_store(str(folder / "campaign.db"))
    for number in range(120):
        hand_in(store, f"W{number:03}", 0, "Who built the lighthouse?", "Olga Brandt")
    store.close()
    page = open_page(browser, contexts, address, **DESKTOP)
    sign_in(page)
    everybody = page.locator("ul.workers > li")
    expect(everybody).to_have_count(50)
    page.get_by_role("button", name="Show 50 more of 124 workers").press("Enter")  # a newcomer is among them
    expect(everybody).to_have_count(100)
    expect(everybody.nth(50).get_by_role("link")).to_be_focused()
    more = page.get_by_role("button", name="Show 24 more of 124 workers")
    more.press("Enter")
    expect(everybody).to_have_count(124)
    expect(everybody.nth(100).get_by_role("link")).to_be_focused()
    expect(more).to_have_count(0)
    seen = everybody.nth(110).get_by_role("link")
    name = seen.inner_text()
    seen.press("Enter")
    page.get_by_role("link", name="All workers").press("Enter")
    expect(everybody).to_have_count(124)
    expect(page.get_by_role("link", name=name, exact=True)).to_be_focused()
    page.get_by_label("Find a worker").fill("w11")
    expect(everybody).to_have_count(10)


def test_two_reviewers_are_blind_until_both_have_judged(
    browser: Browser, contexts: list[BrowserContext], address: str
) -> None:
    ann, bob = (open_page(browser, contexts, address, **DESKTOP) for _ in range(2))
    sign_in(ann, "ann")
    sign_in(bob, "bob")
    ann.get_by_role("link", name=HOSTILE).click()
    standing(ann, "HIT 1 of 1")
    ann.keyboard.press("r")
    ann.get_by_role("dialog").get_by_role("button", name="The marked answer is wrong.").click()
    ann.get_by_role("dialog").get_by_role("button", name="Reject", exact=True).click()
    expect(ann.get_by_text("You rejected it", exact=True)).to_be_visible()

    bob.reload()
    bob.get_by_role("link", name=HOSTILE).click()
    expect(bob.get_by_text("Another reviewer has: you will see how once you have judged.")).to_be_visible()
    expect(bob.get_by_text("No accuracy yet")).to_be_visible()
    assert "marked answer is wrong" not in bob.content()
    bob.get_by_role("link", name="Log").click()
    expect(bob.get_by_role("row", name=re.compile("ann Sign in"))).to_be_visible()
    expect(bob.get_by_role("row", name=re.compile("Reject"))).to_have_count(0)
    bob.get_by_role("link", name="Workers").click()
    bob.get_by_label("Count all reviewers’ verdicts").check()
    expect(bob.get_by_text("0% of 1 accepted (0)")).to_be_visible()
    bob.get_by_label("Count all reviewers’ verdicts").uncheck()
    expect(bob.get_by_text("0% of 1 accepted (0)")).to_have_count(0)
    bob.get_by_role("link", name=HOSTILE).click()
    standing(bob, "HIT 1 of 1")
    bob.keyboard.press("a")
    expect(bob.get_by_text("ann rejected it")).to_be_visible()
    ann.reload()
    expect(ann.get_by_text("bob accepted it")).to_be_visible()


@pytest.mark.parametrize("options", cases({"desktop": DESKTOP, "phone dark": PHONE}, ["phone dark"]))
def test_every_state_is_accessible_and_shows_hostile_text_as_text(
    browser: Browser, contexts: list[BrowserContext], address: str, options: dict[str, Any]
) -> None:
    page = open_page(browser, contexts, address, **options)
    expect(page.get_by_label("Name")).to_be_visible()
    page.get_by_label("Name").fill("ann")
    page.get_by_label("Password").fill("wrong")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).not_to_be_empty()
    check(page, "sign-in")
    sign_in(page)
    check(page, "workers")
    page.get_by_role("link", name=HOSTILE).click()
    standing(page, "HIT 1 of 1")
    expect(page.get_by_text("onerror=")).to_have_count(4)
    assert page.title() == "A worker – Review – Beat the AI"
    assert page.locator("main img, main script").count() == 0
    check(page, "hostile")
    page.goto(f"{address}/#/workers/{SLOPPY}")
    standing(page, "HIT 1 of 6")
    page.get_by_role("button", name="Show in the passage (question 2)").click()
    check(page, "hit")
    page.get_by_role("button", name="Reject").click()
    check(page, "reject")
    page.get_by_role("button", name="Cancel").click()
    page.get_by_role("button", name="Revoke").click()
    check(page, "revoke")
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    check(page, "shortcuts")
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Candidates").click()
    candidate = page.get_by_role("region", name=NEWCOMER, exact=True)
    expect(candidate).to_contain_text("mistake: Not a question")
    expect(candidate.locator("mark").first).to_have_text("Tam Orrin")
    check(page, "candidates")
    candidate.get_by_role("button", name="Grant").click()
    check(page, "grant")
    page.get_by_role("dialog").get_by_role("button", name="Grant").click()
    expect(candidate.get_by_text("Qualified")).to_be_visible()
    expect(candidate.get_by_role("button", name="Grant")).to_have_count(0)
    page.get_by_role("link", name="Log").click()
    expect(page.get_by_role("row")).not_to_have_count(1)
    check(page, "log")
    page.goto(f"{address}/#/workers/{GOOD}")
    standing(page, "HIT 1 of 6")
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_label("Password")).to_be_visible()
