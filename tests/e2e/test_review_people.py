"""Leads manage people in a real browser, beside the portal in which these people join."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from beat_the_ai.marketplace.people import mail, person, store
from beat_the_ai.marketplace.people.person import NewPerson
from beat_the_ai.review import new_account
from beat_the_ai.rules.roles import Role
from beat_the_ai.store import open_store
from tests.cli.test_payments import PAY, ROUND
from tests.e2e.conftest import ROOT
from tests.e2e.test_review import DESKTOP, PHONE, check, contexts, open_page
from tests.e2e.test_review import sign_in as sign_in_as
from tests.marketplace.people.post_office import PostOffice
from tests.ports import free_port
from tests.review.builders import PASSWORD
from tests.store.builders import campaign
from tests.thorough import cases

__all__ = ["contexts"]

HOSTILE = "<img src=x onerror=\"document.title='owned'\">"
FAULTY = "name,email,group\nAda Byron,ada@x.org,course\nBo Li,bo@,\n"


@dataclass
class Lab:
    """A campaign with people of its own: its folder, the portal, and the address of the reviewers' page."""

    folder: Path
    portal: str
    review: str

    @property
    def people(self) -> str:
        return str(self.folder / "people")

    def add(self, *described: NewPerson, state: person.State = "invited") -> None:
        with store.people_at(self.people) as market, market.writing() as moment:
            person.add_people(moment, described, state)

    def find(self, who: str) -> person.Person:
        with store.people_at(self.people) as market, market.reading() as moment:
            return person.find(moment, who)


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[Lab]:
    if not (ROOT / "webapp" / "review" / "dist" / "bundle.js").is_file():
        pytest.skip("the review page is not built: make webapp")
    portal, people = f"http://127.0.0.1:{free_port()}", str(tmp_path / "people")
    with store.people_at(people, create=True):
        pass
    opened = open_store(str(tmp_path / "campaign.db"))
    crowd = {"provider": "own", "requester": "me", "people": people, "endpoint_url": portal}
    opened.campaigns.create(replace(campaign(), config={"crowd": crowd}), {"round": ROUND, "pay": PAY})
    new_account(opened, "ann", PASSWORD, role=Role.LEAD)
    new_account(opened, "cal", PASSWORD)
    opened.close()
    command = [sys.executable, "-m", "beat_the_ai.cli", "review", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield Lab(tmp_path, portal, json.loads(process.stdout.readline())["address"])
        process.terminate()
        assert process.wait(60) == 0


def sign_in(page: Page, name: str = "ann") -> None:
    sign_in_as(page, name)
    press(page, "People", role="link")
    expect(page.get_by_role("heading", name="People")).to_be_visible()


def press(page: Page, name: str, role: Any = "button") -> None:
    """By keyboard alone."""
    inside: Any = page.get_by_role("dialog") if page.get_by_role("dialog").count() else page
    inside.get_by_role(role, name=name).focus()
    page.keyboard.press("Enter")


def choose(page: Page, name: str) -> None:
    box = page.get_by_role("checkbox", name=name)
    box.focus()
    page.keyboard.press("Space")
    expect(box).to_be_checked()


def choose_file(page: Page, path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
    with page.expect_file_chooser() as chooser:
        press(page, "Choose a file …")
    chooser.value.set_files(path)


def shown_link(page: Page, state: str) -> str:
    """Return the link that the dialog shows once, and close it."""
    dialog = page.get_by_role("dialog")
    link = dialog.get_by_label("Link", exact=True).input_value()
    press(page, "Copy the link")
    expect(dialog.get_by_text("Copied.").or_(dialog.get_by_text("Selected."))).to_be_visible()
    check(page, state)
    press(page, "Done")
    expect(dialog).to_be_hidden()
    return link


def joins(browser: Browser, contexts: list[BrowserContext], link: str, **options: Any) -> Page:
    page = open_page(browser, contexts, link, **options)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Join").click()
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()
    return page


@pytest.mark.parametrize("options", cases({"desktop": DESKTOP, "phone dark": PHONE}, ["phone dark"]))
def test_a_lead_manages_people_by_keyboard(
    browser: Browser, contexts: list[BrowserContext], lab: Lab, tmp_path: Path, options: dict[str, Any]
) -> None:
    page = open_page(browser, contexts, lab.review, **options)
    sign_in(page)
    expect(page.get_by_text("Nobody is here yet.")).to_be_visible()
    check(page, "people-none")

    press(page, "Import …")
    dialog = page.get_by_role("dialog")
    choose_file(page, tmp_path / "class.csv", FAULTY)
    expect(dialog.get_by_text("Line 3: 'bo@' is no e-mail address.")).to_be_visible()
    expect(dialog).to_contain_text("1 person to add")
    check(page, "people-import-fault")
    press(page, "Import")
    expect(dialog).to_contain_text("Nobody is added while a line is wrong.")
    choose_file(page, tmp_path / "class.csv", FAULTY.replace("bo@", "bo@x.org"))
    expect(dialog).to_contain_text("2 people to add")
    expect(dialog.get_by_text("Line 3")).to_have_count(0)
    check(page, "people-import")
    press(page, "Import")
    expect(dialog).to_be_hidden()
    expect(page.get_by_text("2 people added, 0 here before.")).to_be_visible()

    choose(page, "Bo Li")
    press(page, "Invite …")
    check(page, "people-invite-one")
    press(page, "Make a link")
    link = shown_link(page, "people-link")
    assert link.startswith(f"{lab.portal}/worker/join/")
    joins(browser, contexts, link, **options)

    page.reload()
    expect(page.get_by_role("listitem").filter(has_text="Bo Li")).to_contain_text("May work")
    assert link.rpartition("/")[2] not in page.content()
    choose(page, "Bo Li")
    check(page, "people-chosen")
    press(page, "Groups …")
    expect(dialog.get_by_label("Group")).to_be_focused()
    page.keyboard.type("lab")
    check(page, "people-group")
    page.keyboard.press("Enter")
    expect(dialog).to_be_hidden()
    row = page.get_by_role("listitem").filter(has_text="Bo Li")
    expect(row).to_contain_text("lab")
    press(page, "Suspend")
    expect(row).to_contain_text("Suspended")
    expect(page.get_by_label("Chosen people").locator("p")).to_be_focused()
    assert lab.find("Bo Li").state == "suspended"
    check(page, "people-suspended")
    press(page, "Restore")
    expect(row).to_contain_text("May work")
    assert (lab.find("Bo Li").state, lab.find("Bo Li").groups) == ("active", ("lab",))

    press(page, "Sign-in link")
    assert shown_link(page, "people-sign-in-link").startswith(f"{lab.portal}/worker/link/")
    press(page, "Remove …")
    worker = lab.find("Bo Li").worker_id
    page.keyboard.type("Bo Li")
    page.keyboard.press("Enter")
    expect(dialog).to_contain_text(f"Please type {worker} exactly.")
    check(page, "people-remove")
    dialog.get_by_label(f"Type {worker} to confirm").fill(worker)
    page.keyboard.press("Enter")
    expect(page.get_by_role("listitem").filter(has_text=worker)).to_contain_text("Removed")
    press(page, "Log", role="link")
    expect(page.get_by_role("cell", name="Remove person")).to_be_visible()
    assert "Bo Li" not in page.get_by_role("table").inner_text()


def test_somebody_new_is_invited_and_links_are_opened_and_closed(
    browser: Browser, contexts: list[BrowserContext], lab: Lab
) -> None:
    lab.add(NewPerson(HOSTILE[:80]), NewPerson("\u202egnp.exe"), NewPerson("=1+1"))
    page = open_page(browser, contexts, lab.review, **PHONE)
    sign_in(page)
    expect(page.get_by_role("checkbox", name=HOSTILE)).to_be_visible()
    assert page.title() != "owned"
    check(page, "people-hostile")
    press(page, "Invite somebody …")
    page.keyboard.type("Cy Twombly")
    check(page, "people-invite")
    page.keyboard.press("Enter")
    joins(browser, contexts, shown_link(page, "people-link-new"), **PHONE)
    press(page, "New open link …")
    page.keyboard.press("Control+A")
    page.keyboard.type("3")
    page.get_by_label("Whoever a lead approves").check()
    check(page, "people-open-link")
    press(page, "Make a link")
    link = shown_link(page, "people-open-link-made")
    visitor = open_page(browser, contexts, link, **PHONE)
    visitor.get_by_label("Your name").fill("Di Prima")
    visitor.get_by_label("Password").fill(PASSWORD)
    visitor.get_by_role("button", name="Join").click()
    expect(visitor.get_by_role("button", name="Join")).to_be_hidden()
    page.reload()
    expect(page.get_by_role("region", name="Open links")).to_contain_text("1 of 3 joined")
    page.get_by_label("State").select_option("waiting")
    expect(page.get_by_role("listitem").filter(has_text="Cy Twombly")).to_have_count(0)
    choose(page, "Di Prima")
    press(page, "Approve")
    expect(page.get_by_role("listitem").filter(has_text="Di Prima")).to_contain_text("May work")
    page.get_by_role("region", name="Open links").get_by_role("button", name="Close").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("region", name="Open links")).to_have_count(0)
    expect(page.get_by_role("heading", name="People")).to_be_focused()
    check(page, "people-found")


def test_many_people_are_shown_in_parts_and_letters_go_out(
    browser: Browser, contexts: list[BrowserContext], lab: Lab
) -> None:
    lab.add(*(NewPerson(f"P{number:05}", f"p{number}@x.org", ("all",)) for number in range(10_000)))
    with PostOffice().open() as office:
        with store.people_at(lab.people) as market, market.writing() as moment:
            mail.keep_server(moment, mail.check_server(office.url, "The lab <lab@example.org>"))
        page = open_page(browser, contexts, lab.review, **DESKTOP)
        sign_in(page)
        press(page, "Show 50 more of 10,000 people")
        expect(page.get_by_role("checkbox", name="P00050")).to_be_focused()
        expect(page.get_by_role("listitem")).to_have_count(100)
        check(page, "people-many")
        page.get_by_label("Find people").fill("p09999@")
        expect(page.get_by_text("Nobody is like that.")).to_be_visible()
        page.get_by_label("Find people").fill("p9999@")
        choose(page, "P09999")
        press(page, "Invite …")
        check(page, "people-invite-by-mail")
        press(page, "Send")
        expect(page.get_by_text("P09999: invitation sent.")).to_be_visible()
        assert office.link_for("p9999@x.org").startswith(f"{lab.portal}/worker/join/")


def test_a_reviewer_who_is_no_lead_sees_no_people(browser: Browser, contexts: list[BrowserContext], lab: Lab) -> None:
    page = open_page(browser, contexts, lab.review, **PHONE)
    sign_in_as(page, "cal")
    expect(page.get_by_role("link", name="People")).to_have_count(0)
    page.goto(f"{lab.review}/#/people")
    expect(page.get_by_text("Leads manage people here")).to_be_visible()
    check(page, "people-reviewer")
