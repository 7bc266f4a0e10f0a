"""An author of Quizbowl in a real browser, on a real campaign: guesses while typing, a doubt, an appeal, a reload."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from beat_the_ai.kinds.quizbowl.collection import SHIPPED, read_questions
from tests.browser import PATIENCE_MS, check_accessible, fits
from tests.e2e.conftest import Campaign, screenshots, served
from tests.thorough import cases
from tests.webapp.tours import remember_tours

VIEWS: dict[str, dict[str, Any]] = {
    "desktop": {"viewport": {"width": 1280, "height": 900}, "color_scheme": "light"},
    "phone dark": {
        "viewport": {"width": 360, "height": 740},
        "is_mobile": True,
        "has_touch": True,
        "color_scheme": "dark",
    },
}
WORKER = "A1AUTHOR"
MOST_WORDS = 30


@pytest.fixture(scope="module")
def quiz(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Campaign]:
    options = ("qualification=none", "round.max_hits=4")
    with served(Campaign(tmp_path_factory.mktemp("quiz") / "out", "tasks/quizbowl", *options)) as running:
        yield running


def opened(browser: Browser, address: str, view: dict[str, Any]) -> Page:
    context = browser.new_context(reduced_motion="reduce", **view)
    remember_tours(context)
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.goto(address)
    return page


def check(page: Page, state: str) -> None:
    assert fits(page), f"{state}: the page scrolls sideways"
    if (folder := screenshots()) is not None:
        width = page.viewport_size["width"] if page.viewport_size else 0
        page.screenshot(path=folder / f"quizbowl-{state}-{width}.png", full_page=True)
    check_accessible(page, state)


@pytest.mark.parametrize("view", cases(VIEWS, ["phone dark"]))
def test_an_author_sees_guesses_is_doubted_and_appeals(quiz: Campaign, browser: Browser, view: dict[str, Any]) -> None:
    worker = f"{WORKER}{view['viewport']['width']}"
    questions = read_questions(SHIPPED / "sample.jsonl")[10 * ("is_mobile" in view) :]
    page = opened(browser, quiz.page_of(worker), view)
    chooser = page.get_by_role("combobox", name="Your answer")
    chooser.focus()
    expect(page.get_by_role("option").first).to_be_visible()
    loaded = page.evaluate("performance.getEntriesByType('resource').map(({ name }) => name)")
    sheets = [name for name in loaded if name.endswith(".css")]
    assert len(sheets) == 1
    check(page, "choosing")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    answer = page.get_by_test_id("answer").inner_text()

    known = next(question for question in questions if question.answer not in ("", answer))
    field = page.get_by_label("Your question")
    field.fill(known.text)
    guesses = page.get_by_role("region", name="The AI’s guesses")
    expect(guesses).to_contain_text(known.answer)
    check(page, "guesses")

    page.get_by_role("button", name="Submit question").click()
    doubt = page.get_by_test_id("appeal")
    expect(doubt).to_be_visible()
    expect(page.get_by_text("Much of this question has been written before")).to_be_visible()
    check(page, "doubted")
    doubt.get_by_label("Why should it count as it is?").fill("Its clues are new.")
    doubt.get_by_role("button", name="Submit it to a reviewer").click()
    verdict = page.get_by_test_id("verdict")
    expect(verdict).to_have_attribute("data-outcome", "fooled")
    expect(verdict).to_contain_text("A reviewer will look at it first")
    check(page, "appealed")

    page.reload()
    expect(page.get_by_text("Win, before a reviewer")).to_be_visible()
    store = quiz.store()
    [name] = store.campaigns.ids()
    [row] = [one for one in store.attempts.doubtful(name) if one.assignment.worker == worker]
    assert (row.attempt.work["text"], row.attempt.appeal) == (known.text, "Its clues are new.")
    assert store.edits.counts([row.assignment.id])
    store.close()
    page.context.close()


def highlighted(page: Page, reader: Locator) -> Locator:
    """The first of the words that speak most for the guess."""
    levels = [int(level) for mark in reader.locator("mark").all() if (level := mark.get_attribute("data-level"))]
    return reader.locator(f"mark[data-level='{max(levels)}']").first


def read_back(replayed: Locator) -> list[str]:
    """The words of the question, without the signs where the model buzzes and stays right."""
    return re.sub(r"The AI\s+(?:buzzes|stays right)", " ", replayed.locator(".read-back-text").inner_text()).split()


def test_an_author_takes_highlighted_words_out_until_the_model_changes_its_mind_and_sees_it_again(
    quiz: Campaign, browser: Browser
) -> None:
    page = opened(browser, quiz.page_of("A1CHANGER"), VIEWS["desktop"])
    chooser = page.get_by_role("combobox", name="Your answer")
    chooser.focus()
    expect(page.get_by_role("option").first).to_be_visible()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    answer = page.get_by_test_id("answer").inner_text()
    known = next(question for question in read_questions(SHIPPED / "sample.jsonl") if question.answer == answer)
    giveaway = known.text[known.text.rindex(". ") + 2 :]
    field, panel = page.get_by_label("Your question"), page.get_by_test_id("guess-panel")
    best, current = panel.get_by_test_id("guesses").get_by_role("listitem").first, page.get_by_test_id("guess-state")
    field.fill(giveaway)
    expect(current).to_have_text("Of your text as it stands.")
    expect(best).to_contain_text(answer)

    texts = [giveaway]
    while answer in best.inner_text():
        assert len(texts) <= MOST_WORDS, "the model does not change its mind"
        highlighted(page, page.get_by_test_id("read-back")).click()
        assert field.evaluate("field => field.selectionEnd - field.selectionStart") > 0
        page.keyboard.press("Delete")
        texts.append(field.input_value())
        expect(current).to_have_text("Of your text as it stands.")
    check(page, "another-mind")

    page.get_by_role("button", name="History of this question").click()
    history = page.get_by_role("dialog", name="How your question came to be")
    replayed, slider = history.get_by_test_id("replayed"), history.get_by_role("slider")
    expect(replayed).to_contain_text(f"Edit 1 of {len(texts)}")
    check(page, "history")
    for number, text in enumerate(texts, 1):
        expect(slider).to_have_attribute("aria-valuetext", f"Edit {number} of {len(texts)}")
        assert read_back(replayed) == text.split()
        slider.press("ArrowRight")
    history.get_by_role("button", name="Play").click()
    expect(replayed).to_contain_text(f"Edit 1 of {len(texts)}")
    expect(replayed).to_contain_text(f"Edit {len(texts)} of {len(texts)}")
    expect(history.get_by_role("button", name="Play")).to_be_visible()
    page.context.close()
