"""The work comes first: where it begins, and the tour that tells a newcomer what to know before it."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.thorough import cases
from tests.webapp.conftest import NewPage
from tests.webapp.fake_crowd import PASSAGE, FakeCrowd
from tests.webapp.sight import assert_work_first
from tests.webapp.test_accessibility import DESKTOP, PHONE

# 900 characters, as long as passages get in SQuAD's upper quarter, and a title of two lines on a phone.
LONG_PASSAGE = f"{PASSAGE} {PASSAGE}"[:900]
LONG_TITLE = "From the lids of kettles to the first of all engines"
CHAPTERS = ("The work", "Your pay", "What is rejected", "What this page records", "Good questions and bad ones")
# The name of the button that has the focus, or where else it is.
FOCUS = """
(e => e.closest("dialog") ? e.innerText : e === document.body ? "the browser's own" : "behind")(document.activeElement)
"""


@pytest.fixture
def newcomer(new_page: NewPage, crowd: FakeCrowd) -> Page:
    """A first HIT, with the tour open."""
    page = new_page(first_hit=True, **DESKTOP)
    page.goto(crowd.page)
    expect(page.get_by_role("dialog")).to_be_visible()
    return page


@pytest.mark.parametrize("device", cases({"desktop": DESKTOP, "phone": {**PHONE, "color_scheme": "dark"}}, ["phone"]))
def test_passage_and_question_field_are_in_sight_before_anything_is_scrolled(
    new_page: NewPage, crowd: FakeCrowd, device: dict[str, Any]
) -> None:
    crowd.passage, crowd.title = LONG_PASSAGE, LONG_TITLE
    page = new_page(**device)
    page.goto(crowd.page)
    page.get_by_label("Your question").wait_for()
    expect(page.get_by_test_id("connection")).to_have_text("Connected")
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert_work_first(page, page.get_by_label("Your question"), on_phone=1.0)


def test_a_passage_that_scrolls_in_itself_on_a_phone_can_be_marked_to_its_end_and_shows_what_is_marked(
    new_page: NewPage, crowd: FakeCrowd
) -> None:
    crowd.passage = f"{LONG_PASSAGE} It ended in Zwolle."
    page = new_page(**PHONE)
    page.goto(crowd.page)
    passage = page.get_by_role("region", name="Passage")
    assert passage.evaluate("e => e.scrollHeight > e.clientHeight")
    last = page.locator("[data-token]:text-is('Zwolle')")
    last.tap()
    last.tap()
    expect(page.get_by_test_id("answer")).to_have_text("Zwolle")
    page.get_by_role("button", name="Clear").click()
    passage.evaluate("e => e.scrollTop = 0")
    expect(last).not_to_be_in_viewport()
    page.get_by_label("Or type the answer").fill("Zwolle")
    passage.scroll_into_view_if_needed()
    expect(last).to_be_in_viewport()
    passage.evaluate("e => e.scrollTop = 0")
    passage.focus()
    page.keyboard.press("End")
    expect(last).to_be_in_viewport()


def test_a_tour_tells_a_newcomer_everything_before_the_work(newcomer: Page, crowd: FakeCrowd) -> None:
    dialog = newcomer.get_by_role("dialog")
    told = ""
    for place, title in enumerate(CHAPTERS, start=1):
        expect(newcomer.get_by_role("dialog", name=f"Instructions, {place} of 5 {title}")).to_be_visible()
        told += dialog.inner_text()
        dialog.get_by_role("button", name="Next" if place < 5 else "Start working").click()
    for words in (
        "Ask questions that people can answer from the passage, but the AI gets wrong.",
        "You get $2.00 for the task.",
        "$0.20 for every win, once it counts",
        "$0.50 for every win that others confirm",
        "giving up never forfeits the base pay",
        "A task in which nothing was asked waits for a person before it is paid.",
        "Questions that cannot be answered from the passage alone",
        "how much was pasted",
    ):
        assert words in told
    expect(dialog).to_have_count(0)
    assert crowd.submitted() == []


def test_the_tour_is_taken_by_keyboard_and_keeps_the_focus(newcomer: Page) -> None:
    dialog = newcomer.get_by_role("dialog")
    expect(dialog.get_by_role("heading", name="The work")).to_be_focused()
    reached = set()
    for _ in range(8):
        newcomer.keyboard.press("Tab")
        reached.add(newcomer.evaluate(FOCUS))
    assert reached - {"the browser's own"} == {"Next", "Skip"}
    for title in CHAPTERS[1:]:
        dialog.get_by_role("button", name="Next").press("Enter")
        expect(dialog.get_by_role("heading", name=title)).to_be_focused()
    dialog.get_by_role("button", name="Back").press("Enter")
    expect(dialog.get_by_role("heading", name=CHAPTERS[-2])).to_be_focused()
    newcomer.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(newcomer.get_by_role("main")).to_be_focused()
    newcomer.keyboard.press("Tab")
    expect(newcomer.get_by_role("region", name="Passage")).to_be_focused()


@pytest.mark.parametrize("device", cases({"desktop": DESKTOP, "phone": PHONE}, ["phone"]))
def test_the_way_on_is_in_sight_in_every_chapter(new_page: NewPage, crowd: FakeCrowd, device: dict[str, Any]) -> None:
    page = new_page(first_hit=True, **device)
    page.goto(crowd.page)
    dialog = page.get_by_role("dialog")
    for title in CHAPTERS:
        expect(dialog.get_by_role("heading", name=title)).to_be_in_viewport(ratio=1)
        expect(dialog.locator("button.primary")).to_be_in_viewport(ratio=1)
        dialog.locator("button.primary").click()


@pytest.mark.parametrize("way_out", ["Skip", "Escape", "to the end"])
def test_it_does_not_come_up_at_the_second_hit(newcomer: Page, crowd: FakeCrowd, way_out: str) -> None:
    dialog = newcomer.get_by_role("dialog")
    if way_out == "Escape":
        newcomer.keyboard.press("Escape")
    elif way_out == "Skip":
        dialog.get_by_role("button", name="Skip").click()
    else:
        for _ in CHAPTERS[1:]:
            dialog.get_by_role("button", name="Next").click()
        dialog.get_by_role("button", name="Start working").click()
    second = open_second_hit(newcomer.context, crowd)
    expect(second.get_by_label("Your question")).to_be_visible()
    expect(second.get_by_role("dialog")).to_have_count(0)


def open_second_hit(context: BrowserContext, crowd: FakeCrowd) -> Page:
    page = context.new_page()
    page.goto(f"{crowd.url}/?worker_id=ada&assignment_id=a2")
    return page


def test_a_tour_that_was_only_begun_comes_up_again(newcomer: Page) -> None:
    newcomer.get_by_role("button", name="Next").click()
    newcomer.reload()
    expect(newcomer.get_by_role("dialog", name="The work")).to_be_visible()


def test_the_header_opens_it_again_and_gets_the_focus_back(newcomer: Page) -> None:
    newcomer.keyboard.press("Escape")
    button = newcomer.get_by_role("button", name="Instructions")
    button.focus()
    newcomer.keyboard.press("Enter")
    expect(newcomer.get_by_role("dialog", name="The work")).to_be_visible()
    newcomer.get_by_role("dialog").get_by_role("button", name="Close").press("Enter")
    expect(newcomer.get_by_role("dialog")).to_have_count(0)
    expect(button).to_be_focused()


def test_no_shortcut_works_under_it(newcomer: Page) -> None:
    newcomer.keyboard.press("Control+Enter")
    newcomer.keyboard.press("?")
    expect(newcomer.get_by_role("alert")).to_be_empty()
    expect(newcomer.get_by_role("dialog", name="Instructions")).to_be_visible()
    expect(newcomer.get_by_role("dialog")).to_have_count(1)


def test_a_preview_tells_all_of_it_without_a_tour(new_page: NewPage, crowd: FakeCrowd) -> None:
    page = new_page(first_hit=True, **PHONE)
    page.goto(f"{crowd.url}/?assignment_id=ASSIGNMENT_ID_NOT_AVAILABLE")
    expect(page.get_by_test_id("preview")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)
    for title in CHAPTERS:
        expect(page.get_by_role("heading", name=title)).to_be_visible()
    for words in (
        "$0.50 for every win that others confirm",
        "giving up never forfeits the base pay",
        "and on some passages other people check that it is a fair one",
    ):
        expect(page.get_by_text(words)).to_be_visible()


def test_a_browser_that_keeps_nothing_has_the_tour_once_a_page(new_page: NewPage, crowd: FakeCrowd) -> None:
    page = new_page(first_hit=True, **DESKTOP)
    page.add_init_script("Object.defineProperty(window, 'localStorage', { get() { throw new Error('forbidden') } })")
    page.goto(crowd.page)
    page.get_by_role("button", name="Skip").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_label("Your question")).to_be_editable()
