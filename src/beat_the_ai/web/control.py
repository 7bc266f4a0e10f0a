"""The control of a rehearsal's server: JSON over HTTP, with the token that the server printed when it started."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pydantic_core import from_json
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from beat_the_ai.errors import BeatTheAIError, InvalidInput, Refused
from beat_the_ai.web.bearer import is_bearer

MAX_BODY_BYTES = 64 * 1024

Body = dict[str, Any]
Act = Callable[[Body], Body]


def control_route(method: str, name: str, act: Act, token: str) -> Route:
    """Return the route `/rehearsal/NAME`, which answers 401 without `Authorization: Bearer TOKEN`."""

    async def answer(request: Request) -> Response:
        if not is_bearer(request.headers, token):
            return JSONResponse({"error": "This needs the token that the server printed when it started."}, 401)
        try:
            return JSONResponse(await run_in_threadpool(act, await _read(request)))
        except BeatTheAIError as error:
            return JSONResponse({"error": str(error)}, 409 if isinstance(error, Refused) else 400)

    return Route(f"/rehearsal/{name}", answer, methods=[method])


def number(given: Body, name: str, most: float) -> float:
    """Return a number from 0 to `most`, 0 where there is none. Raises `InvalidInput`."""
    value = given.get(name, 0)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= most:
        raise InvalidInput(name, f"{name} is {str(value)[:40]!r}; a number from 0 to {most} is needed.")
    return value


async def read_body(request: Request) -> bytes:
    """Read a small body. Raises `InvalidInput` for a longer one."""
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_BODY_BYTES:
            raise InvalidInput("body", f"At most {MAX_BODY_BYTES} bytes are read.")
    return body


async def _read(request: Request) -> Body:
    if request.method == "GET":
        return {}
    body = await read_body(request)
    try:
        given = from_json(body)
    except ValueError as error:
        raise InvalidInput("body", f"The body is not JSON: {error}.") from None
    if not isinstance(given, dict):
        raise InvalidInput("body", "The body must be a JSON object.")
    return given
