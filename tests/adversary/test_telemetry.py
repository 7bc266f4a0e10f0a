"""What the model's runtime tells others about the machine that it runs on: nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ASK = """
from beat_the_ai.adversary.protocol import LoadOptions
from beat_the_ai.adversary.registry import open_adversary
from beat_the_ai.kinds.reading_comprehension.writing import Query
model = open_adversary("onnx:bidaf-small", "reading_comprehension", LoadOptions())
print(model.predict([Query(context="Rome fell in 476.", question="When did Rome fall?")])[0].text)
"""


def test_onnxruntime_leaves_no_trace_of_this_machine(tmp_path: Path) -> None:
    ours = {name: value for name, value in os.environ.items() if name != "ORT_DISABLE_TELEMETRY"}
    folders = {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache"), "XDG_CONFIG_HOME": str(tmp_path / "c")}
    environment = {**ours, **folders, "TMPDIR": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-c", ASK]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
    assert (done.stdout.strip(), done.stderr) == ("476", "")
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
