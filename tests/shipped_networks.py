"""The networks that ship: each is opened once in a process of tests, at half a second. It keeps nothing of a question.

Other networks, and those of other processes, are opened each time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest

from beat_the_ai import kinds
from beat_the_ai.networks import onnx_folder
from beat_the_ai.networks.outputs import Run

KINDS = Path(kinds.__path__[0])


@pytest.fixture(autouse=True, scope="session")
def opened_once() -> Iterator[None]:
    opened = onnx_folder.session
    kept = cache(opened)

    def session(path: Path, threads: int, outputs: Sequence[str]) -> Run:
        return kept(path, threads, tuple(outputs)) if KINDS in path.parents else opened(path, threads, outputs)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(onnx_folder, "session", session)
        yield
