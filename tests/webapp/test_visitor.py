"""People who come without a crowd: they choose a name once, and get one HIT after the other."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser import check_accessible, fits
from tests.webapp.conftest import NewPage
from tests.webapp.fake_crowd import FakeCrowd, Stage
from tests.webapp.marking import submit, write

PHONE = {"viewport": {"width": 360, "height": 740}, "color_scheme": "dark"}


@pytest.fixture
def crowd(stage: Stage) -> FakeCrowd:
    return stage.enter(FakeCrowd(provider="mock", config={"run": "r1"}))


def begin(page: Page, name: str) -> None:
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Begin").click()
    expect(page.get_by_label("Your question")).to_be_visible()


def hand_in(page: Page) -> None:
    page.get_by_role("button", name="Submit task").click()
    page.get_by_role("dialog").get_by_role("button", name="Submit anyway").click()
    expect(page.get_by_role("heading", name="Thank you! Your task is submitted.")).to_be_visible()


def assignments(crowd: FakeCrowd) -> list[str]:
    assert all(each["agent_registration_id"] == f"{each['assignment_id']}-Ada L." for each in crowd.registrations)
    return [each["assignment_id"] for each in crowd.registrations]


def test_a_bare_address_asks_for_a_name_once_and_gives_hit_after_hit(page: Page, crowd: FakeCrowd) -> None:
    page.goto(crowd.url)
    expect(page.get_by_role("heading", name="Beat the AI")).to_be_visible()
    check_accessible(page, "naming")
    begin(page, "  Ada   L. ")
    page.reload()
    expect(page.get_by_label("Your question")).to_be_visible()
    page.goto(crowd.url)  # the HIT that is begun, again
    write(page, "Whose engine sold first?", "Thomas Newcomen's")
    submit(page)
    expect(page.get_by_test_id("verdict")).to_be_visible()
    assert len(set(assignments(crowd))) == 1
    hand_in(page)
    expect(page.get_by_text("You submitted one question, with one win.")).to_be_visible()
    check_accessible(page, "submitted")
    crowd.attempts.clear()
    page.route("**/task_config.json", lambda route: route.fulfill(status=503))
    page.get_by_role("button", name="Next task").click()
    expect(page.get_by_text("It ends when all tasks are done")).to_be_visible()
    page.unroute("**/task_config.json")
    page.get_by_role("button", name="Next task").click()
    hand_in_next(page)
    assert len(set(assignments(crowd))) == 2
    page.goto(crowd.url)
    expect(page.get_by_label("Your question")).to_be_visible()
    assert len(set(assignments(crowd))) == 3


def hand_in_next(page: Page) -> None:
    write(page, "When was it used?", "1712")
    submit(page)
    expect(page.get_by_test_id("verdict")).to_be_visible()
    hand_in(page)
    expect(page.get_by_text("You have submitted 2 tasks in this browser.")).to_be_visible()


def test_a_hit_that_another_browser_has_leads_to_one_of_ones_own(page: Page, crowd: FakeCrowd) -> None:
    crowd.failure_reason, crowd.failure_code = "This task is open in another browser.", "elsewhere"
    page.goto(crowd.page)
    expect(page.get_by_text("This task is open in another browser.")).to_be_visible()
    crowd.failure_reason = None
    page.get_by_role("link", name="Open another task").click()
    begin(page, "Ada L.")
    assert crowd.registrations[-1]["worker_name"] == "Ada L."
    assert crowd.registrations[-1]["assignment_id"] != crowd.registrations[0]["assignment_id"]


def test_a_hit_that_has_ended_leads_to_the_next(page: Page, crowd: FakeCrowd) -> None:
    page.goto(f"{crowd.url}/?worker_id=ada")
    expect(page.get_by_label("Your question")).to_be_visible()
    crowd.tell_status("timeout")
    expect(page.get_by_role("heading", name="This task has ended")).to_be_visible()
    crowd.status = "in task"
    page.get_by_role("link", name="Open another task").click()
    expect(page.get_by_role("heading", name="This task has ended")).to_have_count(0)
    expect(page.get_by_label("Your question")).to_be_visible()
    first, second = (each["assignment_id"] for each in crowd.registrations)
    assert first != second
    assert re.search(rf"worker_id=ada&assignment_id={second}$", page.url)


def test_the_name_fits_on_a_phone_and_a_preview_needs_none(new_page: NewPage, crowd: FakeCrowd) -> None:
    phone = new_page(**PHONE)
    phone.goto(crowd.url)
    expect(phone.get_by_label("Your name")).to_be_focused()
    assert fits(phone)
    check_accessible(phone, "naming on a phone")
    phone.goto(f"{crowd.url}/?assignment_id=ASSIGNMENT_ID_NOT_AVAILABLE")
    expect(phone.get_by_test_id("preview")).to_be_visible()
    assert crowd.registrations == []
