"""The router's HTTP and WebSocket face: the same paths and packets as Mephisto's own routers, with proof of identity.

The operator shows the run's token when it connects; a page shows the secret that it got with its agent id. Nothing is
uploaded, nothing is executed, and every body has a limit.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import math
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.websockets import WebSocket

from beat_the_ai.errors import DiskFull
from beat_the_ai.mephisto import packets
from beat_the_ai.mephisto.packets import timestamp
from beat_the_ai.mephisto.router.beside import Beside
from beat_the_ai.mephisto.router.pace import Pace
from beat_the_ai.mephisto.router.sockets import UNAUTHORISED, OperatorSocket, PageSocket
from beat_the_ai.mephisto.router.switchboard import HitIsOver, OperatorAway, Switchboard
from beat_the_ai.messages import message_of, said, told
from beat_the_ai.web.built_page import AnswerHeaders, BuiltPage
from beat_the_ai.web.health import OPERATOR_AWAY, READY, health
from beat_the_ai.web.wrong_paths import explained

MAX_BODY_BYTES = 256 * 1024
MAX_DEPTH = 32
MAX_NAME_CHARS = 255
ANSWER_SECONDS = 60
BEARER = b"Bearer "
# Pages run their own files only. Only the crowd may show them in a frame, and gets what is handed in behind it.
POLICY = (
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self' ws: wss: {ancestors}; form-action *; base-uri 'none'; object-src 'none'; "
    "frame-ancestors {ancestors}"
)

WHAT_IT_IS = "This server has the page of one campaign. Workers reach it from a task that they have accepted."


class BadRequest(Exception):
    """A request that cannot be used; the message is shown to the client."""

    def __init__(self, message: str, status: int = 400) -> None:
        super().__init__(message)
        self.status = status


class TooFast(Exception):
    """An address registers too many pages; it may go on in so many seconds."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self.seconds = seconds


def create_app(
    switchboard: Switchboard,
    *,
    run_id: str,
    operator_token: str,
    static: Path,
    frame_ancestors: Sequence[str],
    pace: Pace,
    beside: Beside | None = None,
) -> Starlette:
    """The router of one run. `static` holds the page, `task_config.json` and the provider's `wrap_crowd_source.js`.

    The application `beside` is served under its path.
    """
    router = _Router(switchboard, run_id, operator_token, pace)
    headers = {
        "Content-Security-Policy": POLICY.format(ancestors=" ".join(frame_ancestors)),
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "Cache-Control": "no-cache",
    }
    return Starlette(
        routes=[
            WebSocketRoute("/", router.socket),
            Route("/health", router.health),
            Route("/is_alive", router.is_alive),
            Route("/get_timestamp", router.clock),
            Route("/request_agent", router.request_agent, methods=["POST"]),
            Route("/submit_task", router.submit_task, methods=["POST"]),
            Route("/submit_metadata", router.submit_metadata, methods=["POST"]),
            Route("/log_error", router.log_error, methods=["POST"]),
            *([] if beside is None else [Mount(beside.path, beside)]),
            Mount("/", BuiltPage(static)),
        ],
        middleware=[Middleware(AnswerHeaders, headers=headers)],
        exception_handlers={
            BadRequest: _bad_request,
            OperatorAway: _operator_away,
            HitIsOver: _hit_is_over,
            TooFast: _too_fast,
            ClientDisconnect: _client_has_left,
            DiskFull: _disk_is_full,
            **explained(WHAT_IT_IS),
        },
    )


async def _bad_request(_request: Request, error: Exception) -> Response:
    assert isinstance(error, BadRequest)
    return JSONResponse({"error": {"code": "invalid", "message": str(error)}}, status_code=error.status)


async def _disk_is_full(_request: Request, error: Exception) -> Response:
    content = {"error": {"code": DiskFull.code, **told(message_of(error))}}
    return JSONResponse(content, status_code=507)  # the page shows it; it would try again in silence after a 503


async def _client_has_left(_request: Request, _error: Exception) -> Response:
    return Response(status_code=499)  # nobody reads this


async def _operator_away(_request: Request, _error: Exception) -> Response:
    message = "The service is restarting. Please try again in a moment; your work is kept."
    return JSONResponse({"error": {"code": "away", "message": message}}, status_code=503, headers={"Retry-After": "2"})


async def _too_fast(_request: Request, error: Exception) -> Response:
    assert isinstance(error, TooFast)
    message = "Too many pages were opened from your network at once. This page tries again by itself."
    headers = {"Retry-After": str(math.ceil(error.seconds))}
    return JSONResponse({"error": {"code": "busy", "message": message}}, status_code=429, headers=headers)


async def _hit_is_over(_request: Request, _error: Exception) -> Response:
    return JSONResponse({"error": {"code": "over", **told(said("refusals.given_up"))}}, status_code=409)


class _Router:
    def __init__(self, switchboard: Switchboard, run_id: str, operator_token: str, pace: Pace) -> None:
        self._board = switchboard
        self._pace = pace
        self._run_id = run_id
        self._operator_token = operator_token.encode()

    async def health(self, _request: Request) -> Response:
        return health("router", READY if self._board.operator_is_here else OPERATOR_AWAY, run=self._run_id)

    async def is_alive(self, _request: Request) -> Response:
        return JSONResponse({"status": "Alive!"})

    async def clock(self, _request: Request) -> Response:
        return JSONResponse({"timestamp": time.time() * 1000})

    async def request_agent(self, request: Request) -> Response:
        address = request.client.host if request.client else ""
        if seconds := self._pace.seconds_to_wait(address):
            raise TooFast(seconds)
        body = await _json(request)
        provider_data = body.get("provider_data")
        if not isinstance(provider_data, dict):
            raise BadRequest("provider_data is missing; an object as getAgentRegistration() makes it is needed.")
        for name in ("worker_name", "agent_registration_id"):
            value = provider_data.get(name)
            if not isinstance(value, str) or not 1 <= len(value) <= MAX_NAME_CHARS or not value.isprintable():
                raise BadRequest(f"provider_data.{name} must be text of 1 to {MAX_NAME_CHARS} printable characters.")
        try:
            details = await asyncio.wait_for(self._board.register(provider_data, timestamp(body)), ANSWER_SECONDS)
        except asyncio.TimeoutError:
            raise OperatorAway from None
        return JSONResponse(details)

    async def submit_task(self, request: Request) -> Response:
        body = await _json(request)
        agent_id = self._agent_of(body)
        data = body.get("final_data")
        if not isinstance(data, dict):
            raise BadRequest("final_data is missing; an object is needed.")
        if "files" in data:
            raise BadRequest("final_data holds files; nothing can be uploaded here.")
        await self._board.submit(agent_id, data, timestamp(body))
        return JSONResponse({"status": "Submitted!"})

    async def submit_metadata(self, request: Request) -> Response:
        return await self._pass_on(request, packets.SUBMIT_METADATA, "metadata", "Submitted metadata")

    async def log_error(self, request: Request) -> Response:
        return await self._pass_on(request, packets.LOG_ERROR, "error_data", "Error log sent!")

    async def _pass_on(self, request: Request, packet_type: str, field: str, answer: str) -> Response:
        body = await _json(request)
        agent_id = self._agent_of(body)
        data = body.get(field)
        if not isinstance(data, dict):
            raise BadRequest(f"{field} is missing; an object is needed.")
        if not self._board.tell_operator(packet_type, agent_id, data):
            raise OperatorAway
        return JSONResponse({"status": answer})

    def _agent_of(self, body: dict[str, Any]) -> str:
        agent_id = body.get("USED_AGENT_ID")
        if not self._board.is_secret(agent_id, body.get("agent_secret")):
            raise BadRequest("This agent id is not this page's. Please reload the page.", status=403)
        return str(agent_id)

    async def socket(self, socket: WebSocket) -> None:
        authorization = socket.headers.get("authorization", "").encode()
        if not authorization.startswith(BEARER):  # a proxy in front of the pages may have a scheme of its own
            await socket.accept()
            await PageSocket(socket, self._board).serve()
        elif hmac.compare_digest(authorization, BEARER + self._operator_token):
            await socket.accept()
            await OperatorSocket(socket, self._board).serve()
        else:
            await socket.close(UNAUTHORISED, "this router belongs to another run")


async def _json(request: Request) -> dict[str, Any]:
    """The body as an object. Raises `BadRequest` when it is too large (without reading it all) or no object."""
    body = await _body(request)
    try:
        content = json.loads(body, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise BadRequest("The request is not JSON.") from None
    if not isinstance(content, dict) or not _is_shallow(content, MAX_DEPTH):
        raise BadRequest(f"The request must be a JSON object, nested at most {MAX_DEPTH} deep.")
    return content


async def _body(request: Request) -> bytes:
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_BODY_BYTES:
            raise BadRequest(f"The request is larger than {MAX_BODY_BYTES:,} bytes.", status=413)
    return bytes(body)


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _is_shallow(value: object, levels: int) -> bool:
    """Return whether a value is shallow enough to be read and written behind the router, on a deeper stack."""
    if isinstance(value, dict):
        return levels > 0 and all(_is_shallow(item, levels - 1) for item in value.values())
    if isinstance(value, list):
        return levels > 0 and all(_is_shallow(item, levels - 1) for item in value)
    return True
