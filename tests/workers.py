"""A worker of pytest-xdist that dies ends the run, with the name of the test that it was at.

pytest-xdist learns of a death when the worker's pipe closes. A process that the worker has forked may keep it open, and
pytest-xdist would wait for ever: then a thread, which looks whether the workers live, ends the run.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from beat_the_ai.files.atomic_write import replacing
from tests.processes import OWNER, kill_processes

GRACES = 4  # of `timeout_grace_seconds`, before the thread ends what pytest-xdist has not
LAST_TEST = "last_test"


def record_test(config: pytest.Config, test: str) -> None:
    """Keep which test a worker is at, for the process that the user started.

    The file is replaced as a whole: whoever reads it finds the worker's number, at every moment.
    """
    worker: dict[str, str] | None = getattr(config, "workerinput", None)
    if worker is not None:
        with replacing(Path(worker[LAST_TEST]), synced=False) as file:
            file.write(f"{os.getpid()} {test}".encode())


class Workers:
    """In the process that the user started: the workers that have not ended, and the files with their last tests."""

    def __init__(self, config: pytest.Config) -> None:
        self._grace_seconds = GRACES * float(config.getini("timeout_grace_seconds"))
        self._folder: Path | None = None
        self._files: dict[str, Path] = {}

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix="last-tests-"))
            threading.Thread(target=self._watch, daemon=True).start()
        self._files[node.gateway.id] = path = self._folder / node.gateway.id
        node.workerinput[LAST_TEST] = str(path)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any, error: object | None) -> None:
        kill_processes(f"{os.environ[OWNER]}{node.gateway.id}/")
        path = self._files.pop(node.gateway.id, None)
        if error and path is not None:
            pytest.exit(_death(path), returncode=1)

    def pytest_sessionfinish(self) -> None:
        self._files.clear()
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)

    def _watch(self) -> None:
        dead: dict[str, float] = {}
        while True:
            time.sleep(1.0)
            for name, path in list(self._files.items()):
                if not has_ended(path):
                    continue
                if time.monotonic() - dead.setdefault(name, time.monotonic()) > self._grace_seconds:
                    print(f"\n{_death(path)}", file=sys.__stderr__, flush=True)
                    kill_processes(os.environ[OWNER])
                    shutil.rmtree(path.parent, ignore_errors=True)
                    os._exit(1)


def _death(path: Path) -> str:
    _, _, test = path.read_text().partition(" ") if path.is_file() else ("", "", "")
    return f"A worker of the tests ({path.name}) has died. Its last test: {test or 'none'}"


def has_ended(path: Path) -> bool:
    """Whether the process whose number is in the file is gone, or a zombie."""
    if not path.is_file():
        return False
    try:
        status = Path(f"/proc/{path.read_text().partition(' ')[0]}/status").read_text()
    except FileNotFoundError:
        return True
    return "\nState:\tZ" in status
