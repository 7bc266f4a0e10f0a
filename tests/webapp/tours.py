"""The tour that the workers' pages give at a first HIT."""

from __future__ import annotations

from playwright.sync_api import BrowserContext, FrameLocator, Page

TOURS = (
    "reading_comprehension",
    "validation",
    "qualification",
    "nli",
    "nli_validation",
    "nli_qualification",
    "quizbowl",
    "quizbowl_validation",
)


def remember_tours(context: BrowserContext) -> None:
    """As in the browser of somebody who has worked here before."""
    for tour in TOURS:  # a frame that is nobody's has no storage
        context.add_init_script(f"try {{ localStorage.setItem('beat-the-ai:tour:{tour}', 'taken') }} catch {{}}")


def skip_tour(page: Page | FrameLocator) -> None:
    page.get_by_role("dialog", name="Instructions").get_by_role("button", name="Skip").click()
