"""The words of pages in a browser: a made-up language shows what is left in English, and a reader chooses."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from beat_the_ai.words.pseudo import CLOSING, OPENING, PSEUDO
from tests.browser import check_accessible, fits
from tests.webapp.conftest import NewPage
from tests.webapp.fake_crowd import FakeCrowd, Stage
from tests.webapp.walks import GIVEN, WALKS

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


@pytest.fixture
def made_up(stage: Stage) -> FakeCrowd:
    return stage.enter(FakeCrowd(provider="mock", config={"run": "r1"}, languages=(PSEUDO, "en")))


@pytest.mark.parametrize("width", [360, pytest.param(1280, marks=pytest.mark.thorough)])
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


@pytest.mark.parametrize("walk", WALKS)
def test_no_page_has_words_in_its_code(new_page: NewPage, stage: Stage, walk: str) -> None:
    page = new_page(first_hit=True, viewport={"width": 360, "height": 740})
    for state in WALKS[walk](page, stage, PSEUDO):
        assert english_left(page, *GIVEN) == [], state
        assert fits(page), state
