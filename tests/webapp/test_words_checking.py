"""No page on which works are checked, newcomers are qualified or forms are answered has words in its code."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from beat_the_ai.kinds.reading_comprehension.saying import said
from beat_the_ai.messages import told
from beat_the_ai.words.pseudo import PSEUDO
from tests.browser import fits
from tests.webapp.conftest import NewPage
from tests.webapp.fake_checking import CheckingCrowd, FormsCrowd, ScreeningCrowd
from tests.webapp.fake_crowd import PASSAGE, FakeCrowd, Stage
from tests.webapp.test_words import english_left

PHONE = {"viewport": {"width": 360, "height": 740}}
PREVIEW = "/?assignment_id=ASSIGNMENT_ID_NOT_AVAILABLE"
TITLE = "Beat the AI"
CHECKING = ("validation", "nli_validation", "quizbowl_validation")
SCREENING = {"qualification": ("question", "answer", "pair"), "nli_qualification": ("labelling", "writing")}

STATEMENT = {"hypothesis": "Newcomen was an inventor."}
EXAMPLE = {"good": True, "text": "Which engine came first?", "why": "It has one answer."}
PREMISE = {"id": "p", "title": "", "text": PASSAGE}
READING_STEPS: list[dict[str, Any]] = [
    {
        "id": f"s{number}",
        "kind": kind,
        "passage": {"id": "p", "title": "Engines", "text": PASSAGE},
        "question": "Whose pump used steam?" if kind == "answer" else None,
        "answer": {"text": "toys", "start": PASSAGE.index("toys")} if kind == "question" else None,
        "example_passage": None,
        "examples": [EXAMPLE],
    }
    for number, kind in enumerate(["question", "answer"])
]
NLI_STEPS: list[dict[str, Any]] = [
    {
        "id": "s0",
        "kind": "labelling",
        "premises": [PREMISE],
        "examples": [{"premise": "p", "hypothesis": "Lids rattled.", "label": "entailment", "why": "It says so."}],
        "items": [{"id": name, "premise": "p", "hypothesis": f"Statement {name}."} for name in ("a", "b")],
    },
    {"id": "s1", "kind": "writing", "premise": PREMISE, "target": "neutral"},
]
MISTAKE = {**told(said("reading_refusals.quiz.elsewhere")), "hint": "Look again."}


def form(kind: str, *questions: dict[str, Any]) -> dict[str, Any]:
    nothing: dict[str, Any] = {"tag": "", "href": None, "children": [], "text": ""}
    text = [{**nothing, "tag": "p", "children": [{**nothing, "text": "What it says."}]}]
    asked = [{"required": False, "shown_when": {}, **one, "id": f"q{number}"} for number, one in enumerate(questions)]
    words = {"title": f"A {kind}", "agree": "Yes, I agree", "decline": "No, I do not"}
    return {"id": kind, "kind": kind, "text": text, "questions": asked, **words}


SURVEY = form(
    "survey",
    {"type": "choice", "text": "Which ones?", "options": ["Red", "Blue"], "several": True},
    {"type": "scale", "text": "How much?", "lowest": 1, "highest": 3, "low_label": "little", "high_label": "much"},
    {"type": "text", "text": "Why?", "max_chars": 100},
)


@pytest.fixture
def phone(new_page: NewPage) -> Page:
    return new_page(**PHONE)


def open_page(page: Page, stage: Stage, crowd: FakeCrowd) -> None:
    crowd.languages = (PSEUDO,)
    page.goto(stage.enter(crowd).page)


def save(page: Page) -> None:
    page.locator("form.composer button[type=submit]").click()


def is_translated(page: Page, *names: str) -> None:
    """Nothing is in English but the names of the task, and nothing sticks out."""
    assert english_left(page, TITLE, *names) == []
    assert fits(page)


@pytest.mark.parametrize("name", [*CHECKING, *SCREENING])
def test_a_preview_shows_all_of_its_guide_and_a_sample(phone: Page, stage: Stage, name: str) -> None:
    steps = [{"kind": kind} for kind in SCREENING.get(name, ())]
    crowd = ScreeningCrowd(qualifies_on=name, steps=steps) if steps else CheckingCrowd(checks_on=name)
    crowd.languages = (PSEUDO,)
    phone.goto(f"{stage.enter(crowd).url}{PREVIEW}")
    expect(phone.get_by_test_id("preview")).to_be_visible()
    is_translated(phone)


def test_answers_are_given_changed_and_handed_in(phone: Page, stage: Stage) -> None:
    crowd = CheckingCrowd(earnings=None)
    open_page(phone, stage, crowd)
    expect(phone.get_by_test_id("question")).to_be_visible()
    is_translated(phone)
    save(phone)
    is_translated(phone)  # nothing is marked yet
    cannot = phone.get_by_role("checkbox")
    for number in (1, 2):
        cannot.check()
        save(phone)
        expect(phone.get_by_test_id("answered")).to_contain_text(str(number))
    cannot.uncheck()
    is_translated(phone)  # a change is not saved
    crowd.mute_targets = {"vote"}
    cannot.check()
    save(phone)
    is_translated(phone)  # it is being saved
    phone.keyboard.press("?")
    is_translated(phone)


def test_a_statement_is_judged_or_a_bad_example(phone: Page, stage: Stage) -> None:
    open_page(phone, stage, CheckingCrowd(checks_on="nli_validation", work=STATEMENT))
    expect(phone.get_by_test_id("statement")).to_be_visible()
    save(phone)
    phone.get_by_role("radio").nth(3).check()
    save(phone)
    is_translated(phone)
    phone.keyboard.press("?")
    is_translated(phone)


def test_a_question_is_played_to_a_saved_answer(phone: Page, stage: Stage) -> None:
    open_page(phone, stage, CheckingCrowd(checks_on="quizbowl_validation", work={}))
    phone.get_by_role("radio").nth(3).check()  # word by word
    is_translated(phone)
    phone.locator(".composer .submit button").click()
    expect(phone.locator(".read-word")).to_have_count(1)
    is_translated(phone)
    phone.keyboard.press("b")
    save(phone)
    is_translated(phone)  # nothing is said yet
    phone.get_by_role("textbox").first.fill("Newcomen")
    save(phone)
    expect(phone.get_by_test_id("answered")).to_contain_text("1")
    phone.locator(".places button").first.click()
    is_translated(phone)


def test_a_screening_has_mistakes_praise_and_a_sample(phone: Page, stage: Stage) -> None:
    told: list[dict[str, Any]] = [MISTAKE, {"model_answer": "toys"}, {"model_answer": None}]
    open_page(phone, stage, ScreeningCrowd(steps=READING_STEPS, told=told))
    words = (str(EXAMPLE["text"]), str(EXAMPLE["why"]))
    for _ in range(2):  # wrong, then right
        phone.get_by_role("textbox").first.fill("What were the devices?")
        is_translated(phone, *words)
        save(phone)
        expect(phone.get_by_test_id("mistake").or_(phone.locator(".notice.praise"))).to_be_visible()
    is_translated(phone, *words)
    phone.get_by_role("textbox").first.fill("Thomas Savery")
    save(phone)
    expect(phone.get_by_test_id("sample")).to_be_visible()
    is_translated(phone, *words)


def test_a_screening_ends_with_its_last_try(phone: Page, stage: Stage) -> None:
    open_page(phone, stage, ScreeningCrowd(steps=READING_STEPS, told=[MISTAKE], tries=1))
    phone.get_by_role("textbox").first.fill("What were the devices?")
    save(phone)
    expect(phone.get_by_test_id("closing")).to_be_visible()
    is_translated(phone)


def test_a_screening_of_labels_has_corrections(phone: Page, stage: Stage) -> None:
    wrong = [{"id": "a", "label": "neutral", "why": "It says so."}]
    told: list[dict[str, Any]] = [{"labelled_right": 1, "wrong": wrong}, {"model_label": "entailment"}]
    crowd = ScreeningCrowd(qualifies_on="nli_qualification", steps=NLI_STEPS, told=told, brief={"target": "neutral"})
    open_page(phone, stage, crowd)
    save(phone)
    is_translated(phone)  # nothing is labelled
    for group in phone.locator("fieldset").all():
        group.get_by_role("radio").first.check()
    save(phone)
    expect(phone.locator(".corrections")).to_be_visible()
    is_translated(phone)
    phone.get_by_role("textbox").first.fill("Someone wrote this.")
    save(phone)
    expect(phone.get_by_test_id("sample")).to_be_visible()
    is_translated(phone)


def test_forms_are_declined_answered_and_refused(phone: Page, stage: Stage) -> None:
    crowd = FormsCrowd(before=[form("consent"), SURVEY])
    open_page(phone, stage, crowd)
    buttons = phone.locator(".form-page button")
    expect(buttons).to_have_count(2)
    is_translated(phone)
    buttons.nth(1).click()
    expect(phone.locator(".form-page")).to_have_count(0)
    is_translated(phone)
    phone.get_by_role("button").first.click()
    buttons.first.click()
    expect(phone.locator("fieldset").first).to_be_visible()
    is_translated(phone)
    crowd.refusal = {"code": "refused", "field": None, "message": "You cannot take part."}
    buttons.first.click()
    expect(phone.get_by_text("You cannot take part.")).to_be_visible()
    is_translated(phone, "You cannot take part.")


def test_forms_follow_a_submitted_hit(phone: Page, stage: Stage) -> None:
    open_page(phone, stage, FormsCrowd(after=[SURVEY], status="completed", config={"asks_afterwards": True}))
    expect(phone.locator(".form-page")).to_be_visible()
    is_translated(phone)
