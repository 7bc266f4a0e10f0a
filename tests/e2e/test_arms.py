"""People in arms of a round, each in a real browser: with the shipped model, without it, with suggestions."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
from click.testing import CliRunner
from playwright.sync_api import Browser, Page, expect

from beat_the_ai.cli import main
from beat_the_ai.store import ArmBlocks
from tests.e2e.conftest import ROOT, Campaign, served
from tests.e2e.test_quizbowl import VIEWS, opened
from tests.e2e.test_writing import attempts, eventually, open_page, select_by_keyboard
from tests.webapp.test_accessibility import PHONE, check
from tests.webapp.test_arms import OF_A_MODEL

NAME = "reading-comprehension"
ARMS = ("model", "human")
SEED = 1  # that of hydra_configs/base.yaml
STUDY = "round.arms={model: {}, human: {shows_model: false, round: {wins_wanted: 1, max_wins: 2}}}"


@pytest.fixture
def study(tmp_path: Path) -> Iterator[Campaign]:
    with served(Campaign(tmp_path / "study", "tasks/reading_comprehension", STUDY, "task.title=Questions")) as running:
        yield running


def drawn(arms: tuple[str, ...]) -> dict[str, str]:
    """The workers of each arm, in the order in which they come."""
    order = [ArmBlocks(arms, SEED).at(1, position) for position in range(2)]
    return dict(zip(order, ("ann", "bob"), strict=True))


def ask(page: Page, question: str, moves: int) -> None:
    page.get_by_label("Your question").fill(question)
    select_by_keyboard(page, moves)
    page.get_by_role("button", name="Submit question").click()
    expect(page.get_by_test_id("verdict")).to_be_visible(timeout=60_000)


def stored(study: Campaign, worker: str, name: str = NAME) -> list[Any]:
    store = study.store()
    try:
        return [row for row in store.attempts.of_campaign(name) if row.assignment.worker == worker]
    finally:
        store.close()


def test_a_writer_never_sees_the_model_that_is_asked_all_the_same(browser: Browser, study: Campaign) -> None:
    workers = drawn(ARMS)
    pages = {arm: open_page(browser, study, worker) for arm, worker in workers.items()}
    heard: list[str] = []
    pages["human"].on("websocket", lambda socket: socket.on("framereceived", lambda frame: heard.append(str(frame))))
    pages["human"].reload()
    expect(pages["human"].locator("[data-token]").first).to_be_visible(timeout=60_000)

    ask(pages["model"], "Which words come early in this passage?", 3)
    expect(pages["model"].get_by_test_id("verdict")).to_contain_text("The AI answered")
    human = pages["human"]
    ask(human, "Which words come early in this passage?", 3)
    expect(human.get_by_test_id("verdict")).to_contain_text("Your question is kept.")
    [row] = stored(study, workers["human"])
    assert (row.assignment.arm, row.attempt.member) == ("human", "bidaf-small")
    assert row.attempt.prediction["text"]
    assert OF_A_MODEL.search(human.locator("body").inner_text()) is None
    check(human, "kept")
    human.set_viewport_size(PHONE["viewport"])
    human.emulate_media(color_scheme="dark", reduced_motion="reduce")
    check(human, "kept, on a phone in the dark")

    study.kill_operator()
    study.start()
    human.reload()
    expect(attempts(human)).to_have_count(1, timeout=60_000)
    ask(human, "What comes a little later in it?", 9)
    expect(human.locator("body")).to_contain_text("You have asked all 2 questions of this task.")
    human.get_by_role("button", name="Submit task").click()
    expect(human.get_by_text("You submitted 2 questions.")).to_be_visible(timeout=60_000)
    eventually(lambda: len(stored(study, workers["human"])) == 2)
    assert {each.assignment.arm for each in stored(study, workers["human"])} == {"human"}

    said = [frame for frame in heard if "attempt" in frame]
    assert said
    for frame in said:
        response = json.loads(json.loads(frame)["data"].get("response", "{}")) if frame.startswith("{") else {}
        for attempt in [response.get("attempt"), *response.get("hit", {}).get("attempts", ())]:
            if attempt is not None:
                assert (attempt["fooled"], attempt["prediction"], attempt["scores"]) == (None, {}, {})
    assert not re.search(r'fooled\\*": *(true|false)', " ".join(heard))


NOT_FOR_MODELS = (
    "The thing that is asked for here was on the mind of many a person who sat by a window on a long and rainy day. "
    "Those who met it first hardly spoke of it, and those who came after them spoke of nothing else for a whole year. "
    "It has been drawn and sung and written about, and it will be again as soon as somebody finds the time for it. "
    "For 10 points, name it."
)
QUESTIONS = ("Where do eels go in the end?", "Which animal is this text about?", "What do they eat on the way?")


@pytest.fixture
def assisted(tmp_path: Path) -> Iterator[Campaign]:
    """A campaign whose writers have suggestions on every passage in one of two arms."""
    task = copytree(ROOT / "tasks" / "reading_comprehension", tmp_path / "task")
    passages = map(json.loads, (task / "contexts" / "sample.jsonl").read_text("utf-8").splitlines())
    rows = [
        {"context_id": passage["id"], "model": "gpt", "id": f"{passage['id']}/{number}", "question": question}
        for passage in passages
        for number, question in enumerate(QUESTIONS)
    ]
    (task / "made.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    arms = "round.arms={assisted: {suggestions: made.jsonl}, alone: {}}"
    with served(Campaign(tmp_path / "study", str(task), arms)) as running:
        yield running


def test_what_an_assistant_suggested_is_kept_through_a_kill_and_named_in_the_export(
    browser: Browser, assisted: Campaign, tmp_path: Path
) -> None:
    workers = drawn(("assisted", "alone"))
    pages = {arm: open_page(browser, assisted, worker) for arm, worker in workers.items()}
    expect(pages["alone"].get_by_label("Your question")).to_be_visible(timeout=60_000)
    expect(pages["alone"].get_by_test_id("suggestion")).to_have_count(0)
    page = pages["assisted"]
    section = page.get_by_test_id("suggestion")
    expect(section).to_be_visible(timeout=60_000)
    text = section.locator("blockquote")
    first = text.inner_text()
    section.get_by_role("button", name="Another").click()
    expect(text).not_to_have_text(first)
    shown = text.inner_text()

    assisted.kill_operator()
    assisted.start()
    page.reload()
    expect(text).to_have_text(shown, timeout=60_000)
    section.get_by_role("button", name="Use it").click()
    field = page.get_by_label("Your question")
    expect(field).to_have_value(shown)
    field.fill(shown.replace("?", " today?"))
    select_by_keyboard(page, 3)
    page.get_by_role("button", name="Submit question").click()
    expect(page.get_by_test_id("verdict")).to_be_visible(timeout=60_000)
    [row] = stored(assisted, workers["assisted"])
    made_of = row.attempt.suggestion
    assert QUESTIONS[int(made_of["id"][-1])] == shown
    assert {**made_of, "id": ""} == {"id": "", "model": "gpt", "edited": True, "distance": 6}
    page.get_by_role("button", name="Submit task").click()
    page.get_by_role("button", name=re.compile("Submit")).last.click()
    expect(page.get_by_text("You submitted one question")).to_be_visible(timeout=60_000)

    command = ["export", str(assisted.out), "--out", str(tmp_path / "export"), "--format", "jsonl"]
    exported = CliRunner().invoke(main, command)
    assert exported.exit_code == 0, exported.output
    rows = [json.loads(line) for line in (tmp_path / "export" / "attempts.jsonl").read_text("utf-8").splitlines()]
    assert [one["suggestion"] for one in rows] == [made_of]


@pytest.fixture
def quiz(tmp_path: Path) -> Iterator[Campaign]:
    arms = "round.arms={human: {shows_model: false}, model: {}}"
    options = (arms, "qualification=none", "pay.bonus_cents_per_win=0", "task.title=Questions")
    with served(Campaign(tmp_path / "quiz", "tasks/quizbowl", *options)) as running:
        yield running


def test_an_author_without_the_model_hears_of_no_guess(browser: Browser, quiz: Campaign) -> None:
    workers = drawn(("human", "model"))
    pages = {arm: opened(browser, quiz.page_of(worker), VIEWS["desktop"]) for arm, worker in workers.items()}
    page = pages["human"]
    heard: list[str] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: heard.append(str(frame))))
    page.reload()
    chooser = page.get_by_role("combobox", name="Your answer")
    chooser.focus()
    expect(page.get_by_role("option", name=re.compile(".")).first).to_be_visible()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    answer = page.get_by_test_id("answer").inner_text()
    page.get_by_label("Your question").fill(NOT_FOR_MODELS)
    page.get_by_role("button", name="Submit question").click()
    appeal = page.get_by_test_id("appeal")
    expect(page.get_by_test_id("verdict").or_(appeal)).to_be_visible(timeout=60_000)
    if appeal.is_visible():
        appeal.get_by_role("textbox").fill("Its clues are new.")
        appeal.get_by_role("button").click()
    expect(page.get_by_test_id("verdict")).to_have_attribute("data-outcome", "kept", timeout=60_000)
    assert OF_A_MODEL.search(page.locator("body").inner_text()) is None
    check(page, "kept")
    [row] = stored(quiz, workers["human"], "quizbowl")
    assert row.attempt.prediction["guesses"], answer  # the model was asked all the same
    wire = " ".join(heard)
    for telling in ("guesses", "evidence", "saliency", "confidence", "first_right", "right_from"):
        assert telling not in wire, telling
    store = quiz.store()
    try:
        assert [edit for edit in store.edits.of_campaign("quizbowl") if edit.assignment_id == row.assignment.id] == []
    finally:
        store.close()
