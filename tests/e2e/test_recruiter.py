"""The local recruiter's pages in a real browser: usable by everyone, on every screen."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser import check_accessible, fits
from tests.recruiter.running import Running

SCREENS = {"phone": (360, 740), "desktop": (1280, 900)}


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with Running.started(tmp_path_factory.mktemp("recruiter") / "recruiter.db") as started:
        yield started


@pytest.mark.parametrize(
    ("screen", "scheme"),
    [
        ("phone", "dark"),
        ("desktop", "light"),
        pytest.param("phone", "light", marks=pytest.mark.thorough),
        pytest.param("desktop", "dark", marks=pytest.mark.thorough),
    ],
)
def test_the_pages_are_for_everyone(browser: Browser, running: Running, screen: str, scheme: str) -> None:
    researcher = running.researcher()
    study_id = researcher.publish(name="A very_long_name_without_a_space_in_it_that_has_to_be_broken_on_a_phone")
    width, height = SCREENS[screen]
    context = browser.new_context(
        base_url=running.address,
        viewport={"width": width, "height": height},
        color_scheme="dark" if scheme == "dark" else "light",
    )
    page = context.new_page()
    _see(page, "/", screen)
    page.get_by_role("button", name="Make a new participant").press("Enter")
    expect(page.get_by_role("heading", name="Studies")).to_be_visible()
    _see(page, "/studies", screen)
    page.locator(f'form[action="/studies/{study_id}/take"] button').press("Enter")
    expect(page.get_by_role("link", name="Open study")).to_be_visible()
    here = page.url.removeprefix(running.address)
    _see(page, here, screen)
    context.request.get(f"{here}/open", max_redirects=0)
    page.goto(here)
    page.get_by_role("textbox", name="Code").fill("WRONG")
    page.get_by_role("button", name="Submit the code").press("Enter")
    expect(page.get_by_text("AWAITING REVIEW")).to_be_visible()
    researcher.reject(here.rpartition("/")[2])
    for path in (here, "/submissions", "/messages", "/submissions/none"):
        _see(page, path, screen)
    context.close()


def _see(page: Page, path: str, screen: str) -> None:
    page.goto(path)
    assert fits(page), f"{path} on a {screen}"
    # The pages' own policy lets in no script, so axe comes by the browser's own tools.
    check_accessible(page, f"{path} on a {screen}")
