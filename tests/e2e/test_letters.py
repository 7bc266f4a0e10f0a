"""A worker and the leads in real browsers: an appeal and a message, decided and answered by keyboard; the board."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from playwright.sync_api import Browser, BrowserContext, Page, expect

from beat_the_ai.letters import address_of
from beat_the_ai.marketplace.portal.frame import MAY
from beat_the_ai.review import new_account
from beat_the_ai.rules.roles import Role
from beat_the_ai.store import open_store, tables
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.workforce import Reviewing
from tests.e2e.conftest import Campaign
from tests.e2e.test_review import DESKTOP, PHONE, address, check, contexts, open_page, sign_in
from tests.e2e.test_writing import open_page as open_hit
from tests.review.builders import GOOD, HOSTILE, PASSWORD, SLOPPY, fill
from tests.store.builders import NEW_YEAR
from tests.thorough import cases

__all__ = ["address", "contexts"]

WHY = "It is no question & no answer."
TEXT = "It is one!\nPlease look again: 1 < 2."


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A campaign that shows reasons and a leader board, with a HIT that ann has rejected."""
    store = open_store(str(tmp_path / "campaign.db"))
    fill(store)
    for name in ("ann", "bob"):
        new_account(store, name, PASSWORD, role=Role.LEAD)
    config = {**store.campaigns.get("pilot").config, "review": {"shows_reasons": True, "shows_board": True}}
    with store.database.writing() as connection:
        connection.execute(sa.update(tables.campaigns).filter_by(id="pilot").values(config=config))
    store.board.choose("pilot", GOOD, "Night Owl", NEW_YEAR)
    store.board.choose("pilot", HOSTILE, "W" * 24, NEW_YEAR)
    reviewing = Reviewing(BoundCampaign.open(store, "pilot"))
    reviewing.draw()
    reviewing.reject(reviewing.queue("ann", SLOPPY)[0].assignment.id, "ann", WHY)
    store.close()
    return tmp_path


@pytest.fixture
def worker_page(folder: Path) -> Iterator[str]:
    """Serve the workers' pages, and return the address of the sloppy one's."""
    store = open_store(str(folder / "campaign.db"))
    record = store.campaigns.get("pilot")
    store.close()
    command = [sys.executable, "-m", "beat_the_ai.cli", "review", "letters", str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield address_of(record, SLOPPY, json.loads(process.stdout.readline())["address"])
        process.terminate()
        assert process.wait(60) == 0


def press(page: Page, button: str) -> None:
    """By keyboard alone."""
    page.get_by_role("button", name=button, exact=True).focus()
    page.keyboard.press("Enter")


def join_the_board(page: Page) -> None:
    """Choose a name that is taken, and another one, by keyboard; change it, and leave."""
    name = page.get_by_label("Your name on the leader board")
    table = page.get_by_role("table", name="Leader board")
    expect(table.get_by_role("row")).to_have_count(3)
    name.focus()
    page.keyboard.type("night owl")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("Please choose another one")
    expect(name).to_have_value("night owl")
    check(page, "worker-name-taken")
    name.fill("مريم")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status")).to_contain_text("You are on the leader board as مريم.")
    own = table.locator("[aria-current=true]")
    expect(own.get_by_role("rowheader")).to_have_text("مريم you")
    check(page, "worker-board")
    press(page, "Leave the leader board")
    expect(page.get_by_role("status")).to_contain_text("You are not on the leader board.")
    expect(table.get_by_role("row")).to_have_count(3)


def write_to_requester(page: Page) -> None:
    """Appeal and write a message, by keyboard."""
    expect(page.get_by_text(WHY)).to_be_visible()
    page.get_by_text("Appeal until").focus()
    page.keyboard.press("Enter")
    check(page, "worker-appeals")
    page.get_by_label("Why should this be decided otherwise?").focus()
    page.keyboard.insert_text(TEXT)
    press(page, "Send the appeal")
    expect(page.get_by_role("status")).to_contain_text("You are to be answered until")
    page.get_by_label("Your message").fill("Hidden \u202e text")
    press(page, "Send")
    expect(page.get_by_role("alert")).to_be_visible()
    check(page, "worker-refused")
    page.get_by_label("Your message").fill("When am I paid?")
    page.get_by_role("button", name="Send", exact=True).click()
    expect(page.get_by_role("heading", name="Message of")).to_be_visible()
    check(page, "worker-wrote")


@pytest.mark.parametrize("options", cases({"desktop": DESKTOP, "phone dark": PHONE}, ["phone dark"]))
def test_an_appeal_is_decided_by_another_lead_and_a_message_answered(
    browser: Browser, contexts: list[BrowserContext], address: str, worker_page: str, options: dict[str, Any]
) -> None:
    worker = open_page(browser, contexts, worker_page, **options)
    join_the_board(worker)
    write_to_requester(worker)

    ann = open_page(browser, contexts, address, **options)
    sign_in(ann)
    ann.get_by_role("link", name="Messages (2)").click()
    appeal = ann.get_by_role("article", name=f"Appeal about a HIT of {SLOPPY}")
    expect(appeal).to_contain_text("Another lead decides the appeal: bob")
    expect(appeal.get_by_role("button")).to_have_count(0)
    expect(appeal).to_contain_text("Please look again: 1 < 2.")
    check(ann, "inbox")
    press(ann, f"Answer … the message of {SLOPPY}")
    expect(ann.get_by_role("dialog").get_by_label("Answer to the worker")).to_be_focused()
    ann.keyboard.type("On Friday.")
    check(ann, "inbox-dialog")
    ann.keyboard.press("Control+Enter")
    expect(ann.get_by_role("link", name="Messages (1)")).to_be_visible()

    bob = open_page(browser, contexts, address, **options)
    sign_in(bob, "bob")
    bob.get_by_role("link", name="Messages (1)").click()
    press(bob, f"Uphold … the appeal of {SLOPPY}")
    bob.keyboard.type("You are right.")
    bob.keyboard.press("Control+Enter")
    expect(bob.get_by_text("Nobody waits for an answer.")).to_be_visible()
    expect(bob.get_by_text("Upheld by bob")).to_be_visible()
    check(bob, "inbox-answered")
    bob.get_by_role("article", name=f"Appeal about a HIT of {SLOPPY}").get_by_role("link").click()
    expect(bob.get_by_text("Appeal upheld: You are right.")).to_be_visible()

    worker.goto(worker_page)
    expect(worker.get_by_role("heading", name="Upheld: the decision is taken back")).to_be_visible()
    expect(worker.get_by_text("On Friday.")).to_be_visible()
    expect(worker.get_by_role("heading", name="accepted")).to_be_visible()
    expect(worker.get_by_text(WHY)).to_have_count(0)
    check(worker, "worker-answered")


def test_the_page_opens_from_the_sandbox_of_a_portal(browser: Browser, worker_page: str) -> None:
    page = browser.new_page()
    link = f"<a target='_blank' rel='noopener' href='{worker_page}'>Open</a>"
    page.set_content(f'<iframe sandbox="{MAY} allow-same-origin" srcdoc="{link}"></iframe>')
    with page.context.expect_page() as opened:
        page.frame_locator("iframe").get_by_role("link", name="Open").click()
    mine = opened.value
    mine.get_by_label("Your message").fill("From a frame")
    mine.get_by_role("button", name="Send", exact=True).click()
    expect(mine.get_by_role("status")).to_be_visible()
    page.context.close()


def test_a_hit_leads_to_its_workers_page(browser: Browser, campaign: Campaign) -> None:
    page = open_hit(browser, campaign)
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="Your results and messages").click()
    mine = opened.value
    mine.get_by_label("Your message").fill("Is this the place?")
    mine.get_by_role("button", name="Send", exact=True).click()
    expect(mine.get_by_role("status")).to_be_visible()
    check(mine, "worker-first")
    store = campaign.store()
    [letter] = store.letters.of_worker("reading-comprehension", "ann")
    store.close()
    assert letter.text == "Is this the place?"
