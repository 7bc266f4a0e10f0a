"""Campaigns of an empty folder, started from the console on each crowd but Mechanical Turk's, up to a served HIT."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from playwright.sync_api import Browser, BrowserContext, Page, expect

from beat_the_ai.campaign.starting.accounts import open_accounts
from beat_the_ai.cli import main
from tests.browser import PATIENCE_MS
from tests.cli.launching import TASK, campaign_store, command, needs_pages, run, stop_serving
from tests.e2e.portal import frame
from tests.e2e.test_console_acts import press, sign_in
from tests.e2e.test_console_starts import field
from tests.e2e.test_own_people import TITLE, join, visitor
from tests.e2e.test_review import DESKTOP, contexts, open_page
from tests.mephisto.wire import wait_until
from tests.ports import free_port
from tests.recruiter.running import Running
from tests.review.builders import PASSWORD

__all__ = ["contexts"]
pytestmark = needs_pages
CONFIG = """
defaults:
  - base
  - task: reading_comprehension
  - _self_
name: reading-comprehension
contexts: ${task_dir}/contexts/sample.jsonl
round: {reoffers: 0}
crowd:
  check_seconds: 0.5
  endpoint_url: http://127.0.0.1:PORT
  people: PEOPLE
"""
AT_RECRUITER = "  prolific: {check_seconds: 0.5, api_url: 'ADDRESS', site_url: 'ADDRESS'}\n"
CROWDS = {
    "own": "People of your own",
    "link": "People whom a recruiter sends",
    "prolific": "Prolific",
}


@pytest.fixture
def recruiter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Running]:
    with Running.started(tmp_path / "recruiter.db") as started:
        monkeypatch.setenv("PROLIFIC_TOKEN", started.printed["token"])
        yield started


@pytest.fixture
def folder(tmp_path: Path, recruiter: Running) -> Iterator[Path]:
    """An empty folder with an account of ann's, and for each crowd a task that says where it is."""
    campaigns, ports = tmp_path / "campaigns", {"own": free_port(), "prolific": free_port()}
    campaigns.mkdir()
    for crowd in CROWDS:
        task = tmp_path / "tasks" / crowd
        shutil.copytree(TASK, task)
        place = "prolific" if crowd == "prolific" else "own"  # whose unit is another
        config = CONFIG.replace("PORT", str(ports[place])).replace("PEOPLE", str(tmp_path / f"{place}-people"))
        if crowd == "prolific":
            config += AT_RECRUITER.replace("ADDRESS", recruiter.address)
        (task / "conf" / "config.yaml").write_text(config)
    arguments = ["review", "reviewer", "add", str(campaigns), "ann", "--role", "requester"]
    assert CliRunner().invoke(main, arguments, input=f"{PASSWORD}\n").exit_code == 0
    yield campaigns
    for out in (path for path in campaigns.iterdir() if path.name != "drafts"):
        stop_serving(out)


@pytest.fixture
def address(folder: Path) -> Iterator[str]:
    given = command("console", str(folder), "--tasks", str(folder.parent / "tasks"))
    with subprocess.Popen(given, stdout=subprocess.PIPE, text=True, cwd=folder.parent) as process:
        assert process.stdout is not None
        yield json.loads(process.stdout.readline())["address"]
        process.terminate()
        assert process.wait(60) == 0


def launch(page: Page, address: str, crowd: str, more: dict[str, str]) -> None:
    """Start a campaign of one HIT on a crowd, named after it."""
    page.goto(f"{address}/#/")
    page.get_by_label("Task", exact=True).select_option(crowd)
    main = page.locator("main")
    press(main, "New campaign")
    field(main, "Name").fill(crowd)
    main.get_by_label(CROWDS[crowd]).press("Space")
    for name, text in {"HITs": "1", **more}.items():
        field(main, name).fill(text)
    ready = main.get_by_role("button", name="Launch …")
    expect(ready).to_be_enabled()
    ready.press("Enter")
    dialog = page.get_by_role("dialog", name=f"Launch {crowd}")
    expect(dialog.get_by_role("heading", name="What it may cost")).to_be_focused()
    press(dialog, "Launch")
    expect(page.get_by_text("writing: runs")).to_be_visible()


def said(folder: Path, crowd: str) -> str:
    """Return the log of a campaign's writing, once it is served."""
    log = folder / crowd / "private" / "jobs" / "writing.log"
    wait_until(lambda: log.is_file() and "Serving at" in log.read_text(), f"{crowd} is served")
    return log.read_text()


@pytest.mark.timeout(900)
def test_a_campaign_on_each_crowd_gets_as_far_as_its_hits(
    browser: Browser, contexts: list[BrowserContext], address: str, folder: Path, recruiter: Running
) -> None:
    page = open_page(browser, contexts, address, **DESKTOP)
    sign_in(page)
    invited = run("people", "invite", "Ada Byron", "--people", str(folder.parent / "own-people"))
    assert invited.exit_code == 0, invited.output
    launch(page, address, "own", {})
    portal = said(folder, "own").partition("Send people to ")[2].split()[0].removesuffix("/worker")
    with visitor(browser) as ada:
        join(ada, invited.output.strip().rpartition(" ")[2].replace("http://127.0.0.1:8700", portal))
        ada.get_by_role("article", name=TITLE).get_by_role("button", name="Accept").click()
        expect(frame(ada).locator("[data-token]").first).to_be_visible(timeout=PATIENCE_MS)

    recruiter_page = f"{recruiter.address}/back?cc={{code}}"
    back = {"Parameter of the person": "pid", "Address to go back to": recruiter_page, "Code": "c0de"}
    launch(page, address, "link", back)
    link = said(folder, "link").partition("Send people to ")[2].split()[0]
    with visitor(browser) as bo:
        bo.goto(link.replace("{pid}", "bo"))
        bo.get_by_role("button", name="Start").click()
        expect(frame(bo).locator("[data-token]").first).to_be_visible(timeout=PATIENCE_MS)

    launch(page, address, "prolific", {"Workspace": recruiter.printed["workspace"], "Minutes of a HIT": "10"})
    said(folder, "prolific")
    researcher = recruiter.researcher()

    def studies() -> list[tuple[str, int]]:
        listed = researcher.ask("GET", "/api/v1/studies/")["results"]
        return [(each["status"], each["total_available_places"]) for each in listed]

    wait_until(lambda: studies() == [("ACTIVE", 1)], "the study recruits")
    for crowd in CROWDS:
        with campaign_store(folder / crowd) as store:
            deeds = [each.action for each in store.audit.entries()[::-1] if not each.action.startswith("sign_")]
            assert deeds[:2] == ["account_added", "open_stage"]
    accounts = open_accounts(folder)
    assert accounts is not None
    assert [each.name for each in accounts.accounts.all()] == ["ann"]
    accounts.close()
