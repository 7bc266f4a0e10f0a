"""The page of a writer in an arm: its own terms and words, and without a model nothing that tells of one."""

from __future__ import annotations

import re
from dataclasses import asdict
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from beat_the_ai.rules.registry import bind
from beat_the_ai.terms.bonuses import BonusRules
from beat_the_ai.words.catalogue import merged
from beat_the_ai.words.languages import PRODUCT, WITHOUT_MODEL
from beat_the_ai.words.served import PageWords
from tests.webapp.conftest import NewPage
from tests.webapp.fake_crowd import FakeCrowd, Stage
from tests.webapp.fake_questions import QuestionCrowd
from tests.webapp.fake_statements import StatementCrowd
from tests.webapp.marking import submit, write
from tests.webapp.test_accessibility import check

OF_A_MODEL = re.compile(r"\bAI\b|\bwins?\b|fooled", re.IGNORECASE)


def without_model(kind: str, *languages: str, **config: Any) -> dict[str, Any]:
    """The arm as the server tells of it."""
    above = bind(kind).words_without_model
    assert above is not None
    words = {one: PageWords.of(merged(one, [PRODUCT / WITHOUT_MODEL, above])).sent() for one in languages or ("en",)}
    return {"config": {"shows_model": False, "bonuses": [], **config}, "words": words}


@pytest.fixture
def unaided(page: Page, crowd: FakeCrowd) -> Page:
    """The writing page of a writer who sees no model."""
    crowd.arm = without_model("reading_comprehension", wins_wanted=1, max_wins=2)
    crowd.config = {"task_title": "Ask questions"}
    page.goto(crowd.page)
    page.get_by_label("Your question").wait_for()
    return page


def test_nothing_on_the_page_tells_of_a_model(unaided: Page) -> None:
    expect(unaided.locator("body")).to_contain_text("One question is wanted, up to 2 count.")
    write(unaided, "Whose engine sold first?", "Thomas Newcomen's")
    submit(unaided)
    kept = unaided.get_by_test_id("verdict")
    expect(kept).to_have_attribute("data-outcome", "kept")
    expect(kept).to_contain_text("Your question is kept.")
    expect(kept).to_contain_text("Other people will check it when you have handed the task in.")
    expect(kept.get_by_role("heading")).to_be_focused()
    expect(unaided.get_by_test_id("wins")).to_have_text(re.compile("Submitted 1 of 1"))
    expect(unaided.get_by_role("textbox", name="Your question")).not_to_be_editable()
    assert OF_A_MODEL.search(unaided.locator("body").inner_text()) is None
    unaided.get_by_role("button", name="Report a problem").click()
    dialog = unaided.get_by_role("dialog")
    expect(dialog.get_by_role("radio")).to_have_count(2)
    assert OF_A_MODEL.search(dialog.inner_text()) is None
    dialog.get_by_role("button", name="Cancel").click()
    unaided.get_by_role("button", name="Take back").click()
    assert OF_A_MODEL.search(unaided.get_by_role("dialog").inner_text()) is None
    unaided.get_by_role("button", name="Keep it").click()
    unaided.get_by_role("button", name=re.compile("Instructions|How it works")).first.click()
    assert OF_A_MODEL.search(unaided.locator("body").inner_text()) is None


def test_the_next_question_is_asked_and_the_last_ends_the_hit(unaided: Page, crowd: FakeCrowd) -> None:
    for question in ("Whose engine sold first?", "Whose engine sold last?"):
        write(unaided, question, "Thomas Newcomen's")
        submit(unaided)
        another = unaided.get_by_role("button", name="Write another question")
        if question.endswith("first?"):
            another.click()
            expect(unaided.get_by_label("Your question")).to_have_value("")
    expect(another).to_have_count(0)
    expect(unaided.locator("body")).to_contain_text("You have asked all 2 questions of this task.")
    unaided.get_by_role("button", name="Submit task").click()
    expect(unaided.locator("body")).to_contain_text("You submitted 2 questions.")
    assert [each["final_data"]["attempt_ids"] for each in crowd.submissions] == [["t0", "t1"]]


def test_what_goes_wrong_tells_of_no_model_either(unaided: Page, crowd: FakeCrowd) -> None:
    english = "The AI is not answering right now."
    crowd.error = {"code": "busy", "field": None, "message": english, "said": [{"key": "refusals.ai.not_answering"}]}
    write(unaided, "Whose engine sold first?", "Thomas Newcomen's")
    submit(unaided)
    expect(unaided.get_by_role("alert")).to_contain_text("What you wrote cannot be saved right now.")
    assert OF_A_MODEL.search(unaided.locator("body").inner_text()) is None


def test_a_reload_shows_no_more(unaided: Page, crowd: FakeCrowd) -> None:
    write(unaided, "Whose engine sold first?", "Thomas Newcomen's")
    submit(unaided)
    unaided.get_by_test_id("verdict").wait_for()
    unaided.reload()
    expect(unaided.locator(".attempt")).to_have_attribute("data-outcome", "kept")
    assert OF_A_MODEL.search(unaided.locator("body").inner_text()) is None


def test_the_words_are_those_of_the_readers_language(page: Page, crowd: FakeCrowd) -> None:
    crowd.languages = ("en", "de")
    crowd.arm = without_model("reading_comprehension", "en", "de", wins_wanted=2)
    page.goto(f"{crowd.page}&lang=de")
    expect(page.locator("body")).to_contain_text("2 Fragen sind gewünscht")


def test_an_arm_with_a_model_has_its_own_terms_and_words(page: Page, crowd: FakeCrowd) -> None:
    own = {"messages": {"reading.aim": "Ask what a child would not know."}, "texts": {}}
    bonuses = [asdict(term) for term in BonusRules(cents_per_win=99).terms()]
    crowd.arm = {
        "config": {"max_wins": 1, "wins_wanted": 1, "bonuses": bonuses},
        "words": {"en": {"language": "en", "direction": "ltr", **own}},
    }
    page.goto(crowd.page)
    expect(page.locator(".goal")).to_contain_text("Ask what a child would not know.")
    expect(page.get_by_test_id("bonuses").first).to_contain_text("$0.99 for every win")
    write(page, "Whose engine sold first?", "Thomas Newcomen's")
    submit(page)
    expect(page.get_by_test_id("verdict")).to_have_attribute("data-outcome", "fooled")
    expect(page.get_by_role("button", name="Write another question")).to_have_count(0)


def test_a_statement_is_kept_without_probabilities_and_explained_by_nobody(new_page: NewPage, stage: Stage) -> None:
    crowd = stage.enter(StatementCrowd(arm=without_model("nli", max_wins=2), config={"task_title": "Statements"}))
    page = new_page(viewport={"width": 360, "height": 800})
    page.goto(crowd.page)
    page.get_by_label("Your statement").fill("Nobody in Ermelen looks at the clock.")
    page.get_by_role("button", name="Submit statement").click()
    kept = page.get_by_test_id("verdict")
    expect(kept).to_contain_text("Your statement is kept.")
    expect(kept.get_by_role("textbox")).to_have_count(0)
    expect(page.get_by_test_id("probabilities")).to_have_count(0)
    assert OF_A_MODEL.search(page.locator("body").inner_text()) is None


QUIZ = (
    "Some valleys of this place have seen no rain for longer than there have been people to write about it, which "
    "is a long time to wait. An American who had flown over it named his huts there after his home country, with "
    "one word before it. Nobody has ever been born a citizen of it, for it belongs to nobody. For 10 points, name this "
    "southernmost continent."
)


@pytest.mark.parametrize("language", ["en", "ar"])
def test_a_quizbowl_question_is_written_without_any_guess(new_page: NewPage, stage: Stage, language: str) -> None:
    arm = without_model("quizbowl", "en", "ar", max_wins=1)
    config = {"task_title": "Questions"}
    crowd = stage.enter(QuestionCrowd(arm=arm, config=config, languages=("en", "ar"), model_answer="", checks="none"))
    page = new_page(viewport={"width": 360, "height": 800}, color_scheme="dark")
    page.goto(f"{crowd.page}&lang={language}")
    page.locator("input[role=combobox]").fill("antarc")
    page.locator("[role=option]").first.click()
    page.locator("textarea").first.fill(QUIZ)
    page.wait_for_timeout(4_000)  # hints would come after a pause in typing
    assert not {"hint", "edits"} & {call["target"] for call in crowd.calls}
    for name in ("guess-panel", "read-back", "guess-state", "spoken"):
        expect(page.get_by_test_id(name)).to_have_count(0)
    page.keyboard.press("Control+Enter")
    expect(page.get_by_test_id("verdict")).to_have_attribute("data-outcome", "kept")
    expect(page.get_by_test_id("guesses")).to_have_count(0)
    if language == "en":
        assert OF_A_MODEL.search(page.locator("body").inner_text()) is None
        page.get_by_role("button", name=re.compile("Instructions|How it works")).first.click()
        assert OF_A_MODEL.search(page.locator("body").inner_text()) is None
    check(page, f"kept, in {language}")
