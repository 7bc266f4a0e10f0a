"""The answer to an address that a server does not have: what the server is, and where to go."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from http import HTTPStatus

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

SHOWN_CHARS = 200


def explained(server: str) -> Mapping[int, Callable[[Request, Exception], Response]]:
    """Return Starlette's exception handlers that say of which `server` the path is not."""

    def answer(request: Request, _error: Exception) -> Response:
        asked = f"{request.method} {request.url.path}"[:SHOWN_CHARS]
        return PlainTextResponse(f"There is no {asked} here. {server}\n", HTTPStatus.NOT_FOUND)

    return dict.fromkeys((HTTPStatus.NOT_FOUND, HTTPStatus.METHOD_NOT_ALLOWED), answer)
