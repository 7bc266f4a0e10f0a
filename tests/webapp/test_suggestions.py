"""Suggestions on the page of a writer: shown one at a time, taken into the form, left alone; in arms that have any."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.webapp.conftest import NewPage
from tests.webapp.fake_crowd import FakeCrowd, Stage
from tests.webapp.fake_questions import QuestionCrowd
from tests.webapp.fake_statements import StatementCrowd
from tests.webapp.marking import submit, write
from tests.webapp.test_accessibility import DESKTOP, PHONE, check

ASSISTED: dict[str, Any] = {"config": {}, "words": {}, "suggests": True}
START = FakeCrowd.passage.index("Thomas Newcomen's")
FIRST = {"question": "Whose engine sold first?", "answer": {"text": "Thomas Newcomen's", "start": START}}
SECOND = {"question": "Who got a patent <b>in 1606</b>?", "answer": None}
HOSTILE = "<img src=x onerror=alert(1)>"


@pytest.fixture
def assisted(crowd: FakeCrowd) -> FakeCrowd:
    crowd.arm, crowd.suggestions = ASSISTED, (FIRST, SECOND)
    return crowd


def section(page: Page) -> Any:
    return page.get_by_test_id("suggestion")


def called(crowd: FakeCrowd, target: str) -> list[Any]:
    return [json.loads(call["args"]) for call in crowd.calls if call["target"] == target]


def test_a_suggestion_is_taken_changed_and_handed_in(page: Page, assisted: FakeCrowd) -> None:
    page.goto(assisted.page)
    expect(section(page).get_by_role("heading", name="A suggestion")).to_be_visible()
    expect(section(page).locator("blockquote")).to_have_text("Whose engine sold first?")
    expect(section(page)).to_contain_text("Answer: Thomas Newcomen's")
    expect(page.get_by_label("Your question")).to_have_value("")
    section(page).get_by_role("button", name="Use it").click()
    field = page.get_by_label("Your question")
    expect(field).to_have_value("Whose engine sold first?")
    expect(field).to_be_focused()
    expect(section(page).get_by_role("status")).to_contain_text("It is in the form now.")
    expect(section(page).get_by_role("button", name="Put back")).to_have_count(0)  # there was nothing
    assert called(assisted, "take_suggestion") == [{"ordinal": 1}]
    assert assisted.submitted() == []
    field.fill("Whose engine was the first that sold?")
    submit(page)
    expect(page.get_by_test_id("verdict")).to_be_visible()
    [sent] = assisted.submitted()
    assert sent["work"] == {**FIRST, "question": "Whose engine was the first that sold?"}
    assert sent["telemetry"] is None  # few key presses are no evidence against somebody who was helped
    assert "suggestion" not in sent
    expect(section(page)).to_have_count(0)
    page.get_by_role("button", name="Write another question").click()
    expect(section(page)).to_be_visible()


def test_another_is_asked_for_once_and_then_all_come_round_again(page: Page, assisted: FakeCrowd) -> None:
    page.goto(assisted.page)
    texts = section(page).locator("blockquote")
    for wanted in (FIRST, SECOND, FIRST, SECOND):
        expect(texts).to_have_text(str(wanted["question"]))
        section(page).get_by_role("button", name="Another").click()
    assert called(assisted, "suggestions") == [{"ordinal": 1}, {"ordinal": 2}]
    expect(texts).to_have_text(str(FIRST["question"]))
    page.reload()
    expect(texts).to_have_text(str(SECOND["question"]))  # what was shown last, and no third


def test_a_suggestion_without_an_answer_leaves_the_marked_one_and_own_text_comes_back(
    page: Page, assisted: FakeCrowd
) -> None:
    assisted.suggestions = (SECOND,)
    page.goto(assisted.page)
    write(page, "My own question?", "1712")
    expect(section(page).get_by_role("button", name="Another")).to_have_count(0)
    section(page).get_by_role("button", name="Use it").click()
    expect(page.get_by_label("Your question")).to_have_value("Who got a patent <b>in 1606</b>?")
    section(page).get_by_role("button", name="Put back my own text").click()
    expect(page.get_by_label("Your question")).to_have_value("My own question?")
    submit(page)
    expect(page.get_by_test_id("verdict")).to_be_visible()
    assert assisted.submitted()[0]["work"]["question"] == "My own question?"
    assert assisted.submitted()[0]["work"]["answer"]["text"] == "1712"


def test_own_text_comes_back_after_any_number_of_suggestions(page: Page, assisted: FakeCrowd) -> None:
    page.goto(assisted.page)
    field, use = page.get_by_label("Your question"), section(page).get_by_role("button", name="Use it")
    back = section(page).get_by_role("button", name="Put back my own text")
    write(page, "My own question?", "1712")
    for wanted in (FIRST, SECOND):
        use.click()
        expect(field).to_have_value(str(wanted["question"]))
        section(page).get_by_role("button", name="Another").click()
    back.click()
    expect(field).to_have_value("My own question?")
    expect(back).to_have_count(0)
    use.click()
    expect(field).to_have_value(str(FIRST["question"]))
    field.fill("Whose engine sold at first?")  # what was made of a suggestion is the writer's own, too
    use.click()
    expect(field).to_have_value(str(FIRST["question"]))
    back.click()
    expect(field).to_have_value("Whose engine sold at first?")


def test_it_is_used_by_keyboard(page: Page, assisted: FakeCrowd) -> None:
    page.goto(assisted.page)
    section(page).get_by_role("button", name="Use it").focus()
    page.keyboard.press("Tab")
    expect(section(page).get_by_role("button", name="Another")).to_be_focused()
    page.keyboard.press("Enter")
    expect(section(page).locator("blockquote")).to_have_text(str(SECOND["question"]))
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Space")
    expect(page.get_by_label("Your question")).to_have_value(str(SECOND["question"]))


def test_what_the_server_refuses_is_said_and_nothing_is_taken(page: Page, assisted: FakeCrowd) -> None:
    page.goto(assisted.page)
    section(page).wait_for()
    assisted.error = {"code": "refused", "field": None, "message": "This task has been submitted."}
    section(page).get_by_role("button", name="Use it").click()
    expect(section(page).get_by_role("status")).to_contain_text("This task has been submitted.")
    expect(page.get_by_label("Your question")).to_have_value("")


@pytest.mark.parametrize("arm", [None, {**ASSISTED, "suggests": False}])
def test_other_writers_see_none_and_their_page_asks_for_none(
    page: Page, crowd: FakeCrowd, arm: dict[str, Any] | None
) -> None:
    crowd.arm, crowd.suggestions = arm, (FIRST,)
    page.goto(crowd.page)
    page.get_by_label("Your question").wait_for()
    page.wait_for_timeout(500)
    expect(section(page)).to_have_count(0)
    assert called(crowd, "suggestions") == []


def test_a_hit_without_any_has_no_such_section(page: Page, crowd: FakeCrowd) -> None:
    crowd.arm = ASSISTED
    page.goto(crowd.page)
    crowd.await_call("suggestions")
    page.get_by_label("Your question").wait_for()
    expect(section(page)).to_have_count(0)


@pytest.mark.parametrize(("language", "title"), [("de", "Ein Vorschlag"), ("ar", "اقتراح"), ("es", "Una sugerencia")])
def test_it_is_accessible_on_a_dark_phone_in_each_language_and_hostile_text_stays_text(
    new_page: NewPage, assisted: FakeCrowd, language: str, title: str
) -> None:
    assisted.languages = (language, "en")
    assisted.suggestions = ({**FIRST, "question": f"{HOSTILE} {'w' * 200}?"}, SECOND)
    page = new_page(**PHONE, color_scheme="dark")
    page.goto(f"{assisted.page}&lang={language}")
    expect(section(page).get_by_role("heading", name=title)).to_be_visible()
    expect(section(page).locator("blockquote")).to_contain_text(HOSTILE)
    expect(section(page).locator("blockquote")).to_have_attribute("lang", "en")
    check(page, f"suggested, {language}")
    section(page).get_by_role("button").first.click()
    expect(section(page).get_by_role("status")).not_to_be_empty()
    check(page, f"taken, {language}")


def test_a_statement_is_suggested(new_page: NewPage, stage: Stage) -> None:
    suggestion = {"hypothesis": "Nobody in Ermelen looks at the clock.", "target": "contradiction"}
    crowd = stage.enter(StatementCrowd(arm=ASSISTED, suggestions=(suggestion,)))
    page = new_page(**DESKTOP)
    page.goto(crowd.page)
    section(page).get_by_role("button", name="Use it").click()
    expect(page.get_by_label("Your statement")).to_have_value("Nobody in Ermelen looks at the clock.")
    check(page, "a statement")


def test_a_quizbowl_clue_is_suggested_with_its_answer(new_page: NewPage, stage: Stage) -> None:
    suggestion = {"text": "Some valleys of this place have seen no rain.", "answer": "South_Pole"}
    crowd = stage.enter(QuestionCrowd(arm=ASSISTED, suggestions=(suggestion,)))
    page = new_page(**DESKTOP)
    page.goto(crowd.page)
    expect(section(page)).to_contain_text("Answer: South Pole")
    section(page).get_by_role("button", name="Use it").click()
    expect(page.locator("textarea").first).to_have_value("Some valleys of this place have seen no rain.")
    expect(page.locator("form")).to_contain_text("South Pole")
    check(page, "a clue")
