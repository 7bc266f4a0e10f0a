"""Consent and a survey before the work: in a real browser, and against whoever skips them on the wire."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner
from playwright.sync_api import Browser, Page, expect

from beat_the_ai.cli import main
from beat_the_ai.rules.stage import Stage
from beat_the_ai.simulation.page import CallFailed, PageClient
from tests.browser import PATIENCE_MS, check_accessible, fits
from tests.cli.launching import NAME, needs_pages
from tests.e2e.conftest import Campaign, screenshots, served
from tests.webapp.tours import remember_tours

pytestmark = needs_pages

SIZES = {"desktop": (1280, 900, "light"), "phone": (360, 740, "light"), "dark": (360, 740, "dark")}


SURVEY = """
kind: survey
title: How was it?
questions:
  - {id: liked, type: scale, text: "Did you like it?", low_label: not at all, high_label: very much}
  - {id: more, type: text, text: "What should we know?", required: false}
"""


@pytest.fixture(scope="module")
def following(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Campaign]:
    folder = tmp_path_factory.mktemp("following")
    survey = folder / "how_was_it.yaml"
    survey.write_text(SURVEY, encoding="utf-8")
    forms = ("forms.before=[consent]", f"forms.after=[{survey},debriefing]")
    campaign = Campaign(folder / "out", "tasks/reading_comprehension", *forms)
    campaign.start()
    yield campaign
    campaign.stop()


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


def submit_hit(page: Page) -> None:
    """Agree if that is asked, ask one question, and submit the HIT."""
    agree = page.get_by_role("button", name="I agree and want to take part")
    expect(agree.or_(page.locator("[data-token]").first)).to_be_visible(timeout=PATIENCE_MS)
    if agree.is_visible():
        agree.click()
    ask(page)
    hand_in(page)


def ask(page: Page) -> None:
    passage = page.get_by_role("region", name="Passage")
    expect(passage).to_be_visible(timeout=PATIENCE_MS)
    page.get_by_label("Your question").fill("Which words are the first?")
    page.get_by_label("Or type the answer").fill(" ".join(passage.inner_text().split()[:4]))
    page.get_by_role("button", name="Submit question").click()
    expect(page.get_by_test_id("verdict")).to_be_visible(timeout=PATIENCE_MS)


def hand_in(page: Page) -> None:
    page.get_by_role("button", name="Submit task").click()
    page.get_by_role("dialog").get_by_role("button", name="Submit anyway").click()


def answers_of(campaign: Campaign, worker: str) -> dict[str, dict[str, object]]:
    with closing(campaign.store()) as store:
        names = {digest: form["name"] for digest, form in store.forms.contents(NAME).items()}
        return {names[one.form]: dict(one.answers) for one in store.forms.all_answers(NAME) if one.worker == worker}


def submitted_by(campaign: Campaign, worker: str) -> bool:
    with closing(campaign.store()) as store:
        return any(one.worker == worker for one in store.assignments.confirmed(NAME, Stage.WRITING))


def test_a_survey_and_a_debriefing_follow_the_hit(following: Campaign, browser: Browser) -> None:
    page = open_page(browser, following, "ann")
    submit_hit(page)
    expect(page.get_by_role("heading", name="How was it?")).to_be_focused(timeout=PATIENCE_MS)
    expect(page.get_by_text("What follows is voluntary")).to_be_visible()
    assert submitted_by(following, "ann")
    look(page, "after")
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_text("please answer this question")).to_be_visible()
    page.keyboard.press("Space")
    expect(page.get_by_label("1 not at all")).to_be_checked()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Tab")
    page.keyboard.type("Nothing.")
    page.reload()  # the draft is kept, and the page of a submitted HIT offers the form again
    expect(page.get_by_label("What should we know?")).to_have_value("Nothing.", timeout=PATIENCE_MS)
    page.get_by_role("button", name="Continue").press("Enter")
    expect(page.get_by_role("heading", name="What this study was about")).to_be_focused()
    look(page, "debriefing")
    page.get_by_role("button", name="Continue").press("Enter")
    expect(page.get_by_role("heading", name="Thank you! Your task is submitted.")).to_be_focused()
    look(page, "end")
    page.get_by_role("button", name="Next task").click()
    submit_hit(page)
    expect(page.get_by_role("button", name="Next task")).to_be_visible(timeout=PATIENCE_MS)  # once for each person
    page.close()
    assert answers_of(following, "ann") == {
        "consent": {},
        "how_was_it": {"liked": 2, "more": "Nothing."},
        "debriefing": {},
    }
    told = CliRunner().invoke(main, ["status", str(following.out), "--json"])
    [campaign] = json.loads(told.output)
    assert campaign["forms"]["how_was_it 1"]["given"] >= 1


def test_not_now_ends_the_hit_and_the_next_one_asks_again(following: Campaign, browser: Browser) -> None:
    page = open_page(browser, following, "cat")
    submit_hit(page)
    page.get_by_role("button", name="Not now").click()
    page.get_by_role("button", name="Next task").click()
    submit_hit(page)
    expect(page.get_by_role("heading", name="How was it?")).to_be_visible(timeout=PATIENCE_MS)
    page.close()
    assert answers_of(following, "cat") == {"consent": {}}


def test_whoever_declines_reads_the_debriefing(following: Campaign, browser: Browser) -> None:
    page = open_page(browser, following, "dee")
    page.get_by_role("button", name="I do not want to take part").click()
    expect(page.get_by_role("heading", name="What this study was about")).to_be_visible()
    look(page, "declined-debriefing")
    page.get_by_role("button", name="Read it again").click()
    expect(page.get_by_role("button", name="I agree and want to take part")).to_be_visible()
    page.close()


def test_submissions_and_the_answers_after_them_survive_the_operator(tmp_path: Path, browser: Browser) -> None:
    survey = tmp_path / "how_was_it.yaml"
    survey.write_text(SURVEY, encoding="utf-8")
    forms = ("forms.before=[consent]", f"forms.after=[{survey},debriefing]")
    with served(Campaign(tmp_path / "out", "tasks/reading_comprehension", *forms)) as campaign:
        answers_wait_for_the_next_operator(campaign, open_page(browser, campaign, "fay"))
        the_end_of_a_hit_waits_for_no_operator(campaign, open_page(browser, campaign, "gus"))


def answers_wait_for_the_next_operator(campaign: Campaign, page: Page) -> None:
    submit_hit(page)
    expect(page.get_by_role("heading", name="How was it?")).to_be_visible(timeout=PATIENCE_MS)
    campaign.kill_operator()
    page.get_by_label("3", exact=True).check()
    page.get_by_role("button", name="Continue").click()
    campaign.start()
    expect(page.get_by_role("heading", name="What this study was about")).to_be_visible(timeout=PATIENCE_MS)
    page.close()
    assert answers_of(campaign, "fay")["how_was_it"] == {"liked": 3}
    assert submitted_by(campaign, "fay")


def the_end_of_a_hit_waits_for_no_operator(campaign: Campaign, page: Page) -> None:
    """The router lives on, and keeps the submission."""
    page.get_by_role("button", name="I agree and want to take part").click()
    ask(page)
    campaign.kill_operator()
    hand_in(page)
    expect(page.get_by_role("button", name="Next task")).to_be_visible(timeout=PATIENCE_MS)
    campaign.start()
    page.goto(campaign.page_of("gus"))
    expect(page.get_by_role("heading", name="How was it?")).to_be_visible(timeout=PATIENCE_MS)
    page.close()
    assert submitted_by(campaign, "gus")


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
