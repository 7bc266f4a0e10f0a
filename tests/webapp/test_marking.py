"""An answer can be marked by mouse, keyboard, touch and typing, and always arrives in code points."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.webapp.conftest import NewPage
from tests.webapp.fake_crowd import PASSAGE, FakeCrowd
from tests.webapp.marking import drag, submit, word, write

MANY_SCRIPTS = (
    "The 𝄞 clef 😀 opens café music, said 👩‍🚀 Zoë.\n\n"
    "قال الكاتب: السلام عليكم يا صديقي\n\n我喜欢音乐 and שלום עולם ends it."
).replace("é", "e\u0301")


def answer_sent(crowd: FakeCrowd) -> dict[str, object]:
    sent: dict[str, object] = crowd.submitted()[-1]["work"]["answer"]
    return sent


def test_dragging_marks_whole_words(writing: Page, crowd: FakeCrowd) -> None:
    writing.get_by_label("Your question").fill("Who was first?")
    drag(writing, "Spanish", "Beaumont")
    expect(writing.get_by_test_id("answer")).to_have_text("Spanish inventor Jerónimo de Ayanz y Beaumont")
    submit(writing)
    expect(writing.get_by_test_id("verdict")).to_be_visible()
    text = "Spanish inventor Jerónimo de Ayanz y Beaumont"
    assert answer_sent(crowd) == {"text": text, "start": PASSAGE.index(text)}


def test_dragging_backwards_marks_the_same(writing: Page) -> None:
    drag(writing, "1606", "engine")
    expect(writing.get_by_test_id("answer")).to_have_text("engine in 1606")


def test_a_double_click_marks_one_word(writing: Page) -> None:
    word(writing, "piston").dblclick()
    expect(writing.get_by_test_id("answer")).to_have_text("piston")


def test_a_drag_that_ends_outside_marks_up_to_the_end(writing: Page) -> None:
    box = word(writing, "pumping").bounding_box()
    assert box is not None
    writing.mouse.move(box["x"] + 3, box["y"] + box["height"] / 2)
    writing.mouse.down()
    writing.mouse.move(box["x"] + 20, box["y"] + 300, steps=4)
    writing.mouse.up()
    expect(writing.get_by_test_id("answer")).to_have_text("pumping in a mine")


def test_a_new_mark_replaces_the_old_one_and_can_be_cleared(writing: Page) -> None:
    drag(writing, "boiling", "water")
    drag(writing, "early", "devices")
    expect(writing.get_by_test_id("answer")).to_have_text("early devices")
    writing.get_by_role("button", name="Clear the answer").click()
    expect(writing.get_by_test_id("answer")).to_have_count(0)


def test_the_keyboard_marks_with_arrows_and_space(writing: Page, crowd: FakeCrowd) -> None:
    writing.get_by_role("region", name="Passage").focus()
    for key in ("ArrowRight", "ArrowRight", "Space", "ArrowRight", "Space"):
        writing.keyboard.press(key)
    expect(writing.get_by_test_id("answer")).to_have_text("boiling water")
    expect(writing.get_by_text("Answer marked: boiling water")).to_have_count(1)
    writing.get_by_label("Your question").fill("What was used?")
    writing.keyboard.press("Control+Enter")
    expect(writing.get_by_test_id("verdict")).to_be_visible()
    assert answer_sent(crowd) == {"text": "boiling water", "start": 6}


def test_the_keyboard_moves_by_line_and_clears(writing: Page) -> None:
    writing.get_by_role("region", name="Passage").focus()
    writing.keyboard.press("ArrowRight")
    first = word(writing, "Above").bounding_box()
    writing.keyboard.press("ArrowDown")
    below = writing.locator("[data-token]:focus").bounding_box()
    assert first is not None
    assert below is not None
    assert first["y"] < below["y"] < first["y"] + 2 * first["height"]
    writing.keyboard.press("ArrowUp")
    expect(word(writing, "Above")).to_be_focused()
    writing.keyboard.press("End")
    expect(word(writing, "mine")).to_be_focused()
    writing.keyboard.press("Space")
    writing.keyboard.press("Space")
    expect(writing.get_by_test_id("answer")).to_have_text("mine")
    writing.keyboard.press("Escape")
    expect(writing.get_by_test_id("answer")).to_have_count(0)


def test_two_taps_mark_an_answer(new_page: NewPage, crowd: FakeCrowd) -> None:
    phone = new_page(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    phone.goto(crowd.page)
    word(phone, "Thomas").tap()
    expect(phone.get_by_text("now tap the last word.")).to_be_visible()
    word(phone, "Savery").tap()
    expect(phone.get_by_test_id("answer")).to_have_text("Thomas Savery")


def test_a_typed_answer_that_stands_once_is_taken(writing: Page, crowd: FakeCrowd) -> None:
    write(writing, "Which year?", "1712")
    submit(writing)
    expect(writing.get_by_test_id("verdict")).to_be_visible()
    assert answer_sent(crowd) == {"text": "1712", "start": PASSAGE.index("1712")}


def test_a_typed_answer_that_stands_several_times_asks_which(writing: Page, crowd: FakeCrowd) -> None:
    write(writing, "What did the pump use?", "STEAM")
    expect(writing.get_by_text("The passage has this 4 times.")).to_be_visible()
    expect(writing.get_by_test_id("answer")).to_have_count(0)
    writing.get_by_role("radio", name="used steam in direct contact").check()
    expect(writing.get_by_test_id("answer")).to_have_text("steam")
    submit(writing)
    expect(writing.get_by_test_id("verdict")).to_be_visible()
    assert answer_sent(crowd) == {"text": "steam", "start": PASSAGE.index("steam in direct")}


def test_a_typed_answer_that_is_not_there_is_told(writing: Page) -> None:
    writing.get_by_label("Or type the answer").fill("Leonardo")
    expect(writing.get_by_text("The passage does not have these words.")).to_be_visible()


@pytest.mark.parametrize(
    ("typed", "marked"),
    [
        ("1871-1902", "1871-1902"),
        ("16-year-old", "16-year-old"),
        ("1871—1902", "1871-1902"),
        ("a-b", None),
        ("--", None),
    ],
)
def test_what_is_typed_takes_the_place_of_what_was_marked(
    page: Page, crowd: FakeCrowd, typed: str, marked: str | None
) -> None:
    crowd.passage = "A 16-year-old kept the light of 1871-1902 alone."
    page.goto(crowd.page)
    write(page, "Who kept it?", "the light")
    expect(page.get_by_test_id("answer")).to_have_text("the light")
    field = page.get_by_label("Or type the answer")
    field.select_text()
    page.keyboard.insert_text(typed)
    expect(field).to_have_value(typed)
    if marked is not None:
        expect(page.get_by_test_id("answer")).to_have_text(marked)
        field.fill("")
    else:
        expect(page.get_by_text("The passage does not have these words.")).to_be_visible()
        submit(page)
        expect(page.get_by_role("alert")).to_contain_text("mark the answer")
    expect(page.get_by_test_id("answer")).to_have_count(0)
    assert crowd.submitted() == []


@pytest.mark.parametrize(
    ("first", "last"),
    [("clef", "opens"), ("music", "👩‍🚀"), ("الكاتب", "عليكم"), ("שלום", "עולם"), ("and", "it"), ("𝄞", "clef")],
)
def test_every_script_arrives_where_it_stands(page: Page, crowd: FakeCrowd, first: str, last: str) -> None:
    crowd.passage = MANY_SCRIPTS
    page.goto(crowd.page)
    page.get_by_label("Your question").fill("Which words?")
    drag(page, first, last)
    submit(page)
    expect(page.get_by_test_id("verdict")).to_be_visible()
    answer = crowd.submitted()[-1]["work"]["answer"]
    assert MANY_SCRIPTS[answer["start"] :].startswith(answer["text"])
    assert answer["text"].startswith(first)
    assert answer["text"].endswith(last)


def test_words_carry_their_code_points(page: Page, crowd: FakeCrowd) -> None:
    crowd.passage = MANY_SCRIPTS
    page.goto(crowd.page)
    page.get_by_label("Your question").wait_for()
    words = page.locator("[data-token]").evaluate_all(
        "all => all.map(e => [e.textContent, Number(e.dataset.start), Number(e.dataset.end)])"
    )
    assert len(words) > 20
    assert all(MANY_SCRIPTS[start:end] == text for text, start, end in words)
    assert page.get_by_role("region", name="Passage").evaluate("e => e.textContent") == MANY_SCRIPTS


def test_the_passage_is_read_from_right_to_left_where_it_is_written_so(page: Page, crowd: FakeCrowd) -> None:
    crowd.passage = "قال الكاتب السلام عليكم"
    page.goto(crowd.page)
    page.get_by_role("region", name="Passage").focus()
    page.keyboard.press("ArrowLeft")
    expect(word(page, "قال")).to_be_focused()
    page.keyboard.press("ArrowLeft")
    expect(word(page, "الكاتب")).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(word(page, "قال")).to_be_focused()


def test_arrows_point_where_they_lead_in_text_of_two_directions(page: Page, crowd: FakeCrowd) -> None:
    """On the screen, from the left: عليكم steam engine الكاتب قال."""
    crowd.passage = "قال الكاتب steam engine عليكم\nOne more"
    page.goto(crowd.page)
    page.get_by_role("region", name="Passage").focus()
    for text in ("قال", "الكاتب", "engine", "steam", "عليكم"):
        page.keyboard.press("ArrowLeft")
        expect(word(page, text)).to_be_focused()
    for text in ("steam", "engine"):
        page.keyboard.press("ArrowRight")
        expect(word(page, text)).to_be_focused()
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    expect(word(page, "One")).to_be_focused()


def test_arrows_follow_the_passage_whatever_the_language_of_the_page(page: Page, crowd: FakeCrowd) -> None:
    crowd.languages = ("ar",)
    page.goto(crowd.page)
    page.locator(".passage").focus()
    for text in ("Above", "boiling", "water"):
        page.keyboard.press("ArrowRight")
        expect(word(page, text)).to_be_focused()
    page.keyboard.press("ArrowLeft")
    expect(word(page, "boiling")).to_be_focused()
    page.keyboard.press("Space")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    expect(page.get_by_test_id("answer")).to_have_text("boiling water")
    drag(page, "early", "devices")
    expect(page.get_by_test_id("answer")).to_have_text("early devices")
