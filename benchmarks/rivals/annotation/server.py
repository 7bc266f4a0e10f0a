"""A rival's server: installed from PyPI, started on a project of its own, and stopped with all its processes."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import ClassVar

import httpx

from benchmarks.processes import cpu_seconds, stat_of
from benchmarks.stock.router import ROOT

ENVIRONMENTS = ROOT / "out" / "benchmarks" / "annotation"
START_SECONDS = 60
STOP_SECONDS = 10
PASSAGE = "A man with a hat plays the guitar in front of a shop, and two children listen to him."
LOG_FILE = "server.log"


class Rival(ABC):
    """A rival's server on a project folder with a task of `hits` items, `each` for every annotator.

    A context manager: inside it the server answers at `url`. `requirements` are those of pip. `stores` says what is on
    disk once an item's last call is answered.
    """

    name: ClassVar[str]
    requirements: ClassVar[Sequence[str]]
    stores: ClassVar[str]

    def __init__(self, folder: Path, hits: int, each: int) -> None:
        self.folder = folder
        self.hits = hits
        self.each = each
        self.port = _free_port()
        self.url = f"http://127.0.0.1:{self.port}"

    @abstractmethod
    def prepare(self) -> None:
        """Write the project into the folder."""

    @abstractmethod
    def command(self) -> Sequence[str]:
        """Return the command of the server, its program one of the environment's."""

    @abstractmethod
    async def write(self, http: httpx.AsyncClient, annotator: str, number: int, statement: str) -> None:
        """Take the annotator's next item, write a statement and hand it in. Raises `httpx.HTTPError` if refused."""

    @abstractmethod
    def stored(self) -> list[str]:
        """Return all statements that are in the rival's database or files."""

    def environment(self) -> dict[str, str]:
        return {**os.environ, "PATH": f"{self.programs()}{os.pathsep}{os.environ['PATH']}"}

    @classmethod
    def programs(cls) -> Path:
        return ENVIRONMENTS / cls.name / "bin"

    @classmethod
    def install(cls) -> None:
        """Install the rival unless it is there already, by the same requirements. Ends the program if pip cannot."""
        target = ENVIRONMENTS / cls.name
        installed, wanted = target / "requirements.txt", "\n".join(cls.requirements)
        if installed.exists() and installed.read_text(encoding="utf-8") == wanted:
            return
        subprocess.run([sys.executable, "-m", "venv", "--clear", target], check=True)
        command = [str(target / "bin" / "python"), "-m", "pip", "install", "--quiet", *cls.requirements]
        ran = subprocess.run(command, capture_output=True, text=True, check=False)
        if ran.returncode != 0:
            raise SystemExit(
                f"pip could not install {cls.name}; is PyPI reachable? --alone does without.\n{ran.stderr}"
            )
        installed.write_text(wanted, encoding="utf-8")

    def run(self, *command: str | Path) -> None:
        """Run one of the rival's own commands in the project folder, before its server starts."""
        subprocess.run(command, cwd=self.folder, env=self.environment(), check=True, capture_output=True)

    def __enter__(self) -> Rival:
        self.prepare()
        with (self.folder / LOG_FILE).open("wb") as log:
            self._process = subprocess.Popen(
                self.command(), cwd=self.folder, env=self.environment(), stdout=log, stderr=log, start_new_session=True
            )
        try:
            self._wait()
        except BaseException:
            self._stop()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop()

    def cpu_seconds(self) -> float:
        """Return the time of the server's processes so far. Linux only (proc_pid_stat(5))."""
        return sum(cpu_seconds(stat, with_children=True) for stat in self._processes())

    def _processes(self) -> list[Sequence[str]]:
        """Return what stat says of each process of the server's session, from the state on."""
        all_processes = map(stat_of, Path("/proc").glob("[0-9]*"))
        return [stat for stat in all_processes if stat and stat[3] == str(self._process.pid)]

    def _wait(self) -> None:
        deadline = time.monotonic() + START_SECONDS
        while True:
            try:
                httpx.get(self.url, trust_env=False)
            except httpx.TransportError:
                if self._process.poll() is not None or time.monotonic() > deadline:
                    text = (self.folder / LOG_FILE).read_text(encoding="utf-8")
                    raise SystemExit(f"{self.name} did not start:\n{text}") from None
                time.sleep(0.1)
            else:
                return

    def _stop(self) -> None:
        os.killpg(self._process.pid, signal.SIGTERM)
        try:
            self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])
