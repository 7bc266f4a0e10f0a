"""Two people in two arms of a round, each in a real browser: one against the shipped model, one who never sees it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from beat_the_ai.store import ArmBlocks
from tests.e2e.conftest import Campaign, served
from tests.e2e.test_writing import attempts, eventually, open_page, select_by_keyboard
from tests.webapp.test_accessibility import PHONE, check
from tests.webapp.test_arms import OF_A_MODEL

NAME = "reading-comprehension"
ARMS = ("model", "human")
STUDY = "round.arms={model: {}, human: {shows_model: false, round: {wins_wanted: 1, max_wins: 2}}}"


@pytest.fixture
def study(tmp_path: Path) -> Iterator[Campaign]:
    with served(Campaign(tmp_path / "study", "tasks/reading_comprehension", STUDY, "task.title=Questions")) as running:
        yield running


def ask(page: Page, question: str, moves: int) -> None:
    page.get_by_label("Your question").fill(question)
    select_by_keyboard(page, moves)
    page.get_by_role("button", name="Submit question").click()
    expect(page.get_by_test_id("verdict")).to_be_visible(timeout=60_000)


def stored(study: Campaign, worker: str) -> list[Any]:
    store = study.store()
    try:
        return [row for row in store.attempts.of_campaign(NAME) if row.assignment.worker == worker]
    finally:
        store.close()


def test_a_writer_never_sees_the_model_that_is_asked_all_the_same(browser: Browser, study: Campaign) -> None:
    drawn = [ArmBlocks(ARMS, 0).at(1, position) for position in range(2)]
    workers = dict(zip(drawn, ("ann", "bob"), strict=True))
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
