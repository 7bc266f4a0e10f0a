"""A disk that is really full: requesters and workers are told so, and go on when it is not."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
IN_A_NAMESPACE = f"mount -t tmpfs -o size=16m tmpfs {{folder}} && exec {sys.executable} -m tests.full_disk {{folder}}"


def namespace() -> list[str]:
    """Where this user may mount a file system that nobody else sees."""
    for command in (["unshare", "--mount"], ["unshare", "--user", "--map-root-user", "--mount"]):
        if subprocess.run([*command, "true"], capture_output=True, check=False).returncode == 0:
            return command
    pytest.skip("a small disk cannot be mounted here: neither as root nor in a user namespace of one's own")


def test_requesters_and_workers_are_told_and_nothing_is_lost(tmp_path: Path) -> None:
    command = [*namespace(), "sh", "-c", IN_A_NAMESPACE.format(folder=tmp_path)]
    path = os.pathsep.join([str(ROOT), str(ROOT / "src")])
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=120, cwd=ROOT, env={**os.environ, "PYTHONPATH": path}
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert "the disk is full" in done.stderr  # for whoever runs it
