"""A program that tells of its process in a line of JSON, and of its child's: `python -m tests.forked.tells DEPTH`.

With `--wait` it waits for the end of its input instead, with exit status 3. With `--end` it ends in one of `ENDS`.
"""

from __future__ import annotations

import atexit
import json
import os
import random
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

ENDS: dict[str, object] = {"none": None, "three": 3, "too much": 300, "text": "It is over.", "error": None}


def end(how: str) -> None:
    """End with a thread that is still at work, and something to do at the exit."""
    atexit.register(print, "at the exit")
    threading.Timer(0.2, print, ["in a thread"]).start()
    if how == "error":
        raise RuntimeError("It failed.")
    sys.exit(ENDS[how])  # type: ignore[arg-type]


def facts() -> dict[str, Any]:
    """Return what has to be the same in a forked and in a started process."""
    status = dict(line.split(":\t", 1) for line in Path("/proc/self/status").read_text().splitlines())
    streams = (sys.stdin, sys.stdout, sys.stderr)
    return {
        "arguments": [
            sys.argv,
            sys.orig_argv,
            Path("/proc/self/cmdline").read_bytes().decode().rstrip("\0").split("\0"),
        ],
        "module": [__name__, __spec__.name, __file__, sys.modules["__main__"] is sys.modules[__name__]],
        "environment": dict(os.environ),
        "folder": [str(Path.cwd()), sys.path[0]],
        "signals": [status["SigIgn"], status["SigCgt"], status["SigBlk"], str(signal.getsignal(signal.SIGINT))],
        "streams": [[file.fileno(), file.encoding, file.errors, file.line_buffering] for file in streams],
        "parent": os.getppid(),
        "session": [os.getsid(0), os.getpgid(0)],
        "status": [status["Umask"], status["Threads"]],
    }


def own() -> dict[str, Any]:
    opened = {str(file): link(file) for file in range(3, 100)}
    return {
        "files": {number: place for number, place in opened.items() if place},
        "pid": os.getpid(),
        "random": random.random(),
        "is forked": "tests.forked.template" in sys.modules,
        "shown": Path("/proc/self/environ").read_bytes().rstrip(b"\0").decode().split("\0"),
    }


def link(file: int) -> str:
    try:
        return str(Path(f"/proc/self/fd/{file}").readlink())
    except FileNotFoundError:
        return ""


def main() -> None:
    if sys.argv[1:] == ["--wait"]:
        print("It waits.", flush=True)
        sys.stdin.read()
        sys.exit(3)
    if sys.argv[1] == "--end":
        end(sys.argv[2])
    told = {"facts": facts(), "own": own()}
    if (depth := int(sys.argv[-1])) > 0:
        child = [sys.executable, "-m", "tests.forked.tells", str(depth - 1)]
        files = [end for _ in range(4) for end in os.pipe()]
        told["child"] = json.loads(subprocess.check_output(child, pass_fds=files))
        told["passed"] = {str(file): link(file) for file in files}
    print(json.dumps(told))


if __name__ == "__main__":
    main()
