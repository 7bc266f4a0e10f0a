"""The path under which a proxy has a server: links and cookies begin with it."""

from __future__ import annotations

import re

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from beat_the_ai.errors import InvalidInput

ROOT_PATH = re.compile(r"(/[A-Za-z0-9._~-]+)*", re.ASCII)


class UnderRootPath:
    """Serves an application under a path, whether or not the proxy has taken that path away.

    `raw_path` stays as the request came.
    """

    def __init__(self, app: ASGIApp, root_path: str) -> None:
        self._app = app
        self._root_path = root_path

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope.get("path", "")
        is_whole = f"{path}/".startswith(f"{self._root_path}/")
        placed = {"root_path": self._root_path, "path": path if is_whole else self._root_path + path}
        await self._app({**scope, **placed}, receive, send)


def check_root_path(root_path: str) -> str:
    """Return the path. Raises `InvalidInput` for what no server can be under."""
    if not ROOT_PATH.fullmatch(root_path):
        raise InvalidInput("--root-path", f"--root-path={root_path[:80]!r} is no path. Write one like /market.")
    return root_path


def root_path_of(connection: HTTPConnection) -> str:
    """Return the path under which the server is, also within a mounted application."""
    scope = connection.scope
    return str(scope.get("app_root_path", scope.get("root_path", "")))


def cookie_path(connection: HTTPConnection) -> str:
    """Return the path of the server's cookies: no other server of the same name gets them."""
    return root_path_of(connection) or "/"
