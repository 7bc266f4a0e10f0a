"""A pipe by which processes end with the one that started them, however that ends.

The starter alone holds the end for writing, and writes nothing; the others read, and end as soon as it is closed.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TextIO

VARIABLE = "BEAT_THE_AI_LIFELINE"  # which file of a process is its end


@dataclass
class Lifeline:
    """The starter's side. `files` are for `subprocess.Popen(pass_fds=...)`, with `variables` in its environment."""

    _read: int = field(init=False)
    _write: int = field(init=False)

    def __post_init__(self) -> None:
        self._read, self._write = os.pipe()

    @property
    def files(self) -> tuple[int, ...]:
        return (self._read,)

    @property
    def variables(self) -> dict[str, str]:
        return {VARIABLE: str(self._read)}

    def cut(self) -> None:
        os.close(self._write)
        os.close(self._read)


_kept: list[TextIO] = []


def keep_standard_output() -> None:
    """Leave standard output to `announce` alone: all else that is printed goes to standard error.

    The starter reads one line. Others would be taken for it, or fill the pipe, at which writers wait for ever.
    """
    sys.stdout.flush()
    _kept.append(os.fdopen(os.dup(1), "w"))
    os.dup2(2, 1)


def announce(facts: Mapping[str, Any]) -> None:
    """One line of JSON on standard output for the starter, who may be gone by now."""
    output = _kept[-1] if _kept else sys.stdout
    try:
        print(json.dumps(facts), file=output, flush=True)
    except BrokenPipeError:  # and Python would complain of it once more at its end
        os.dup2(os.open(os.devnull, os.O_WRONLY), output.fileno())


def inherited() -> tuple[int, ...]:
    """This process's end, to be passed on to a child; none where nobody has tied it."""
    return (int(os.environ[VARIABLE]),) if VARIABLE in os.environ else ()


def end_with_the_starter() -> None:
    """Die at once when the starter is gone: it was a rehearsal, of which nothing is worth keeping."""
    for file in inherited():
        threading.Thread(target=_wait_and_die, args=(file,), name="lifeline", daemon=True).start()


def _wait_and_die(file: int) -> None:
    while os.read(file, 1):
        pass
    os.kill(os.getpid(), signal.SIGKILL)
