"""A process that this one starts, waits for, and may kill and start again."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

from beat_the_ai.errors import ProcessFailed
from beat_the_ai.process.parent_death import Lifeline

STOP_SECONDS = 30


class Child:
    """A process that prints one line of JSON once it is ready: `printed`. Whatever it complains about goes to `log`.

    It ends with this process, however that ends, and so does whatever it has started itself.
    """

    def __init__(self, name: str, log: Path) -> None:
        self.name = name
        self.log = log
        self.printed: Mapping[str, Any] = {}
        self._killed = False
        self._lifeline = Lifeline()
        self._process: subprocess.Popen[bytes] | None = None

    def command(self) -> list[str]:
        raise NotImplementedError

    def environment(self) -> dict[str, str]:
        return dict(os.environ)

    def start(self) -> None:
        """Returns when it is ready. Raises `ProcessFailed`."""
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                self.command(),
                stdout=subprocess.PIPE,
                stderr=log,
                env={**self.environment(), **self._lifeline.variables},
                pass_fds=self._lifeline.files,
                start_new_session=True,  # Ctrl-C is this process's: it stops the child when it is through with it
            )
        self._killed = False
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        self.printed = json.loads(line) if line else {"error": f"The {self.name} did not start; see {self.log}."}
        if "error" in self.printed:
            self.wait()
            raise ProcessFailed(self.printed["error"])

    @property
    def pid(self) -> int:
        assert self._process is not None, "it was started"
        return self._process.pid

    def kill(self) -> None:
        """With SIGKILL: nothing is said good-bye to."""
        assert self._process is not None, "it was started"
        self._killed = True
        self._process.kill()
        self.wait()

    def kill_and_start(self) -> None:
        self.kill()
        self.start()

    def has_failed(self) -> bool:
        """It ended by itself, and with an error."""
        return self._process is not None and not self._killed and bool(self._process.poll())

    def has_begun(self) -> bool:
        """It was started, whatever has become of it."""
        return self._process is not None

    def has_ended(self) -> bool:
        """It is not running, for whatever reason."""
        return self._process is None or self._process.poll() is not None

    def wait(self, seconds: float | None = None) -> int:
        """The exit status. Raises `subprocess.TimeoutExpired`."""
        assert self._process is not None, "it was started"
        assert self._process.stdout is not None
        status = self._process.wait(seconds)
        self._process.stdout.close()
        return status

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process is not None:
            self._process.terminate()
            try:
                self.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self.kill()
        self._lifeline.cut()
