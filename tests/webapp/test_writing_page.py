"""The way of an attempt on the page: verdicts, errors, lost connections, reloads, and the end of the HIT."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Page, expect

from tests.webapp.fake_crowd import FakeCrowd
from tests.webapp.marking import drag, submit, write

HOSTILE = '<img src=x onerror="window.hacked = 1"> & <b>bold</b>'


def test_a_win_is_shown_counted_and_frozen(writing: Page) -> None:
    write(writing, "Whose engine sold first?", "Thomas Newcomen's")
    submit(writing)
    verdict = writing.get_by_test_id("verdict")
    expect(verdict).to_have_attribute("data-outcome", "fooled")
    expect(verdict).to_contain_text("You fooled the AI!")
    expect(verdict).to_contain_text("Other people will check your question when you have handed the task in.")
    expect(verdict).to_contain_text("Thomas Savery")
    expect(verdict).to_contain_text("87% sure")
    expect(verdict.get_by_role("heading")).to_be_focused()
    expect(writing.get_by_test_id("wins")).to_contain_text("1 of 3")
    expect(writing.get_by_test_id("bonus")).to_have_text(
        "Bonus so far $0.20 when you hand in, and up to $0.50 more if others confirm"
    )
    expect(writing.get_by_test_id("tries-left")).to_contain_text("24")
    expect(writing.get_by_label("Your question")).not_to_be_editable()
    writing.get_by_role("button", name="Write another question").click()
    expect(writing.get_by_label("Your question")).to_be_focused()
    expect(writing.get_by_label("Your question")).to_have_value("")
    expect(verdict).to_have_count(0)


def test_a_loss_leaves_the_text_to_be_changed(writing: Page, crowd: FakeCrowd) -> None:
    crowd.f1, crowd.model_answer = 0.8, "1712"
    write(writing, "When was it used?", "1712")
    submit(writing)
    verdict = writing.get_by_test_id("verdict")
    expect(verdict).to_have_attribute("data-outcome", "not-fooled")
    expect(verdict).to_contain_text("The AI got it right.")
    expect(verdict).to_contain_text("80%")
    expect(verdict).to_contain_text("Above 40%")
    writing.get_by_label("Your question").fill("When did miners see it work?")
    crowd.f1 = 0.0
    submit(writing)
    expect(verdict).to_have_attribute("data-outcome", "fooled")
    keys = [attempt["attempt_key"] for attempt in crowd.submitted()]
    assert len(set(keys)) == 2


def test_what_has_no_shape_is_taken_out_of_every_field_and_that_is_said(writing: Page, crowd: FakeCrowd) -> None:
    write(writing, "When was it used?", "1712")
    field = writing.get_by_label("Your question")
    field.press("Home")
    writing.keyboard.insert_text("\u200bSo\ufeff: ")
    expect(writing.get_by_test_id("cleaned")).to_have_text("2 invisible characters were removed from your text.")
    writing.keyboard.type("w")
    expect(field).to_have_value("So: wWhen was it used?")
    submit(writing)
    expect(writing.get_by_test_id("verdict")).to_be_visible()
    assert crowd.submitted()[-1]["work"]["question"] == "So: wWhen was it used?"


def test_an_error_is_shown_keeps_the_text_and_uses_no_second_key(writing: Page, crowd: FakeCrowd) -> None:
    crowd.error = {"code": "busy", "field": None, "message": "The AI is busy.", "retry_after_seconds": 3}
    write(writing, "When was it used?", "1712")
    submit(writing)
    expect(writing.get_by_role("alert")).to_contain_text("The AI is busy. (Try again in 3 s.)")
    expect(writing.get_by_label("Your question")).to_have_value("When was it used?")
    expect(writing.get_by_test_id("answer")).to_have_text("1712")
    crowd.error = None
    submit(writing)
    expect(writing.get_by_test_id("verdict")).to_be_visible()
    first, second = crowd.submitted()
    assert first == second


def test_an_error_of_the_question_marks_the_field(writing: Page, crowd: FakeCrowd) -> None:
    crowd.error = {"code": "invalid", "field": "question", "message": "The question has no words."}
    write(writing, "123?", "1712")
    submit(writing)
    expect(writing.get_by_label("Your question")).to_be_focused()
    expect(writing.get_by_label("Your question")).to_have_attribute("aria-invalid", "true")


def test_what_is_missing_is_told_without_asking_the_server(writing: Page, crowd: FakeCrowd) -> None:
    submit(writing)
    expect(writing.get_by_role("alert")).to_contain_text("write a question")
    writing.get_by_label("Your question").fill("When?")
    submit(writing)
    expect(writing.get_by_role("alert")).to_contain_text("mark the answer")
    assert crowd.submitted() == []


def test_a_slow_model_can_be_asked_again_under_the_same_key(page: Page, crowd: FakeCrowd) -> None:
    page.clock.install()
    page.goto(crowd.page)
    crowd.mute = True
    write(page, "When was it used?", "1712")
    submit(page)
    expect(page.get_by_role("button", name="The AI is reading")).to_be_visible()
    expect(page.get_by_role("button", name="Try again")).to_have_count(0)
    crowd.await_submission()
    page.clock.fast_forward(10_500)
    crowd.mute = False
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_test_id("verdict")).to_be_visible()
    first, second = crowd.submitted()
    assert first == second
    expect(page.get_by_test_id("tries-left")).to_contain_text("24")


def test_a_call_survives_a_lost_connection_with_the_same_ids(writing: Page, crowd: FakeCrowd) -> None:
    crowd.mute = True
    write(writing, "When was it used?", "1712")
    submit(writing)
    expect(writing.get_by_role("button", name="The AI is reading")).to_be_visible()
    crowd.await_submission()
    crowd.mute = False
    crowd.break_connections()
    expect(writing.get_by_test_id("verdict")).to_be_visible()
    first, second = [call for call in crowd.calls if call["target"] == "submit_attempt"]
    assert first == second
    expect(writing.get_by_test_id("connection")).to_have_text("Connected")


def test_a_reload_brings_back_the_draft_and_the_attempts(writing: Page) -> None:
    write(writing, "Whose engine sold first?", "Thomas Newcomen's")
    submit(writing)
    writing.get_by_role("button", name="Write another question").click()
    writing.get_by_label("Your question").fill("What was pumped? 😀")
    drag(writing, "water", "water")
    expect(writing.get_by_test_id("answer")).to_have_text("water")
    writing.reload()
    expect(writing.get_by_label("Your question")).to_have_value("What was pumped? 😀")
    expect(writing.get_by_test_id("answer")).to_have_text("water")
    expect(writing.get_by_test_id("wins")).to_contain_text("1 of 3")
    expect(writing.get_by_role("region", name="Submitted so far")).to_contain_text("Whose engine sold first?")


@pytest.mark.parametrize("f1", [0.0, 0.8])
def test_a_reload_of_the_verdict_puts_no_sent_question_back(writing: Page, crowd: FakeCrowd, f1: float) -> None:
    crowd.f1 = f1
    write(writing, "When was it used?", "1712")
    submit(writing)
    expect(writing.get_by_test_id("verdict")).to_be_visible()
    writing.reload()
    expect(writing.get_by_role("region", name="Submitted so far")).to_contain_text("When was it used?")
    expect(writing.get_by_label("Your question")).to_have_value("")
    expect(writing.get_by_test_id("answer")).to_have_count(0)


def test_a_change_after_a_loss_comes_back_with_a_reload(writing: Page, crowd: FakeCrowd) -> None:
    crowd.f1 = 0.8
    write(writing, "When was it used?", "1712")
    submit(writing)
    expect(writing.get_by_test_id("verdict")).to_be_visible()
    writing.get_by_label("Your question").fill("When did miners see it work?")
    writing.reload()
    expect(writing.get_by_label("Your question")).to_have_value("When did miners see it work?")
    expect(writing.get_by_test_id("answer")).to_have_text("1712")


def test_a_reload_while_the_model_thinks_gets_the_verdict_once(writing: Page, crowd: FakeCrowd) -> None:
    crowd.mute = True
    write(writing, "When was it used?", "1712")
    submit(writing)
    expect(writing.get_by_role("button", name="The AI is reading")).to_be_visible()
    crowd.await_submission()
    crowd.mute = False
    writing.reload()
    expect(writing.get_by_test_id("verdict")).to_be_visible()
    assert len({attempt["attempt_key"] for attempt in crowd.submitted()}) == 1
    assert len(crowd.attempts) == 1


def test_a_question_can_be_taken_back_after_asking(writing: Page) -> None:
    write(writing, "Whose engine sold first?", "Thomas Newcomen's")
    submit(writing)
    writing.get_by_role("button", name="Take back").click()
    dialog = writing.get_by_role("dialog", name="Take this question back?")
    dialog.get_by_role("button", name="Keep it").click()
    expect(writing.get_by_test_id("wins")).to_contain_text("1 of 3")
    writing.get_by_role("button", name="If you made a mistake").click()
    dialog.get_by_role("button", name="Take it back").click()
    expect(writing.get_by_test_id("wins")).to_contain_text("0 of 3")
    expect(writing.get_by_text("Taken back")).to_be_visible()


def test_a_problem_can_be_reported(writing: Page, crowd: FakeCrowd) -> None:
    write(writing, "Whose engine sold first?", "Thomas Newcomen's")
    submit(writing)
    writing.get_by_role("button", name="Report a problem").click()
    dialog = writing.get_by_role("dialog", name="Report a problem")
    dialog.get_by_label("Something is wrong with the passage").check()
    dialog.get_by_label("Anything to add?").fill(HOSTILE)
    dialog.get_by_role("button", name="Send report").click()
    expect(writing.get_by_text("Reported: Something is wrong with the passage")).to_contain_text(HOSTILE)
    assert crowd.attempts[0]["flag"] == {"reason": "context_problem", "note": HOSTILE}


def test_submitting_early_asks_first_and_waits_for_a_service_that_is_away(writing: Page, crowd: FakeCrowd) -> None:
    expect(writing.get_by_role("button", name="Submit task")).to_be_disabled()
    write(writing, "Whose engine sold first?", "Thomas Newcomen's")
    submit(writing)
    crowd.submit_refusals = 1
    writing.get_by_label("Anything to tell us?").fill("Nice passage")
    writing.get_by_role("button", name="Submit task").click()
    dialog = writing.get_by_role("dialog", name="Submit this task?")
    expect(dialog).to_contain_text("giving up never forfeits the base pay")
    dialog.get_by_role("button", name="Submit anyway").click()
    expect(writing.get_by_text("Your work is saved, and we keep trying")).to_be_visible()
    expect(writing.get_by_role("heading", name="Thank you!")).to_be_visible()
    final = {"hit": "h1", "attempt_ids": ["t0"], "feedback": "Nice passage"}
    [submission] = crowd.submissions
    assert submission["final_data"] == final
    assert (submission["USED_AGENT_ID"], submission["agent_secret"]) == ("7", "the page's own secret")
    for _ in range(100):  # a function that Playwright waits for is evaluated in the page, whose policy forbids that
        if writing.evaluate("window.handedBack !== undefined"):
            break
        writing.wait_for_timeout(50)
    assert json.loads(writing.evaluate("window.handedBack.final")) == final
    assert writing.evaluate("Object.keys(localStorage).filter(key => key.includes('draft'))") == []


def test_where_nobody_checks_the_questions_nothing_is_said_or_promised_of_it(page: Page, crowd: FakeCrowd) -> None:
    crowd.is_checked = False
    page.goto(crowd.page)
    bonuses = page.get_by_test_id("bonuses")
    expect(bonuses).to_contain_text("$0.20 for every win, once it counts")
    expect(bonuses).to_contain_text("Nobody else checks the questions on this passage")
    expect(bonuses).not_to_contain_text("$0.50")
    write(page, "Whose engine sold first?", "Thomas Newcomen's")
    submit(page)
    expect(page.get_by_test_id("verdict")).to_contain_text("It counts when you have handed the task in.")
    expect(page.get_by_test_id("bonus")).to_have_text("Bonus so far $0.20 when you hand in")
    page.get_by_role("button", name="Instructions").click()
    expect(page.get_by_role("dialog")).to_contain_text("Otherwise you have a win.")
    for promise in ("will check", "to be checked", "other people check"):
        expect(page.get_by_text(promise)).to_have_count(0)


def test_where_others_check_the_questions_every_bonus_is_told(writing: Page) -> None:
    expect(writing.get_by_test_id("bonuses").get_by_role("listitem")).to_have_text(
        [re.compile("^\\$0.20 for every win, once it counts"), re.compile("^\\$0.50 for every win that others confirm")]
    )


def test_a_hit_in_which_too_little_was_tried_says_why_it_cannot_be_handed_in(writing: Page, crowd: FakeCrowd) -> None:
    button = writing.get_by_role("button", name="Submit task")
    expect(button).to_have_attribute("aria-disabled", "true")
    expect(button).to_have_accessible_description(re.compile("Ask the AI one question, and you can submit the task"))
    button.focus()
    writing.keyboard.press("Enter")
    expect(writing.get_by_role("status").filter(has_text="Not yet.")).to_contain_text("Ask the AI one question")
    assert crowd.submissions == []
    write(writing, "Whose engine sold first?", "Thomas Newcomen's")
    submit(writing)
    expect(button).to_have_attribute("aria-disabled", "false")


def test_with_more_tries_wanted_it_says_how_many_are_missing(page: Page, crowd: FakeCrowd) -> None:
    crowd.min_tries = 3
    page.goto(crowd.page)
    write(page, "Whose engine sold first?", "Thomas Newcomen's")
    submit(page)
    expect(page.get_by_role("region", name="Hand in")).to_contain_text("Ask the AI 2 more questions")
    expect(page.get_by_role("button", name="Submit task")).to_be_disabled()


def test_an_empty_hit_can_be_handed_in_once_its_time_is_over_and_says_what_that_means(
    page: Page, crowd: FakeCrowd
) -> None:
    crowd.seconds_left = 1
    page.goto(crowd.page)
    expect(page.get_by_text("a person looks at it before it is paid").first).to_be_visible()
    page.get_by_role("button", name="Submit task").click()
    dialog = page.get_by_role("dialog", name="Submit this task?")
    expect(dialog).to_contain_text("a person looks at it before it is paid")
    expect(dialog).not_to_contain_text("giving up never forfeits")
    dialog.get_by_role("button", name="Submit anyway").click()
    expect(page.get_by_role("heading", name="Thank you!")).to_be_visible()
    assert len(crowd.submissions) == 1


def test_a_worker_sees_what_was_earned_paid_and_is_pending_and_the_pay_by_the_hour(
    page: Page, crowd: FakeCrowd
) -> None:
    crowd.earnings = {
        "earned_cents": 620,
        "paid_cents": 400,
        "pending_cents": 220,
        "hits_waiting": 1,
        "hourly": {"median_cents": 987.4, "assignments": 3},
    }
    page.goto(crowd.page)
    pay = page.get_by_role("region", name="Your pay in this project so far")
    for told in ("Earned$6.20", "Paid$4.00", "Pending$2.20", "By the hour$9.87", "One task is not counted yet"):
        expect(pay).to_contain_text(told)


def test_before_the_first_hit_there_is_no_pay_by_the_hour(page: Page, crowd: FakeCrowd) -> None:
    crowd.earnings = {"earned_cents": 0, "paid_cents": 0, "pending_cents": 0, "hits_waiting": 0, "hourly": None}
    page.goto(crowd.page)
    expect(page.get_by_test_id("earnings")).to_contain_text("By the hournone yet")


def test_enough_wins_submit_without_asking(writing: Page, crowd: FakeCrowd) -> None:
    for question in ("Who?", "When?", "Where?"):
        write(writing, question, "1712")
        submit(writing)
        writing.get_by_role("button", name="Write another question").click()
    writing.get_by_role("button", name="Submit task").click()
    expect(writing.get_by_role("heading", name="Thank you!")).to_be_visible()
    assert len(crowd.submissions) == 1


def test_when_the_tries_are_used_up_only_submitting_is_left(writing: Page, crowd: FakeCrowd) -> None:
    crowd.max_tries, crowd.f1 = 1, 1.0
    write(writing, "When was it used?", "1712")
    submit(writing)
    expect(writing.get_by_test_id("verdict")).to_be_visible()
    expect(writing.get_by_role("button", name="Submit question")).to_be_disabled()
    expect(writing.get_by_text("You have used all your tries")).to_be_visible()
    writing.get_by_role("button", name="Submit task").click()
    expect(writing.get_by_role("heading", name="Thank you!")).to_be_visible()


def test_an_ended_hit_says_so_and_keeps_the_text(writing: Page, crowd: FakeCrowd) -> None:
    write(writing, "When was it used?", "1712")
    crowd.tell_status("expired")
    expect(writing.get_by_role("heading", name="This task has ended")).to_be_visible()
    expect(writing.get_by_label("Your question")).to_have_value("When was it used?")
    expect(writing.get_by_role("button", name="Submit question")).to_be_disabled()


def test_no_work_is_told_in_the_servers_words(page: Page, crowd: FakeCrowd) -> None:
    crowd.failure_reason = "You have done all tasks of this batch. Thank you!"
    page.goto(crowd.page)
    expect(page.get_by_text("You have done all tasks of this batch.")).to_be_visible()


@pytest.mark.parametrize("address", ["assignment_id=ASSIGNMENT_ID_NOT_AVAILABLE&worker_id=ada", ""])
def test_a_preview_shows_everything_and_takes_no_agent(page: Page, crowd: FakeCrowd, address: str) -> None:
    page.goto(f"{crowd.url}/?{address}")
    expect(page.get_by_test_id("preview")).to_be_visible()
    expect(page.get_by_role("heading", name="What is rejected")).to_be_visible()
    expect(page.get_by_label("Your question")).to_be_disabled()
    expect(page.get_by_role("button", name="Submit question")).to_be_disabled()
    expect(page.get_by_role("region", name="Passage")).to_contain_text("lighthouse")
    assert crowd.registrations == []


def test_an_unknown_page_is_told(page: Page, crowd: FakeCrowd) -> None:
    crowd.config = {"page": "chess"}
    page.goto(crowd.page)
    expect(page.get_by_text('There is no page "chess". Available: ')).to_contain_text("reading_comprehension")


def test_text_is_never_markup(page: Page, crowd: FakeCrowd) -> None:
    crowd.passage = f"He wrote {HOSTILE} on the wall in 1712."
    crowd.title = crowd.model_answer = HOSTILE
    page.goto(crowd.page)
    write(page, HOSTILE, "1712")
    submit(page)
    expect(page.get_by_test_id("verdict")).to_contain_text(HOSTILE)
    expect(page.get_by_role("region", name="Submitted so far")).to_contain_text(HOSTILE)
    assert page.locator("img, main b").count() == 0
    assert page.evaluate("window.hacked") is None


def test_the_end_of_the_time_is_announced(page: Page, crowd: FakeCrowd) -> None:
    crowd.seconds_left = 301
    page.clock.install()
    page.goto(crowd.page)
    expect(page.get_by_test_id("time-left")).to_contain_text("5:0")
    page.clock.run_for(3_000)
    expect(page.get_by_text("Less than five minutes left.")).to_be_visible()
    page.clock.fast_forward(240_000)
    expect(page.get_by_text("Less than one minute left.")).to_be_visible()


def test_shortcuts_are_listed_but_not_while_typing(writing: Page) -> None:
    writing.get_by_label("Your question").press("?")
    expect(writing.get_by_role("dialog")).to_have_count(0)
    writing.get_by_role("region", name="Passage").press("?")
    expect(writing.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()
    writing.keyboard.press("Escape")
    expect(writing.get_by_role("dialog")).to_have_count(0)


def test_an_attempt_tells_how_its_question_came_to_be_and_the_rules_say_so(page: Page, crowd: FakeCrowd) -> None:
    page.goto(f"{crowd.url}/?assignment_id=ASSIGNMENT_ID_NOT_AVAILABLE")
    expect(page.get_by_role("heading", name="What this page records")).to_be_visible()
    page.goto(crowd.page)
    field = page.get_by_label("Your question")
    field.press_sequentially("Who?x")
    field.press("Backspace")
    # The clipboard, as the browser hands it to the page; the browser then inserts the text itself.
    field.evaluate(
        """field => {
            const data = new DataTransfer();
            data.setData("text", " And when 𝄞?");
            field.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
            document.execCommand("insertText", false, " And when 𝄞?");
        }"""
    )
    drag(page, "1712", "1712")
    submit(page)
    expect(page.get_by_test_id("verdict")).to_be_visible()
    [sent] = crowd.submitted()
    assert sent["work"]["question"] == "Who? And when 𝄞?"
    told = sent["telemetry"]
    assert (told["pastes"], told["pasted_chars"]) == (1, 12)
    assert told["keystrokes"] in (6, 7)  # the insertion that stands for the browser's own counts as one
    assert 0 <= told["first_key_seconds"] <= told["focused_seconds"]


def test_a_question_from_before_a_reload_is_told_without_counts(writing: Page, crowd: FakeCrowd) -> None:
    write(writing, "When was it used?", "1712")
    writing.reload()
    submit(writing)
    expect(writing.get_by_test_id("verdict")).to_be_visible()
    writing.get_by_role("button", name="Write another question").click()
    write(writing, "And who sold it?", "1712")
    submit(writing)
    expect(writing.get_by_test_id("wins")).to_contain_text("2 of 3")
    assert [sent["telemetry"] is None for sent in crowd.submitted()] == [True, False]


def test_the_newest_tab_has_the_hit_and_the_older_one_goes_on_when_it_is_gone(writing: Page, crowd: FakeCrowd) -> None:
    writing.get_by_label("Your question").fill("When was it used?")
    newer = writing.context.new_page()
    newer.goto(crowd.page)
    expect(writing.get_by_role("heading", name="You have opened this task in another tab")).to_be_visible()
    write(newer, "Which year was it used in?", "1712")
    submit(newer)
    expect(newer.get_by_test_id("verdict")).to_be_visible()
    newer.close(run_before_unload=True)
    writing.bring_to_front()
    expect(writing.get_by_role("region", name="Submitted so far")).to_contain_text("Which year was it used in?")
    expect(writing.get_by_test_id("tries-left")).to_contain_text("24")


def test_without_a_network_the_page_does_not_say_that_it_is_connected(writing: Page, crowd: FakeCrowd) -> None:
    state = writing.get_by_test_id("connection")
    expect(state).to_have_text("Connected")
    crowd.deaf = True
    writing.evaluate("dispatchEvent(new Event('offline'))")
    expect(state).to_have_text("Reconnecting …", timeout=5_000)
    crowd.deaf = False
    writing.evaluate("dispatchEvent(new Event('online'))")
    expect(state).to_have_text("Connected")


def test_a_service_that_takes_long_is_told_wherever_one_waits_for_it(page: Page, crowd: FakeCrowd) -> None:
    page.clock.install()
    crowd.mute_targets = {"state", "retract"}
    page.goto(crowd.page)
    expect(page.get_by_role("heading", name="Opening your task …")).to_be_visible()
    crowd.await_call("state")
    page.clock.fast_forward(8_500)
    expect(page.get_by_text("This takes longer than usual. The page goes on by itself")).to_be_visible()
    crowd.mute_targets = {"retract"}
    crowd.break_connections()
    page.clock.fast_forward(1_000)
    write(page, "When was it used?", "1712")
    submit(page)
    page.get_by_role("button", name="Take back").click()
    page.get_by_role("dialog").get_by_role("button", name="Take it back").click()
    page.clock.run_for(11_000)
    expect(page.get_by_test_id("connection")).to_have_text("Slower than usual …")


def test_what_fails_for_a_moment_is_asked_for_again_by_the_page(page: Page, crowd: FakeCrowd) -> None:
    crowd.failure_reason, crowd.failure_code = "Something went wrong on our side.", "internal"
    page.goto(crowd.page)
    expect(page.get_by_text("Something went wrong on our side.")).to_be_visible()
    crowd.failure_reason = None
    crowd.state_errors = 1
    expect(page.get_by_role("heading", name="The task could not be opened")).to_be_visible()
    expect(page.get_by_label("Your question")).to_be_visible()
