"""People write questions in a real browser, against the shipped model, while processes die."""

from __future__ import annotations

from playwright.sync_api import Browser, Page, expect

from tests.e2e.conftest import Campaign, screenshots

VERDICT_MILLISECONDS = 60_000


def open_page(browser: Browser, campaign: Campaign, worker: str = "ann") -> Page:
    page = browser.new_page(viewport={"width": 1280, "height": 900})
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
    page.locator("[data-token]").first.focus()
    for _ in range(moves):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")


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
    page.get_by_label("Your question").fill("What comes a little later in it?")
    select_by_keyboard(page, 6)
    page.get_by_role("button", name="Submit question").click()
    picture(page, "e2e-operator-away")
    campaign.start()
    expect(page.get_by_test_id("attempt")).to_have_count(2, timeout=VERDICT_MILLISECONDS)
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


def test_a_submitted_hit_is_closed_in_the_store_and_a_reload_restores_an_open_one(
    browser: Browser, campaign: Campaign
) -> None:
    page = open_page(browser, campaign, "ben")
    page.get_by_label("Your question").fill("How does the passage begin?")
    select_by_mouse(page, 0, 1)
    page.get_by_role("button", name="Submit question").click()
    expect(page.get_by_test_id("verdict")).to_be_visible(timeout=VERDICT_MILLISECONDS)
    page.reload()
    expect(page.get_by_test_id("attempt")).to_have_count(1, timeout=VERDICT_MILLISECONDS)

    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Submit HIT").click()
    page.get_by_role("dialog").get_by_role("button", name="Submit").click()
    expect(page.get_by_text("Thank you")).to_be_visible(timeout=VERDICT_MILLISECONDS)
    store = campaign.store()
    try:
        assert len(store.attempts.submitted_hits("reading-comprehension")) == 1
    finally:
        store.close()
