"""A real campaign for people, in processes of its own, and a real browser."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Empty, Queue

import pytest

from beat_the_ai.store import Store, open_store
from tests.marketplace.rehearsal import Rehearsal, store_in

ROOT = Path(__file__).parents[2]
START_SECONDS = 120
PREVIEW = "/?assignment_id=ASSIGNMENT_ID_NOT_AVAILABLE"  # after the address of a campaign


class Campaign:
    """`beat-the-ai serve` on a task folder. It can be killed and started again; its folder stays."""

    def __init__(self, out: Path, task: str = "tasks/reading_comprehension", *options: str) -> None:
        self.out = out
        self.url = ""
        self._arguments = [task, *options, "--out", str(out)]
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "beat_the_ai.cli", "serve", *self._arguments],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.url = self._wait_for_address(self._process)

    def _wait_for_address(self, process: subprocess.Popen[str]) -> str:
        lines: Queue[str] = Queue()

        def read() -> None:
            assert process.stdout is not None
            with process.stdout:
                for line in process.stdout:
                    lines.put(line)

        threading.Thread(target=read, daemon=True).start()
        seen: list[str] = []
        while True:
            try:
                seen.append(lines.get(timeout=START_SECONDS))
            except Empty:
                pytest.fail("no address was printed:\n" + "".join(seen))
            if address := re.search(r"http://127\.0\.0\.1:\d+", seen[-1]):
                return address.group()

    def kill_operator(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()

    def stop(self) -> int:
        assert self._process is not None
        self._process.send_signal(signal.SIGTERM)
        return self._process.wait(60)

    def page_of(self, worker: str, assignment: str = "1") -> str:
        return f"{self.url}/?worker_id={worker}&assignment_id={assignment}"

    def store(self) -> Store:
        return open_store(str(self.out / "private" / "campaign.db"))


@contextmanager
def served(campaign: Campaign) -> Iterator[Campaign]:
    """Until the block ends."""
    if not (ROOT / "webapp" / "dist" / "bundle.js").is_file():
        pytest.skip("the workers' page is not built: make webapp")
    campaign.start()
    try:
        yield campaign
    finally:
        campaign.stop()


@pytest.fixture
def campaign(tmp_path: Path) -> Iterator[Campaign]:
    with served(Campaign(tmp_path / "campaign")) as running:
        yield running


@pytest.fixture
def market(tmp_path: Path) -> Iterator[Rehearsal]:
    with Rehearsal.started(store_in(tmp_path)) as running:
        yield running


def screenshots() -> Path | None:
    """Where to keep pictures of the pages: the folder that BEAT_THE_AI_SCREENSHOTS names, if it is set."""
    folder = os.environ.get("BEAT_THE_AI_SCREENSHOTS")
    return Path(folder) if folder else None
