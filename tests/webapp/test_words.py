"""The words of pages in a browser: a made-up language shows what is left in English, and a reader chooses."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from beat_the_ai.messages import said, told
from beat_the_ai.words.pseudo import CLOSING, OPENING, PSEUDO
from tests.browser import check_accessible, fits
from tests.webapp.conftest import NewPage
from tests.webapp.fake_crowd import FakeCrowd, Stage
from tests.webapp.fake_questions import QuestionCrowd
from tests.webapp.fake_statements import StatementCrowd
from tests.webapp.shipped_words import shipped_words

ENGLISH_LEFT = f"""(names) => {{
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const left = [];
  while (walk.nextNode()) {{
    const node = walk.currentNode;
    const bare = node.data.replace(/{OPENING}[^{CLOSING}]*{CLOSING}/g, "");
    const own = names.reduce((text, name) => text.replaceAll(name, ""), bare);
    const isShown = !node.parentElement.closest("script, style, option, kbd, [dir=auto]");
    if (isShown && /\\p{{L}}{{2}}/u.test(own)) left.push(node.data);
  }}
  for (const element of document.querySelectorAll("[aria-label], [title], [placeholder], [alt]"))
    for (const name of ["aria-label", "title", "placeholder", "alt"]) {{
      const value = element.getAttribute(name) ?? "";
      if (/\\p{{L}}{{2}}/u.test(value) && !value.startsWith("{OPENING}")) left.push(`${{name}}: ${{value}}`);
    }}
  return left;
}}"""


def english_left(page: Page, *names: str) -> list[str]:
    """Return the texts of a page that come from no catalogue; `names` are those of the task and of the server.

    Texts of workers and contexts stand where the browser finds their direction (`dir="auto"`).
    """
    left: list[str] = page.evaluate(ENGLISH_LEFT, list(names))
    return left


EARNINGS = {
    "earned_cents": 450,
    "paid_cents": 200,
    "pending_cents": 250,
    "hits_waiting": 1,
    "hourly": {"median_cents": 1250, "assignments": 2},
}


def go_through_the_tour(page: Page, *given: str) -> None:
    tour = page.get_by_role("dialog")
    expect(tour).to_be_visible()
    while tour.count():
        assert english_left(page, *given) == []
        tour.get_by_role("button").first.click()


@pytest.fixture
def made_up(stage: Stage) -> FakeCrowd:
    return stage.enter(FakeCrowd(provider="mock", config={"run": "r1"}, languages=(PSEUDO, "en")))


def test_a_visitor_sees_no_english_but_the_name_of_the_task(page: Page, made_up: FakeCrowd) -> None:
    page.goto(made_up.url)
    expect(page.get_by_role("textbox")).to_be_visible()
    assert english_left(page, "Beat the AI") == []
    made_up.failure_reason = said("refusals.not_admitted")
    page.get_by_role("textbox").fill("Ada")
    page.get_by_role("textbox").press("Enter")
    expect(page.get_by_text(shipped_words(PSEUDO).messages["refusals.not_admitted"])).to_be_visible()
    assert english_left(page, "Beat the AI") == []


@pytest.mark.parametrize("width", [360, 1280])
def test_a_reader_chooses_a_language_and_keeps_it(new_page: NewPage, made_up: FakeCrowd, width: int) -> None:
    page = new_page(viewport={"width": width, "height": 740})
    page.goto(made_up.url)
    choice = page.get_by_role("combobox")
    expect(choice).to_have_value(PSEUDO)
    assert fits(page)
    choice.select_option("en")
    expect(page.get_by_label("Your name")).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", "en")
    check_accessible(page, "language")
    page.reload()
    expect(page.get_by_label("Your name")).to_be_visible()
    page.goto(f"{made_up.url}?lang={PSEUDO}")  # as from a page on which this one was chosen
    expect(page.locator("html")).to_have_attribute("lang", PSEUDO)
    page.goto(f"{made_up.url}?lang=xx")
    expect(page.locator("html")).to_have_attribute("lang", PSEUDO)


def test_a_page_in_one_language_offers_no_choice(page: Page, stage: Stage) -> None:
    crowd = stage.enter(FakeCrowd(provider="mock", config={"run": "r1"}))
    page.goto(crowd.url)
    expect(page.get_by_label("Your name")).to_be_visible()
    expect(page.get_by_role("combobox")).to_have_count(0)


def test_a_page_waits_for_its_words_and_says_so(page: Page, stage: Stage) -> None:
    crowd = stage.enter(FakeCrowd(provider="mock", config={"run": "r1"}))
    page.route("**/words/en.json", lambda route: route.fulfill(status=503))
    page.goto(crowd.url)
    expect(page.get_by_text("This page waits for its server.")).to_be_visible()
    page.unroute("**/words/en.json")
    expect(page.get_by_label("Your name")).to_be_visible()


def test_a_writer_sees_no_english_but_the_task(new_page: NewPage, stage: Stage) -> None:
    crowd = stage.enter(FakeCrowd(languages=(PSEUDO,), earnings=EARNINGS))
    page = new_page(first_hit=True, viewport={"width": 360, "height": 740})
    page.goto(crowd.page)
    given = ("Beat the AI",)
    go_through_the_tour(page, *given)
    page.get_by_role("textbox").first.fill("Whose engine sold first?")
    page.get_by_role("textbox").nth(1).fill("Thomas Newcomen's")
    crowd.error = {"code": "invalid", "field": "question", **told(said("refusals.text.empty", of="question"))}
    page.locator("form.composer button[type=submit]").click()
    expect(page.get_by_role("alert")).to_be_visible()
    assert english_left(page, *given) == []
    crowd.error = None
    page.locator("form.composer button[type=submit]").click()
    expect(page.get_by_test_id("verdict")).to_be_visible()
    assert english_left(page, *given) == []
    assert fits(page)
    for button in page.locator(".attempt-actions button").all():
        button.click()
        if page.get_by_role("dialog").count():
            assert english_left(page, *given) == []
            page.keyboard.press("Escape")
    page.keyboard.press("?")
    assert english_left(page, *given) == []


def test_an_author_of_statements_sees_no_english(new_page: NewPage, stage: Stage) -> None:
    crowd = stage.enter(StatementCrowd(languages=(PSEUDO,)))
    page = new_page(first_hit=True, viewport={"width": 360, "height": 740})
    page.goto(crowd.page)
    given = ("Beat the AI",)
    go_through_the_tour(page, *given)
    page.get_by_role("textbox").first.fill("The lamp was lit by a machine.")
    page.locator("form.composer button[type=submit]").click()
    expect(page.get_by_test_id("verdict")).to_be_visible()
    assert english_left(page, *given) == []
    assert fits(page)


def test_an_author_of_questions_sees_no_english(new_page: NewPage, stage: Stage) -> None:
    crowd = stage.enter(QuestionCrowd(languages=(PSEUDO,)))
    page = new_page(first_hit=True, viewport={"width": 360, "height": 740})
    page.goto(crowd.page)
    category = "Geography, Current Events and General Knowledge"
    given = (category, "Trick me if you can", "Beat the AI")
    go_through_the_tour(page, *given)
    page.get_by_role("textbox").first.fill("A lamp was lit there. It shone. Name it.")
    page.locator("form.composer button[type=submit]").click()
    expect(page.locator("form.composer").get_by_role("alert")).not_to_be_empty()
    assert english_left(page, *given) == []
    assert fits(page)
