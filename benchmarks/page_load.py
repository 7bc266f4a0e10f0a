"""The wait for a page on a slow phone: `python -m benchmarks.page_load`.

Chromium, as narrow as a phone, with Lighthouse's throttling of one (its `mobileSlow4G`: four times slower in computing,
562.5 ms for each request, 1.44 Mbit/s), opens a HIT of each kind of task from the operator's router, as somebody who
was never there and then, with what it has kept, another. Times count from the navigation. Needs `make webapp`,
the development install and Chromium.
"""

from __future__ import annotations

import argparse
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import astuple, dataclass
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, CDPSession, ViewportSize, sync_playwright
from rich.console import Console
from rich.table import Table

from benchmarks.suite import TASKS

PAGE = TASKS.parent / "webapp" / "dist" / "bundle.js"
KINDS = ("reading_comprehension", "nli", "quizbowl")
CHROMIUM = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
PHONE = ViewportSize(width=412, height=823)
SLOWER = 4
REQUEST_MS = 562.5
DOWN, UP = 1474.56 * 1024 / 8, 675 * 1024 / 8  # bytes a second
PATIENCE_MS = 120_000
WATCH = """
window.seen = {painted: 0, blocked: 0, shifted: 0, usable: 0};
const watch = (type, each) =>
  new PerformanceObserver((list) => list.getEntries().forEach(each)).observe({type, buffered: true});
watch('largest-contentful-paint', (entry) => { seen.painted = entry.startTime; });
watch('longtask', (entry) => { seen.blocked += entry.duration - 50; });
watch('layout-shift', (entry) => { if (!entry.hadRecentInput) seen.shifted += entry.value; });
const look = () => {
  const field = document.querySelector('textarea, input');
  if (field && field.getClientRects().length) seen.usable = performance.now(); else requestAnimationFrame(look);
};
requestAnimationFrame(look);
"""


@dataclass(frozen=True)
class Load:
    """Milliseconds until the largest thing is painted, until there is a field to write in, and in which the page
    answered to nothing, beyond 50 each time; how far things moved, as Lighthouse's CLS; what came over the network.
    """

    painted_ms: float
    usable_ms: float
    blocked_ms: float
    shifted: float
    kilobytes: float
    requests: int


def one_load(context: BrowserContext, url: str) -> Load:
    page = context.new_page()
    session = context.new_cdp_session(page)
    sizes = _throttled(session)
    page.add_init_script(WATCH)
    page.goto(url)
    page.wait_for_selector("textarea, input", state="visible", timeout=PATIENCE_MS)
    page.wait_for_load_state("networkidle")
    seen = page.evaluate("seen")
    page.close()
    kilobytes, requests = sum(sizes) / 1000, sum(size > 0 for size in sizes)
    return Load(seen["painted"], seen["usable"], seen["blocked"], seen["shifted"], kilobytes, requests)


def _throttled(session: CDPSession) -> list[float]:
    """The bytes of each answer from now on."""
    sizes: list[float] = []
    session.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    session.send("Network.enable")
    conditions = {"offline": False, "latency": REQUEST_MS, "downloadThroughput": DOWN, "uploadThroughput": UP}
    session.send("Network.emulateNetworkConditions", conditions)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    return sizes


def loads(browser: Browser, url: str, rounds: int) -> tuple[list[Load], list[Load]]:
    """Return the loads of first visits, and of the next."""
    first: list[Load] = []
    later: list[Load] = []
    for number in range(rounds):
        with browser.new_context(viewport=PHONE, device_scale_factor=2, has_touch=True) as context:
            for visit, found in enumerate((first, later), 1):
                found.append(one_load(context, f"{url}/?worker_id=phone-{number}-{visit}&assignment_id=1"))
    return first, later


@contextmanager
def served(kind: str, folder: Path, hits: int) -> Iterator[str]:
    """The address of a campaign for people, as `serve` makes it."""
    asked = ("qualification=none", f"round.max_hits={hits}", "--out", str(folder))
    command = [sys.executable, "-m", "beat_the_ai.cli", "serve", str(TASKS / kind), *asked]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        printed = filter(None, (re.search(r"http://127\.0\.0\.1:\d+", line) for line in process.stdout))
        try:
            address = next(printed, None)
            if address is None:
                raise SystemExit(f"`serve` did not start for {kind}; what it printed above says why.")
            yield address.group()
        finally:
            process.terminate()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--kinds", nargs="+", default=list(KINDS), choices=KINDS)
    given = parser.parse_args()
    if not PAGE.is_file():
        raise SystemExit("The workers' page is not built yet. Run: make webapp")
    command = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if command is None:
        raise SystemExit("No Chromium is installed. Run: scripts/install-system-packages chromium-headless-shell")
    table = Table(title=f"Medians of {given.rounds} visits with a slow phone")
    for heading in ("page", "visit", "painted, ms", "usable, ms", "blocked, ms", "moved", "kB", "requests"):
        table.add_column(heading, justify="right" if table.columns[1:] else "left")
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as scratch:
        browser = playwright.chromium.launch(executable_path=command, args=["--no-sandbox", "--disable-gpu"])
        for kind in given.kinds:
            with served(kind, Path(scratch) / kind, 2 * given.rounds) as url:
                for visit, found in zip(("first", "next"), loads(browser, url, given.rounds), strict=True):
                    middle = [statistics.median(column) for column in zip(*map(astuple, found), strict=True)]
                    painted, usable, blocked, shifted, kilobytes, requests = middle
                    times = [f"{each:,.0f}" for each in (painted, usable, blocked)]
                    table.add_row(kind, visit, *times, f"{shifted:.3f}", f"{kilobytes:.1f}", f"{requests:.0f}")
        browser.close()
    Console(width=120).print(table)


if __name__ == "__main__":
    main()
