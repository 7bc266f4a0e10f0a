"""A lead in a real browser: what is doubted is settled, and how a HIT was written is replayed."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from beat_the_ai.review import new_account
from beat_the_ai.rules.roles import Role
from beat_the_ai.store import open_store
from tests.e2e.test_review import DESKTOP, PHONE, address, check, contexts, open_page, sign_in
from tests.review.builders import DOUBTED, PASSWORD, WHY, doubt, draft_often, fill
from tests.store.builders import NEW_YEAR

__all__ = ["address", "contexts"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The doubted attempt stands in the only HIT of this writer that was typed with the model looking on."""
    store = open_store(str(tmp_path / "campaign.db"))
    fill(store)
    attempt = doubt(store)
    [row] = store.attempts.doubtful("pilot")
    assert row.attempt.id == attempt
    draft_often(store, row.assignment.id, 3)
    store.assignments.submit(row.assignment.id, None, NEW_YEAR + timedelta(minutes=4))
    new_account(store, "ann", PASSWORD, role=Role.LEAD)
    store.close()
    return tmp_path


def test_a_lead_admits_and_replays(browser: Browser, contexts: list[BrowserContext], address: str) -> None:
    page = open_page(browser, contexts, address, **DESKTOP)
    sign_in(page)
    page.get_by_role("link", name="Doubtful (1)").click()
    expect(page.get_by_text(WHY)).to_be_visible()
    check(page, "doubtful")
    page.get_by_role("button", name=re.compile("^Admit")).click()
    page.get_by_label("Reason").fill("It is new.")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("Admitted.")).to_be_visible()
    expect(page.get_by_role("link", name="Doubtful", exact=True)).to_be_visible()

    phone = open_page(browser, contexts, address, **PHONE)
    sign_in(phone)
    phone.get_by_role("link", name=DOUBTED).click()
    phone.get_by_role("button", name="Replay how it was written (3 drafts)").click()
    place = phone.get_by_label("Draft 1 of 3")
    expect(phone.get_by_label("What the model guessed")).to_contain_text("Tam Orrin 30%")
    check(phone, "replay")
    place.press("ArrowRight")
    expect(phone.get_by_text("The model did not answer: the writer went on.")).to_be_visible()
    assert phone.title() != "owned"
