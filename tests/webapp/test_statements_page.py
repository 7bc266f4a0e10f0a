"""The page on which statements are written that an AI mislabels: tries, probabilities, explanations, the end."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from beat_the_ai.kinds.nli.labels import LABELS, Label
from beat_the_ai.kinds.nli.writing import WORDING
from tests.thorough import cases
from tests.webapp.conftest import NewPage
from tests.webapp.fake_crowd import Stage
from tests.webapp.fake_statements import MISSED, TEXT, StatementCrowd
from tests.webapp.sight import assert_work_first
from tests.webapp.test_accessibility import DESKTOP, PHONE, check
from tests.webapp.test_writing_page import HOSTILE

LIE = "All faces of the clock show the same time."
ANOTHER = "The watchmaker was never paid."
CHAPTERS = ("The work", "Your pay", "What is rejected", "What this page records", "Good statements and bad ones")
VIEWS = cases({"desktop": DESKTOP, "phone dark": {**PHONE, "color_scheme": "dark"}}, ["phone dark"])


@pytest.fixture
def crowd(stage: Stage) -> StatementCrowd:
    crowd = StatementCrowd()
    stage.enter(crowd)
    return crowd


@pytest.fixture
def writing(page: Page, crowd: StatementCrowd) -> Page:
    """The page, opened and ready."""
    page.goto(crowd.page)
    page.get_by_label("Your statement", exact=True).wait_for()
    return page


def submit(page: Page, text: str) -> None:
    page.get_by_label("Your statement", exact=True).fill(text)
    page.get_by_role("button", name="Submit statement").click()


def win(page: Page, text: str = LIE) -> None:
    submit(page, text)
    expect(page.get_by_test_id("verdict")).to_have_attribute("data-outcome", "fooled")


def miss(page: Page, crowd: StatementCrowd, text: str = LIE) -> None:
    crowd.probabilities = dict(MISSED)
    submit(page, text)
    expect(page.get_by_test_id("verdict")).to_have_attribute("data-outcome", "not-fooled")


def explain(page: Page, label_reason: str, model_reason: str) -> None:
    page.get_by_label("Why is your statement").fill(label_reason)
    page.get_by_label("Why may the AI have been fooled?").fill(model_reason)
    page.get_by_role("button", name="Save").click()


@pytest.mark.parametrize("label", LABELS)
def test_the_target_is_said_in_the_words_of_the_paper_above_the_work_and_at_the_field(
    page: Page, crowd: StatementCrowd, label: Label
) -> None:
    crowd.target = label
    page.goto(crowd.page)
    wording = page.locator(f"[data-label={label}]")
    expect(wording).to_have_text([WORDING[label], WORDING[label]])
    expect(page.get_by_text("Write a statement about the text that is")).to_contain_text(WORDING[label])
    expect(page.get_by_test_id("target")).to_contain_text("the statement" if label != "neutral" else "leaves it open")


def test_after_a_miss_all_probabilities_are_shown_and_told_and_the_same_text_is_tried_again(
    writing: Page, crowd: StatementCrowd
) -> None:
    expect(writing.get_by_test_id("try")).to_have_text("Try 1 of 5")
    miss(writing, crowd)
    expect(writing.get_by_test_id("try")).to_have_text("Try 2 of 5")
    bars = writing.get_by_role("list", name="What the AI says").get_by_role("listitem")
    expect(bars).to_have_text(
        [
            "definitely correct6%",
            "neither12%",
            "definitely incorrectyour targetthe AI’s choice82%",
        ]
    )
    shares = writing.locator(".probability-share").evaluate_all("all => all.map(e => e.getBoundingClientRect().width)")
    whole = writing.locator(".probability-track").first.evaluate("e => e.getBoundingClientRect().width")
    assert [round(share / whole, 2) for share in shares] == [0.06, 0.12, 0.82]
    spoken = writing.get_by_role("status").filter(has_text="The AI says")
    expect(spoken).to_have_text("The AI says: definitely correct 6%, neither 12%, definitely incorrect 82%.")
    expect(writing.get_by_role("heading", name="The AI got it right.")).to_be_focused()
    expect(writing.get_by_role("region", name="Text")).to_have_text(TEXT)
    expect(writing.get_by_label("Your statement", exact=True)).to_have_value(LIE)
    expect(writing.get_by_label("Your statement", exact=True)).to_be_editable()


def test_a_writer_goes_back_to_an_earlier_statement_and_edits_that(writing: Page, crowd: StatementCrowd) -> None:
    miss(writing, crowd, LIE)
    submit(writing, ANOTHER)
    attempts = writing.get_by_role("region", name="Submitted so far").get_by_role("listitem")
    expect(attempts).to_have_count(2)
    expect(attempts.first).to_contain_text("The AI: definitely incorrect (82% sure)")
    attempts.filter(has_text=LIE).get_by_role("button", name="Edit again").click()
    field = writing.get_by_label("Your statement", exact=True)
    expect(field).to_have_value(LIE)
    expect(field).to_be_focused()
    expect(writing.get_by_test_id("verdict")).to_have_count(0)
    field.press("End")
    field.press_sequentially(" Twice.")
    writing.reload()
    expect(field).to_have_value(f"{LIE} Twice.")
    writing.get_by_role("button", name="Submit statement").click()
    expect(attempts).to_have_count(3)
    assert [sent["work"] for sent in crowd.submitted()] == [
        {"hypothesis": LIE},
        {"hypothesis": ANOTHER},
        {"hypothesis": f"{LIE} Twice."},
    ]
    assert len({sent["attempt_key"] for sent in crowd.submitted()}) == 3


def test_a_win_is_explained_before_the_hit_is_handed_in(writing: Page, crowd: StatementCrowd) -> None:
    win(writing)
    verdict = writing.get_by_test_id("verdict")
    expect(verdict).to_contain_text(LIE)
    expect(verdict).to_contain_text("definitely correctthe AI’s choice71%")
    expect(writing.get_by_label("Your statement", exact=True)).to_have_count(0)
    expect(writing.get_by_role("button", name="Edit again")).to_have_count(0)
    expect(writing.get_by_label(f"Why is your statement {WORDING['contradiction']}?")).to_have_value("")
    hand_in = writing.get_by_role("button", name="Submit task")
    expect(hand_in).to_have_accessible_description(re.compile("Please explain your win first"))
    hand_in.focus()
    writing.keyboard.press("Enter")
    assert crowd.submissions == []

    writing.get_by_role("button", name="Save").click()
    expect(writing.get_by_role("alert")).to_contain_text("Why is your statement definitely incorrect?")
    expect(writing.get_by_label("Why is your statement")).to_be_focused()
    explain(writing, " There are four times. ", "It knows what clocks do.")
    expect(writing.get_by_role("button", name="Saved")).to_be_visible()
    expect(verdict).to_contain_text("Other people will check your statement when you have handed the task in.")
    said = {"label_reason": "There are four times.", "model_reason": "It knows what clocks do."}
    assert crowd.attempts[0]["explanation"] == said
    expect(writing.get_by_role("region", name="Submitted so far")).to_contain_text("There are four times.")

    hand_in.click()
    expect(writing.get_by_role("heading", name="Thank you!")).to_be_visible()
    [submission] = crowd.submissions
    assert submission["final_data"] == {"hit": "h1", "attempt_ids": ["t0"], "feedback": ""}
    assert writing.evaluate("Object.keys(localStorage).filter(key => key.includes('draft'))") == []


def test_an_explanation_that_was_begun_survives_a_reload_and_one_that_was_saved_can_be_changed(
    writing: Page, crowd: StatementCrowd
) -> None:
    win(writing)
    reason = writing.get_by_label("Why is your statement")
    reason.fill("There are four 😀")
    writing.reload()
    expect(writing.get_by_test_id("verdict")).to_contain_text(LIE)
    expect(reason).to_have_value("There are four 😀")
    explain(writing, "There are four.", "Clocks.")
    expect(writing.get_by_role("button", name="Saved")).to_be_visible()
    reason.fill("There are four times.")
    writing.keyboard.press("Control+Enter")
    expect(writing.get_by_role("button", name="Saved")).to_be_visible()
    assert crowd.attempts[0]["explanation"] == {"label_reason": "There are four times.", "model_reason": "Clocks."}
    assert len(crowd.submitted()) == 1  # the shortcut is the explanation's now


def test_what_the_server_refuses_of_an_explanation_is_told_at_its_field(writing: Page, crowd: StatementCrowd) -> None:
    win(writing)
    crowd.explain_error = {"code": "invalid", "field": "model_reason", "message": "The model_reason contains markup."}
    explain(writing, "There are four.", "It is <b>dim</b>.")
    expect(writing.get_by_role("alert")).to_contain_text("contains markup")
    expect(writing.get_by_label("Why may the AI have been fooled?")).to_be_focused()
    expect(writing.get_by_label("Why may the AI have been fooled?")).to_have_attribute("aria-invalid", "true")
    crowd.explain_error = None
    explain(writing, "There are four.", "It is dim.")
    expect(writing.get_by_role("button", name="Saved")).to_be_visible()


def test_a_win_that_is_taken_back_needs_no_explanation_and_the_tries_go_on(
    writing: Page, crowd: StatementCrowd
) -> None:
    win(writing)
    writing.get_by_role("button", name="If you made a mistake").click()
    dialog = writing.get_by_role("dialog", name="Take this statement back?")
    expect(dialog).to_contain_text(LIE)
    dialog.get_by_role("button", name="Take it back").click()
    expect(writing.get_by_test_id("explanation")).to_have_count(0)
    writing.get_by_role("button", name="Write another statement").click()
    miss(writing, crowd, ANOTHER)
    expect(writing.get_by_test_id("try")).to_have_text("Try 3 of 5")


def test_giving_up_is_asked_about_once_and_keeps_the_base_pay(writing: Page, crowd: StatementCrowd) -> None:
    give_up = writing.get_by_role("button", name="Give up and submit task")
    expect(give_up).to_have_accessible_description(re.compile("Submit one statement to the AI, and you can give up"))
    miss(writing, crowd)
    give_up.click()
    dialog = writing.get_by_role("dialog", name="Give up?")
    expect(dialog).to_contain_text("You have 4 tries left. Giving up never forfeits the base pay.")
    dialog.get_by_role("button", name="Keep writing").click()
    writing.get_by_label("Your statement", exact=True).fill(ANOTHER)
    give_up.click()
    expect(dialog).to_contain_text("There is a statement in the editor that you have not submitted.")
    dialog.get_by_role("button", name="Give up").click()
    expect(writing.get_by_role("heading", name="Thank you!")).to_be_visible()
    [submission] = crowd.submissions
    assert submission["final_data"]["attempt_ids"] == ["t0"]


def test_when_the_tries_are_used_up_only_submitting_is_left(page: Page, crowd: StatementCrowd) -> None:
    crowd.max_tries = 1
    page.goto(crowd.page)
    miss(page, crowd)
    expect(page.get_by_test_id("try")).to_have_text("Try 1 of 1")
    expect(page.get_by_role("button", name="Submit statement")).to_be_disabled()
    expect(page.get_by_text("You have used all your tries.")).to_be_visible()
    page.get_by_role("button", name="Submit task").click()
    expect(page.get_by_role("heading", name="Thank you!")).to_be_visible()


def test_a_win_with_the_last_try_is_explained_too(page: Page, crowd: StatementCrowd) -> None:
    crowd.max_tries = 1
    page.goto(crowd.page)
    win(page)
    expect(page.get_by_role("button", name="Submit task")).to_be_disabled()
    explain(page, "There are four.", "Clocks.")
    page.get_by_role("button", name="Submit task").click()
    expect(page.get_by_role("heading", name="Thank you!")).to_be_visible()


def test_an_explained_win_stays_the_end_of_the_hit_after_a_reload(writing: Page) -> None:
    win(writing)
    explain(writing, "There are four.", "Clocks.")
    expect(writing.get_by_role("button", name="Saved")).to_be_visible()
    writing.reload()
    expect(writing.get_by_text("You beat the AI. Well done! Please submit the task.")).to_be_visible()
    expect(writing.get_by_role("region", name="Submitted so far")).to_contain_text("Clocks.")
    expect(writing.get_by_role("button", name="Submit statement")).to_have_count(0)


def test_what_is_missing_or_too_long_is_told_without_asking_the_server(writing: Page, crowd: StatementCrowd) -> None:
    writing.get_by_role("button", name="Submit statement").click()
    expect(writing.get_by_role("alert")).to_contain_text("write a statement")
    submit(writing, "a" * 301)
    expect(writing.get_by_role("alert")).to_contain_text("at most 300 are allowed")
    expect(writing.get_by_label("Your statement", exact=True)).to_be_focused()
    assert crowd.submitted() == []


def test_text_is_never_markup(page: Page, crowd: StatementCrowd) -> None:
    crowd.passage, crowd.title = f"He wrote {HOSTILE} on the wall.", HOSTILE
    page.goto(crowd.page)
    win(page, HOSTILE)
    explain(page, HOSTILE, HOSTILE)
    expect(page.get_by_role("button", name="Saved")).to_be_visible()
    for name in ("Text", "Submitted so far"):
        expect(page.get_by_role("region", name=name)).to_contain_text(HOSTILE)
    assert page.locator("img, main b").count() == 0
    assert page.evaluate("window.hacked") is None


@pytest.mark.parametrize("task", [{"context": None}, {"brief": {"target": "maybe"}}])
def test_a_hit_without_a_text_or_a_target_says_so(
    page: Page, crowd: StatementCrowd, task: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = crowd._task()
    monkeypatch.setattr(crowd, "_task", lambda: {**whole, **task})
    page.goto(crowd.page)
    expect(page.get_by_role("heading", name="This task has no text")).to_be_visible()


@pytest.mark.parametrize("device", VIEWS)
def test_text_target_and_field_are_in_sight_before_anything_is_scrolled(
    new_page: NewPage, crowd: StatementCrowd, device: dict[str, Any]
) -> None:
    crowd.target = "neutral"  # the longest
    page = new_page(**device)
    page.goto(crowd.page)
    page.get_by_label("Your statement", exact=True).wait_for()
    expect(page.get_by_test_id("connection")).to_have_text("Connected")
    expect(page.get_by_text("Write a statement about the text that is")).to_be_in_viewport(ratio=1)
    assert_work_first(page, page.get_by_label("Your statement", exact=True), "Text", on_phone=1.0)


def test_a_tour_tells_a_newcomer_everything_before_the_work(new_page: NewPage, crowd: StatementCrowd) -> None:
    page = new_page(first_hit=True, **DESKTOP)
    page.goto(crowd.page)
    told = ""
    for place, title in enumerate(CHAPTERS, start=1):
        dialog = page.get_by_role("dialog", name=f"Instructions, {place} of 5 {title}")
        expect(dialog).to_be_visible()
        told += dialog.inner_text()
        dialog.get_by_role("button", name="Next" if place < 5 else "Start working").click()
    for words in (
        *WORDING.values(),
        "You get $0.60 for up to 5 tries; one win ends the task.",
        "$0.50 for every win that others confirm",
        "Other people then judge your statement without knowing the target.",
        "giving up never forfeits the base pay",
        "Statements that miss the target",
        "how much was pasted",
    ):
        assert words in told
    page.reload()
    expect(page.get_by_label("Your statement", exact=True)).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)


@pytest.mark.parametrize("device", VIEWS)
def test_every_state_of_the_work_is_accessible(
    new_page: NewPage, crowd: StatementCrowd, device: dict[str, Any]
) -> None:
    page = new_page(**device)
    page.goto(crowd.url)
    expect(page.get_by_test_id("preview")).to_be_visible()
    expect(page.get_by_text("Other people then judge your statement without knowing the target.")).to_be_visible()
    expect(page.get_by_label("Your statement", exact=True)).to_be_disabled()
    check(page, "preview")
    page.goto(crowd.page)
    page.get_by_label("Your statement", exact=True).wait_for()
    check(page, "empty")
    page.get_by_role("button", name="Instructions").click()
    for chapter in range(1, 6):
        expect(page.get_by_role("dialog", name=f"Instructions, {chapter} of 5")).to_be_visible()
        check(page, f"instructions {chapter}")
        page.get_by_role("dialog").get_by_role("button", name="Next" if chapter < 5 else "Close").click()
    page.get_by_role("button", name="Submit statement").click()
    expect(page.get_by_role("alert")).not_to_be_empty()
    check(page, "error")
    miss(page, crowd)
    check(page, "missed")
    page.get_by_role("button", name="Give up and submit task").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    check(page, "giving up")
    page.get_by_role("button", name="Keep writing").click()
    crowd.probabilities = StatementCrowd().probabilities
    win(page, ANOTHER)
    check(page, "won")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("alert")).not_to_be_empty()
    check(page, "not explained")
    explain(page, "He was.", "A name.")
    expect(page.get_by_role("button", name="Saved")).to_be_visible()
    check(page, "explained")
