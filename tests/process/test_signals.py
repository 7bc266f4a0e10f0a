"""Tests that send signals to their own process, in one of their own: others share a worker with theirs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

SIGNALS = Path(__file__).with_name("signals.py")


def test_signals_are_taken_once_whenever_they_come() -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:xdist", "-p", "no:cacheprovider", str(SIGNALS)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, cwd=SIGNALS.parents[2])
    assert (done.returncode, "7 passed" in done.stdout) == (0, True), done.stdout
