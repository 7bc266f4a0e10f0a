"""Finding whose a process is."""

from __future__ import annotations

import subprocess
import threading
from pathlib import Path

import pytest

from tests import processes
from tests.processes import OWNER, kill_processes, unowned


@pytest.mark.parametrize("delay_seconds", [0.0, 0.3])
def test_a_process_that_is_being_started_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, delay_seconds: float
) -> None:
    """Between its start and its environment, in which the owner stands, a program has an empty one."""
    monkeypatch.setattr(processes, "PROC", tmp_path)
    with subprocess.Popen(["sleep", "1000"], env=unowned()) as child:
        folder = tmp_path / str(child.pid)
        folder.mkdir()
        (folder / "exe").symlink_to("/bin/sleep")
        environment = folder / "environ"
        environment.touch()
        shown = f"HOME=/\0{OWNER}=run/gw0/7/\0".encode()
        threading.Timer(delay_seconds, environment.write_bytes, [shown]).start()
        try:
            kill_processes("run/gw0/7/")
            assert child.wait(10) < 0
        finally:
            child.kill()


def test_what_has_no_program_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A thread of the kernel, or a process that has ended."""
    monkeypatch.setattr(processes, "PROC", tmp_path)
    monkeypatch.setattr(processes, "STARTING_SECONDS", 1e9)
    (tmp_path / "2").mkdir()
    (tmp_path / "2" / "environ").touch()
    kill_processes("run/")
