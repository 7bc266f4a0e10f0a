"""What of a page is in sight before anybody scrolls."""

from __future__ import annotations

from playwright.sync_api import Locator, Page

LENGTHEN = (
    "passage => passage.append(Object.assign(document.createElement('p'), { textContent: ' and so on'.repeat(300) }))"
)
SHORTEN = "passage => passage.lastChild.remove()"


def assert_work_first(page: Page, field: Locator, text: str = "Passage", *, on_phone: float = 1.5) -> None:
    """The passage begins on the first screen, and the field ends on it too; on a phone, after so many screens.

    This holds however long the passage is; `text` is what its region is called.
    """
    passage = page.get_by_role("region", name=text)
    passage.evaluate(LENGTHEN)
    begins, _ = screens_down(page, passage)
    _, ends = screens_down(page, field)
    passage.evaluate(SHORTEN)
    is_phone = page.evaluate("innerWidth < 640")
    assert begins < 0.6
    assert ends <= (on_phone if is_phone else 1.0)


def screens_down(page: Page, element: Locator) -> tuple[float, float]:
    """Where it begins and where it ends, in heights of the window from the top of the page."""
    box = element.bounding_box()
    assert box is not None, f"{element} is on the page"
    scrolled, height = page.evaluate("[scrollY, innerHeight]")
    return (box["y"] + scrolled) / height, (box["y"] + box["height"] + scrolled) / height
