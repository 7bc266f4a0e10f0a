"""The tests of the pages' pure parts, which run in Node."""

from __future__ import annotations

import os
import subprocess

from tests.webapp.conftest import WEBAPP


def test_the_pages_own_tests_pass() -> None:
    node = WEBAPP / ".node" / "bin"
    assert (node / "npm").exists(), "the pages' Node is not there: run `make webapp`"
    environment = {**os.environ, "PATH": f"{node}{os.pathsep}{os.environ['PATH']}", "CI": "1", "NO_COLOR": "1"}
    run = subprocess.run(
        ["npm", "test", "--silent"],
        cwd=WEBAPP,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
