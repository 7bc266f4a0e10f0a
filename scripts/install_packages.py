"""`pip install`, told in one line: how far it is and how long it took. pip alone is silent or prints hundreds of lines.

    python scripts/install_packages.py NAME ARGUMENT_OF_PIP...

Where nobody watches (the output is a file), a line every quarter of a minute.
"""

from __future__ import annotations

import re
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field

DRAW_SECONDS, LINE_SECONDS = 0.5, 15.0
WIDTH = 100  # of the line on a terminal, which is drawn over itself


@dataclass
class Progress:
    """The progress that pip's output tells so far."""

    name: str
    started: float = field(default_factory=time.monotonic)
    packages: int = 0
    activity: str = "looking"

    def read(self, line: str) -> None:
        if line.startswith(("Collecting ", "Processing ")):  # the latter are files
            self.packages += 1
        elif fetched := re.match(r"\s+Downloading (\S+) \((.+)\)", line):
            self.activity = f"fetching {fetched[1].partition('-')[0]} ({fetched[2]})"
        elif line.startswith("Installing collected packages"):
            self.activity = "unpacking"

    def __str__(self) -> str:
        return f"{self.name}: {self.count}, {self.activity}, {self.seconds:.0f} s"

    @property
    def count(self) -> str:
        return "1 package" if self.packages == 1 else f"{self.packages} packages"

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.started


def install(name: str, arguments: list[str]) -> int:
    """Returns pip's exit status. What it printed is shown when it failed."""
    progress = Progress(name)
    command = [
        sys.executable,
        "-m",
        "pip",
        "--disable-pip-version-check",
        "install",
        "--progress-bar",
        "off",
        *arguments,
    ]
    printed: list[str] = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as pip:
        assert pip.stdout is not None, "it is a pipe"
        display = _Display(progress)
        display.start()
        for line in pip.stdout:
            printed.append(line)
            progress.read(line)
        display.stop()
    if pip.returncode != 0:
        sys.stderr.writelines(printed)
        print(f"{name}: pip failed after {progress.seconds:.0f} s; its words are above.", file=sys.stderr)
    else:
        print(f"{name}: {progress.count} in {progress.seconds:.0f} s", flush=True)
    return pip.returncode


class _Display(threading.Thread):
    def __init__(self, progress: Progress) -> None:
        super().__init__(daemon=True)
        self._progress = progress
        self._over = threading.Event()
        self._on_terminal = sys.stdout.isatty()

    def run(self) -> None:
        while not self._over.wait(DRAW_SECONDS if self._on_terminal else LINE_SECONDS):
            if self._on_terminal:
                print(f"\r{str(self._progress)[:WIDTH]:<{WIDTH}}", end="", flush=True)
            else:
                print(f"{self._progress} ...", flush=True)

    def stop(self) -> None:
        self._over.set()
        self.join()
        if self._on_terminal:
            print("\r" + " " * WIDTH, end="\r")


if __name__ == "__main__":
    sys.exit(install(sys.argv[1], sys.argv[2:]))
