"""Model servers that run on their own: `adversary serve` in a process that no operator has started."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from beat_the_ai.adversary.server import TOKEN_VARIABLE

ROOT = Path(__file__).parents[1]
TOKEN, VARIABLE = "a token of the test's", "ELSEWHERE_TOKEN"


@contextmanager
def serving_models(member: str, task: str = "reading_comprehension") -> Iterator[str]:
    """The address at which it answers to whoever shows `TOKEN`."""
    command = [sys.executable, "-m", "beat_the_ai.cli", "adversary", "serve", "--task", task, "--member", member]
    environment = {**os.environ, TOKEN_VARIABLE: TOKEN}
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, cwd=ROOT) as process:
        try:
            assert process.stdout is not None
            yield str(json.loads(process.stdout.readline())["address"])
        finally:
            process.terminate()


class ServerProcess:
    """A process that prints a line of JSON with its `address` once it answers, and is to be killed."""

    def __init__(self, *command: str, **environment: str) -> None:
        self._command = [sys.executable, "-m", *command]
        self._environment = {**os.environ, TOKEN_VARIABLE: TOKEN, **environment}
        self._process: subprocess.Popen[bytes] | None = None
        self.printed: Mapping[str, Any] = {}

    @property
    def address(self) -> str:
        return str(self.printed["address"])

    @property
    def pid(self) -> int:
        assert self._process is not None, "it was started"
        return self._process.pid

    def start(self, *more: str) -> None:
        """Returns when it answers."""
        self._process = subprocess.Popen(
            [*self._command, *more], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=self._environment, cwd=ROOT
        )
        assert self._process.stdout is not None
        self.printed = json.loads(self._process.stdout.readline())

    def kill(self) -> None:
        assert self._process is not None, "it was started"
        self._process.kill()
        self._close()

    def __enter__(self) -> ServerProcess:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process is not None, "it was started"
        self._process.send_signal(signal.SIGTERM)
        self._close()

    def _close(self) -> None:
        assert self._process is not None, "it was started"
        self._process.communicate()


class RayServer(ServerProcess):
    """`adversary deploy --ray` with a Ray of its own."""

    def __init__(self, *arguments: str) -> None:
        self.folder = tempfile.mkdtemp(prefix="ray-")  # a short path: Ray has sockets in it
        self.environment = {"RAY_TMPDIR": self.folder, "RAY_AUTH_TOKEN": secrets.token_hex(16)}
        deploy = ("beat_the_ai.cli", "adversary", "deploy", "--ray", "--port", "0")
        super().__init__(*deploy, *arguments, **self.environment)

    def __exit__(self, *error: object) -> None:
        super().__exit__(*error)
        shutil.rmtree(self.folder)

    def command(self, name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        """`adversary NAME` about this Ray, which ends by itself."""
        command = [sys.executable, "-m", "beat_the_ai.cli", "adversary", name, "--ray", self.printed["ray"], *arguments]
        environment = {**os.environ, TOKEN_VARIABLE: TOKEN, **self.environment}
        return subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True)

    def replicas(self) -> set[int]:
        """Their processes. Linux only."""
        return {number for number in self._descendants() if _title(number).startswith("ray::ServeReplica")}

    def _descendants(self) -> set[int]:
        parents = {}
        for folder in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):  # it has ended
                lines = (folder / "status").read_text().splitlines()
                parents[int(folder.name)] = next(int(line.split()[1]) for line in lines if line.startswith("PPid:"))
        found, latest = {self.pid}, {self.pid}
        while latest:
            latest = {number for number, parent in parents.items() if parent in latest}
            found |= latest
        return found


def _title(process: int) -> str:
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes().partition(b"\0")[0].decode()
    except OSError:
        return ""
