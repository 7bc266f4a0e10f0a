"""A person in a real browser, in the worker portal, with the task's real page in its frame."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from beat_the_ai.campaign.service.stages.preparation import ask_afterwards
from beat_the_ai.forms import Form, FormDesk
from beat_the_ai.marketplace.answers import read_answers
from beat_the_ai.mephisto.database import MephistoDatabase
from beat_the_ai.mephisto.operator import CampaignOperator
from beat_the_ai.rules.stage import Stage
from beat_the_ai.simulation.marketplace import enrol
from beat_the_ai.terms.campaign import BoundCampaign
from tests.browser import PATIENCE_MS, check_accessible
from tests.e2e.conftest import ROOT, screenshots
from tests.e2e.portal import frame, sign_in
from tests.marketplace.rehearsal import Rehearsal
from tests.mephisto.mturk_rig import on_the_crowd, settings, use
from tests.mephisto.rig import Serving, writing
from tests.mephisto.wire import wait_until
from tests.webapp.tours import remember_tours
from tests.writing.fakes import FakeModel

TITLE = "Beat the AI: write questions"
SIZES = {"desktop": (1280, 900, "light"), "phone": (360, 740, "light"), "dark": (1280, 900, "dark")}


@contextmanager
def campaign_on_the_marketplace(folder: Path, *after: Form) -> Iterator[Serving]:
    """A campaign of two HITs on the marketplace, with a model that is right once and then wrong."""
    dist = ROOT / "webapp" / "dist"
    if not (dist / "bundle.js").is_file():
        pytest.skip("the workers' page is not built: make webapp")
    store, desk, hits = writing(folder, FakeModel("476", "Rome"), hits=2, awaits_crowd=True)
    config = settings()
    config.task.task_title, config.architect.page_dir = TITLE, str(dist)
    config.architect.frame_ancestors = os.environ["AWS_ENDPOINT_URL_MTURK"]
    told: dict[str, Any] = {"page": "reading_comprehension", "task_title": TITLE}
    operator = CampaignOperator(MephistoDatabase(folder / "mephisto" / "database.db"))
    try:
        forms = FormDesk(BoundCampaign.open(store, "pilot"), [], after=after)
        url = operator.launch(config, ask_afterwards(on_the_crowd(desk, hits, **told), forms))
        yield Serving(store, desk, hits, operator, url)
    finally:
        operator.pause()
        store.close()


@pytest.fixture
def page(browser: Browser, market: Rehearsal) -> Iterator[Page]:
    """A tab that must have nothing to complain about at the end."""
    tab = browser.new_page(base_url=market.address)
    remember_tours(tab.context)
    problems: list[str] = []
    tab.on("pageerror", lambda error: problems.append(str(error)))
    tab.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    yield tab
    tab.close()
    assert problems == []


def look(page: Page, name: str, at: Locator | None = None) -> None:
    """On a desk, on a phone, in the dark: nothing sticks out sideways, neither around the frame nor in it."""
    folder = screenshots()
    for size, (width, height, scheme) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        if at is not None:
            at.scroll_into_view_if_needed()
        for shown in page.frames:
            fits = shown.evaluate("document.documentElement.scrollWidth <= innerWidth")
            assert fits, f"{shown.url} scrolls sideways ({size})"
        if len(page.frames) > 1:
            wait_until_frame_fits(page)
        check_accessible(page, f"{page.url} {size}")
        if folder is not None:
            page.screenshot(path=folder / f"portal-{name}-{size}.png", full_page=True)
    page.set_viewport_size({"width": 1280, "height": 900})


def wait_until_frame_fits(page: Page) -> None:
    """The frame is as high as its page, and does not scroll."""
    high = "Math.max(300, Math.ceil(document.documentElement.getBoundingClientRect().height))"
    fits = f"innerHeight === {high} && document.documentElement.scrollHeight <= innerHeight"
    wait_until(lambda: page.frames[1].evaluate(fits), "the frame fits its page")


def ask(page: Page, question: str, answer: str) -> None:
    frame(page).get_by_label("Your question").fill(question)
    frame(page).get_by_label("Or type the answer").fill(answer)
    frame(page).get_by_role("button", name="Submit question").click()
    expect(frame(page).get_by_test_id("verdict")).to_be_visible(timeout=PATIENCE_MS)


def test_a_worker_previews_accepts_writes_and_submits(
    page: Page, market: Rehearsal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    [account] = enrol(market.address, market.token, ["AANN"])
    requester = use(monkeypatch, market)
    with campaign_on_the_marketplace(tmp_path / "run") as campaign:
        sign_in(page, account)
        offer = page.get_by_role("article", name=TITLE)
        offer.get_by_role("link", name="Preview").click()
        expect(frame(page).get_by_role("button", name="Submit question")).to_be_disabled(timeout=PATIENCE_MS)
        look(page, "preview")
        assert campaign.attempts() == []

        page.get_by_role("button", name="Accept").click()
        expect(frame(page).locator("[data-token]").first).to_be_visible(timeout=PATIENCE_MS)
        look(page, "accepted")
        ask(page, "When did Rome fall?", "476")
        look(page, "verdict", frame(page).get_by_test_id("verdict"))
        page.reload()
        ask(page, "Who was the last emperor?", "Romulus Augustulus")
        frame(page).get_by_role("button", name="Submit task").click()
        frame(page).get_by_role("dialog").get_by_role("button", name="Submit anyway").click()
        expect(page.get_by_role("heading", name="Thank you")).to_be_visible(timeout=PATIENCE_MS)
        look(page, "thanks")
        wait_until(lambda: len(campaign.submitted()) == 1, "the operator has the submission")
        made = list(campaign.store.attempts.of_campaign("pilot"))
        [submitted] = [one for hit in requester.hits() for one in requester.assignments(hit["HITId"])]
        wait_until(lambda: len(campaign.submitted()) == 1, "the crowd has confirmed it")
        requester.approve(submitted["AssignmentId"])
        page.get_by_role("link", name="Earnings").first.click()
        expect(page.get_by_role("article", name=TITLE)).to_contain_text("Approved")
    requester.close()

    assert [(row.attempt.work["question"], row.attempt.fooled) for row in made] == [
        ("When did Rome fall?", False),
        ("Who was the last emperor?", True),
    ]
    assert {row.assignment.worker for row in made} == {"AANN"}
    assert {row.assignment.registration for row in made} == {f"{submitted['AssignmentId']}-AANN"}
    assert submitted["AssignmentStatus"] == "Submitted"
    [(field, final)] = read_answers(submitted["Answer"]).items()
    assert field == "final"
    assert json.loads(final) == {
        "hit": made[0].assignment.id,
        "attempt_ids": [row.attempt.id for row in made],
        "feedback": "",
    }


def test_portal_and_page_have_one_title_one_clock_and_one_scroll_bar(
    page: Page, market: Rehearsal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    [account] = enrol(market.address, market.token, ["ADEE"])
    use(monkeypatch, market).close()
    with campaign_on_the_marketplace(tmp_path / "run"):
        sign_in(page, account)
        page.get_by_role("article", name=TITLE).get_by_role("button", name="Accept").click()
        expect(frame(page).locator("[data-token]").first).to_be_visible(timeout=PATIENCE_MS)
        expect(page.get_by_role("heading", level=1, name=TITLE)).to_be_visible()
        expect(frame(page).get_by_role("heading", level=1)).to_have_count(0)
        expect(page.get_by_text("Time left", exact=True)).to_be_visible()
        expect(frame(page).get_by_text("Time left")).to_be_hidden()
        expect(page.locator("#time-left")).to_have_text(re.compile(r"59:\d\d|1:00:00"))  # the grace is not counted in
        for size in ((1280, 480), (360, 480)):
            page.set_viewport_size({"width": size[0], "height": size[1]})
            frame(page).get_by_role("button", name="Keyboard shortcuts").click()
            expect(frame(page).get_by_role("dialog")).to_be_in_viewport(ratio=1)
            wait_until_frame_fits(page)
            page.keyboard.press("Escape")
        page.frames[1].evaluate("parent.postMessage({ pageHeight: 1e9 }, '*')")
        expect(page.locator("iframe")).to_have_js_property("clientHeight", 20_000)
        page.frames[1].evaluate("parent.postMessage({ pageHeight: NaN, endsAt: 'soon' }, '*')")
        page.evaluate("postMessage({ pageHeight: 444, endsAt: 0 }, '*')")  # not from the frame
        page.frames[1].evaluate("document.body.style.paddingBottom = '50px'")
        wait_until_frame_fits(page)

        page.goto(page.frames[1].url)
        expect(page.get_by_role("heading", level=1, name=TITLE)).to_be_visible(timeout=PATIENCE_MS)
        expect(page.get_by_text("Time left")).to_be_visible()
        page.goto("about:blank")  # a page whose server ends would complain


@pytest.mark.parametrize("leaves", [False, True])
def test_the_crowd_has_the_hit_before_its_worker_answers_anything(
    page: Page, market: Rehearsal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, leaves: bool
) -> None:
    [account] = enrol(market.address, market.token, ["ACAT"])
    requester = use(monkeypatch, market)
    debriefing = Form(name="end", kind="notice", title="What this study was about", text="All of it.")
    with campaign_on_the_marketplace(tmp_path / "run", debriefing) as campaign:
        sign_in(page, account)
        page.get_by_role("article", name=TITLE).get_by_role("button", name="Accept").click()
        ask(page, "Who was the last emperor?", "Romulus Augustulus")
        frame(page).get_by_role("button", name="Submit task").click()
        frame(page).get_by_role("dialog").get_by_role("button", name="Submit anyway").click()
        expect(frame(page).get_by_role("heading", name=debriefing.title)).to_be_visible(timeout=PATIENCE_MS)
        wait_until(lambda: len(campaign.submitted()) == 1, "the crowd has confirmed it")
        [submitted] = [one for hit in requester.hits() for one in requester.assignments(hit["HITId"])]
        [(_, final)] = read_answers(submitted["Answer"]).items()
        look(page, "debriefing")
        if leaves:
            page.goto("about:blank")
        else:
            frame(page).get_by_role("button", name="Continue").click()
            expect(page.get_by_role("heading", name="Thank you")).to_be_visible(timeout=PATIENCE_MS)
        [row] = campaign.store.attempts.of_campaign("pilot")
        assert json.loads(final)["attempt_ids"] == [row.attempt.id]
        assert requester.assignment(submitted["AssignmentId"]) == submitted  # the second form has changed nothing
        answered = [one.worker for one in campaign.store.forms.all_answers("pilot")]
        assert answered == ([] if leaves else ["ACAT"])
    requester.close()


def test_a_form_that_was_lost_is_posted_when_the_worker_comes_back(
    page: Page, market: Rehearsal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The campaign has the submission, the marketplace has not: the tab was closed, or the network went away."""
    [account] = enrol(market.address, market.token, ["ABEA"])
    requester = use(monkeypatch, market)
    with campaign_on_the_marketplace(tmp_path / "run") as campaign:
        sign_in(page, account)
        page.get_by_role("article", name=TITLE).get_by_role("button", name="Accept").click()
        ask(page, "Who was the last emperor?", "Romulus Augustulus")
        place = page.url
        page.route("**/mturk/externalSubmit", lambda route: route.fulfill(status=204))  # it stays where it is
        frame(page).get_by_role("button", name="Submit task").click()
        frame(page).get_by_role("dialog").get_by_role("button", name="Submit anyway").click()
        wait_until(
            lambda: campaign.store.assignments.waiting("pilot", Stage.WRITING), "the operator has the submission"
        )
        expect(frame(page).get_by_role("heading", name="Thank you")).to_be_visible(timeout=PATIENCE_MS)
        page.goto("about:blank")
        page.unroute("**/mturk/externalSubmit")
        assert [one for hit in requester.hits() for one in requester.assignments(hit["HITId"])] == []

        page.goto(place)
        expect(page.get_by_role("heading", name="Thank you")).to_be_visible(timeout=PATIENCE_MS)
        [submitted] = [one for hit in requester.hits() for one in requester.assignments(hit["HITId"])]
        wait_until(lambda: len(campaign.submitted()) == 1, "the crowd has confirmed it")
        requester.approve(submitted["AssignmentId"])
        [row] = campaign.store.attempts.of_campaign("pilot")
        assert row.assignment.registration == f"{submitted['AssignmentId']}-ABEA"
    requester.close()
