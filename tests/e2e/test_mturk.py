"""The writing task on the marketplace, in a browser: accepted, written, submitted, approved."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, FrameLocator, expect

from beat_the_ai.marketplace import credentials
from beat_the_ai.mephisto.mturk import final_data, survey
from tests.e2e.conftest import ROOT
from tests.e2e.test_writing import VERDICT_MILLISECONDS, eventually, picture
from tests.marketplace.rehearsal import Rehearsal, store_in
from tests.mephisto.mturk_rig import launching, use
from tests.mephisto.rig import kill_router, submitted

PAGE = ROOT / "webapp" / "dist"


def mark(frame: FrameLocator, word: int) -> None:
    frame.get_by_label("Passage").focus()
    passage = frame.get_by_label("Passage")
    for key in ["ArrowRight"] * word + ["Space", "ArrowRight", "Space"]:
        passage.press(key)


def test_a_worker_does_a_hit_through_the_portal(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not (PAGE / "bundle.js").is_file():
        pytest.skip("the workers' page is not built: make webapp")
    folder = tmp_path / "campaign"
    with Rehearsal.started(store_in(tmp_path)) as rehearsal:
        marketplace = use(monkeypatch, rehearsal)
        worker = rehearsal.new_worker()
        with rehearsal.market() as market, market.writing() as moment:
            code = credentials.issue(moment, worker)
        with launching(folder, "--hits", "1", "--page-dir", str(PAGE)) as operator:
            assert operator.stdout is not None
            assert operator.stdout.readline().startswith("http://")
            page = browser.new_page(viewport={"width": 1280, "height": 1000})
            page.set_default_timeout(VERDICT_MILLISECONDS)
            problems: list[str] = []
            page.on("pageerror", lambda error: problems.append(str(error)))
            page.goto(f"{rehearsal.address}/worker/sign-in")
            page.get_by_label("Worker ID").fill(worker)
            page.get_by_label("Access code").fill(code)
            page.get_by_role("button", name="Sign in").click()
            page.get_by_role("link", name="Preview").first.click()
            frame = page.frame_locator("iframe")
            expect(frame.get_by_role("heading").first).to_be_visible(timeout=VERDICT_MILLISECONDS)
            picture(page, "mturk-preview")
            page.get_by_role("button", name="Accept").first.click()
            expect(frame.locator("[data-token]").first).to_be_visible(timeout=VERDICT_MILLISECONDS)
            frame.get_by_label("Your question").fill("What fell?")
            mark(frame, 0)
            frame.get_by_role("button", name="Submit question").click()
            expect(frame.get_by_test_id("verdict")).to_be_visible(timeout=VERDICT_MILLISECONDS)
            picture(page, "mturk-verdict")
            frame.get_by_role("button", name="Submit HIT").click()
            frame.get_by_role("dialog").get_by_role("button", name="Submit anyway").click()
            page.wait_for_url("**/sent", timeout=VERDICT_MILLISECONDS)
            picture(page, "mturk-sent")
            assert problems == []
            eventually(lambda: submitted(folder) == 1)
            [submission] = survey(marketplace, "pilot").submissions()
            assert submission.worker_id == worker
            assert "feedback" in final_data(submission.answer)
            marketplace.approve(submission.assignment_id)
            operator.terminate()
            operator.wait(30)
        kill_router(folder)
        page.close()
        marketplace.close()
