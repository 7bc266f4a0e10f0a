"""People check answers in a real browser, through a real router and operator."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from beat_the_ai.rules.stage import Stage
from beat_the_ai.store import Store
from beat_the_ai.validation import results
from tests.browser import PATIENCE_MS, check_accessible, fits
from tests.e2e.conftest import PREVIEW, ROOT, screenshots
from tests.mephisto.rig import kill_router
from tests.reading_comprehension import RULINGS
from tests.validation.recount import adjudicated
from tests.validation.rig import Validating, validating
from tests.validation.written import ANSWERS, TEXT, new_campaign, new_desk, passages, write
from tests.webapp.sight import assert_work_first
from tests.webapp.tours import remember_tours

DESKTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 900}}
PHONE: dict[str, Any] = {
    "viewport": {"width": 360, "height": 740},
    "is_mobile": True,
    "has_touch": True,
    "color_scheme": "dark",
}
SMALLEST_TARGET_PIXELS = 44


@pytest.fixture
def stage(tmp_path: Path, store: Store) -> Iterator[Validating]:
    """Three questions on one passage wait for validators, with one gold question among them."""
    dist = ROOT / "webapp" / "dist"
    if not (dist / "bundle.js").is_file():
        pytest.skip("the workers' page is not built: make webapp")
    campaign = new_campaign(store, passages(2))
    write(store, answers=ANSWERS[:3])
    desk = new_desk(store, campaign, works_per_hit=3, gold_per_hit=1)
    with validating(tmp_path, desk, page_dir=str(dist)) as running:
        yield running
    kill_router(tmp_path)


def open_page(browser: Browser, stage: Validating, worker: str = "ann", **options: Any) -> Page:
    page = browser.new_context(reduced_motion="reduce", **{**DESKTOP, **options}).new_page()
    remember_tours(page.context)
    deadline = time.monotonic() + PATIENCE_MS / 1000
    while time.monotonic() < deadline:  # until the first units are there
        page.goto(f"{stage.url}/?worker_id={worker}&assignment_id=1")
        expect(page.get_by_test_id("question").or_(page.get_by_text("There is no work here"))).to_be_visible()
        if page.get_by_test_id("question").is_visible():
            return page
    pytest.fail("no HIT came")


def question(page: Page) -> str:
    return page.get_by_test_id("question").inner_text()


def type_answer(page: Page, text: str) -> None:
    page.get_by_label("Or type the answer").fill(text)


def save(page: Page) -> None:
    page.get_by_role("button", name="Save answer").click()


def word(page: Page, text: str) -> Any:
    return page.locator(f"[data-token]:text-is('{text}')").first


def drag(page: Page, first: str, last: str) -> None:
    start, end = word(page, first).bounding_box(), word(page, last).bounding_box()
    page.mouse.move(start["x"] + 2, start["y"] + start["height"] / 2)
    page.mouse.down()
    page.mouse.move(end["x"] + end["width"] - 2, end["y"] + end["height"] / 2, steps=8)
    page.mouse.up()


def select_by_keyboard(page: Page, moves: int) -> None:
    """Mark the word that is `moves` words into the passage, and the next one."""
    page.get_by_role("region", name="Passage").focus()
    for _ in range(moves):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")


def eventually(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_MS / 1000
    while not holds():
        assert time.monotonic() < deadline, "it did not come true in time"
        time.sleep(0.1)


def check(page: Page, state: str) -> None:
    """Nothing violates WCAG, nothing sticks out sideways, and every button is large enough for a thumb."""
    check_accessible(page, state)
    assert fits(page), f"{state}: the page scrolls sideways"
    heights = page.locator("button:visible, label.cannot:visible").evaluate_all(
        "all => all.map(e => [e.textContent, e.getBoundingClientRect().height])"
    )
    assert [name for name, height in heights if height < SMALLEST_TARGET_PIXELS] == [], state


def picture(page: Page, name: str) -> None:
    folder = screenshots()
    if folder is not None:
        page.screenshot(path=folder / f"validation-{name}.png", full_page=True)


def test_a_hit_by_mouse_keyboard_and_typing_with_a_reload_in_the_middle(
    browser: Browser, stage: Validating, store: Store
) -> None:
    page = open_page(browser, stage)
    expect(page.get_by_test_id("answered")).to_contain_text("0 of 4")
    drag(page, "Mora", "Quist")
    expect(page.get_by_test_id("answer")).to_have_text("Mora Quist")
    first = question(page)
    save(page)
    expect(page.get_by_test_id("answered")).to_contain_text("1 of 4")
    expect(page.get_by_test_id("question")).not_to_have_text(first)
    expect(page.get_by_test_id("question")).to_be_focused()

    select_by_keyboard(page, 1)
    expect(page.get_by_test_id("answer")).to_have_text("Mora Quist")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_test_id("answered")).to_contain_text("2 of 4")

    type_answer(page, "Mora-Quist")  # what was not there leaves no earlier answer marked
    expect(page.get_by_text("The passage does not have these words.")).to_be_visible()
    expect(page.get_by_test_id("answer")).to_have_count(0)
    type_answer(page, "90 crowns")
    picture(page, "draft")
    page.reload()
    expect(page.get_by_test_id("answer")).to_have_text("90 crowns")  # the draft survives
    expect(page.get_by_test_id("answered")).to_contain_text("2 of 4")  # so does what was saved
    save(page)
    page.get_by_label("It cannot be answered from the passage").check()
    save(page)
    expect(page.get_by_test_id("answered")).to_contain_text("4 of 4")

    page.get_by_role("button", name=re.compile("Question 1")).click()  # back to an earlier one, to change it
    expect(page.get_by_test_id("question")).to_have_text(re.compile("Question 1 of 4"))
    expect(page.get_by_test_id("answer")).to_have_text("Mora Quist")
    type_answer(page, "1807")
    save(page)
    expect(page.get_by_role("button", name="Saved")).to_be_visible()
    picture(page, "complete")

    page.get_by_label("Anything to tell us?").fill("Nice mill")
    page.get_by_role("button", name="Submit task").click()
    expect(page.get_by_text("Thank you! Your task is submitted.")).to_be_visible(timeout=PATIENCE_MS)
    eventually(lambda: len(store.assignments.confirmed("pilot", Stage.VALIDATION)) == 1)
    [assignment] = store.assignments.confirmed("pilot", Stage.VALIDATION)
    assert (assignment.worker, assignment.feedback) == ("ann", "Nice mill")
    _, items, votes = store.validations.session(assignment.id)
    said = [votes[item.id].vote["answer"] for item in items]
    assert [answer and answer["text"] for answer in said] == ["1807", "Mora Quist", "90 crowns", None]
    assert votes[items[0].id].ordinal == 2
    assert sum(item.gold is not None for item in items) == 1
    found = results(adjudicated(store, stage.desk.campaign.id, RULINGS), RULINGS)
    assert {vote.worker for each in found.values() for vote in each.votes} == {"ann"}
    page.context.close()


def test_a_phone_in_the_dark_marks_by_taps_and_every_state_is_accessible(browser: Browser, stage: Validating) -> None:
    for device, worker in ((PHONE, "ben"), (DESKTOP, "cleo")):
        page = open_page(browser, stage, worker, **device)
        check(page, "empty")
        assert_work_first(page, page.get_by_label("Or type the answer"))
        page.get_by_role("button", name="Instructions").click()
        for chapter in ("The work", "Your pay", "Good to know"):
            expect(page.get_by_role("dialog", name=chapter)).to_be_visible()
            page.get_by_role("dialog").get_by_role("button", name="Next").click()
        check(page, "instructions")
        picture(page, f"instructions-{worker}")
        page.keyboard.press("Escape")
        save(page)
        expect(page.get_by_role("alert")).to_contain_text("mark the answer")
        check(page, "error")
        if device is PHONE:
            word(page, "her").tap()
            word(page, "son").tap()
        else:
            type_answer(page, "her son")
        expect(page.get_by_test_id("answer")).to_have_text("her son")
        check(page, "marked")
        save(page)
        expect(page.get_by_test_id("answered")).to_contain_text("1 of 4")
        page.get_by_label("It cannot be answered from the passage").check()
        check(page, "cannot be answered")
        picture(page, f"work-{worker}")
        page.context.close()


def test_a_preview_takes_no_agent_and_shows_the_work(browser: Browser, stage: Validating, store: Store) -> None:
    page = browser.new_page(**DESKTOP)
    page.goto(stage.url + PREVIEW)
    expect(page.get_by_test_id("preview")).to_be_visible()
    expect(page.get_by_role("button", name="Save answer")).to_be_disabled()
    check(page, "preview")
    picture(page, "preview")
    assert TEXT not in page.content()
    assert store.validations.snapshot("pilot").placed == ()
    page.context.close()
