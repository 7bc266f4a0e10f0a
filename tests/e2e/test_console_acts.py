"""A requester runs a campaign from the console, by keyboard, on a phone in the dark."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, FileChooser, Locator, Page, expect

from beat_the_ai.campaign.acts.closing import CloseStage
from beat_the_ai.campaign.backup.making import FOLDER_VARIABLE
from beat_the_ai.campaign.settings.configuration import read_settings
from beat_the_ai.campaign.settings.planned_round import PlannedRound
from beat_the_ai.campaign.settings.resume import begin_or_resume
from beat_the_ai.cli.acts import operator
from beat_the_ai.mephisto.mturk.survey import as_offered
from beat_the_ai.requester import Label, Requester
from beat_the_ai.review import new_account, new_password
from beat_the_ai.rules.roles import Role
from beat_the_ai.terms.locate import private_folder
from tests.browser import check_accessible, fits
from tests.campaign.acts.begun import OPTIONS, begin, passage, write
from tests.cli.launching import HITS, TASK, campaign_store, needs_pages, run
from tests.e2e.conftest import ROOT, screenshots
from tests.e2e.test_review import DESKTOP, PHONE, SMALLEST_TARGET_PIXELS, contexts, open_page
from tests.marketplace.rehearsal import Rehearsal
from tests.mephisto.mturk_rig import use
from tests.mephisto.rig import kill_router
from tests.mephisto.wire import wait_until
from tests.review.builders import PASSWORD

__all__ = ["contexts"]
pytestmark = needs_pages

SETTINGS = (*OPTIONS, "crowd=mturk", "crowd.check_seconds=0.5")


@pytest.fixture
def requester(market: Rehearsal, monkeypatch: pytest.MonkeyPatch) -> Iterator[Requester]:
    side = use(monkeypatch, market)
    yield side
    side.close()


@pytest.fixture
def out(tmp_path: Path, requester: Requester) -> Iterator[Path]:
    """A campaign of which nothing has begun."""
    folder = tmp_path / "campaign"
    private_folder(folder)
    with campaign_store(folder) as store:
        begin_or_resume(PlannedRound(store, read_settings(TASK, [*SETTINGS], out=folder)))
        new_account(store, "ann", PASSWORD, role=Role.REQUESTER)
    yield folder
    kill_router(folder)


@pytest.fixture
def address(out: Path) -> Iterator[str]:
    if not (ROOT / "webapp" / "console" / "dist" / "bundle.js").is_file():
        pytest.skip("the console is not built: make webapp")
    command = [sys.executable, "-m", "beat_the_ai.cli", "console", str(out)]
    environment = {**os.environ, FOLDER_VARIABLE: str(out.with_name("backups"))}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        yield json.loads(process.stdout.readline())["address"]
        process.terminate()
        assert process.wait(60) == 0


def sign_in(page: Page) -> None:
    page.get_by_label("Name").fill("ann")
    page.get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")


def check(page: Page, state: str) -> None:
    folder = screenshots()
    if folder is not None:
        page.screenshot(path=folder / f"acts-{state}-{page.evaluate('innerWidth')}.png", full_page=True)
    check_accessible(page, state)
    assert fits(page), f"{state}: the page scrolls sideways"
    targets = page.locator("button:visible, summary:visible, .log-link:visible, input[type=text]:visible")
    heights = targets.evaluate_all("all => all.map(e => [e.textContent, e.getBoundingClientRect().height])")
    assert [name for name, height in heights if height < SMALLEST_TARGET_PIXELS] == [], state


def press(dialog: Locator, name: str) -> None:
    dialog.get_by_role("button", name=name, exact=True).press("Enter")


def agree(page: Page, title: str, shown: str, told: str) -> None:
    """Agree to what an act without values costs."""
    press(page.locator("main"), f"{title} …")
    dialog = page.get_by_role("dialog", name=title)
    expect(dialog.get_by_role("heading", name=shown)).to_be_focused()
    press(dialog, title)
    expect(page.locator(".told")).to_contain_text(told)
    expect(page.locator(".told")).to_be_focused()


def choose(page: Page, dialog: Locator, button: str, file: Path) -> None:
    with page.expect_file_chooser() as choosing:
        press(dialog, button)
    chooser: FileChooser = choosing.value
    chooser.set_files(file)


@pytest.mark.timeout(600)
def test_a_campaign_is_run_from_the_page(
    browser: Browser,
    contexts: list[BrowserContext],
    address: str,
    out: Path,
    requester: Requester,
    tmp_path: Path,
) -> None:
    def are_open(number: int) -> bool:
        found = [as_offered(label, hit) for hit in requester.hits() if (label := Label.of(hit))]
        return sum(each.state == "open" for each in found) == number

    page = open_page(browser, contexts, address, **PHONE)
    sign_in(page)
    page.get_by_role("link", name="Acts").press("Enter")
    expect(page.get_by_role("button", name="Pause …")).to_be_visible()
    expect(page.get_by_role("button", name="Close the writing …")).to_be_disabled()
    check(page, "page")

    press(page.locator("main"), "Open the writing …")
    dialog = page.get_by_role("dialog", name="Open the writing")
    expect(dialog.get_by_role("heading", name="What it may cost")).to_be_focused()
    expect(dialog).to_contain_text("balance at the crowd")
    check(page, "open")
    press(dialog, "Open the writing")
    expect(page.locator(".told")).to_contain_text("The writing has been started")
    expect(page.get_by_text("writing: runs")).to_be_visible()
    wait_until(lambda: are_open(HITS), f"{HITS} HITs are open")

    agree(page, "Pause", "This costs nothing", "is paused since")
    wait_until(lambda: are_open(0), "no HIT is open")

    press(page.locator("main"), "Add passages …")
    dialog = page.get_by_role("dialog", name="Add passages")
    file = write(tmp_path / "more.jsonl", passage(1), "no json", {"id": "<script>"})
    choose(page, dialog, "Choose a file …", file)
    expect(dialog.get_by_role("list", name="Faults").get_by_role("listitem")).to_have_count(2)
    expect(dialog).to_contain_text("line 2: A JSON object is needed")
    check(page, "faults")
    choose(page, dialog, "Choose another file …", write(file, passage(1), passage(2)))
    expect(dialog).to_contain_text("2 new passages")
    with campaign_store(out) as store:
        new_password(store, "ann", PASSWORD)  # which ends all sessions
    press(dialog, "Add passages")
    sign_in(page)
    expect(dialog).to_contain_text("more.jsonl: 2 new passages")  # nothing was lost
    press(dialog, "Add passages")
    expect(page.locator(".told")).to_contain_text("2 new passages are offered")

    agree(page, "Continue", "This costs nothing", "is not paused any more")
    wait_until(lambda: are_open(HITS + 2), "the new HITs are open, too")

    press(page.locator("main"), "More HITs …")
    dialog = page.get_by_role("dialog", name="More HITs")
    most = dialog.get_by_label("round.max_hits")
    most.fill("none")
    most.press("Enter")
    expect(most).to_have_attribute("aria-invalid", "true")
    expect(most).to_be_focused()
    check(page, "wrong value")
    most.fill("3")
    most.press("Enter")
    expect(dialog).to_contain_text("3 was given")
    expect(most).to_be_focused()
    most.fill(str(HITS + 3))
    most.press("Enter")
    expect(dialog).to_contain_text(f"{HITS + 3}, {HITS + 2} before")
    check(page, "more")
    press(dialog, "More HITs")
    expect(page.locator(".told")).to_contain_text("round.max_hits: in effect at once")
    wait_until(lambda: are_open(HITS + 3), "one more HIT is open")

    agree(page, "Close the writing", "This costs nothing", "The writing is closed")
    expect(page.get_by_text("writing: done")).to_be_visible()
    page.get_by_text("The end of its log").press("Enter")
    check(page, "closed")
    rows = page.get_by_role("region", name="Log of acts").get_by_role("row")
    expect(rows).to_have_count(8)
    expect(rows.nth(1)).to_contain_text("Close stage")

    agree(page, "Export the dataset", "This costs nothing", "The export has been started")
    with page.expect_download() as downloading:
        page.get_by_role("link", name="Download the dataset").press("Enter")
    with zipfile.ZipFile(downloading.value.path()) as exported:
        assert "README.md" in exported.namelist()
    agree(page, "Make a backup", "This costs nothing", "The backup has been started")
    expect(page.get_by_text("Backup: reading-comprehension-")).to_be_visible()
    [backup] = out.with_name("backups").glob("*.zip")
    assert run("restore", str(backup), "--check").exit_code == 0
    check(page, "data")

    wide = open_page(browser, contexts, address, **DESKTOP)
    sign_in(wide)
    wide.get_by_role("link", name="Acts").press("Enter")
    press(wide.locator("main"), "Change settings …")
    dialog = wide.get_by_role("dialog", name="Change settings")
    dialog.get_by_text("What cannot change now").press("Enter")
    check(wide, "settings")
    wide.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    check(wide, "page")
    press(wide.locator("main"), "Open round 2 …")
    dialog = wide.get_by_role("dialog", name="Open round 2")
    dialog.get_by_label("onnx:bidaf-small").press("Space")
    press(dialog, "Show the cost")
    expect(dialog.get_by_role("heading", name="This costs nothing")).to_be_focused()
    check(wide, "round")
    wide.keyboard.press("Escape")
    assert [action for action, _ in notes(out)[:2]] == ["open_stage"] * 2  # by ann, and by the process she started
    commanded = notes_of_the_command_line(tmp_path / "beside", write(tmp_path / "more.jsonl", passage(1), passage(2)))
    assert notes(out)[2 : 2 + len(commanded)] == commanded
    written = [action for action, _ in notes(out)[2 + len(commanded) :]]
    assert written == ["export", "export", "back_up", "back_up"]  # each by ann, and by the process she started


def notes(out: Path) -> list[tuple[str, str]]:
    with campaign_store(out) as store:
        entries = store.audit.entries()[::-1]
    return [(each.action, each.note) for each in entries if each.action not in ("sign_in", "sign_out")]


def notes_of_the_command_line(out: Path, file: Path) -> list[tuple[str, str]]:
    """Return the log of a campaign like it, in which the same is done by commands."""
    place, _ = begin(out, *SETTINGS)
    more = f"round.max_hits={HITS + 3}"
    for command in (["pause"], ["add-contexts", str(file), "--yes"], ["continue"], ["change", more, "--yes"]):
        done = run(command[0], str(out), *command[1:])
        assert done.exit_code == 0, done.stderr
    CloseStage().do(place, operator())
    place.store.close()
    return notes(out)
