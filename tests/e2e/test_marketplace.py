"""A person in a real browser, in the worker portal, with the task's real page in its frame."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, FrameLocator, Page, expect

from beat_the_ai.simulation.marketplace import Account, enrol
from tests.e2e.conftest import ROOT, screenshots
from tests.marketplace.rehearsal import HIT, Rehearsal, store_in
from tests.mephisto.rig import Serving, kill_router, serving
from tests.mephisto.wire import wait_until
from tests.writing.fakes import FakeModel

if TYPE_CHECKING:
    from types_boto3_mturk import MTurkClient

TITLE = "Beat the AI: write questions"
QUESTION = (
    '<ExternalQuestion xmlns="http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas/2006-07-14/'
    'ExternalQuestion.xsd"><ExternalURL>{url}/</ExternalURL><FrameHeight>800</FrameHeight></ExternalQuestion>'
)
PATIENCE_MILLISECONDS = 30_000
SIZES = {"desktop": (1280, 900, "light"), "phone": (360, 740, "light"), "dark": (1280, 900, "dark")}
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


@pytest.fixture
def market(tmp_path: Path) -> Iterator[Rehearsal]:
    with Rehearsal.started(store_in(tmp_path)) as running:
        yield running


@contextmanager
def campaign_on(market: Rehearsal, folder: Path) -> Iterator[tuple[Serving, MTurkClient]]:
    """A campaign of two HITs on the marketplace, and the requester's client."""
    dist = ROOT / "webapp" / "dist"
    if not (dist / "bundle.js").is_file():
        pytest.skip("the workers' page is not built: make webapp")
    client = market.client(market.new_requester())
    config = {"page": "reading_comprehension", "task_title": TITLE, "wins_wanted": 3}
    architect = {"page_dir": str(dist)}
    with serving(folder, FakeModel("476", "Rome"), hits=2, architect=architect, task_config=config) as campaign:
        from mephisto.abstractions.providers.mturk.mturk_provider import MTurkProvider

        for static in folder.glob("mephisto/data/runs/*/*/router/static"):
            shutil.copy(MTurkProvider.get_wrapper_js_path(), static / "wrap_crowd_source.js")
        for _ in range(2):
            client.create_hit(**{**HIT, "Title": TITLE, "Question": QUESTION.format(url=campaign.url)})
        yield campaign, client
    kill_router(folder)


@pytest.fixture
def page(browser: Browser, market: Rehearsal) -> Iterator[Page]:
    """A tab that must have nothing to complain about at the end."""
    tab = browser.new_page(base_url=market.address)
    problems: list[str] = []
    tab.on("pageerror", lambda error: problems.append(str(error)))
    tab.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    yield tab
    tab.close()
    assert problems == []


def sign_in(page: Page, account: Account) -> None:
    page.goto("/worker")
    page.get_by_label("Worker ID").fill(account.worker_id)
    page.get_by_label("Access code").fill(account.access_code)
    page.get_by_role("button", name="Sign in").click()


def frame(page: Page) -> FrameLocator:
    return page.frame_locator("iframe")


def look(page: Page, name: str) -> None:
    """On a desk, on a phone, in the dark: nothing sticks out sideways, neither around the frame nor in it."""
    folder = screenshots()
    for size, (width, height, scheme) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        for shown in page.frames:
            fits = shown.evaluate("document.documentElement.scrollWidth <= innerWidth")
            assert fits, f"{shown.url} scrolls sideways ({size})"
        found = Axe().run(page, options={"runOnly": {"type": "tag", "values": RULES}})
        assert found.violations_count == 0, f"{page.url} {size}: {found.generate_report()}"
        if folder is not None:
            page.screenshot(path=folder / f"portal-{name}-{size}.png", full_page=True)
    page.set_viewport_size({"width": 1280, "height": 900})


def ask(page: Page, question: str, answer: str) -> None:
    frame(page).get_by_label("Your question").fill(question)
    frame(page).get_by_label("Or type the answer").fill(answer)
    frame(page).get_by_role("button", name="Submit question").click()
    expect(frame(page).get_by_test_id("verdict")).to_be_visible(timeout=PATIENCE_MILLISECONDS)


def answers(assignment: Any) -> dict[str, str]:
    """The fields of the form that was submitted."""
    found = re.findall(
        "<QuestionIdentifier>(.*?)</QuestionIdentifier><FreeText>(.*?)</FreeText>", assignment["Answer"], re.DOTALL
    )
    return {name: text.replace("&quot;", '"') for name, text in found}


def test_a_worker_previews_accepts_writes_and_submits(page: Page, market: Rehearsal, tmp_path: Path) -> None:
    [account] = enrol(market.address, market.token, ["AANN"])
    with campaign_on(market, tmp_path / "run") as (campaign, client):
        sign_in(page, account)
        offer = page.get_by_role("article", name=TITLE)
        offer.get_by_role("link", name="Preview").click()
        expect(frame(page).get_by_role("heading", level=1)).to_be_visible(timeout=PATIENCE_MILLISECONDS)
        expect(frame(page).get_by_role("button", name="Submit question")).to_be_disabled()
        look(page, "preview")
        assert campaign.attempts() == []

        page.get_by_role("button", name="Accept").click()
        expect(frame(page).locator("[data-token]").first).to_be_visible(timeout=PATIENCE_MILLISECONDS)
        look(page, "accepted")
        ask(page, "When did Rome fall?", "476")
        look(page, "verdict")
        page.reload()
        ask(page, "Who was the last emperor?", "Romulus Augustulus")
        frame(page).get_by_role("button", name="Submit HIT").click()
        frame(page).get_by_role("dialog").get_by_role("button", name="Submit anyway").click()
        expect(page.get_by_role("heading", name="Thank you")).to_be_visible(timeout=PATIENCE_MILLISECONDS)
        look(page, "thanks")
        wait_until(lambda: len(campaign.submitted()) == 1, "the operator has the submission")
        made = list(campaign.store.attempts.of_campaign("pilot"))
        hits = [hit["HITId"] for hit in client.list_hits()["HITs"]]
        [submitted] = [one for hit in hits for one in client.list_assignments_for_hit(HITId=hit)["Assignments"]]

    assert [(row.attempt.work["question"], row.attempt.fooled) for row in made] == [
        ("When did Rome fall?", False),
        ("Who was the last emperor?", True),
    ]
    assert {row.assignment.worker for row in made} == {"AANN"}
    assert {row.assignment.registration for row in made} == {f"{submitted['AssignmentId']}-AANN"}
    assert submitted["AssignmentStatus"] == "Submitted"
    given = answers(submitted)
    assert json.loads(given["final"]) == {
        "hit": made[0].assignment.id,
        "attempt_ids": [row.attempt.id for row in made],
        "feedback": "",
    }
