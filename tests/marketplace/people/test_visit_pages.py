"""A visit in a real browser, on a phone: from the recruiter's link to the way back, in the light and in the dark."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

import pytest
from playwright.sync_api import Browser, expect

from tests.browser import check_accessible, fits
from tests.e2e.conftest import screenshots
from tests.marketplace.people.test_studies import TERMS, new_study, unique
from tests.marketplace.rehearsal import Rehearsal

if TYPE_CHECKING:
    from types_boto3_mturk import MTurkClient


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_visit_on_a_phone(
    rehearsal: Rehearsal, client: MTurkClient, browser: Browser, scheme: Literal["light", "dark"]
) -> None:
    study = new_study(rehearsal, client, TERMS.model_copy(update={"hits_each": 2}))
    study.offer(2)
    page = browser.new_page(viewport={"width": 360, "height": 740}, color_scheme=scheme)

    def look(name: str) -> None:
        check_accessible(page, name)
        assert fits(page), name
        if (folder := screenshots()) is not None:
            page.screenshot(path=folder / f"visit-{name}-{scheme}.png", full_page=True)

    def open_link(session: str) -> None:
        page.goto(rehearsal.address + study.link(person, session))
        page.get_by_role("button", name="Start").press("Enter")

    person = unique("p")
    page.goto(rehearsal.address + study.link(person, "first"))
    look("arrival")
    page.get_by_role("button", name="Start").dblclick()
    expect(page).to_have_url(re.compile("/worker/assignments/"))
    at_work = page.url
    open_link("second")
    expect(page.get_by_role("alert")).to_contain_text("at a task of another visit")
    look("at-work")
    page.get_by_role("link", name="Back to your task").click()
    expect(page).to_have_url(at_work)
    expect(page.get_by_role("navigation")).to_have_count(0)

    page.get_by_text("Return this task").click()
    page.get_by_role("button", name="Return it").click()
    expect(page.get_by_role("heading", name="You have returned this task")).to_be_visible()
    look("returned")
    page.set_viewport_size({"width": 1280, "height": 740})
    left, card = (page.locator(f"main > {each}").evaluate("one => one.offsetLeft") for each in (".withdraw", ".narrow"))
    assert left == card
    look("returned-wide")
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(f"{rehearsal.address}/worker/earnings")
    expect(page.get_by_text("You have no open task")).to_be_visible()
    look("between-tasks")
    page.get_by_role("button", name="Finish").press("Enter")
    expect(page.get_by_role("link", name="Back to your recruiter")).to_have_attribute(
        "href", "https://recruiter.example/done?cc=R1"
    )
    look("ended")
    page.close()
