"""A model server whose memory can be read, for benchmarks that run a whole campaign."""

from __future__ import annotations

import sys
from pathlib import Path

from beat_the_ai.process.child import Child


class ModelServer(Child):
    """`python -m MODULE OPTIONS...`, whose memory can be read; it has loaded its models once it is started."""

    def __init__(self, folder: Path, module: str, *options: str) -> None:
        super().__init__("model server", folder / "model.log")
        self._given = (module, *options)

    def __enter__(self) -> ModelServer:
        self.start()
        return self

    @property
    def address(self) -> str:
        return str(self.printed["address"])

    def command(self) -> list[str]:
        return [sys.executable, "-m", *self._given]
