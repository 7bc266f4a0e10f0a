"""A lead in a real browser: work on hold is rejected with the reason and the category that the crowd asks for."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from beat_the_ai.marketplace.people import store as people
from beat_the_ai.review import new_account
from beat_the_ai.rules.roles import Role
from beat_the_ai.store import open_store
from tests.e2e.test_review import DESKTOP, PHONE, address, check, contexts, open_page, sign_in
from tests.review.builders import HELD, PASSWORD, PROLIFIC, REASON, fill, hold

__all__ = ["address", "contexts"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = str(tmp_path / "people")
    with people.people_at(place, create=True):
        pass
    store = open_store(str(tmp_path / "campaign.db"))
    fill(store, **{**PROLIFIC, "people": place, "endpoint_url": "http://127.0.0.1:1"})
    hold(store)
    new_account(store, "ann", PASSWORD, role=Role.LEAD)
    store.close()
    return tmp_path


def test_a_lead_rejects_with_reason_and_category(
    browser: Browser, contexts: list[BrowserContext], address: str
) -> None:
    phone, page = (open_page(browser, contexts, address, **options) for options in (PHONE, DESKTOP))
    for one in (phone, page):
        sign_in(one)
        one.get_by_role("link", name="On hold").click()
        one.get_by_role("button", name=re.compile("^Withhold")).click()
        reason = one.get_by_label("Reason")
        reason.fill("Nothing  there.")
        expect(reason).to_have_accessible_description("14 of at least 100 characters")
        one.keyboard.press("Control+Enter")
        expect(one.get_by_role("dialog").get_by_role("alert")).to_contain_text("has 14 characters; at least 100")
        check(one, "rejection")
    page.get_by_label("Reason").fill(REASON)
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("Please choose a category.")).to_be_visible()
    page.get_by_label("Category").select_option(label="Nothing was submitted")
    page.get_by_role("button", name="Withhold", exact=True).click()
    hit = page.get_by_role("article", name=f"A HIT of {HELD}")
    expect(hit).to_contain_text(f"Withheld by ann as NO_DATA: {REASON}")
    check(page, "held")
    hit.get_by_role("button", name=re.compile("^Release")).click()
    expect(page.get_by_label("Reason")).to_be_visible()
    expect(page.get_by_label("Category")).to_have_count(0)
