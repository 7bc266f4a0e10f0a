"""Leads in a real browser: newcomers whom the grader failed, requests from a marketplace, revocations that take two."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from beat_the_ai.requester import Requester
from beat_the_ai.review import new_account
from beat_the_ai.rules.roles import Role
from beat_the_ai.store import Store, open_store
from beat_the_ai.workforce import MTurkGate
from tests.e2e.conftest import ROOT
from tests.e2e.test_review import DESKTOP, PHONE, check, contexts, open_page, sign_in
from tests.marketplace.rehearsal import Rehearsal, store_in
from tests.review.builders import FAILED, GOOD, HOSTILE, NEWCOMER, PASSWORD, fail, fill, screen
from tests.store.builders import campaign
from tests.thorough import cases

__all__ = ["contexts"]


@pytest.fixture(scope="module")
def market(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rehearsal]:
    with Rehearsal.started(store_in(tmp_path_factory.mktemp("market"))) as running:
        yield running


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Two leads and a reviewer; a newcomer who passed, and one whom the grader failed."""
    opened = open_store(str(tmp_path / "campaign.db"))
    fill(opened)
    screen(opened)
    fail(opened)
    for name in ("ann", "bob"):
        new_account(opened, name, PASSWORD, role=Role.LEAD)
    new_account(opened, "cal", PASSWORD)
    yield opened
    opened.close()


@pytest.fixture
def gate(market: Rehearsal, monkeypatch: pytest.MonkeyPatch) -> Iterator[MTurkGate]:
    """The campaign's qualification; the page finds the requester's keys where boto3 looks for them."""
    key = market.new_requester()
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", key.id)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", key.secret)
    crowd = Requester.connect(market.address)
    yield MTurkGate(crowd, campaign("pilot"))
    crowd.close()


@pytest.fixture
def address(store: Store, gate: MTurkGate, market: Rehearsal, tmp_path: Path) -> Iterator[str]:
    if not (ROOT / "webapp" / "review" / "dist" / "bundle.js").is_file():
        pytest.skip("the review page is not built: make webapp")
    command = [sys.executable, "-m", "beat_the_ai.cli", "review", str(tmp_path), "--endpoint", market.address]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield json.loads(process.stdout.readline())["address"]
        process.terminate()
        assert process.wait(60) == 0


def asks(market: Rehearsal, gate: MTurkGate) -> str:
    worker = market.new_worker()
    with market.workplace() as workplace:
        workplace.request_qualification(worker, gate.type_id)
    return worker


def standing(store: Store, worker: str) -> str | None:
    last = store.standings.last("pilot", worker)
    return None if last is None else last.standing


def press(page: Page, button: str) -> None:
    """By keyboard alone."""
    page.get_by_role("button", name=button).focus()
    page.keyboard.press("Enter")


def decide(page: Page, reason: str = "", typed: str = "") -> None:
    """Fill the open dialog by keyboard, and send it."""
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("textbox", name="Reason")).to_be_focused()
    page.keyboard.type(reason)
    if typed:
        page.keyboard.press("Tab")
        expect(dialog.get_by_label(re.compile("Type .* to confirm"))).to_be_focused()
        page.keyboard.type(typed)
    page.keyboard.press("Control+Enter")
    expect(dialog).to_be_hidden()


@pytest.mark.parametrize("options", cases({"desktop": DESKTOP, "phone dark": PHONE}, ["phone dark"]))
def test_requests_and_newcomers_are_decided_by_keyboard(
    browser: Browser, contexts: list[BrowserContext], address: str, store: Store, gate: MTurkGate, market: Rehearsal,
    options: dict[str, Any],
) -> None:  # fmt: skip
    welcome, unwelcome = asks(market, gate), asks(market, gate)
    page = open_page(browser, contexts, address, **options)
    sign_in(page)
    page.get_by_role("link", name="Candidates (3)").click()
    requests = page.get_by_role("region", name="Requests")
    expect(requests.get_by_role("listitem")).to_have_count(2)
    expect(requests).to_contain_text("No screening.")
    failed = page.get_by_role("region", name=FAILED, exact=True)
    expect(failed).to_contain_text("Screening: Failed")
    failed.get_by_text("Screening: Failed").click()
    check(page, "requests")

    press(page, f"Accept … {welcome}")
    expect(page.get_by_role("dialog")).to_contain_text("Nobody has seen work of theirs.")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text("Please give a reason.")
    check(page, "accept-request")
    decide(page, "wrote for the pilot study")
    expect(requests.get_by_role("listitem")).to_have_count(1)
    press(page, f"Turn down … {unwelcome}")
    decide(page, "unknown to us")
    expect(requests).to_have_count(0)
    assert (gate.holds(welcome), gate.holds(unwelcome), gate.requests()) == (True, False, [])
    assert (standing(store, welcome), standing(store, unwelcome)) == ("qualified", None)

    failed.get_by_role("button", name="Grant").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_contain_text("By the grader: Failed. A person decides.")
    check(page, "grant-failed")
    decide(page, "the hint was wrong")
    expect(failed.get_by_text("Qualified")).to_be_visible()
    page.get_by_role("region", name=NEWCOMER, exact=True).get_by_role("button", name="Refuse").focus()
    page.keyboard.press("Enter")
    decide(page, "copied")
    assert (standing(store, FAILED), standing(store, NEWCOMER)) == ("qualified", "revoked")


@pytest.mark.parametrize("options", cases({"desktop": DESKTOP, "phone dark": PHONE}, ["phone dark"]))
def test_newcomers_are_let_in_together_by_keyboard(
    browser: Browser, contexts: list[BrowserContext], address: str, store: Store, options: dict[str, Any]
) -> None:
    page = open_page(browser, contexts, address, **options)
    sign_in(page)
    page.get_by_role("link", name="Candidates (1)").click()
    together = page.get_by_role("region", name="Let in together")
    expect(together.get_by_role("button", name="Let 0 in …")).to_be_disabled()
    page.get_by_role("checkbox", name=f"Choose {FAILED}").focus()
    page.keyboard.press("Space")
    expect(together.get_by_role("checkbox", name="Choose all 2")).to_have_js_property("indeterminate", True)
    together.get_by_role("checkbox").focus()
    page.keyboard.press("Space")
    expect(page.get_by_role("checkbox", name=f"Choose {NEWCOMER}")).to_be_checked()
    check(page, "chosen")
    press(page, "Let 2 in …")
    expect(page.get_by_role("dialog")).to_contain_text(f"{FAILED}: Failed")
    check(page, "let-in")
    page.route("**/api/standings", lambda route: _fail_for(route, NEWCOMER))
    decide(page, "seen by two of us")
    expect(page.get_by_role("alert")).to_contain_text(f"{NEWCOMER} is left: on purpose")
    expect(page.get_by_text("1 newcomer let in.")).to_be_focused()
    expect(together).to_have_count(0)
    check(page, "let-in-in-part")
    assert (standing(store, FAILED), standing(store, NEWCOMER)) == ("qualified", "candidate")
    granted = [(one.subject, one.note) for one in store.audit.entries() if one.action == "grant"]
    assert granted == [(FAILED, "seen by two of us")]


def _fail_for(route: Route, worker: str) -> None:
    if json.loads(route.request.post_data or "{}")["worker"] == worker:
        route.fulfill(status=409, json={"error": {"message": "on purpose"}})
    else:
        route.continue_()


@pytest.mark.parametrize("options", cases({"desktop": DESKTOP, "phone dark": PHONE}, ["phone dark"]))
def test_a_revocation_that_nobody_recommends_takes_two(
    browser: Browser, contexts: list[BrowserContext], address: str, store: Store, options: dict[str, Any]
) -> None:
    ann, bob = (open_page(browser, contexts, address, **options) for _ in range(2))
    sign_in(ann)
    ann.goto(f"{address}/#/workers/{GOOD}")
    press(ann, "Revoke …")
    expect(ann.get_by_role("dialog")).to_contain_text("Nothing changes until a second lead confirms it")
    check(ann, "propose")
    decide(ann, "two accounts", GOOD)
    expect(ann.get_by_text("ann has proposed to revoke")).to_be_visible()
    expect(ann.get_by_role("button", name="Confirm …")).to_have_count(0)
    assert (standing(store, GOOD), store.standings.discarded("pilot")) == (None, set())

    sign_in(bob, "bob")
    card = bob.get_by_role("listitem").filter(has_text=GOOD)
    expect(card).to_contain_text("Revocation waits for a second lead")
    check(bob, "workers-proposed")
    card.get_by_role("link").click()
    expect(bob.get_by_text("It has no effect until a second lead confirms it.")).to_contain_text("two accounts")
    check(bob, "proposed")
    press(bob, "Confirm …")
    check(bob, "confirm")
    decide(bob, "", GOOD)
    expect(bob.get_by_role("button", name="Reinstate …")).to_be_visible()
    assert store.standings.discarded("pilot") == {GOOD}
    bob.get_by_text("History of the standing").click()
    expect(bob.get_by_text("(revoked by bob")).to_be_visible()
    check(bob, "proposal-history")

    ann.goto(f"{address}/#/workers/{HOSTILE.replace('/', '%2F')}")
    press(ann, "Revoke …")
    decide(ann, "wrong worker", HOSTILE)
    press(ann, "Withdraw …")
    check(ann, "withdraw")
    decide(ann)
    expect(ann.get_by_role("button", name="Revoke …")).to_be_visible()
    assert standing(store, HOSTILE) is None


def test_a_reviewer_who_is_no_lead_judges_and_is_offered_no_decision(
    browser: Browser, contexts: list[BrowserContext], address: str, gate: MTurkGate, market: Rehearsal
) -> None:
    asks(market, gate)
    page = open_page(browser, contexts, address, **PHONE)
    sign_in(page, "cal")
    page.get_by_role("link", name="Candidates").click()
    expect(page.get_by_role("region", name="Requests")).to_be_visible()
    expect(page.get_by_text("A lead decides who is let in.")).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("Grant|Refuse|Accept|Turn down"))).to_have_count(0)
    check(page, "candidates-reviewer")
    page.goto(f"{address}/#/workers/{GOOD}")
    expect(page.get_by_text("A lead revokes and reinstates.")).to_be_visible()
    expect(page.get_by_role("button", name="Revoke …")).to_have_count(0)
    check(page, "worker-reviewer")
    page.get_by_role("button", name="Accept").click()
    expect(page.get_by_role("heading", name="HIT 2 of 6")).to_be_visible()


def test_a_marketplace_that_is_away_holds_up_nothing_else(
    browser: Browser, contexts: list[BrowserContext], store: Store, gate: MTurkGate, tmp_path: Path
) -> None:
    command = [sys.executable, "-m", "beat_the_ai.cli", "review", str(tmp_path), "--endpoint", "http://127.0.0.1:9"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        page = open_page(browser, contexts, json.loads(process.stdout.readline())["address"], **PHONE)
        sign_in(page)
        page.get_by_role("link", name="Candidates").click()
        expect(page.get_by_role("region", name="Requests")).to_contain_text("The marketplace does not tell them now")
        expect(page.get_by_role("region", name=FAILED, exact=True)).to_be_visible()
        check(page, "requests-away")
        process.terminate()
        assert process.wait(60) == 0
