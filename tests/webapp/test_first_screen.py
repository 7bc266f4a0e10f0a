"""What a writer has before any scrolling, in every kind of task."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from playwright.sync_api import Page, expect

from tests.webapp.conftest import WEBAPP, NewPage
from tests.webapp.fake_crowd import FakeCrowd, Stage
from tests.webapp.fake_questions import QuestionCrowd
from tests.webapp.fake_statements import StatementCrowd
from tests.webapp.sight import screens_down
from tests.webapp.test_accessibility import DESKTOP, PHONE

TASKS: Path = WEBAPP.parent / "hydra_configs" / "task"
CROWDS: dict[str, type[FakeCrowd]] = {
    "reading_comprehension": FakeCrowd,
    "nli": StatementCrowd,
    "quizbowl": QuestionCrowd,
}
ROW = """
header => [...header.children].flatMap(e => getComputedStyle(e).display === "contents" ? [...e.children] : [e])
  .filter(e => getComputedStyle(e).position !== "absolute")
  .map(e => e.getBoundingClientRect()).map(({ top, bottom }) => [top, bottom])
"""
FADES = """
text => getComputedStyle(text, "::after").backgroundImage.startsWith("linear-gradient")
  && getComputedStyle(text, "::after").position === "sticky"
"""


def opened(new_page: NewPage, stage: Stage, kind: str, device: dict[str, object]) -> Page:
    """The page of a HIT with the title that its task has by default."""
    crowd = stage.enter(CROWDS[kind]())
    crowd.config["task_title"] = yaml.safe_load((TASKS / f"{kind}.yaml").read_text(encoding="utf-8"))["title"]
    page = new_page(**device)
    page.goto(crowd.page)
    expect(page.get_by_test_id("connection")).to_have_text("Connected")
    return page


@pytest.mark.parametrize("kind", CROWDS)
def test_the_field_to_write_in_is_on_a_phones_first_screen(new_page: NewPage, stage: Stage, kind: str) -> None:
    page = opened(new_page, stage, kind, {**PHONE, "viewport": {"width": 360, "height": 740}})
    _, ends = screens_down(page, page.locator(".composer textarea").first)
    assert ends <= 1.0


@pytest.mark.parametrize("kind", ["reading_comprehension", "nli"])
def test_a_text_that_goes_on_below_its_box_fades(new_page: NewPage, stage: Stage, kind: str) -> None:
    page = opened(new_page, stage, kind, PHONE)
    text = page.locator(".passage")
    assert text.evaluate("e => e.scrollHeight > e.clientHeight")
    assert text.evaluate(FADES)


@pytest.mark.parametrize("kind", CROWDS)
def test_what_the_header_has_stands_in_one_row(new_page: NewPage, stage: Stage, kind: str) -> None:
    page = opened(new_page, stage, kind, {**DESKTOP, "viewport": {"width": 1280, "height": 800}})
    parts = page.locator(".work-header-inner").evaluate(ROW)
    assert len(parts) >= 5
    assert max(top for top, _ in parts) < min(bottom for _, bottom in parts)


def test_a_category_that_is_a_list_reads_as_one_in_the_goal(new_page: NewPage, stage: Stage) -> None:
    page = opened(new_page, stage, "quizbowl", DESKTOP)
    goal = "Choose an answer from Geography, Current Events and General Knowledge. Write a question that"
    expect(page.get_by_text(goal)).to_be_visible()
