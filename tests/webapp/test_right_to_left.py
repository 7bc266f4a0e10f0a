"""Pages that are read from the right, with texts in them that are read from the left: Arabic around English."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser import check_accessible, fits
from tests.thorough import names
from tests.webapp.conftest import NewPage
from tests.webapp.fake_crowd import FakeCrowd, Stage
from tests.webapp.fake_statements import MISSED, StatementCrowd
from tests.webapp.marking import word
from tests.webapp.walks import PREVIEW, WALKS

ARABIC = "ar"
VIEWS: dict[str, dict[str, Any]] = {
    "phone dark": {"viewport": {"width": 360, "height": 740}, "color_scheme": "dark"},
    "desktop light": {"viewport": {"width": 1280, "height": 900}, "color_scheme": "light"},
}
CUT = """() => [...document.querySelectorAll("body *")].filter(element => {
  const style = getComputedStyle(element), box = element.getBoundingClientRect();
  if (box.width <= 1 || box.height <= 1 || element.closest(".visually-hidden, svg")) return false;
  const isCut = style.overflowX !== "visible" && element.scrollWidth > element.clientWidth + 1;
  return isCut || box.left < -1 || box.right > document.documentElement.clientWidth + 1;
}).map(element => element.outerHTML.slice(0, 120))"""


def cut(page: Page) -> list[str]:
    """Return the elements that stick out of the page on either side, or that cut off their text."""
    found: list[str] = page.evaluate(CUT)
    return found


@pytest.mark.parametrize("view", names(VIEWS, ["phone dark"]))
@pytest.mark.parametrize("walk", WALKS)
def test_every_state_is_accessible_and_whole(new_page: NewPage, stage: Stage, walk: str, view: str) -> None:
    page = new_page(first_hit=True, **VIEWS[view])
    for state in WALKS[walk](page, stage, ARABIC):
        expect(page.locator("html")).to_have_attribute("dir", "rtl")
        check_accessible(page, state)
        assert fits(page), state
        assert cut(page) == [], state


def test_each_text_has_the_direction_of_its_own_language(page: Page, stage: Stage) -> None:
    crowd = stage.enter(FakeCrowd(languages=(ARABIC,)))
    page.goto(crowd.page)
    question, answer = page.get_by_role("textbox").first, page.get_by_role("textbox").nth(1)
    expect(page.locator(".passage")).to_have_css("direction", "ltr")
    expect(question).to_have_css("direction", "rtl")  # of its placeholder
    question.fill("Whose engine sold first?")
    answer.fill("Thomas Savery")
    for english in (question, answer, page.get_by_test_id("answer")):
        expect(english).to_have_css("direction", "ltr")
    question.fill("من صنع المضخة؟")
    expect(question).to_have_css("direction", "rtl")
    page.locator("form.composer button[type=submit]").click()
    expect(page.locator(".attempt-text")).to_have_css("direction", "rtl")


def test_texts_name_the_language_of_the_data(page: Page, stage: Stage) -> None:
    page.goto(stage.enter(FakeCrowd(languages=(ARABIC,))).page)
    question = page.get_by_role("textbox").first
    question.wait_for()
    for english in (page.locator(".passage"), page.locator(".reading h2"), question):
        expect(english).to_have_attribute("lang", "en")
    expect(page.locator("html")).to_have_attribute("lang", ARABIC)
    page.goto(f"{stage.url}{PREVIEW}")
    expect(page.locator(".passage")).to_have_attribute("lang", ARABIC)  # its sample is the page's own


def test_data_from_the_right_stay_so_whatever_their_first_letter(page: Page, stage: Stage) -> None:
    """On the screen, from the left: الفضاء إلى مسبارًا NASA."""
    passage = "NASA مسبارًا إلى الفضاء"
    crowd = stage.enter(FakeCrowd(passage=passage, config={"data": {"language": ARABIC, "direction": "rtl"}}))
    page.goto(crowd.page)
    question = page.get_by_label("Your question")
    expect(question).to_have_css("direction", "ltr")  # of its placeholder
    question.fill("NASA متى؟")
    for arabic in (page.locator(".passage"), question):
        expect(arabic).to_have_css("direction", "rtl")
        expect(arabic).to_have_attribute("lang", ARABIC)
    page.locator(".passage").focus()
    for text in ("NASA", "مسبارًا", "إلى"):
        page.keyboard.press("ArrowLeft")
        expect(word(page, text)).to_be_focused()
    left, right = (word(page, text).bounding_box() for text in ("مسبارًا", "NASA"))
    assert left is not None
    assert right is not None
    assert left["x"] < right["x"]


def test_bars_grow_and_arrows_point_as_text_runs(page: Page, stage: Stage) -> None:
    crowd = stage.enter(StatementCrowd(languages=(ARABIC,), probabilities=dict(MISSED)))
    page.goto(crowd.page)
    page.get_by_role("textbox").first.fill("The lamp was lit by a machine.")
    page.locator("form.composer button[type=submit]").click()
    track = page.locator(".probability-track").first.bounding_box()
    share = page.locator(".probability-share").first.bounding_box()
    assert track is not None
    assert share is not None
    assert share["x"] + share["width"] == pytest.approx(track["x"] + track["width"], abs=1)
    assert share["width"] < track["width"] / 2
    back = page.locator(".attempt-actions .icon.along-text")
    assert back.first.evaluate("icon => new DOMMatrix(getComputedStyle(icon).transform).a") == -1
