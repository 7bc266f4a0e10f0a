"""Worker quality from end to end, with the commands that people use, on a real marketplace, in a real browser.

A newcomer takes the screening, a reviewer grants, ten HITs are written, three of the six sampled ones are rejected, the
reviewer revokes: the questions leave the dataset, the qualification the marketplace, and what was earned stays paid.
"""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import boto3
import pytest
from playwright.sync_api import Browser, Page, expect

from beat_the_ai.kinds.reading_comprehension.people import Readers
from beat_the_ai.kinds.reading_comprehension.screening.content import AnswerStep, QuestionStep, Step
from beat_the_ai.kinds.reading_comprehension.writing import ReadingComprehension
from beat_the_ai.rules.amounts import show
from beat_the_ai.simulation.marketplace import Account, portal_workplaces
from beat_the_ai.simulation.screening import Persona, Taken, take_screenings
from beat_the_ai.simulation.writers import Writers, work
from tests.browser import PATIENCE_MS
from tests.cli.launching import NAME, TASK, call, command, launch_arguments, launching
from tests.e2e.conftest import ROOT, screenshots
from tests.e2e.portal import frame, sign_in
from tests.e2e.test_marketplace import ask
from tests.e2e.test_review import DESKTOP, standing
from tests.e2e.test_review import sign_in as sign_in_as_reviewer
from tests.kinds.reading_comprehension.screening.quizzes import SHIPPED, load_quiz, shipped_newcomers
from tests.mephisto.rig import kill_router
from tests.mephisto.wire import wait_until
from tests.review.builders import PASSWORD
from tests.webapp.tours import skip_tour

NEWCOMER, COLLEAGUE = "ANEWCOMER", "ACOLLEAGUE"
WRITTEN, OFFERED = 10, 12
OPTIONS = ["qualification=open", "qualification.places=2", f"round.max_hits={OFFERED}", "qualification.first_hits=null"]
TRAINING = "Beat the AI: ask what it gets wrong (training)"
WRITING = "Beat the AI: ask what it gets wrong"
BY_HAND = "With which words does the passage begin?"
QUIZ = load_quiz(SHIPPED)

T = TypeVar("T")


@contextmanager
def serving(*arguments: str) -> Iterator[dict[str, Any]]:
    """A command that prints one line of JSON once it serves."""
    with subprocess.Popen(command(*arguments), stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield json.loads(process.stdout.readline())
        finally:
            process.terminate()
            status = process.wait(60)
    assert status == 0, arguments


def told(*arguments: str) -> Any:
    """What a command tells programs."""
    done = call(*arguments, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


@pytest.fixture
def market(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A marketplace's address; this process and its children are a requester there."""
    store = str(tmp_path / "market.db")
    key = told("marketplace", "requester", "add", "lab", "--store", store, "--deposit", "500.00")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", key["aws_access_key_id"])
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", key["aws_secret_access_key"])
    with serving("marketplace", "serve", "--store", store) as printed:
        yield printed["address"]


@pytest.fixture
def out(tmp_path: Path) -> Iterator[Path]:
    if not all((ROOT / "webapp" / page / "bundle.js").is_file() for page in ("dist", "review/dist")):
        pytest.skip("the pages are not built: make webapp")
    yield tmp_path / "campaign"
    kill_router(tmp_path / "campaign")


@pytest.fixture
def tabs(browser: Browser, market: str) -> Iterator[list[Page]]:
    """Two people's browsers, a worker's and a reviewer's, that must have nothing to complain about at the end."""
    problems: list[str] = []
    opened = []
    for _ in range(2):
        tab = browser.new_context(base_url=market, reduced_motion="reduce", **DESKTOP).new_page()
        tab.set_default_timeout(PATIENCE_MS)
        tab.on("pageerror", lambda error: problems.append(str(error)))
        tab.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
        opened.append(tab)
    yield opened
    for tab in opened:
        tab.context.close()
    assert problems == []


def new_worker(store: Path, worker_id: str) -> Account:
    return Account(worker_id, told("marketplace", "worker", "add", worker_id, "--store", str(store))["access_code"])


def picture(page: Page, name: str) -> None:
    folder = screenshots()
    if folder is not None:
        page.screenshot(path=folder / f"quality-{name}.png", full_page=True)


def offers(page: Page, address: str) -> list[str]:
    """The titles of the HITs that the marketplace shows."""
    page.goto(f"{address}/worker/hits")
    return page.get_by_role("article").get_by_role("heading", level=2).all_inner_texts()


def accept(page: Page, title: str) -> None:
    page.get_by_role("article", name=title, exact=True).get_by_role("button", name="Accept").click()


def thanks(page: Page) -> None:
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible()


def respond(page: Page, step: Step) -> None:
    """By hand, as the references say."""
    task = frame(page)
    right = QUIZ.right_response(step)
    if not isinstance(step, AnswerStep):
        task.get_by_label("Your question").fill(right["question"])
    if not isinstance(step, QuestionStep):
        task.get_by_label("Or type the answer").fill(right["answer"]["text"])
    task.get_by_role("button", name="Check").click()


def take_screening(page: Page) -> None:
    accept(page, TRAINING)
    pass_screening(page)


def pass_screening(page: Page) -> None:
    """Answer everything right, by hand."""
    skip_tour(frame(page))
    for number, step in enumerate(QUIZ.steps, start=1):
        expect(frame(page).get_by_test_id("step")).to_contain_text(f"{number} of 6")
        respond(page, step)
    expect(frame(page).get_by_test_id("sample")).to_be_visible()
    skip_tour(frame(page))
    for pair in QUIZ.sample.questions[: QUIZ.sample.min_attempts]:
        again = frame(page).get_by_role("button", name=re.compile("Write another question|Start a new question"))
        if again.is_visible():
            again.click()
        ask(page, pair.question, pair.answer)
    hand_in(page)


def hand_in(page: Page) -> None:
    frame(page).get_by_role("button", name="Submit task").click()
    anyway = frame(page).get_by_role("button", name="Submit anyway")
    done = page.get_by_role("heading", name="Thank you")
    wait_until(lambda: anyway.is_visible() or done.is_visible(), "the page asks again, or says thanks")
    if anyway.is_visible():
        anyway.click()
    thanks(page)


def beside_the_browser(people: Coroutine[Any, Any, T]) -> T:
    """Playwright has the event loop of this thread."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, people).result()


def write(address: str, account: Account, kind: str, hits: int) -> None:
    """The same account without a browser: so many HITs, one after the other."""
    contexts = ReadingComprehension().load_contexts(TASK / "contexts" / "sample.jsonl")
    crowd = Writers(Readers(), [kind], 7, {context.id: context for context in contexts})
    done = 0

    def count() -> None:
        nonlocal done
        done += 1

    async def next_turn() -> None: ...

    workplaces = portal_workplaces(address, [account])
    beside_the_browser(work(crowd, workplaces, lambda _: None, count, lambda: done >= hits, next_turn))
    assert done == hits


def screened(address: str, account: Account) -> Taken:
    [taken] = beside_the_browser(
        take_screenings(
            [Persona.GOOD], shipped_newcomers(), portal_workplaces(address, [account]), seed=7, on_taken=lambda _: None
        )
    )
    return taken


def exported(out: Path, to: Path) -> dict[str, int]:
    """How many attempts of each writer, by pseudonym, `export` leaves in the dataset."""
    done = call("export", str(out), "--format", "jsonl", "--out", str(to))
    assert done.returncode == 0, done.stderr
    attempts = [json.loads(line) for line in (to / "attempts.jsonl").read_text(encoding="utf-8").splitlines()]
    rows = [attempt for attempt in attempts if attempt["part"] is not None]
    return {writer: sum(row["worker"] == writer for row in rows) for writer in {row["worker"] for row in rows}}


def held_qualification(address: str, worker: str) -> Any:
    """What GetQualificationScore answers: the qualification, or the code of the error."""
    client = boto3.client("mturk", region_name="us-east-1", endpoint_url=address)
    try:
        listed = client.list_qualification_types(Query=NAME, MustBeRequestable=False, MustBeOwnedByCaller=True)
        [kind] = listed["QualificationTypes"]
        found = client.get_qualification_score(QualificationTypeId=kind["QualificationTypeId"], WorkerId=worker)
        return found["Qualification"]["Status"], found["Qualification"]["IntegerValue"]
    except client.exceptions.RequestError as error:
        answered: Any = error.response
        return str(answered["TurkErrorCode"]).rpartition(".")[2]
    finally:
        client.close()


def status(out: Path) -> dict[str, Any]:
    return next(one for one in told("status", str(out)) if one["campaign"] == NAME)


def earnings(page: Page, address: str) -> dict[str, str]:
    page.goto(f"{address}/worker/earnings")
    facts = page.locator("dl.totals > div")
    return {fact.locator("dt").inner_text(): fact.locator("dd").inner_text() for fact in facts.all()}


def first_words(page: Page) -> str:
    passage = frame(page).get_by_label("Passage")
    expect(passage).to_be_visible()
    return " ".join(passage.inner_text().split()[:4])


def grant(page: Page, address: str) -> None:
    """The reviewer looks at what both have written, and lets them in."""
    page.goto(address)
    sign_in_as_reviewer(page)
    page.get_by_role("link", name="Candidates").click()
    card = page.get_by_role("region", name=NEWCOMER, exact=True)
    expect(card).to_contain_text("Screening: Passed")
    for step in QUIZ.steps:
        right = QUIZ.right_response(step)
        expect(card).to_contain_text(right.get("question") or right["answer"]["text"])
    for pair in QUIZ.sample.questions[: QUIZ.sample.min_attempts]:
        expect(card).to_contain_text(pair.question)
    picture(page, "candidates")
    for name in (NEWCOMER, COLLEAGUE):
        card = page.get_by_role("region", name=name, exact=True)
        card.get_by_role("button", name="Grant").click()
        page.get_by_role("dialog").get_by_role("button", name="Grant").click()
        expect(card.get_by_text("Qualified")).to_be_visible()


def judge_and_revoke(page: Page) -> None:
    """Three of six are rejected, all by keyboard; then the worker's id is typed."""
    page.get_by_role("link", name="Workers").click()
    page.reload()
    card = page.get_by_role("listitem").filter(has_text=NEWCOMER)
    expect(card).to_contain_text("10 HITs, 6 sampled")
    card.get_by_role("link").click()
    for number in range(1, 7):
        standing(page, f"HIT {number} of 6")
        if number == 1:
            picture(page, "sampled-hit")
        if number % 2:
            page.keyboard.press("r")
            expect(page.get_by_role("dialog").get_by_role("textbox", name="Reason")).to_be_focused()
            page.keyboard.type("These are no questions.")
            page.keyboard.press("Control+Enter")
            expect(page.get_by_role("dialog")).to_be_hidden()
        else:
            page.keyboard.press("a")
    expect(page.get_by_text("All HITs are judged.")).to_be_visible()
    expect(page.get_by_text("50% of 6 accepted (3)")).to_be_visible()
    expect(page.get_by_text("Revocation recommended")).to_be_visible()

    page.get_by_role("button", name="Revoke …").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("10 HITs with")
    picture(page, "revoke")
    dialog.get_by_label("Reason").fill("three of six rejected")
    dialog.get_by_label(re.compile("Type .* to confirm")).fill(NEWCOMER)
    dialog.get_by_role("button", name="Revoke and discard").click()
    expect(page.get_by_role("button", name="Reinstate …")).to_be_visible()


def bonuses(out: Path, worker_id: str) -> str:
    """What the campaign owes for wins, whoever has revoked whom."""
    [person] = [
        person
        for statement in told("statement", str(out))
        if statement["campaign"] == NAME
        for person in statement["workers"]
        if person["worker"] == worker_id
    ]
    return show(person["earned_cents"] - 200 * WRITTEN, "USD")


def test_a_newcomer_qualifies_writes_is_reviewed_and_revoked_and_the_dataset_and_the_marketplace_follow(
    market: str, out: Path, tabs: list[Page], tmp_path: Path
) -> None:
    worker, reviewer = tabs
    newcomer, colleague = (new_worker(tmp_path / "market.db", worker_id) for worker_id in (NEWCOMER, COLLEAGUE))
    options = [*OPTIONS, f"crowd.endpoint_url={market}"]

    # The screening ends by itself when both places are taken.
    with launching(out, *options, "--stage", "screening", "--yes") as screening:
        sign_in(worker, newcomer)
        assert offers(worker, market) == [TRAINING]
        take_screening(worker)
        assert status(out)["served"] == ["screening"]
        picture(worker, "screening-taken")
        assert screened(market, colleague).phase == "sample"
        assert screening.end() == 0

    # Without the qualification the HITs would be open to everybody.
    refused = call("launch", *launch_arguments(out, *options, "qualification=none", "--yes"))
    assert refused.returncode == 2
    assert "qualification.requirements: open in the campaign, experienced was given" in refused.stderr

    add_reviewer = command("review", "reviewer", "add", str(out), "ann", "--role", "lead")
    subprocess.run(add_reviewer, input=f"{PASSWORD}\n", text=True, check=True, capture_output=True)
    with launching(out, *options, "--yes") as writing, serving("review", str(out)) as page:
        assert offers(worker, market) == []
        assert held_qualification(market, NEWCOMER) == "QualificationDoesNotExist"
        grant(reviewer, page["address"])

        worker.goto(f"{market}/worker/qualifications")
        card = worker.get_by_role("article", name=f"Beat the AI: {NAME}")
        expect(card).to_contain_text("Value 1")
        assert held_qualification(market, NEWCOMER) == ("Granted", 1)
        assert offers(worker, market) == [WRITING]
        picture(worker, "offers")

        accept(worker, WRITING)
        skip_tour(frame(worker))
        ask(worker, BY_HAND, first_words(worker))
        hand_in(worker)
        write(market, newcomer, "malicious", WRITTEN - 1)
        write(market, colleague, "good", 1)
        wait_until(lambda: status(out)["hits_submitted"] == WRITTEN + 1, "the operator has taken in the last HIT")
        before = exported(out, tmp_path / "before")
        assert len(before) == 2

        judge_and_revoke(reviewer)

        [kept] = exported(out, tmp_path / "after").items()
        assert kept in before.items()
        dropped = {
            folder: [
                attempt["dropped"]
                for attempt in map(json.loads, (tmp_path / folder / "attempts.jsonl").read_text("utf-8").splitlines())
                if attempt["work"]["question"] == BY_HAND
            ]
            for folder in ("before", "after")
        }
        assert "discarded" not in dropped["before"]
        assert dropped["after"] == ["discarded"]
        assert held_qualification(market, NEWCOMER) in ("QualificationDoesNotExist", "InvalidQualificationState")
        assert offers(worker, market) == []
        told_status = status(out)
        assert (told_status["workers"], told_status["workers_revoked"]) == (1, 1)
        assert told_status["served"] == ["writing"]

        write(market, colleague, "good", 1)
        assert writing.end() == 0

    paid = call("pay", str(out), "--confirm")
    assert (paid.returncode, paid.stderr) == (0, "Everything is paid.\n")
    earned = earnings(worker, market)
    picture(worker, "earnings")
    assert earned["From rewards"] == f"${2 * (WRITTEN + 1)}.00"  # the screening, too
    assert earned["From bonuses"] == bonuses(out, NEWCOMER) != "$0.00"
    assert (earned["Approved"], earned["Rejected"]) == (str(WRITTEN + 1), "0")
