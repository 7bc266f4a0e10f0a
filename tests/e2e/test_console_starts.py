"""A requester starts a campaign from the console alone, by keyboard, on a phone in the dark."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from beat_the_ai.campaign.settings.configuration import read_settings
from beat_the_ai.campaign.settings.planned_round import PlannedRound
from beat_the_ai.campaign.settings.resume import begin_or_resume, settings_of
from beat_the_ai.forecast.keeping import KEPT_FORECAST
from beat_the_ai.requester import Requester
from beat_the_ai.review import new_account, new_password
from beat_the_ai.rules.roles import Role
from beat_the_ai.simulation.marketplace import portal_workplaces
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.terms.locate import private_folder
from tests.campaign.acts.begun import write as write_file
from tests.cli.launching import TASK, campaign_store, command, needs_pages, people, stop_serving, write
from tests.e2e.conftest import ROOT
from tests.e2e.test_console_acts import check, choose, press, sign_in
from tests.e2e.test_review import DESKTOP, PHONE, contexts, open_page
from tests.marketplace.rehearsal import Rehearsal
from tests.mephisto.mturk_rig import use
from tests.mephisto.rig import kill_router
from tests.review.builders import PASSWORD

__all__ = ["contexts"]
pytestmark = needs_pages
HITS, NAME, REHEARSAL_MS = 2, "from-the-page", 400_000
CUT_OFF = "c0ffee" + 10 * "0"  # the id of a draft


@pytest.fixture
def requester(market: Rehearsal, monkeypatch: pytest.MonkeyPatch) -> Iterator[Requester]:
    side = use(monkeypatch, market)
    yield side
    side.close()


@pytest.fixture
def folder(tmp_path: Path, requester: Requester) -> Iterator[Path]:
    """A folder of campaigns with one of which nothing has begun, and a draft that was cut off."""
    known = tmp_path / "campaigns" / "known"
    private_folder(known)
    with campaign_store(known) as store:
        begin_or_resume(PlannedRound(store, read_settings(TASK, ["name=known"], out=known)))
        new_account(store, "ann", PASSWORD, role=Role.REQUESTER)
    cut_off = known.parent / "drafts" / CUT_OFF
    cut_off.mkdir(parents=True)
    (cut_off / "draft.json").write_text("{")
    yield known.parent
    for out in (path for path in known.parent.iterdir() if path.name != "drafts"):
        stop_serving(out)


@pytest.fixture
def address(folder: Path) -> Iterator[str]:
    if not (ROOT / "webapp" / "console" / "dist" / "bundle.js").is_file():
        pytest.skip("the console is not built: make webapp")
    command = [sys.executable, "-m", "beat_the_ai.cli", "console", str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield json.loads(process.stdout.readline())["address"]
        process.terminate()
        assert process.wait(60) == 0


def field(main: Locator, name: str) -> Locator:
    return main.get_by_role("textbox", name=name, exact=True)


def kept(page: Page) -> None:
    expect(page.get_by_text("Everything is kept here")).to_be_visible()


@pytest.mark.timeout(900)
def test_a_campaign_is_started_from_the_page(
    browser: Browser,
    contexts: list[BrowserContext],
    address: str,
    folder: Path,
    market: Rehearsal,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    page = open_page(browser, contexts, address, **PHONE)
    sign_in(page)
    expect(page.get_by_role("button", name="New campaign")).to_be_visible()
    unreadable = page.get_by_role("list", name="Drafts that cannot be read")
    expect(unreadable).to_contain_text(f"drafts/{CUT_OFF}/draft.json cannot be read")
    check(page, "starts")
    press(unreadable, "Discard it …")
    press(page.get_by_role("dialog", name="Discard this draft"), "Discard")
    expect(unreadable).to_be_hidden()
    page.get_by_label("Task", exact=True).select_option("reading_comprehension")
    press(page.locator("main"), "New campaign")
    main = page.locator("main")
    launch = main.get_by_role("button", name="Launch …")
    expect(launch).to_be_disabled()
    expect(main).to_be_focused()  # what was pressed is gone
    expect(page).to_have_title("New campaign – Console – Beat the AI")
    field(main, "Name").fill("../known")
    expect(field(main, "Name")).to_have_attribute("aria-invalid", "true")
    field(main, "HITs").fill("many")
    with campaign_store(folder / "known") as store:
        new_password(store, "ann", PASSWORD)  # which ends all sessions
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()
    sign_in(page)
    expect(field(main, "HITs")).to_have_value("many")  # nothing was lost
    expect(field(main, "HITs")).to_have_attribute("aria-invalid", "true")
    field(main, "Cap (USD)").fill("0.10")
    check(page, "start-faults")
    field(main, "Name").fill(NAME)
    field(main, "HITs").fill(str(HITS))
    expect(main.get_by_role("list", name="To be corrected")).to_contain_text("could cost up to")
    field(main, "Cap (USD)").fill("50")
    main.get_by_label("Mechanical Turk’s protocol").press("Space")
    main.get_by_label("Ask for consent").press("Space")
    main.get_by_text("Other settings").press("Enter")
    field(main, "Settings").fill("round.reoffers=0\ncrowd.endpoint_url=http://evil.example")
    expect(field(main, "Settings")).to_have_attribute("aria-invalid", "true")
    field(main, "Settings").fill("round.reoffers=0")
    main.get_by_label("A file", exact=True).press("Space")
    first, second = (TASK / "contexts" / "sample.jsonl").read_text().splitlines()[:2]
    choose(page, main, "Choose a file …", write_file(tmp_path / "mine.jsonl", first, "no json", second))
    expect(main.get_by_role("list", name="Faults")).to_contain_text("line 2: A JSON object is needed")
    check(page, "start-file")
    choose(page, main, "Choose another file …", write_file(tmp_path / "mine.jsonl", first, second))
    expect(main).to_contain_text("Kept here: mine.jsonl, 2 passages")
    expect(launch).to_be_enabled()
    kept(page)
    check(page, "start")

    press(main, "Rehearse")
    expect(main.get_by_text("rehearsal: runs")).to_be_visible()
    expect(main.get_by_role("button", name="Rehearse", exact=True)).to_be_focused()
    press(main, "Stop the rehearsal …")
    press(page.get_by_role("dialog", name="Stop the rehearsal"), "Stop")
    expect(main.get_by_text("rehearsal: was stopped")).to_be_visible()
    expect(main).to_contain_text("stopped by ann")
    expect(main.get_by_role("heading", name="Rehearsal and forecast")).to_be_focused()  # the button is gone
    press(main, "Rehearse")
    expect(main.get_by_text("rehearsal: runs")).to_be_visible()
    page.reload()
    expect(field(main, "Name")).to_have_value(NAME)
    expect(main.get_by_text("rehearsal: done")).to_be_visible(timeout=REHEARSAL_MS)
    field(main, "Pay by the hour (USD, optional)").fill("12")
    press(main, "Forecast")
    minutes = field(main, "Minutes of a HIT (optional)")
    expect(minutes).to_be_focused()
    minutes.fill("10")
    press(main, "Forecast")
    expect(main.get_by_role("region", name="Forecast: cost")).to_contain_text("everything")
    press(main, "Take this reward")
    expect(field(main, "Reward of a HIT (USD)")).to_have_value("2.00")
    expect(main).to_contain_text("$2.00 a HIT")
    kept(page)
    press(main, "Forecast")
    expect(main.get_by_text("This forecast was made for other choices")).to_be_hidden()
    check(page, "start-forecast")
    with page.expect_download() as downloading:
        main.get_by_role("link", name="Download").press("Enter")
    assert downloading.value.suggested_filename == f"{NAME}.yaml"
    downloaded = downloading.value.path().read_text(encoding="utf-8")
    chosen = yaml.safe_load(main.get_by_role("region", name="YAML").inner_text())

    launch.press("Enter")
    dialog = page.get_by_role("dialog", name=f"Launch {NAME}")
    expect(dialog.get_by_role("heading", name="What it may cost")).to_be_focused()
    expect(dialog).to_contain_text("balance at the crowd")
    check(page, "start-launch")
    press(dialog, "Launch")
    expect(page.locator(".told")).to_contain_text("The writing has been started")
    expect(page.locator(".told")).to_be_focused()
    expect(page.get_by_text("writing: runs")).to_be_visible()
    out = folder / NAME

    def is_done() -> bool:
        with campaign_store(out) as store:
            return len(store.attempts.done_hits(NAME)) >= HITS

    workplaces = portal_workplaces(market.address, people(market, 2))
    with ThreadPoolExecutor(1) as beside:  # the browser has this thread's event loop
        beside.submit(lambda: asyncio.run(write(workplaces, 2, is_done))).result()
    page.get_by_role("link", name="Figures").press("Enter")
    expect(page.get_by_role("heading", name="Forecast and outcome")).to_be_visible()
    check(page, "start-figures")
    wide = open_page(browser, contexts, address, **DESKTOP)
    sign_in(wide)
    wide.get_by_role("region", name="Table of drafts").get_by_role("link", name=NAME, exact=True).press("Enter")
    expect(wide.get_by_text("This draft was launched.")).to_be_visible()
    expect(field(wide.locator("main"), "Name")).to_be_disabled()
    check(wide, "start-launched")
    wide.get_by_role("link", name="Campaigns").press("Enter")
    check(wide, "starts")
    wide.get_by_role("link", name=NAME, exact=True).first.press("Enter")
    expect(wide.get_by_role("heading", name="Forecast and outcome")).to_be_visible()
    check(wide, "start-figures")

    assert chosen == {
        "task_dir": str(TASK),
        "name": NAME,
        "crowd": "mturk",
        "contexts": str(next((out / "private" / "contexts").iterdir())),
        "forms": "consent",
        "pay.reward_cents": 200,
        "round.max_hits": HITS,
        "pay.cap_cents": 5000,
        "round.reoffers": 0,
    }
    assert yaml.safe_load(downloaded) == chosen
    assert yaml.safe_load((out / "private" / "campaign.yaml").read_text()) == chosen
    use(monkeypatch, market)  # another requester, for the same campaign by the command line
    (tmp_path / "beside").mkdir()
    (tmp_path / "beside" / KEPT_FORECAST.name).write_bytes((out / KEPT_FORECAST.name).read_bytes())
    (tmp_path / "downloaded.yaml").write_text(downloaded, encoding="utf-8")
    call = command("launch", str(tmp_path / "downloaded.yaml"), "--yes", "--out", str(tmp_path / "beside"))
    with subprocess.Popen(call, stdout=subprocess.PIPE, text=True) as launched:
        assert launched.stdout is not None
        assert any("Serving at" in line for line in launched.stdout)
        launched.terminate()
    ours, theirs = (recorded(place) for place in (out, tmp_path / "beside"))
    kill_router(tmp_path / "beside")
    assert [deed for deed in ours.deeds if deed[0] == "account_added"] == [("account_added", "requester")]
    # by ann, and by the process that she started
    assert [deed for deed in ours.deeds if deed[0] == "open_stage"] == 2 * theirs.deeds
    assert ours.settings == theirs.settings


@dataclass(frozen=True)
class Recorded:
    """The records of a campaign: its settings without their place, and the log without signing in."""

    settings: dict[str, Any]
    deeds: list[tuple[str, str]]


def recorded(out: Path) -> Recorded:
    with campaign_store(out) as store:
        campaign = BoundCampaign.open(store, NAME)
        settings = settings_of(campaign, Path("somewhere")).model_dump(exclude={"store"})
        entries = store.audit.entries()[::-1]
    return Recorded(settings, [(one.action, one.note) for one in entries if not one.action.startswith("sign_")])
