"""Three people in three browsers, from consent to pay: one invited, one by an open link on a phone, one from Prolific.

They take the screening, are let in, write, are reviewed, check each other's questions and are paid; one appeals and is
answered, one withdraws. The requester types commands, leads have the review page, and Prolific is the local recruiter.
"""

from __future__ import annotations

import csv
import json
import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from beat_the_ai.review import new_account
from beat_the_ai.rules.roles import Role
from beat_the_ai.rules.stage import Stage
from tests.browser import PATIENCE_MS, check_accessible, fits
from tests.cli.launching import NAME, TASK, call, campaign_store, command, needs_pages
from tests.e2e.conftest import screenshots
from tests.e2e.portal import frame
from tests.e2e.test_quality import hand_in, pass_screening
from tests.e2e.test_review import sign_in
from tests.mephisto.wire import wait_until
from tests.ports import free_port
from tests.recruiter.running import Running
from tests.review.builders import PASSWORD

pytestmark = needs_pages

TRAINING = "Beat the AI: ask what it gets wrong (training)"
WRITING = "Beat the AI: ask what it gets wrong"
CHECKING = "Find the answer in a passage"
SECRET = "correct horse battery"
QUESTIONS = {  # about the longest word of a passage, which the model in the loop does not find
    "ada": "Which word of this text has the most letters?",
    "bo": "What is the longest word of the passage?",
    "cy": "Which word here is longer than all the others?",
}
PEOPLE = len(QUESTIONS)
WHY = "Everybody asks for the longest word."


@dataclass
class Lab:
    """A requester's folder, with the commands that they type there."""

    folder: Path
    portal: str
    recruiter: Running

    @property
    def out(self) -> Path:
        return self.folder / "out" / "campaign"

    def run(self, *arguments: str) -> str:
        done = call(*arguments, cwd=self.folder)
        assert done.returncode == 0, done.stderr + done.stdout
        return done.stdout

    @contextmanager
    def reviewed(self, *leads: str) -> Iterator[str]:
        """Serve the review page for new leads. Yields its address."""
        with campaign_store(self.out) as store:
            for name in leads:
                new_account(store, name, PASSWORD, role=Role.LEAD)
        review = command("review", "out/campaign")
        with subprocess.Popen(review, stdout=subprocess.PIPE, text=True, cwd=self.folder) as process:
            assert process.stdout is not None
            try:
                yield json.loads(process.stdout.readline())["address"]
            finally:
                process.terminate()
            assert process.wait(60) == 0

    def crowd(self) -> list[str]:
        prolific = {
            "workspace": self.recruiter.printed["workspace"],
            "minutes": "10",
            "check_seconds": "0.5",
            "api_url": self.recruiter.address,
            "site_url": self.recruiter.address,
        }
        named = [f"crowd.prolific.{name}={value}" for name, value in prolific.items()]
        return ["crowd=prolific", f"crowd.endpoint_url={self.portal}", "crowd.check_seconds=0.5", *named]

    @contextmanager
    def serving(self, stage: str, *options: str, ends: bool = True) -> Iterator[None]:
        """Serve a stage until it ends by itself, when all its HITs are done, or until the end of the block."""
        log = self.folder / f"{stage}.log"
        given = [str(TASK), *self.crowd(), *options, "--stage", stage, "--yes", "--out", "out/campaign"]
        with log.open("w") as said:
            process = subprocess.Popen(command("launch", *given), stdout=said, stderr=said, cwd=self.folder)
        try:
            wait_until(lambda: process.poll() is not None or "Serving at" in log.read_text(), f"{stage} is served")
            assert process.poll() is None, log.read_text()
            yield
            if not ends:
                process.send_signal(signal.SIGINT)
            assert process.wait(120) == 0, log.read_text()
        finally:
            if process.poll() is None:
                process.kill()
                process.wait()


@pytest.fixture
def lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Lab]:
    """The portal runs from the first stage until everybody is paid."""
    port = free_port()
    with Running.started(tmp_path / "recruiter.db") as recruiter:
        monkeypatch.setenv("PROLIFIC_TOKEN", recruiter.printed["token"])
        serve = command("people", "serve", "--port", str(port))
        with subprocess.Popen(serve, stdout=subprocess.PIPE, text=True, cwd=tmp_path) as portal:
            assert portal.stdout is not None
            portal.stdout.readline()
            yield Lab(tmp_path, f"http://127.0.0.1:{port}", recruiter)
            portal.terminate()
            assert portal.wait(60) == 0


@pytest.fixture
def browsers(browser: Browser) -> Iterator[dict[str, Page]]:
    """A browser for each: a desktop, a phone in the dark, a desktop in the dark; and for two leads."""
    sizes = {"ada": (1280, 900, "light"), "bo": (360, 740, "dark"), "cy": (1280, 900, "dark")}
    sizes |= {"dee": (1280, 900, "light"), "eve": (360, 740, "dark")}
    problems: list[str] = []
    with ExitStack() as stack:
        opened = {}
        for name, (width, height, scheme) in sizes.items():
            options: dict[str, Any] = {"viewport": {"width": width, "height": height}, "color_scheme": scheme}
            context = browser.new_context(reduced_motion="reduce", **options)
            stack.callback(context.close)
            opened[name] = context.new_page()
            opened[name].on("pageerror", lambda error: problems.append(str(error)))
        yield opened
    assert problems == []


def look(page: Page, name: str) -> None:
    check_accessible(page, name)
    assert fits(page), name
    if (folder := screenshots()) is not None:
        page.screenshot(path=folder / f"three-{name}.png", full_page=True)


def join(page: Page, link: str, name: str | None = None) -> None:
    page.goto(link)
    if name is not None:
        page.get_by_label("Your name").fill(name)
    page.get_by_label("Password").fill(SECRET)
    page.get_by_role("button", name="Join").press("Enter")
    page.get_by_role("link", name="Go to the tasks").click()


def accept(page: Page, lab: Lab, title: str) -> None:
    """Take a HIT from the list, when it is there."""
    offer = page.get_by_role("article", name=title, exact=True)
    _reload_until(page, f"{lab.portal}/worker/hits", offer)
    offer.get_by_role("button", name="Accept").click()


def take_place(page: Page, lab: Lab, title: str) -> None:
    """Take a place at the recruiter's, and begin."""
    offer = page.get_by_role("article", name=title, exact=True)
    _reload_until(page, f"{lab.recruiter.address}/studies", offer)
    offer.get_by_role("button", name="Take a place").click()
    page.get_by_role("link", name="Open study").click()
    page.get_by_role("button", name="Start").click()


def _reload_until(page: Page, address: str, there: Any) -> None:
    def is_there() -> bool:
        page.goto(address)
        return bool(there.count())

    wait_until(is_there, f"{address} has an offer")


def go_back(page: Page, lab: Lab) -> None:
    """Bring the code to the recruiter."""
    page.get_by_role("button", name="Finish").click()
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible()
    look(page, "visit-ended")
    page.get_by_role("link", name="Back to your recruiter").click()
    expect(page).to_have_url(re.compile(re.escape(lab.recruiter.address)))
    expect(page.locator(".status")).to_have_text(re.compile("AWAITING REVIEW|APPROVED"))


def consent(page: Page) -> None:
    task = frame(page)
    task.get_by_role("button", name="I agree and want to take part").click(timeout=PATIENCE_MS)
    task.get_by_label("Yes").check()
    task.get_by_label("1 never", exact=False).check()
    task.get_by_role("button", name="Continue").click()


def past_tour(page: Page, first: Locator) -> None:
    """Skip the tour, which comes with another address of the campaign; `first` is what is seen without it."""
    tour = frame(page).get_by_role("dialog", name="Instructions")
    expect(tour.or_(first).first).to_be_visible(timeout=PATIENCE_MS)
    if tour.is_visible():
        tour.get_by_role("button", name="Skip").click()


def write(page: Page, question: str) -> None:
    """Ask one question, and submit."""
    past_tour(page, frame(page).locator("[data-token]").first)
    expect(frame(page).locator("[data-token]").first).to_be_visible(timeout=PATIENCE_MS)
    answer = max((word.strip(" .,;:") for word in frame(page).locator("[data-token]").all_inner_texts()), key=len)
    frame(page).get_by_label("Your question").fill(question)
    frame(page).get_by_label("Or type the answer").fill(answer)
    frame(page).get_by_role("button", name="Submit question").click()
    expect(frame(page).get_by_test_id("verdict")).to_be_visible(timeout=PATIENCE_MS)
    hand_in(page)


def validate(page: Page) -> None:
    """Answer every question of the HIT with its passage's longest word, and submit."""
    save = frame(page).get_by_role("button", name="Save answer")
    past_tour(page, save)
    answered = frame(page).get_by_test_id("answered")
    total = int(re.findall(r"\d+", answered.inner_text())[1])
    for number in range(1, total + 1):
        words = frame(page).locator("[data-token]").all_inner_texts()
        frame(page).get_by_label("Or type the answer").fill(max((one.strip(" .,;:") for one in words), key=len))
        save.click()
        expect(answered).to_contain_text(f"{number} of {total}")
    hand_in(page)


def reject(page: Page, worker: str) -> None:
    """Reject the only HIT of a worker that is in the sample."""
    page.get_by_role("link", name=worker).click()
    expect(page.get_by_role("heading", name="HIT 1 of 1")).to_be_visible()
    page.keyboard.press("r")
    expect(page.get_by_role("dialog").get_by_role("textbox", name="Reason")).to_be_focused()
    page.keyboard.type(WHY)
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("dialog")).to_be_hidden()


def appeal(page: Page) -> Page:
    """Go from the HIT at work to what became of the work before, and appeal. Returns the page of results."""
    past_tour(page, frame(page).get_by_role("button", name="Save answer"))
    with page.context.expect_page() as opened:
        frame(page).get_by_role("link", name="Your results and messages").click()
    results = opened.value
    expect(results.get_by_text(WHY)).to_be_visible()
    results.get_by_text("Appeal until").click()
    results.get_by_label("Why should this be decided otherwise?").fill("The longest word is a fair thing to ask for.")
    results.get_by_role("button", name="Send the appeal").press("Enter")
    expect(results.get_by_role("status")).to_contain_text("You are to be answered until")
    look(results, "appealed")
    return results


def uphold(page: Page, worker: str) -> None:
    page.get_by_role("link", name="Messages (1)").click()
    look(page, "inbox")
    page.get_by_role("button", name=f"Uphold … the appeal of {worker}", exact=True).press("Enter")
    page.keyboard.type("You are right.")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("Upheld by eve")).to_be_visible()


def screened(lab: Lab) -> list[str]:
    """Return the workers who have taken the screening."""
    with campaign_store(lab.out) as store:
        return [one.worker for one in store.screenings.of_campaign(NAME) if one.submitted_at]


def confirmed(lab: Lab, stage: Stage) -> list[str]:
    """Return the workers whose HITs of a stage are handed in and confirmed."""
    with campaign_store(lab.out) as store:
        return [one.worker for one in store.assignments.confirmed(NAME, stage)]


@pytest.mark.timeout(900)
def test_three_people_from_consent_to_pay(lab: Lab, browsers: dict[str, Page]) -> None:
    ada, bo, cy, dee, eve = browsers.values()
    pages = {"ada": ada, "bo": bo, "cy": cy}
    lab.run("people", "address", lab.portal)
    ada_link = lab.run("people", "invite", "Ada Byron").strip().rpartition(" ")[2]
    open_link = lab.run("people", "open-link", "--places", "5").strip().rpartition(" ")[2]
    cy.goto(lab.recruiter.address)
    cy.get_by_role("button", name="Make a new participant").click()
    cy_id = cy.locator("#participant-id").inner_text()
    terms = ["forms=consent", "qualification=open", f"qualification.places={PEOPLE}", f"round.max_hits={PEOPLE}"]
    terms += ["review.shows_reasons=true"]
    terms += ["dataset.train=0", "dataset.dev=1", "dataset.test=1"]  # what beat the AI is checked

    with lab.serving("screening", *terms):
        join(ada, ada_link)
        join(bo, open_link, "Bo Li")
        for page in (ada, bo):
            accept(page, lab, TRAINING)
        take_place(cy, lab, TRAINING)
        for name, page in pages.items():
            expect(frame(page).get_by_role("heading", name="Taking part in this study")).to_be_visible()
            look(page, f"consent-{name}")
            consent(page)
            pass_screening(page)
            look(page, f"screened-{name}")
        go_back(cy, lab)
        wait_until(lambda: len(screened(lab)) == PEOPLE, "all have taken the screening")

    for worker in screened(lab):
        lab.run("review", "grant", "out/campaign", worker, "--reason", "did well")

    with lab.serving("writing", *terms):
        for page in (ada, bo):
            accept(page, lab, WRITING)
        take_place(cy, lab, WRITING)
        for name, page in pages.items():
            write(page, QUESTIONS[name])
            look(page, f"written-{name}")
        go_back(cy, lab)
        wait_until(lambda: len(confirmed(lab, Stage.WRITING)) == PEOPLE, "all is confirmed")

    [bo_id] = [one["worker_id"] for one in json.loads(lab.run("people", "list", "--json")) if one["name"] == "Bo Li"]
    with lab.reviewed("dee", "eve") as review, lab.serving("validation", *terms, ends=False):
        dee.goto(review)
        sign_in(dee, "dee")
        reject(dee, bo_id)
        for page in (ada, bo):
            accept(page, lab, CHECKING)
        results = appeal(bo)
        eve.goto(review)
        sign_in(eve, "eve")
        uphold(eve, bo_id)
        results.reload()
        expect(results.get_by_role("heading", name="Upheld: the decision is taken back")).to_be_visible()
        look(results, "upheld")
        results.close()
        take_place(cy, lab, CHECKING)
        for name, page in pages.items():
            validate(page)
            look(page, f"validated-{name}")
        go_back(cy, lab)
        wait_until(lambda: len(confirmed(lab, Stage.VALIDATION)) == PEOPLE, "all is confirmed")

    lab.run("pay", "out/campaign", "--confirm")
    [cy_owed] = [row for row in owed(lab) if row["earned"] != "0.00" and row["name"] == cy_id]
    wait_until(lambda: _paid_there(lab) == cents(cy_owed["earned"]), "Prolific has paid what Cy has earned")
    wait_until(lambda: {row["name"]: row["owed"] for row in owed(lab)}[cy_id] == "0.00", "it is noted")
    assert {"Ada Byron", "Bo Li"} <= {row["name"] for row in owed(lab) if cents(row["owed"]) >= 5_00}
    assert lab.recruiter.control("books")["paid_twice"] == []
    cy.goto(f"{lab.recruiter.address}/submissions")
    expect(cy.get_by_text("APPROVED").first).to_be_visible()
    look(cy, "submissions")

    ada.goto(f"{lab.portal}/worker/account/withdraw")
    look(ada, "withdraw")
    ada.get_by_role("button", name="Stop taking part").press("Enter")
    expect(ada.get_by_role("heading", name="You have withdrawn")).to_be_visible()
    look(ada, "withdrawn")
    listed = json.loads(lab.run("people", "list", "--json"))
    assert [one["name"] for one in listed if one["withdrawn_at"]] == ["Ada Byron"]


def owed(lab: Lab) -> list[dict[str, str]]:
    """Return what the requester owes to each of their people."""
    lab.run("people", "owed", "--csv", "owed.csv")
    with (lab.folder / "owed.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def cents(amount: str) -> int:
    return round(float(amount) * 100)


def _paid_there(lab: Lab) -> int:
    totals = lab.recruiter.control("books")["totals"]
    return int(totals["rewards_cents"] + totals["bonuses_cents"])
