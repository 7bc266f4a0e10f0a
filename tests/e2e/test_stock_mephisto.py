"""Mephisto 1.1.1 without this suite's plugins runs a campaign of its own on the marketplace, for a worker in a browser.

Where anything is not as it came, it does not work without: see the constants, and `make_mephisto_importable`.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from beat_the_ai.marketplace.answers import read_answers
from beat_the_ai.marketplace.requesters import AccessKey
from beat_the_ai.simulation.marketplace import enrol
from scripts.build_webapp import NODE, node_environment
from tests.browser import PATIENCE_MS
from tests.e2e import stock_mephisto
from tests.e2e.portal import frame, sign_in
from tests.marketplace.rehearsal import Rehearsal
from tests.mephisto.wire import wait_until
from tests.ports import free_port

# Mephisto asks for websockets 10, which is older than some Pythons; its operator breaks with 14 and newer.
WHEELS = ["mephisto==1.1.1", "websockets==13.1"]
# Its page names 2.0.3, which npm does not have any more.
MEPHISTO_TASK = "mephisto-task@2.0.4"
# The script of its `mturk` provider uses a variable that it never makes; Mephisto's pull request 988 added the line.
# A requester's own files (`extra_source_dir`) are laid over Mephisto's.
SCRIPT = "wrap_crowd_source.js"
MISSING_LINE = ("window._MEPHISTO_CONFIG_ =", "const events = eventEmitter();\nwindow._MEPHISTO_CONFIG_ =")
# Its page looks for a file of this name in all that is submitted.
TASK = """
<h2>In which country is ${city}?</h2>
<label>Country <input name="country"></label>
<input type="file" name="file1" hidden>
"""
LAUNCH_SECONDS = 180
END_SECONDS = 180  # its operator looks every ten seconds whether a run is over, and needs three looks


@pytest.fixture(scope="module")
def stock() -> Iterator[Path]:
    """Mephisto, in a folder for PYTHONPATH: its launch builds and writes inside of its packages."""
    if not (NODE / "bin" / "npm").exists():
        pytest.skip("the pages' Node is not there: make webapp")
    with tempfile.TemporaryDirectory(prefix="stock-mephisto-") as name:
        fetch([sys.executable, "-m", "pip", "install", "--no-deps", "--target", name, *WHEELS], Path(name))
        parts = Path(name, "mephisto", "abstractions")
        # No scripts: the page's tests, which nobody runs here, would have one download a browser.
        install = ["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund"]
        fetch(install, parts / "architects" / "router" / "node")
        fetch([*install, "--save-exact", MEPHISTO_TASK], parts / "blueprints" / "static_html_task" / "source")
        yield Path(name)


def fetch(command: list[str], folder: Path) -> None:
    done = subprocess.run(
        command, cwd=folder, env=node_environment(), capture_output=True, text=True, timeout=250, check=False
    )
    if done.returncode != 0:
        pytest.skip(f"PyPI or npm does not give what Mephisto needs: {' '.join(command)}: {done.stderr[-500:]}")


@contextmanager
def launching(stock: Path, folder: Path, market: Rehearsal, key: AccessKey) -> Iterator[subprocess.Popen[bytes]]:
    home, extra = folder / "home", folder / "extra"
    home.mkdir()
    extra.mkdir()
    (folder / "task.html").write_text(TASK)
    script = (stock / "mephisto" / "abstractions" / "providers" / "mturk" / SCRIPT).read_text()
    (extra / SCRIPT).write_text(script.replace(*MISSING_LINE, 1))
    environment = {
        **{name: value for name, value in node_environment().items() if not name.startswith("AWS_")},
        **{f"npm_config_{name}": "false" for name in ("audit", "fund", "update_notifier")},
        "npm_config_offline": "true",  # everything is there
        "HOME": str(home),
        "PYTHONPATH": str(stock),
        "AWS_ENDPOINT_URL_MTURK": market.address,
        "STOCK_KEY_ID": key.id,
        "STOCK_SECRET": key.secret,
    }
    command = [sys.executable, stock_mephisto.__file__, str(free_port()), str(folder)]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(command, cwd=home, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        print((folder / "log").read_text(errors="replace"))


def work(page: Page, country: str) -> None:
    page.get_by_role("button", name="Accept").first.click()
    frame(page).get_by_label("Country").fill(country, timeout=PATIENCE_MS)
    frame(page).get_by_role("button", name="Submit").click()
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible(timeout=PATIENCE_MS)


@pytest.mark.timeout(900)
def test_a_campaign_of_unmodified_mephisto(stock: Path, browser: Browser, market: Rehearsal, tmp_path: Path) -> None:
    [account] = enrol(market.address, market.token, ["AANN"])
    key = market.new_requester(dollars=100)
    client = market.client(key)
    page = browser.new_page(base_url=market.address)
    page.route("https://**", lambda route: route.abort())  # Mephisto's page asks a public server for its looks
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))

    with launching(stock, tmp_path, market, key) as mephisto:

        def has_launched() -> bool:
            assert mephisto.poll() is None, "Mephisto has ended"
            return (tmp_path / "launched").exists() and client.list_hits()["NumResults"] == len(stock_mephisto.TASKS)

        wait_until(has_launched, "Mephisto launches its HITs", LAUNCH_SECONDS)
        sign_in(page, account)
        page.get_by_role("link", name="Preview").first.click()
        expect(frame(page).get_by_text("In which country is")).to_be_visible(timeout=PATIENCE_MS)
        work(page, "Italy")
        page.goto("/worker/hits")
        work(page, "Italy")
        assert mephisto.wait(END_SECONDS) == 0
    assert problems == []

    reviewed = {seen["inputs"]["city"]: seen for seen in json.loads((tmp_path / "reviewed.json").read_text())}
    assert {city: (seen["before"], seen["after"]) for city, seen in reviewed.items()} == {
        "Rome": ("completed", "accepted"),
        "Paris": ("completed", "rejected"),
    }
    assert [seen["outputs"]["country"] for seen in reviewed.values()] == ["Italy", "Italy"]

    hits = [hit["HITId"] for hit in client.list_hits()["HITs"]]
    decided = [one for hit in hits for one in client.list_assignments_for_hit(HITId=hit)["Assignments"]]
    approved, rejected = sorted(decided, key=lambda one: one["AssignmentStatus"])
    assert (approved["AssignmentStatus"], rejected["AssignmentStatus"]) == ("Approved", "Rejected")
    assert rejected["RequesterFeedback"] == "Look at a map"
    assert [read_answers(one["Answer"])["country"] for one in decided] == ["Italy", "Italy"]
    [bonus] = client.list_bonus_payments(AssignmentId=approved["AssignmentId"])["BonusPayments"]
    assert (bonus["WorkerId"], bonus["BonusAmount"], bonus["Reason"]) == ("AANN", "0.25", "Well known")
    balance = client.get_account_balance()
    assert (balance["AvailableBalance"], balance["OnHoldBalance"]) == ("99.10", "0.00")  # with a fee of a fifth

    page.goto("/worker/earnings")
    expect(page.get_by_role("main")).to_contain_text("$0.75")
    page.close()
