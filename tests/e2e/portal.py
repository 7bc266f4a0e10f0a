"""What a worker does in the portal, in a real browser."""

from __future__ import annotations

from playwright.sync_api import FrameLocator, Page

from beat_the_ai.simulation.marketplace import Account


def sign_in(page: Page, account: Account) -> None:
    page.goto("/worker")
    page.get_by_label("Worker ID").fill(account.worker_id)
    page.get_by_label("Access code").fill(account.access_code)
    page.get_by_role("button", name="Sign in").click()


def frame(page: Page) -> FrameLocator:
    return page.frame_locator("iframe")
