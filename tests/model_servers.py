"""Model servers that run on their own: `adversary serve` in a process that no operator has started."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

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
