"""No violation of WCAG 2.2 AA in any state, on a light desktop and on a dark phone 360 pixels wide.

Colours depend on the scheme alone and the layout on the width alone, so two views cover all four. `make test` has
most states on the phone alone.
"""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser import check_accessible, fits
from tests.thorough import names
from tests.webapp.conftest import NewPage
from tests.webapp.fake_crowd import FakeCrowd
from tests.webapp.marking import submit, write

DESKTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 900}}
PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "is_mobile": True, "has_touch": True}
SMALLEST_TARGET_PIXELS = 44


@pytest.fixture(params=names(["desktop", "phone dark"], ["phone dark"]))
def view(request: pytest.FixtureRequest, new_page: NewPage) -> Page:
    device, _, scheme = request.param.partition(" ")
    return new_page(**(PHONE if device == "phone" else DESKTOP), color_scheme=scheme or "light")


def check(page: Page, state: str) -> None:
    """Nothing violates WCAG, nothing sticks out sideways, and every button is large enough for a thumb."""
    check_accessible(page, state)
    assert fits(page), f"{state}: the page scrolls sideways"
    heights = page.locator("button:visible, input[type=text]:visible").evaluate_all(
        "all => all.map(e => [e.textContent, e.getBoundingClientRect().height])"
    )
    assert [name for name, height in heights if height < SMALLEST_TARGET_PIXELS] == [], state


def test_every_state_of_the_work_is_accessible(view: Page, crowd: FakeCrowd) -> None:
    view.goto(crowd.page)
    view.get_by_label("Your question").wait_for()
    check(view, "empty")
    view.get_by_role("button", name="Instructions").click()
    for chapter in range(1, 6):
        expect(view.get_by_role("dialog", name=f"Instructions, {chapter} of 5")).to_be_visible()
        check(view, f"instructions {chapter}")
        view.get_by_role("dialog").get_by_role("button", name="Next" if chapter < 5 else "Close").click()

    write(view, "When was it used?", "steam")
    check(view, "choosing between occurrences")
    submit(view)
    expect(view.get_by_role("alert")).not_to_be_empty()
    check(view, "error")

    view.get_by_label("Or type the answer").fill("1712")
    submit(view)
    expect(view.get_by_test_id("verdict")).to_be_visible()
    check(view, "won")
    view.get_by_role("button", name="Write another question").click()
    crowd.f1 = 0.8
    write(view, "Which year?", "1712")
    submit(view)
    expect(view.get_by_test_id("verdict")).to_have_attribute("data-outcome", "not-fooled")
    check(view, "lost")
    view.get_by_role("button", name="Submit task").click()
    expect(view.get_by_role("dialog")).to_be_visible()
    check(view, "dialog")


def test_the_other_pages_are_accessible(new_page: NewPage, crowd: FakeCrowd) -> None:
    for device in (DESKTOP, {**PHONE, "color_scheme": "dark"}):
        page = new_page(**device)
        page.goto(crowd.url)
        expect(page.get_by_test_id("preview")).to_be_visible()
        check(page, "preview")
        page.goto(crowd.page)
        page.get_by_label("Your question").wait_for()
        page.get_by_role("button", name="Keyboard shortcuts").click()
        check(page, "shortcuts")
        page.keyboard.press("Escape")
        crowd.tell_status("expired")
        expect(page.get_by_role("heading", name="This task has ended")).to_be_visible()
        check(page, "ended")
        crowd.status = "in task"
    crowd.failure_reason = "No more work."
    page = new_page(**DESKTOP)
    page.goto(crowd.page)
    expect(page.get_by_text("No more work.")).to_be_visible()
    check(page, "no work")
