"""People write questions in a real browser, against the shipped model, while processes die."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

from playwright.sync_api import Browser, Locator, Page, expect

from tests.e2e.conftest import Campaign, screenshots
from tests.webapp.tours import remember_tours

VERDICT_MILLISECONDS = 60_000
EVENTUALLY_SECONDS = 60


def open_page(browser: Browser, campaign: Campaign, worker: str = "ann") -> Page:
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    remember_tours(page.context)
    page.goto(campaign.page_of(worker))
    expect(page.locator("[data-token]").first).to_be_visible(timeout=VERDICT_MILLISECONDS)
    return page


def select_by_mouse(page: Page, first: int, last: int) -> None:
    tokens = page.locator("[data-token]")
    start, end = tokens.nth(first).bounding_box(), tokens.nth(last).bounding_box()
    assert start is not None
    assert end is not None
    page.mouse.move(start["x"] + 1, start["y"] + start["height"] / 2)
    page.mouse.down()
    page.mouse.move(end["x"] + end["width"] - 1, end["y"] + end["height"] / 2, steps=8)
    page.mouse.up()


def select_by_keyboard(page: Page, moves: int) -> None:
    """Mark the word that is `moves` words after the first, and the next one."""
    page.get_by_label("Passage").focus()
    for _ in range(moves):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")


def attempts(page: Page) -> Locator:
    return page.get_by_role("region", name="Submitted so far").get_by_role("listitem")


def start_anew(page: Page) -> None:
    page.get_by_role("button", name=re.compile("Write another question|Start a new question")).click()


def submitted(campaign: Campaign) -> int:
    store = campaign.store()
    try:
        return len(store.attempts.done_hits("reading-comprehension"))
    finally:
        store.close()


def eventually(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + EVENTUALLY_SECONDS
    while not holds():
        assert time.monotonic() < deadline, "it did not come true in time"
        time.sleep(0.1)


def picture(page: Page, name: str) -> None:
    folder = screenshots()
    if folder is not None:
        page.screenshot(path=folder / f"{name}.png", full_page=True)


def test_a_question_by_mouse_and_one_by_keyboard_survive_a_killed_operator(
    browser: Browser, campaign: Campaign
) -> None:
    page = open_page(browser, campaign)
    page.get_by_label("Your question").fill("Which words open this passage?")
    select_by_mouse(page, 0, 2)
    page.get_by_role("button", name="Submit question").click()
    expect(page.get_by_test_id("verdict")).to_be_visible(timeout=VERDICT_MILLISECONDS)
    picture(page, "e2e-verdict")

    campaign.kill_operator()
    start_anew(page)
    page.get_by_label("Your question").fill("What comes a little later in it?")
    select_by_keyboard(page, 6)
    page.get_by_role("button", name="Submit question").click()
    picture(page, "e2e-operator-away")
    campaign.start()
    expect(attempts(page)).to_have_count(2, timeout=VERDICT_MILLISECONDS)
    picture(page, "e2e-after-restart")

    store = campaign.store()
    made = list(store.attempts.of_campaign("reading-comprehension"))
    store.close()
    assert [row.attempt.work["question"] for row in made] == [
        "Which words open this passage?",
        "What comes a little later in it?",
    ]
    assert {row.assignment.worker for row in made} == {"ann"}
    assert all(row.attempt.model_name == "bidaf-small" for row in made)


def test_a_bare_address_gives_hit_after_hit_a_reload_restores_an_open_one_and_the_store_has_what_is_submitted(
    browser: Browser, campaign: Campaign
) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    remember_tours(page.context)
    page.goto(campaign.url)
    page.get_by_label("Your name").fill("ben")
    page.get_by_role("button", name="Begin").click()
    passage = page.get_by_label("Passage", exact=True)
    expect(passage).to_be_visible(timeout=VERDICT_MILLISECONDS)
    first = passage.inner_text()
    page.get_by_label("Your question").fill("How does the passage begin?")
    select_by_mouse(page, 0, 1)
    page.get_by_role("button", name="Submit question").click()
    expect(page.get_by_test_id("verdict")).to_be_visible(timeout=VERDICT_MILLISECONDS)
    page.reload()
    expect(attempts(page)).to_have_count(1, timeout=VERDICT_MILLISECONDS)

    page.get_by_role("button", name="Submit task").click()
    page.get_by_role("dialog").get_by_role("button", name="Submit anyway").click()
    expect(page.get_by_text("Thank you! Your task is submitted.")).to_be_visible(timeout=VERDICT_MILLISECONDS)
    eventually(lambda: submitted(campaign) == 1)
    picture(page, "e2e-submitted")
    page.get_by_role("button", name="Next task").click()
    expect(page.locator("[data-token]").first).to_be_visible(timeout=VERDICT_MILLISECONDS)
    assert passage.inner_text() != first
    expect(attempts(page)).to_have_count(0)

    other = browser.new_page()
    other.goto(page.url)
    expect(other.get_by_text("This task is open in another browser.")).to_be_visible(timeout=VERDICT_MILLISECONDS)
    other.get_by_role("link", name="Open another task").click()
    expect(other.get_by_label("Your name")).to_be_visible()
