"""A campaign with people of one's own, from the command line alone: invited, at work in their browsers, paid."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from beat_the_ai.crowds.own.portal import answers
from tests.browser import PATIENCE_MS, check_accessible, fits
from tests.cli.launching import NAME, TASK, call, campaign_store, command, needs_pages
from tests.e2e.conftest import screenshots
from tests.e2e.portal import frame
from tests.mephisto.wire import wait_until
from tests.ports import free_port
from tests.webapp.tours import remember_tours

pytestmark = needs_pages

TITLE = "Beat the AI: ask what it gets wrong"
PASSWORD = "correct horse battery"
HITS = 3


@dataclass
class Lab:
    """A requester's folder, with the commands that they type there."""

    folder: Path
    port: int

    @property
    def portal(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def run(self, *arguments: str) -> str:
        done = call(*arguments, cwd=self.folder)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def invite(self, *arguments: str) -> str:
        return self.run("people", *arguments).strip().rpartition(" ")[2]

    @contextmanager
    def launched(self, *options: str, log: str = "launch.log") -> Iterator[None]:
        path = self.folder / log
        with path.open("a") as said:
            process = subprocess.Popen(command("launch", *options), stdout=said, stderr=said, cwd=self.folder)
        try:
            wait_until(
                lambda: process.poll() is not None or f"Send people to {self.portal}/worker" in path.read_text(),
                "the campaign is served",
            )
            assert process.poll() is None, path.read_text()
            yield
        finally:
            process.send_signal(signal.SIGINT)
            assert process.wait(60) == 0, path.read_text()


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    return Lab(tmp_path, free_port())


@contextmanager
def visitor(browser: Browser, *, phone: bool = False, dark: bool = False) -> Iterator[Page]:
    size = (360, 740) if phone else (1280, 900)
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]}, color_scheme="dark" if dark else "light"
    )
    remember_tours(context)
    page = context.new_page()
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    yield page
    context.close()
    assert problems == []


def join(page: Page, link: str, name: str | None = None) -> None:
    page.goto(link)
    if name is not None:
        page.get_by_label("Your name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Join").click()
    page.get_by_role("link", name="Go to the tasks").click()
    expect(page.get_by_role("article", name=TITLE)).to_be_visible()


def write(page: Page, question: str) -> None:
    """Take a HIT, ask one question, and submit."""
    page.goto(page.url.partition("/worker")[0] + "/worker/hits")
    page.get_by_role("article", name=TITLE).get_by_role("button", name="Accept").click()
    expect(frame(page).locator("[data-token]").first).to_be_visible(timeout=PATIENCE_MS)
    answer = max((word.strip(" .,;:") for word in frame(page).locator("[data-token]").all_inner_texts()), key=len)
    frame(page).get_by_label("Your question").fill(question)
    frame(page).get_by_label("Or type the answer").fill(answer)
    frame(page).get_by_role("button", name="Submit question").click()
    expect(frame(page).get_by_test_id("verdict")).to_be_visible(timeout=PATIENCE_MS)
    frame(page).get_by_role("button", name="Submit task").click()
    frame(page).get_by_role("dialog").get_by_role("button", name="Submit anyway").click()
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible(timeout=PATIENCE_MS)


def look(page: Page, name: str) -> None:
    check_accessible(page, name)
    assert fits(page), name
    if (folder := screenshots()) is not None:
        page.screenshot(path=folder / f"own-{name}.png", full_page=True)


def kill_portal(lab: Lab) -> None:
    listed = subprocess.run(["ps", "-A", "-o", "pid=,args="], capture_output=True, text=True, check=True).stdout
    for line in listed.splitlines():
        pid, _, arguments = line.strip().partition(" ")
        if "people serve" in arguments and f"--port {lab.port}" in arguments:
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(pid), signal.SIGKILL)


def submitted(lab: Lab) -> int:
    with campaign_store(lab.folder / "out" / "campaign") as store:
        return len(store.attempts.done_hits(NAME))


@pytest.mark.timeout(600)
def test_people_of_ones_own_join_work_and_see_their_pay(lab: Lab, browser: Browser) -> None:
    """The portal is served until the last campaign ends, not only until the one ends that has started it."""
    lab.run("people", "address", lab.portal)
    ada_link, open_link = (
        lab.invite("invite", "Ada Byron"),
        lab.invite("open-link", "--places", "5", "--group", "course"),
    )
    crowd = ["crowd=own", f"crowd.endpoint_url={lab.portal}", "crowd.check_seconds=0.5"]
    campaign = [str(TASK), *crowd, f"round.max_hits={HITS}", "--yes"]
    with ExitStack() as second:
        with (
            lab.launched(*campaign, "--out", "out/campaign"),
            visitor(browser) as ada,
            visitor(browser, phone=True, dark=True) as bo,
        ):
            join(ada, ada_link)
            look(ada, "offers")
            join(bo, open_link, "Bo Li")
            look(bo, "offers-phone")
            write(ada, "Which word of this text has the most letters?")
            kill_portal(lab)  # the campaign starts it again
            wait_until(lambda: answers(lab.portal), "the portal is back")
            write(bo, "What is the longest word in this text?")
            wait_until(lambda: submitted(lab) == 2, "the crowd has confirmed both")
            for page, name in ((ada, "earnings"), (bo, "earnings-phone")):
                page.goto(f"{lab.portal}/worker/earnings")
                wait_until(lambda page=page: _is_approved(page), "the HIT is approved")  # type: ignore[misc]
                expect(page.get_by_text("$2.00").first).to_be_visible()
                look(page, name)
            lab.run("people", "suspend", "Bo Li")
            bo.goto(f"{lab.portal}/worker/hits")
            expect(bo.get_by_role("heading", name="Sign in")).to_be_visible()
            second.enter_context(lab.launched(*campaign, "name=second", "--out", "out/second", log="second.log"))
        wait_until(lambda: answers(lab.portal), "the other one serves the portal")
        assert lab.run("people", "address").strip() == lab.portal
    assert not answers(lab.portal)
    people = lab.run("people", "list")
    assert "Ada Byron" in people
    assert "suspended" in people
    with campaign_store(lab.folder / "out" / "campaign") as store:
        workers = {row.assignment.worker for row in store.attempts.of_campaign(NAME)}
    assert len(workers) == 2
    assert all(worker in people for worker in workers)
    assert "paid" in lab.run("status", "out/campaign")
    assert "$4.00" in lab.run("pay", "out/campaign")
    assert "$4.00 owed to 2 people" in lab.run("people", "owed", "--csv", "owed.csv")
    for noted in ("Noted $4.00 for 2 people; 0 were noted before.", "Noted $0.00 for 0 people; 2 were noted before."):
        assert noted in lab.run("people", "paid", "owed.csv", "--as", "November")
    assert "$0.00 owed to 2 people" in lab.run("people", "owed")


def _is_approved(page: Page) -> bool:
    page.reload()
    return "Approved" in page.get_by_role("article", name=TITLE).inner_text()


@pytest.mark.timeout(300)
def test_people_may_get_points_and_read_of_nothing_else(lab: Lab, browser: Browser) -> None:
    link = lab.invite("invite", "Ada Byron").replace("http://127.0.0.1:8700", lab.portal)
    crowd = ["crowd=own", "crowd.unit=points", f"crowd.endpoint_url={lab.portal}", "crowd.check_seconds=0.5"]
    terms = ["pay.reward_cents=150", "round.max_hits=1", "--yes", "--out", "out/campaign"]
    with lab.launched(str(TASK), *crowd, *terms), visitor(browser, phone=True, dark=True) as ada:
        join(ada, link)
        expect(ada.get_by_role("article", name=TITLE)).to_contain_text("1.5 points")
        ada.get_by_role("article", name=TITLE).get_by_role("button", name="Accept").click()
        expect(frame(ada).get_by_text("You get 1.5 points for the task.")).to_be_visible(timeout=PATIENCE_MS)
        assert "$" not in frame(ada).locator("body").inner_text()
        look(ada, "points-phone")
        ada.goto(f"{lab.portal}/worker/earnings")
        expect(ada.get_by_text("0 points").first).to_be_visible()
    assert "1.5 points" in (lab.folder / "launch.log").read_text()
    assert "0 points owed to 1 person" in lab.run("people", "owed")
