"""Newcomers take the screening in a real browser, against the shipped model; the page never hears a key."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from beat_the_ai.kinds.reading_comprehension.screening.content import AnswerStep, QuestionStep
from beat_the_ai.store import Screening, open_store
from tests.browser import PATIENCE_MS
from tests.e2e.conftest import PREVIEW, ROOT, screenshots
from tests.e2e.heard import Heard, keys_of
from tests.kinds.reading_comprehension.screening.quizzes import SHIPPED, load_quiz
from tests.mephisto.rig import kill_router
from tests.thorough import cases
from tests.webapp.sight import assert_work_first
from tests.webapp.test_accessibility import DESKTOP, PHONE, check
from tests.webapp.tours import remember_tours, skip_tour
from tests.workforce.rig import operator_process, screenings

EVENTUALLY_SECONDS = 60
QUIZ = load_quiz(SHIPPED)
SAMPLE_QUESTIONS = [
    ("Which people went over for free?", "doctors"),
    ("What happened to the machine that drove the birds off?", "sold it again"),
    ("Who was the passenger on the day when the boat lost its use?", "the engineer who had built the bridge"),
]


@dataclass
class Served:
    folder: Path
    url: str
    process: subprocess.Popen[str]

    def page_of(self, worker: str, assignment: str = "1") -> str:
        return f"{self.url}/?worker_id={worker}&assignment_id={assignment}"

    def screening(self, worker: str) -> Screening:
        return next(each for each in screenings(self.folder) if each.worker == worker)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    page_dir = ROOT / "webapp" / "dist"
    if not (page_dir / "bundle.js").is_file():
        pytest.skip("the workers' page is not built: make webapp")
    folder = tmp_path_factory.mktemp("qualification") / "run"
    with operator_process(folder, "--page-dir", str(page_dir), "--real-model", "--places", "4") as (process, url):
        yield Served(folder, url, process)
    kill_router(folder)


def eventually(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + EVENTUALLY_SECONDS
    while not holds():
        assert time.monotonic() < deadline, "it did not come true in time"
        time.sleep(0.1)


def picture(page: Page, name: str) -> None:
    folder = screenshots()
    if folder is not None:
        page.screenshot(path=folder / f"{name}.png", full_page=True)


def open_page(browser: Browser, url: str, **device: Any) -> Page:
    page = browser.new_context(reduced_motion="reduce", **(device or DESKTOP)).new_page()
    remember_tours(page.context)
    page.set_default_timeout(PATIENCE_MS)
    page.goto(url)
    return page


def at_step(page: Page, number: int) -> None:
    expect(page.get_by_test_id("step")).to_contain_text(f"{number} of 6")


def write(page: Page, question: str | None = None, answer: str | None = None) -> None:
    if question is not None:
        page.get_by_label("Your question").fill(question)
    if answer is not None:
        page.get_by_label("Or type the answer").fill(answer)


def send(page: Page) -> None:
    page.get_by_role("button", name="Check").click()


def mark_by_keyboard(page: Page, moves: int) -> None:
    page.get_by_label("Passage").focus()
    for _ in range(moves):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    page.keyboard.press("Space")


def test_a_newcomer_qualifies_with_mistakes_hints_and_a_reload_on_the_way(browser: Browser, served: Served) -> None:
    heard = Heard()
    page = browser.new_context(reduced_motion="reduce", **DESKTOP).new_page()
    page.set_default_timeout(PATIENCE_MS)
    heard.listen(page)
    page.goto(served.page_of("nina"))
    expect(page.get_by_role("dialog")).to_contain_text("A person decides whether you get the qualification")
    skip_tour(page)

    at_step(page, 1)
    picture(page, "qualification-step")
    mistake = page.get_by_test_id("mistake")
    write(page, "Who was a lace maker?")
    send(page)
    expect(mistake).to_contain_text("already contains its answer")
    expect(mistake).to_contain_text("Hint: The answer is a person.")
    expect(mistake.get_by_role("heading")).to_be_focused()
    expect(page.get_by_test_id("tries-left")).to_contain_text("2")
    picture(page, "qualification-mistake")
    write(page, "To whom did the building go when the family gave it up?")
    send(page)

    at_step(page, 2)
    done = page.get_by_role("status").filter(has_text="Step 1 is done.")
    expect(done).to_contain_text("Your question is right. The AI answered it “")
    expect(done).to_contain_text("; the answer that was given is “a lace maker”.")
    expect(page.get_by_role("heading", name="Write a question that the marked answer answers.")).to_be_focused()
    write(page, "From which year on did the navy")
    expect(done).to_have_count(0)
    page.reload()
    at_step(page, 2)
    expect(page.get_by_label("Your question")).to_have_value("From which year on did the navy")
    write(page, "From which year on did sailors get its flour?")
    page.keyboard.press("Control+Enter")

    at_step(page, 3)
    mark_by_keyboard(page, 4)
    send(page)
    expect(mistake).to_contain_text("does not answer the question")
    page.reload()
    expect(mistake).to_contain_text("Hint: Everybody ran to the quay but one.")
    expect(page.get_by_test_id("tries-left")).to_contain_text("2")
    write(page, answer="music-teacher")
    expect(page.get_by_text("The passage does not have these words.")).to_be_visible()
    expect(page.get_by_test_id("answer")).to_have_count(0)
    write(page, answer="music teacher stayed behind")
    send(page)
    expect(mistake).to_contain_text("more than was asked for")
    write(page, answer="the music teacher")  # the passage has it once
    send(page)

    at_step(page, 4)
    write(page, answer="twenty minutes")
    send(page)
    at_step(page, 5)
    write(page, "What did the children carry when they ran out?", "buckets")
    picture(page, "qualification-pair")
    send(page)

    expect(page.get_by_test_id("sample")).to_be_visible()
    skip_tour(page)
    finish = page.get_by_role("button", name="Submit task")
    expect(finish).to_be_disabled()
    for number, (question, answer) in enumerate(SAMPLE_QUESTIONS):
        write(page, question, answer)
        page.get_by_role("button", name="Submit question").click()
        expect(page.get_by_test_id("verdict")).to_be_visible()
        if number == 0:
            picture(page, "qualification-sample")
            page.reload()
        again = page.get_by_role("button", name="Write another question").or_(
            page.get_by_role("button", name="Start a new question")
        )
        if number == 1:
            again.click()
    expect(finish).to_be_enabled()
    finish.click()
    anyway = page.get_by_role("button", name="Submit anyway")
    done = page.get_by_text("Thank you! Your task is submitted.")
    expect(anyway.or_(done)).to_be_visible()
    if anyway.is_visible():
        anyway.click()
    expect(done).to_be_visible()
    expect(page.get_by_text("A person will now look at everything that you wrote")).to_be_visible()
    expect(page.get_by_role("button", name="Next task")).to_have_count(0)
    picture(page, "qualification-end")
    eventually(lambda: served.screening("nina").outcome == "passed")
    assert_nothing_secret(heard)
    assert_everything_is_kept(served)
    page.context.close()


def assert_nothing_secret(heard: Heard) -> None:
    """Whatever came over the wire, the passages aside: no key, no reference, no hint before its mistake."""
    said = heard.text(passage.text for passage in QUIZ.passages.values())
    assert "question-1" in said  # it did hear the quiz
    assert "Hint" not in said
    for step in QUIZ.steps:
        if isinstance(step, AnswerStep):
            assert [key for key in step.accepted if key in said] == []
        elif isinstance(step, QuestionStep):
            assert step.reference not in said
        else:
            assert step.reference.question not in said
    assert [pair.question for pair in QUIZ.sample.questions if pair.question in said] == []
    revealed = {QUIZ.steps[0].hints[0], *QUIZ.steps[2].hints}
    kept_back = [hint for step in QUIZ.steps for hint in step.hints if hint not in revealed]
    assert [hint for hint in kept_back if hint in said] == []
    assert not {"accepted", "reference", "min_answer_f1"} & set(keys_of(heard.packets))


def assert_everything_is_kept(served: Served) -> None:
    """What the reviewer will see."""
    store = open_store(f"sqlite:///{served.folder}/store.db")
    try:
        screening, responses = store.screenings.session(served.screening("nina").assignment_id)
        assert [response.mistake for response in responses] == [
            *("contains_answer", None, None, "elsewhere", "too_long", None, None, None)
        ]
        written = [response for response in responses if response.right and response.step.startswith(("q", "p"))]
        assert all(response.evidence["model"] == "bidaf-small" for response in written)
        attempts = store.attempts.of_assignment(screening.assignment_id)
        assert [attempt.work["question"] for attempt in attempts] == [question for question, _ in SAMPLE_QUESTIONS]
        assert {attempt.model_name for attempt in attempts} == {"bidaf-small"}
    finally:
        store.close()


def test_used_up_tries_end_it_and_nobody_takes_it_twice(browser: Browser, served: Served) -> None:
    page = open_page(browser, served.page_of("mallory"))
    for number in range(3):
        write(page, f"asdf {number} qwer?")
        send(page)
        if number < 2:
            expect(page.get_by_test_id("tries-left")).to_contain_text(str(2 - number))
    expect(page.get_by_role("heading", name="The screening ends here")).to_be_focused()
    check(page, "failed")
    picture(page, "qualification-failed")
    page.get_by_role("button", name="Submit task").click()
    expect(page.get_by_text("Thank you! Your task is submitted.")).to_be_visible()
    expect(page.get_by_text("A person will now look")).to_have_count(0)
    eventually(lambda: served.screening("mallory").outcome == "failed")

    again = page.context.new_page()
    again.goto(served.page_of("mallory", "2"))
    expect(again.get_by_text("You have taken this screening before; it can be taken once.")).to_be_visible()
    page.context.close()


@pytest.mark.parametrize(
    "device", cases({"desktop": DESKTOP, "phone dark": {**PHONE, "color_scheme": "dark"}}, ["phone dark"])
)
def test_every_state_is_accessible(browser: Browser, served: Served, device: dict[str, Any]) -> None:
    name = "phone" if device.get("is_mobile") else "desktop"
    page = open_page(browser, served.url + PREVIEW, **device)
    expect(page.get_by_test_id("preview")).to_be_visible()
    check(page, "preview")
    picture(page, f"qualification-preview-{name}")
    page.goto(served.page_of(f"axel-{name}"))
    expect(page.get_by_test_id("step")).to_be_visible()
    check(page, "step")
    assert_work_first(page, page.get_by_label("Your question"))
    expect(page.locator(".marked").first).to_be_in_viewport()
    send(page)
    expect(page.get_by_role("alert").filter(has_text="Please")).to_be_visible()
    check(page, "problem")
    write(page, "lace makers?")
    if name == "phone":
        picture(page, "qualification-step-phone")
    send(page)
    expect(page.get_by_test_id("mistake")).to_be_visible()
    check(page, "mistake")
    picture(page, f"qualification-mistake-{name}")
    page.context.close()
