"""Errors that no handler catches are shown and reported, and take back what they may have left wrong."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser import check_accessible
from tests.webapp.fake_crowd import SECRET, FakeCrowd
from tests.webapp.marking import submit, write

BREAK = """() => {
  window.kept = crypto.getRandomValues;
  crypto.getRandomValues = () => { throw new Error("broken on purpose"); };
}"""
MEND = "() => { crypto.getRandomValues = window.kept; }"


def test_an_error_in_a_handler_is_shown_and_reported_and_clears_the_mark(writing: Page, crowd: FakeCrowd) -> None:
    write(writing, "When was it used?", "1712")
    writing.evaluate(BREAK)
    submit(writing)
    note = writing.get_by_test_id("fault")
    expect(note).to_contain_text("Something went wrong on this page. What you wrote is kept")
    expect(writing.get_by_test_id("answer")).to_have_count(0)
    expect(writing.get_by_label("Your question")).to_have_value("When was it used?")
    writing.evaluate(MEND)
    check_accessible(writing, "fault")
    note.get_by_role("button", name="Close").click()
    expect(note).to_have_count(0)
    submit(writing)
    expect(writing.get_by_role("alert").filter(has_text="mark the answer")).to_be_visible()
    assert crowd.submitted() == []
    [report] = crowd.faults
    assert (report["USED_AGENT_ID"], report["agent_secret"]) == ("7", SECRET)
    assert report["error_data"]["text"].startswith("broken on purpose\n")


def test_an_error_while_a_page_is_drawn_is_shown_and_reported(writing: Page, crowd: FakeCrowd) -> None:
    writing.evaluate("() => { Array.prototype.toReversed = () => { throw new Error('broken on purpose'); }; }")
    write(writing, "When was it used?", "1712")
    with writing.expect_request("**/log_error"):
        submit(writing)
    expect(writing.get_by_role("heading", name="Something went wrong on this page")).to_be_visible()
    writing.get_by_role("button", name="Reload the page").click()
    expect(writing.get_by_role("region", name="Submitted so far")).to_contain_text("When was it used?")


def test_an_error_of_another_script_is_none_of_the_pages(writing: Page, crowd: FakeCrowd) -> None:
    writing.evaluate("setTimeout(() => { throw new Error('of an extension, on purpose'); })")
    writing.evaluate("new Promise((settled) => setTimeout(settled, 50))")
    expect(writing.get_by_test_id("fault")).to_have_count(0)
    assert crowd.faults == []
