"""The pages in a real browser: offline, on a phone, in the dark, for everybody, and with hostile text."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from beat_the_ai.analysis.annotations import read_annotations
from beat_the_ai.analysis.campaign import Beaten, CampaignFigures, Cost, Writer, campaign_sections
from beat_the_ai.analysis.pages import annotation_page, report_page
from beat_the_ai.analysis.side_by_side import ComparedDataset, explanation, side_by_side
from beat_the_ai.kinds.nli.report.inference import SCHEME as FINER
from beat_the_ai.kinds.reading_comprehension.report.comprehension import SCHEME, requirements_section
from beat_the_ai.kinds.reading_comprehension.report.examples import Example, Part
from beat_the_ai.kinds.reading_comprehension.report.published import published_datasets
from beat_the_ai.kinds.reading_comprehension.report.sections import dataset_sections
from beat_the_ai.rules.corpora import Item
from beat_the_ai.statistics.clustered import Clustered
from beat_the_ai.statistics.section import Section, Table
from beat_the_ai.terms.division import PARTS
from tests.browser import check_accessible
from tests.reading_comprehension import KIND

HOSTILE = '</script><script>document.title="owned"</script><img src=x onerror=\'document.title="owned"\'> {{ 7*7 }}'
REQUIRED = {"train-1": ["Explicit"], "train-2": ["Numeric", "Negation"]}


def part(name: str) -> Part:
    made = Part(name)
    for number in range(12):
        question = f"{('What', 'Who', 'In')[number % 3]} is {number} {'very ' * number}old?"
        made.add(
            Example(f"{name}-{number}", f"Passage {number} of {name} is very old.", question, "very old " * number)
        )
    made.add(Example(f"{name}-hostile", HOSTILE, HOSTILE, HOSTILE))
    return made


def report() -> str:
    figures = CampaignFigures(
        words=KIND.words,
        paper=KIND.paper,
        models={
            HOSTILE: Beaten(Clustered({"w1": (3, 5), "w2": (1, 5)})),
            "bidaf-small": Beaten(Clustered({"w1": (20, 30)})),
        },
        writers={f"w-{number:016x}": Writer(9 - number, 1, 5) for number in range(8)},
        hit_seconds={"w1": [300.0, 420.5], "w2": [1900.0]},
        cost=Cost(0, 100000, 23456, works=24, validated=12),
    )
    sections = [*dataset_sections([part("train"), part("test")]), *campaign_sections(figures)]
    sections.append(requirements_section(REQUIRED, dict.fromkeys(REQUIRED, "It rains.")))
    return report_page(HOSTILE, HOSTILE, sections, KIND.paper)


def comparison() -> str:
    """Four datasets of different sizes, the last under a hostile name."""
    required = requirements_section(REQUIRED, dict.fromkeys(REQUIRED, "It rains."))
    names = ("SQuAD", "ours", "theirs", HOSTILE)
    datasets = [
        ComparedDataset(name, [*dataset_sections([part(each) for each in PARTS[:number]]), required])
        for number, name in enumerate(names, 1)
    ]
    sections = side_by_side(datasets, published_datasets())
    return report_page(HOSTILE, explanation(HOSTILE), sections, KIND.paper)


@pytest.fixture
def pages(tmp_path: Path) -> dict[str, Path]:
    paths = {name: tmp_path / f"{name}.html" for name in ("report", "comparison", "annotation")}
    paths["report"].write_text(report(), encoding="utf-8")
    paths["comparison"].write_text(comparison(), encoding="utf-8")
    hostile = Item("train-hostile", HOSTILE, HOSTILE, "Answer", HOSTILE)
    items = [*(Item(f"train-{number}", "Who?", "A passage.", "Answer", "old") for number in range(2)), hostile]
    paths["annotation"].write_text(annotation_page(HOSTILE, items, SCHEME), encoding="utf-8")
    paths["finer"] = tmp_path / "finer.html"
    paths["finer"].write_text(annotation_page(HOSTILE, items, replace(FINER, most=2)), encoding="utf-8")
    return paths


@pytest.fixture(params=["light", "dark"])
def page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    scheme: Literal["light", "dark"] = request.param
    context = browser.new_context(viewport={"width": 360, "height": 740}, color_scheme=scheme)
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("name", ["report", "comparison", "annotation", "finer"])
def test_a_page_asks_nobody_runs_nothing_foreign_fits_a_phone_and_is_accessible(
    pages: dict[str, Path], page: Page, name: str
) -> None:
    asked: list[str] = []
    said: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(pages[name].as_uri())
    assert page.title().startswith("</script>")  # as text; "owned" if it had run
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    check_accessible(page, name, rules=None)
    assert asked == [pages[name].as_uri()]
    assert said == []


def test_every_plot_has_a_name_and_a_table(pages: dict[str, Path], page: Page) -> None:
    page.goto(pages["report"].as_uri())
    plots, tables = page.get_by_role("img"), page.locator("details table")
    assert plots.count() == tables.count() >= 9
    for plot in plots.all():
        assert plot.get_attribute("aria-label")
    expect(page.locator("svg .bar").first).to_be_visible()


def test_the_contents_show_the_figures_to_read_first_and_lead_to_their_sections(
    pages: dict[str, Path], page: Page
) -> None:
    page.goto(pages["report"].as_uri())
    contents = page.get_by_role("navigation", name="Contents")
    headings = page.locator("section h2")
    expect(contents.get_by_role("link")).to_have_text(headings.all_inner_texts())
    expect(contents.get_by_role("listitem").filter(has_text="Cost")).to_contain_text("cost of a validated question: $")
    contents.get_by_role("link", name="Cost").focus()
    page.keyboard.press("Enter")
    expect(headings.get_by_text("Cost")).to_be_in_viewport()


def test_few_sections_need_no_contents() -> None:
    section = Section("Texts", "", Table(("name", "text"), []))
    assert ["<nav" in report_page("", "", [section] * number) for number in (3, 4)] == [False, True]


def test_a_wide_table_scrolls_in_its_own_box_by_keyboard_and_keeps_its_names_in_sight(
    pages: dict[str, Path], page: Page
) -> None:
    page.goto(pages["comparison"].as_uri())
    box = page.get_by_role("region", name="Passages and questions, table")
    expect(box.get_by_role("columnheader")).to_have_text(
        ["figure", "SQuAD", "ours", "theirs", HOSTILE, *(f"{each.name}, published" for each in published_datasets())]
    )
    box.focus()
    expect(box).to_be_focused()
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    page.wait_for_function("box => box.scrollLeft > 100", arg=box.element_handle())
    assert box.get_by_text("passages, train").evaluate("cell => cell.getBoundingClientRect().left") > 0


def test_texts_in_tables_have_room() -> None:
    page = report_page("", "", [Section("Texts", "", Table(("name", "text"), [("a", "x" * 100), ("b", "y" * 101)]))])
    assert f"<td>{'x' * 100}</td>" in page
    assert f'<td class="long">{"y" * 101}</td>' in page


def test_the_same_sections_give_the_same_bytes() -> None:
    assert report() == report()


def opened_again_with(page: Page, state: str) -> Page:
    """Open the page a second time until it shows a state.

    The first one stays open: its process hands on what is stored when it has time, and a reload may end it before.
    """
    for _ in range(120):
        again = page.context.new_page()
        again.goto(page.url)
        if again.get_by_role("status").inner_text() == state:
            return again
        again.close()
        page.wait_for_timeout(500)
    raise AssertionError(f"a second page did not show {state!r} within a minute")


def test_labels_are_kept_limited_and_saved(pages: dict[str, Path], page: Page, tmp_path: Path) -> None:
    page.goto(pages["annotation"].as_uri())
    hostile = page.locator("fieldset").last
    for label in ("Explicit", "Multi-Hop", "Implicit"):
        hostile.get_by_label(label).check()
    expect(hostile.get_by_label("Numeric")).to_be_disabled()
    expect(page.get_by_role("status")).to_have_text("1 of 3 have a label.")
    again = opened_again_with(page, "1 of 3 have a label.")
    hostile = again.locator("fieldset").last
    hostile.get_by_label("Implicit").uncheck()
    with again.expect_download() as download:
        again.get_by_role("button", name="Save to a file").click()
    saved = tmp_path / "annotations.json"
    download.value.save_as(saved)
    assert read_annotations([saved], SCHEME) == {"train-hostile": ["Explicit", "Multi-Hop"]}
    assert json.loads(saved.read_text()).keys() == {"annotations"}


def test_a_finer_label_goes_with_its_label_and_both_are_saved(
    pages: dict[str, Path], page: Page, tmp_path: Path
) -> None:
    page.goto(pages["finer"].as_uri())
    group = page.locator("fieldset").first

    def box(value: str) -> Locator:
        return group.locator(f'input[value="{value}"]')

    group.get_by_text("Tricky: which?").click()
    box("Tricky: Wordplay").check()
    expect(box("Tricky")).to_be_checked()
    box("Basic").check()
    expect(box("Lexical")).to_be_disabled()  # the page allows two
    expect(box("Tricky: Syntactic")).to_be_enabled()
    with page.expect_download() as download:
        page.get_by_role("button", name="Save to a file").click()
    saved = tmp_path / "annotations.json"
    download.value.save_as(saved)
    assert read_annotations([saved], FINER) == {"train-0": ["Basic", "Tricky", "Tricky: Wordplay"]}
    box("Tricky").uncheck()
    expect(box("Tricky: Wordplay")).not_to_be_checked()
    expect(box("Lexical")).to_be_enabled()
