"""An application that the router serves besides the pages of HITs, made at its first request."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from starlette.concurrency import run_in_threadpool
from starlette.types import ASGIApp, Receive, Scope, Send

from beat_the_ai.process.importing import object_at


class Beside:
    """An ASGI application by its place, `module:NAME`, and the options from which that makes it."""

    def __init__(self, path: str, place: str, options: Mapping[str, str]) -> None:
        self.path = path
        self._place = place
        self._options = options
        self._app: ASGIApp | None = None

    @classmethod
    def of(cls, file: Path) -> Beside | None:
        """Return the application that a file names, if there is one."""
        if not file.exists():
            return None
        return cls(**json.loads(file.read_text(encoding="utf-8")))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._app is None:
            made = await run_in_threadpool(self._make)
            self._app = self._app or made  # of two at once, the first stays
        await self._app(scope, receive, send)

    def _make(self) -> ASGIApp:
        made: ASGIApp = object_at(self._place, "beside")(self._options)
        return made
