"""The files of a built page: packed where the browser can unpack them, and kept by it as long as they hold."""

from __future__ import annotations

import mimetypes
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from starlette.datastructures import Headers
from starlette.responses import FileResponse, Response
from starlette.staticfiles import NotModifiedResponse, StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

PACKED = {"br": ".br", "gzip": ".gz"}  # as the build leaves them beside a file, the smaller first
HASHED = re.compile(r"/assets/[^/]+-[\w-]{8}\.(js|css)$")  # whose name changes with what they hold
REFUSED = re.compile(r"\s*q\s*=\s*0(\.0*)?\s*")
NEVER_CHANGES, ASK_AGAIN = "public, max-age=31536000, immutable", "no-cache"


class BuiltPage(StaticFiles):
    """A folder that `index.html` opens, for GET and HEAD; nothing outside it can be had."""

    def __init__(self, folder: Path) -> None:
        super().__init__(directory=folder, html=True, check_dir=False)

    def file_response(
        self, full_path: str | os.PathLike[str], stat_result: os.stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        """Packed if there is such a file and the request takes it; 304 if the browser has it already."""
        asked = Headers(scope=scope)
        path = Path(full_path)
        headers = {
            "Vary": "Accept-Encoding",
            "Cache-Control": NEVER_CHANGES if HASHED.search(path.as_posix()) else ASK_AGAIN,
        }
        media_type = mimetypes.guess_type(path.name)[0]
        for coding in _accepted(asked.get("accept-encoding", "")):
            packed = path.with_name(path.name + PACKED[coding])
            if packed.is_file() and packed.stat().st_mtime >= stat_result.st_mtime:
                path, stat_result = packed, packed.stat()
                headers["Content-Encoding"] = coding
                break
        response = FileResponse(path, status_code, headers, media_type, stat_result=stat_result)
        return NotModifiedResponse(response.headers) if self.is_not_modified(response.headers, asked) else response


class AnswerHeaders:
    """Adds these headers to every answer, unless it has its own of that name."""

    def __init__(self, app: ASGIApp, headers: Mapping[str, str]) -> None:
        self._app = app
        self._headers = [(name.lower().encode(), value.encode()) for name, value in headers.items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                own: list[Any] = list(message["headers"])
                names = {name for name, _ in own}
                message["headers"] = own + [header for header in self._headers if header[0] not in names]
            await send(message)

        await self._app(scope, receive, with_headers if scope["type"] == "http" else send)


def _accepted(header: str) -> list[str]:
    """The codings of `PACKED` in an Accept-Encoding header (RFC 9110, §12.5.3), in that order."""
    offered = (part.partition(";") for part in header.split(","))
    taken = {name.strip().lower() for name, _, weight in offered if not REFUSED.fullmatch(weight)}
    return [coding for coding in PACKED if coding in taken]
