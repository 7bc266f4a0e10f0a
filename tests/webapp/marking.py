"""Marking answers as people do: by dragging across words, by tapping them."""

from __future__ import annotations

from playwright.sync_api import Locator, Page


def word(page: Page, text: str) -> Locator:
    """The first word of the passage that reads `text`."""
    return page.locator(f"[data-token]:text-is('{text}')").first


def drag(page: Page, first: str, last: str) -> None:
    """Drag from inside one word to inside another one, or across a part of one."""
    word(page, first).scroll_into_view_if_needed()
    start, end = _inside(word(page, first), 0.25), _inside(word(page, last), 0.75)
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move((start[0] + end[0]) / 2, end[1])
    page.mouse.move(*end)
    page.mouse.up()


def _inside(element: Locator, share: float) -> tuple[float, float]:
    box = element.bounding_box()
    assert box is not None, "the word is on the page"
    return box["x"] + box["width"] * share, box["y"] + box["height"] / 2


def write(page: Page, question: str, answer: str) -> None:
    page.get_by_label("Your question").fill(question)
    page.get_by_label("Or type the answer").fill(answer)


def submit(page: Page) -> None:
    page.get_by_role("button", name="Submit question").click()
