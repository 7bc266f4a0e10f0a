"""Consent and a survey before the work: in a real browser, and against whoever skips them on the wire."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner
from playwright.sync_api import Browser, Page, expect

from beat_the_ai.cli import main
from beat_the_ai.simulation.page import CallFailed, PageClient
from tests.browser import PATIENCE_MS, check_accessible, fits
from tests.cli.launching import NAME, needs_pages
from tests.e2e.conftest import Campaign, screenshots
from tests.webapp.tours import remember_tours

pytestmark = needs_pages

SIZES = {"desktop": (1280, 900, "light"), "phone": (360, 740, "light"), "dark": (360, 740, "dark")}


@pytest.fixture(scope="module")
def asking(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Campaign]:
    campaign = Campaign(tmp_path_factory.mktemp("asking") / "out", "tasks/reading_comprehension", "forms=consent")
    campaign.start()
    yield campaign
    campaign.stop()


def open_page(browser: Browser, campaign: Campaign, worker: str) -> Page:
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    remember_tours(page.context)
    page.goto(campaign.page_of(worker))
    return page


def look(page: Page, name: str) -> None:
    for size, (width, height, scheme) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light", reduced_motion="reduce")
        check_accessible(page, f"{name} {size}")
        assert fits(page), f"{name} {size}"
        if (folder := screenshots()) is not None:
            page.screenshot(path=folder / f"forms-{name}-{size}.png", full_page=True)
    page.set_viewport_size({"width": 1280, "height": 900})


def test_a_worker_declines_thinks_again_agrees_answers_and_works(asking: Campaign, browser: Browser) -> None:
    page = open_page(browser, asking, "ann")
    expect(page.get_by_role("heading", name="Taking part in this study")).to_be_focused(timeout=PATIENCE_MS)
    expect(page.locator("[data-token]")).to_have_count(0)
    look(page, "consent")
    page.get_by_role("button", name="I do not want to take part").click()
    expect(page.get_by_role("heading", name="Thank you for letting us know")).to_be_visible()
    look(page, "declined")
    page.reload()
    expect(page.get_by_role("heading", name="Taking part in this study")).to_be_visible(timeout=PATIENCE_MS)
    page.get_by_role("button", name="I agree and want to take part").press("Enter")

    expect(page.get_by_role("heading", name="A few questions about you")).to_be_focused()
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_text("first language?”: please answer this question")).to_be_visible()
    expect(page.get_by_label("Yes")).to_be_focused()
    expect(page.get_by_label("For how many years")).to_have_count(0)
    page.get_by_label("No", exact=True).check()
    page.get_by_label("For how many years").fill("seven")
    page.get_by_label("4").check()
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_text("please write a whole number")).to_be_visible()
    look(page, "survey")
    page.reload()  # a draft of the answers is kept
    expect(page.get_by_label("For how many years")).to_have_value("seven", timeout=PATIENCE_MS)
    page.get_by_label("For how many years").fill("7")
    page.get_by_label("What do you use AI for?").fill("Nothing, so far.")
    page.get_by_role("button", name="Continue").click()
    expect(page.locator("[data-token]").first).to_be_visible(timeout=PATIENCE_MS)
    page.reload()
    expect(page.locator("[data-token]").first).to_be_visible(timeout=PATIENCE_MS)
    page.close()

    file = asking.out.parent / "answers.jsonl"
    done = CliRunner().invoke(main, ["forms", "export", str(asking.out), "--out", str(file)])
    assert done.exit_code == 0, done.output
    rows = {row["form"]: row for row in map(json.loads, file.read_text().splitlines())}
    assert file.stat().st_mode & 0o777 == 0o600
    assert rows["about_you"]["answers"] == {"english": "No", "years": 7, "reads": 4, "about_ai": "Nothing, so far."}
    assert (rows["consent"]["outcome"], rows["consent"]["version"], len(rows["consent"]["at"])) == ("given", "1", 10)
    assert rows["consent"]["person"] == rows["about_you"]["person"]
    assert "ann" not in file.read_text()


def test_nothing_works_on_the_wire_before_the_forms_are_answered(asking: Campaign) -> None:
    async def skip_and_then_answer() -> None:
        async with httpx.AsyncClient(trust_env=False) as http, PageClient(asking.url, http, "eve", "e1") as page:
            attempt = {
                "attempt_key": "k" * 12,
                "context_id": page.init_data["context"]["id"],
                "work": {"question": "Which word is the first?", "answer": {"text": "x", "start": 0}},
            }
            for target, arguments in (("submit_attempt", attempt), ("state", {}), ("earnings", {}), ("retract", {})):
                with pytest.raises(CallFailed, match="Please answer the form") as caught:
                    await page._call(target, arguments)
                assert caught.value.error["code"] == "forms"
            forged = {"form": "0" * 64, "declined": False, "answers": {}}
            with pytest.raises(CallFailed, match="is not asked any more"):
                await page._call("answer_form", forged)
            assert await page.call("state", {})  # as a simulated person, who answers first

    with ThreadPoolExecutor(1) as beside:  # the browser of this module has an event loop of its own
        beside.submit(asyncio.run, skip_and_then_answer()).result()
    store = asking.store()
    assert {one.worker for one in store.forms.all_answers(NAME)} >= {"eve"}
    store.close()


def test_answers_survive_the_operator(asking: Campaign, browser: Browser) -> None:
    page = open_page(browser, asking, "bob")
    page.get_by_role("button", name="I agree and want to take part").click()
    expect(page.get_by_role("heading", name="A few questions about you")).to_be_visible()
    asking.kill_operator()
    page.get_by_label("Yes").check()
    page.get_by_label("1 never", exact=False).check()
    page.get_by_role("button", name="Continue").click()
    asking.start()
    page.goto(asking.page_of("bob"))
    heading = page.get_by_role("heading", name="A few questions about you")
    expect(heading.or_(page.locator("[data-token]").first)).to_be_visible(timeout=PATIENCE_MS)
    if heading.is_visible():
        page.get_by_role("button", name="Continue").click()
    expect(page.locator("[data-token]").first).to_be_visible(timeout=PATIENCE_MS)
    page.close()


def test_a_campaign_with_a_faulty_form_does_not_start(tmp_path: Path) -> None:
    form = tmp_path / "consent.md"
    form.write_text("---\nkind: consent\ntitle: T\n---\n", encoding="utf-8")
    options = ["serve", "tasks/reading_comprehension", f"forms.before=[{form}]", "--out", str(tmp_path / "out")]
    for arguments, said in (
        (options, "a consent form has a text"),
        ([one.replace(str(form), "consnet") for one in options], "Did you mean 'consent'?"),
        ([one.replace(f"[{form}]", "[consent,consent]") for one in options], "names a form twice"),
    ):
        done = CliRunner().invoke(main, arguments)
        assert done.exit_code == 2, done.output
        assert said in done.output
