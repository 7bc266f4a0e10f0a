"""People play questions in a real browser, through a real router and operator."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from beat_the_ai.store import Store
from tests.browser import PATIENCE_MS, check_accessible, fits
from tests.e2e.conftest import PREVIEW, ROOT, screenshots
from tests.kinds.quizbowl.played import REGULAR, playing_desk, written
from tests.kinds.quizbowl.questions import KILN, LOOM
from tests.mephisto.rig import kill_router
from tests.validation.rig import Validating, validating
from tests.webapp.tours import remember_tours

DESKTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 900}}
PHONE: dict[str, Any] = {
    "viewport": {"width": 360, "height": 740},
    "is_mobile": True,
    "has_touch": True,
    "color_scheme": "dark",
}

# Of the newest word and of the button, at one moment while a question is read and has filled the screen.
PLACES = """() => {
  const words = document.querySelectorAll(".read-word"), button = document.querySelector(".buzzer button");
  const of = element => { const {top, bottom} = element.getBoundingClientRect(); return {top, bottom}; };
  return words.length < 12 || !button ? null
    : {word: of(words[words.length - 1]), button: of(button), height: innerHeight};
}"""


BUZZ_AT_ONCE = """() => {
  [...document.querySelectorAll("button")].find(button => button.textContent === "Start reading").click();
  document.dispatchEvent(new KeyboardEvent("keydown", {key: "b", bubbles: true}));
}"""


@pytest.fixture
def stage(tmp_path: Path, store: Store) -> Iterator[Validating]:
    """Two questions wait for players, with a regular one among them."""
    dist = ROOT / "webapp" / "dist"
    if not (dist / "bundle.js").is_file():
        pytest.skip("the workers' page is not built: make webapp")
    desk = playing_desk(store, written(store))
    with validating(tmp_path, desk, page="quizbowl_validation", page_dir=str(dist)) as running:
        yield running
    kill_router(tmp_path)


def open_page(browser: Browser, stage: Validating, worker: str = "ann", **options: Any) -> Page:
    page = browser.new_context(reduced_motion="reduce", **{**DESKTOP, **options}).new_page()
    remember_tours(page.context)
    deadline = time.monotonic() + PATIENCE_MS / 1000
    while time.monotonic() < deadline:  # until the first units are there
        page.goto(f"{stage.url}/?worker_id={worker}&assignment_id=1")
        expect(page.get_by_test_id("question").or_(page.get_by_text("There is no work here"))).to_be_visible()
        if page.get_by_test_id("question").is_visible():
            return page
    pytest.fail("no HIT came")


def words_read(page: Page) -> list[str]:
    return page.get_by_role("region", name="Question").locator("span").all_inner_texts()


def start(page: Page, words: int = 1) -> None:
    page.get_by_role("button", name=re.compile("Start reading|Read on")).click()
    expect(page.get_by_role("button", name="Buzz")).to_be_focused()
    expect(page.get_by_role("region", name="Question").locator("span").nth(words - 1)).to_be_visible(
        timeout=PATIENCE_MS
    )


def answer(page: Page, text: str) -> None:
    expect(page.get_by_label("Your answer")).to_be_focused()
    page.get_by_label("Your answer").fill(text)
    page.keyboard.press("Enter")


def check(page: Page, state: str) -> None:
    check_accessible(page, state)
    assert fits(page), f"{state}: the page scrolls sideways"


def picture(page: Page, name: str) -> None:
    folder = screenshots()
    if folder is not None:
        page.screenshot(path=folder / f"quizbowl-playing-{name}.png", full_page=True)


def test_a_hit_by_keyboard_with_a_reload_and_no_word_before_its_turn(
    browser: Browser, stage: Validating, store: Store
) -> None:
    page = open_page(browser, stage)
    frames: list[str] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: frames.append(str(frame))))
    page.reload()
    expect(page.get_by_test_id("question")).to_have_text("Question 1 of 3")

    start(page, words=3)
    page.keyboard.press("b")
    expect(page.get_by_text(re.compile(r"You buzzed after \d+ words"))).to_be_visible()
    shown = [word.strip() for word in words_read(page)]
    [question] = [text for text in (LOOM, KILN, REGULAR) if text.startswith(" ".join(shown))]
    assert 3 <= len(shown) < len(question.split())
    later = [word for word in question.split()[len(shown) :] if len(word) > 5 and word not in shown]
    assert later
    assert not [word for word in later if any(word in frame for frame in frames)]

    page.reload()  # whoever has buzzed reads no further
    expect(page.get_by_role("button", name=re.compile("Start reading|Read on"))).to_have_count(0)
    answer(page, "")
    expect(page.get_by_role("alert")).to_contain_text("say what the answer is")
    answer(page, "the kilns' oven")
    expect(page.get_by_test_id("question")).to_have_text("Question 2 of 3")
    expect(page.get_by_test_id("question")).to_be_focused()

    start(page, words=2)
    page.reload()
    expect(page.get_by_role("button", name="Read on")).to_be_visible()
    before = len(words_read(page))
    assert before >= 2
    page.get_by_role("button", name="Read on").click()
    expect(page.get_by_role("button", name="Buzz")).to_be_focused()
    page.keyboard.press("Space")
    page.get_by_label("I do not know it").check()
    page.keyboard.press("Control+Enter")
    expect(page.get_by_test_id("question")).to_have_text("Question 3 of 3")
    page.get_by_label("fast").check()
    start(page)
    expect(page.get_by_text("The question is over.")).to_be_visible(timeout=PATIENCE_MS)
    answer(page, "Kiln")
    expect(page.get_by_test_id("answered")).to_contain_text("3 of 3")
    expect(page.get_by_text("You said “Kiln”")).to_be_visible()
    picture(page, "complete")

    page.get_by_role("button", name="Submit task").click()
    expect(page.get_by_text("Thank you! Your task is submitted.")).to_be_visible(timeout=PATIENCE_MS)
    [placed_hit] = {each.item.assignment_id for each in store.validations.snapshot("quiz").placed}
    _, items, votes = store.validations.session(placed_hit)
    plays = [votes[item.id].vote for item in items]
    assert [play["said"] for play in plays] == ["the kilns' oven", None, "Kiln"]
    assert plays[0] == {"said": "the kilns' oven", "page": None, "words": len(shown)}
    assert plays[1]["words"] >= before
    assert [play["words"] for play in plays] == [item.steps for item in items]
    page.context.close()


def test_words_come_only_to_whoever_can_buzz_and_one_by_one_to_whoever_asks_for_each(
    browser: Browser, stage: Validating
) -> None:
    page = open_page(browser, stage, "dora")
    page.evaluate(BUZZ_AT_ONCE)  # before the first word: it counts for nothing
    words = page.get_by_role("region", name="Question").locator("span")
    expect(words.nth(1)).to_be_visible(timeout=PATIENCE_MS)
    page.keyboard.press("Control+Enter")  # there is nothing to save yet
    page.keyboard.press("?")
    expect(page.locator("button", has_text="Read on")).to_be_attached(timeout=PATIENCE_MS)
    page.keyboard.press("Escape")
    expect(page.get_by_role("alert")).to_be_empty()

    before = len(words_read(page))
    page.get_by_label("word by word").check()
    page.get_by_role("button", name="Read on").click()
    expect(words).to_have_count(before + 1)
    expect(page.get_by_role("button", name="Next word")).to_be_focused()
    page.keyboard.press("Enter")
    expect(words).to_have_count(before + 2)
    page.keyboard.press("n")
    expect(words).to_have_count(before + 3)
    check(page, "word by word")
    picture(page, "word-by-word")
    page.get_by_role("region", name="Question").click()
    page.keyboard.press("Space")
    expect(page.get_by_text(f"You buzzed after {before + 3} words")).to_be_visible()
    answer(page, "Loom")
    expect(page.get_by_test_id("question")).to_have_text("Question 2 of 3")
    expect(page.get_by_label("word by word")).to_be_checked()
    page.context.close()


def test_an_answer_that_another_page_gave_is_shown_as_it_was_given(browser: Browser, stage: Validating) -> None:
    page = open_page(browser, stage, "eve")
    start(page, words=2)
    page.keyboard.press("b")
    other = page.context.new_page()
    other.add_init_script("BroadcastChannel.prototype.postMessage = () => {}")  # as in a frame that is kept apart
    other.goto(page.url)
    expect(other.get_by_label("Your answer")).to_be_visible(timeout=PATIENCE_MS)
    answer(page, "Kiln")
    expect(page.get_by_test_id("question")).to_have_text("Question 2 of 3")
    other.get_by_label("Your answer").fill("Loom")
    other.keyboard.press("Enter")
    expect(other.get_by_role("alert")).to_contain_text("first answer stands")
    expect(other.get_by_text("You said “Kiln”")).to_be_visible()
    page.context.close()


def test_a_phone_in_the_dark_and_every_state_is_accessible(browser: Browser, stage: Validating) -> None:
    for device, worker in ((PHONE, "ben"), (DESKTOP, "cleo")):
        page = open_page(browser, stage, worker, **device)
        check(page, "before the reading")
        picture(page, f"start-{worker}")
        expect(page.get_by_role("button", name="Start reading")).to_be_in_viewport()
        page.get_by_role("button", name="Instructions").click()
        for chapter in ("The work", "Your pay"):
            expect(page.get_by_role("dialog", name=chapter)).to_be_visible()
            page.get_by_role("dialog").get_by_role("button", name="Next").click()
        expect(page.get_by_role("dialog", name="Good to know")).to_be_visible()
        check(page, "instructions")
        page.keyboard.press("Escape")
        start(page, words=8)
        picture(page, f"reading-{worker}")
        page.get_by_role("button", name="Buzz").click()
        check(page, "answering")
        picture(page, f"answering-{worker}")
        answer(page, "Kiln")
        expect(page.get_by_test_id("answered")).to_contain_text("1 of 3")
        page.get_by_role("button", name=re.compile("Question 1")).click()
        expect(page.get_by_text("You said “Kiln”")).to_be_visible()
        check(page, "answered")
        picture(page, f"answered-{worker}")
        page.context.close()


def test_button_and_newest_word_stay_in_sight_on_a_small_phone(browser: Browser, stage: Validating) -> None:
    page = open_page(browser, stage, **{**PHONE, "viewport": {"width": 320, "height": 420}})
    start(page)
    places = page.wait_for_function(PLACES, timeout=PATIENCE_MS).json_value()
    picture(page, "small")
    word, button, height = places["word"], places["button"], places["height"]
    assert 0 <= word["top"] < word["bottom"] <= button["top"] < button["bottom"] <= height
    page.context.close()


def test_a_preview_takes_no_agent_and_shows_the_work(browser: Browser, stage: Validating, store: Store) -> None:
    page = browser.new_page(**DESKTOP)
    page.goto(stage.url + PREVIEW)
    expect(page.get_by_test_id("preview")).to_be_visible()
    expect(page.get_by_role("button", name="Save answer")).to_be_disabled()
    check(page, "preview")
    picture(page, "preview")
    assert store.validations.snapshot("quiz").placed == ()
    page.context.close()
