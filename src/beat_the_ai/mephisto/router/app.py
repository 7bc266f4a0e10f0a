"""The router's HTTP and WebSocket face: the same paths and packets as Mephisto's own routers, with proof of identity.

The operator shows the run's token when it connects; a page shows the secret that it got with its agent id. Nothing is
uploaded, nothing is executed, and every body has a limit.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import logging
import time
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from beat_the_ai.mephisto import packets
from beat_the_ai.mephisto.router.switchboard import OperatorAway, Switchboard

MAX_BODY_BYTES = 256 * 1024
MAX_CALL_CHARS = 64 * 1024
MAX_NAME_CHARS = 255
REGISTRATION_SECONDS = 60
UNAUTHORISED = 4401

log = logging.getLogger(__name__)


class BadRequest(Exception):
    """What the client sent cannot be used; the message is shown to it."""

    def __init__(self, message: str, status: int = 400) -> None:
        super().__init__(message)
        self.status = status


class SecurityHeaders:
    """Pages run their own files only; who may frame them is the crowd's matter, so framing is left open."""

    HEADERS = (
        (
            b"content-security-policy",
            b"default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
            b"connect-src 'self' ws: wss:; form-action *; base-uri 'none'; object-src 'none'",
        ),
        (b"x-content-type-options", b"nosniff"),
        (b"referrer-policy", b"no-referrer"),
        (b"cache-control", b"no-cache"),
    )

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *self.HEADERS]
            await send(message)

        await self._app(scope, receive, with_headers if scope["type"] == "http" else send)


def create_app(switchboard: Switchboard, *, run_id: str, operator_token: str, static: Path) -> Starlette:
    """The router of one run. `static` holds the page, `task_config.json` and the provider's `wrap_crowd_source.js`."""
    router = _Router(switchboard, run_id, operator_token)
    return Starlette(
        routes=[
            WebSocketRoute("/", router.socket),
            Route("/health", router.health),
            Route("/is_alive", router.is_alive),
            Route("/get_timestamp", router.timestamp),
            Route("/request_agent", router.request_agent, methods=["POST"]),
            Route("/submit_task", router.submit_task, methods=["POST"]),
            Route("/submit_metadata", router.submit_metadata, methods=["POST"]),
            Route("/log_error", router.log_error, methods=["POST"]),
            Mount("/", StaticFiles(directory=static, html=True)),
        ],
        middleware=[Middleware(SecurityHeaders)],
        exception_handlers={BadRequest: _bad_request, OperatorAway: _operator_away},
    )


async def _bad_request(_request: Request, error: Exception) -> Response:
    assert isinstance(error, BadRequest)
    return JSONResponse({"error": {"code": "invalid", "message": str(error)}}, status_code=error.status)


async def _operator_away(_request: Request, _error: Exception) -> Response:
    message = "The service is restarting. Please try again in a moment; your work is kept."
    return JSONResponse({"error": {"code": "away", "message": message}}, status_code=503, headers={"Retry-After": "2"})


class _Router:
    def __init__(self, switchboard: Switchboard, run_id: str, operator_token: str) -> None:
        self._board = switchboard
        self._run_id = run_id
        self._operator_token = operator_token.encode()

    async def health(self, _request: Request) -> Response:
        return JSONResponse({"run": self._run_id, "operator": self._board.operator_is_here})

    async def is_alive(self, _request: Request) -> Response:
        return JSONResponse({"status": "Alive!"})

    async def timestamp(self, _request: Request) -> Response:
        return JSONResponse({"timestamp": time.time() * 1000})

    async def request_agent(self, request: Request) -> Response:
        body = await _json(request)
        provider_data = body.get("provider_data")
        if not isinstance(provider_data, dict):
            raise BadRequest("provider_data is missing; an object as getAgentRegistration() makes it is needed.")
        for name in ("worker_name", "agent_registration_id"):
            value = provider_data.get(name)
            if not isinstance(value, str) or not 1 <= len(value) <= MAX_NAME_CHARS or not value.isprintable():
                raise BadRequest(f"provider_data.{name} must be text of 1 to {MAX_NAME_CHARS} printable characters.")
        try:
            details = await asyncio.wait_for(
                self._board.register(provider_data, _timestamp(body)), REGISTRATION_SECONDS
            )
        except asyncio.TimeoutError:
            raise OperatorAway from None
        return JSONResponse(details)

    async def submit_task(self, request: Request) -> Response:
        body = await _json(request)
        agent_id = self._agent_of(body)
        data = body.get("final_data")
        if not isinstance(data, dict):
            raise BadRequest("final_data is missing; an object is needed.")
        await self._board.submit(agent_id, data, _timestamp(body))
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
        if not await self._board.tell_operator(packet_type, agent_id, data):
            raise OperatorAway
        return JSONResponse({"status": answer})

    def _agent_of(self, body: dict[str, Any]) -> str:
        agent_id = body.get("USED_AGENT_ID")
        if not self._board.is_secret(agent_id, body.get("agent_secret")):
            raise BadRequest("This agent id is not this page's. Please reload the page.", status=403)
        return str(agent_id)

    async def socket(self, socket: WebSocket) -> None:
        authorization = socket.headers.get("authorization", "").encode()
        if authorization:
            if not hmac.compare_digest(authorization, b"Bearer " + self._operator_token):
                await socket.close(UNAUTHORISED, "this router belongs to another run")
                return
            await socket.accept()
            await self._serve_operator(socket)
        else:
            await socket.accept()
            await _PageSocket(socket, self._board).serve()

    async def _serve_operator(self, socket: WebSocket) -> None:
        async def send(packet: packets.Packet) -> None:
            try:
                await socket.send_json(packet)
            except (WebSocketDisconnect, RuntimeError):
                log.info("the operator left before its packet came; what needs an answer is sent again")

        try:
            await self._board.attach_operator(send)
            while True:
                await self._board.from_operator(await socket.receive_json())
        except (WebSocketDisconnect, RuntimeError):
            log.info("the operator has left")
        finally:
            self._board.detach_operator(send)


class _PageSocket:
    """One page's connection. Until `alive` with the right secret came, nothing else is taken."""

    def __init__(self, socket: WebSocket, switchboard: Switchboard) -> None:
        self._socket = socket
        self._board = switchboard
        self._agent_id: str | None = None

    async def serve(self) -> None:
        try:
            while True:
                await self._handle(await self._socket.receive_text())
        except (WebSocketDisconnect, RuntimeError, KeyError):
            pass
        finally:
            if self._agent_id is not None:
                self._board.detach_page(self._agent_id, self._send)

    async def _send(self, packet: packets.Packet) -> None:
        try:
            await self._socket.send_json(packet)
        except (WebSocketDisconnect, RuntimeError):
            log.info("a page left before its packet came")

    async def _handle(self, text: str) -> None:
        try:
            packet = json.loads(text)
            kind, subject, data = packet["packet_type"], packet["subject_id"], packet.get("data") or {}
            timestamp = _timestamp(packet)
        except (ValueError, RecursionError, KeyError, TypeError, AttributeError):
            await self._complain("The packet is not JSON with packet_type, subject_id and data.")
            return
        if not isinstance(data, dict):
            await self._complain("The packet's data is not an object.")
        elif kind == packets.ALIVE:
            await self._alive(subject, data)
        elif self._agent_id is None or subject != self._agent_id:
            await self._socket.close(UNAUTHORISED, "this agent id is not this page's")
        elif kind == packets.HEARTBEAT:
            await self._board.heartbeat(self._agent_id)
        elif kind == packets.CALL:
            await self._call(self._agent_id, data, len(text), timestamp)
        else:
            await self._complain(f"A page cannot send packets of type {str(kind)[:40]!r}.")

    async def _alive(self, subject: object, data: dict[str, Any]) -> None:
        if not self._board.is_secret(subject, data.get("agent_secret")):
            await self._socket.close(UNAUTHORISED, "this agent id is not this page's")
            return
        self._agent_id = str(subject)
        await self._board.attach_page(self._agent_id, self._send)

    async def _call(self, agent_id: str, data: dict[str, Any], size: int, timestamp: float | None) -> None:
        request_id = data.get("request_id")
        if not isinstance(request_id, str) or not 1 <= len(request_id) <= MAX_NAME_CHARS:
            await self._complain(f"A call needs a request_id of 1 to {MAX_NAME_CHARS} characters.")
        elif not isinstance(data.get("target"), str) or not isinstance(data.get("args"), str):
            await self._board.refuse_call(agent_id, request_id, "invalid", "A call needs a target and args, as text.")
        elif size > MAX_CALL_CHARS:
            message = f"That is too long: {size:,} characters were sent, at most {MAX_CALL_CHARS:,} are allowed."
            await self._board.refuse_call(agent_id, request_id, "invalid", message)
        else:
            await self._board.call(agent_id, data, timestamp)

    async def _complain(self, message: str) -> None:
        await self._send(packets.packet(packets.LOG_ERROR, self._agent_id or "", {"message": message}))


async def _json(request: Request) -> dict[str, Any]:
    """The body as an object. Raises `BadRequest` when it is too large (without reading it all) or no object."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_BODY_BYTES:
            raise BadRequest(f"The request is larger than {MAX_BODY_BYTES:,} bytes.", status=413)
    try:
        content = json.loads(body)
    except (ValueError, RecursionError):
        raise BadRequest("The request is not JSON.") from None
    if not isinstance(content, dict):
        raise BadRequest("The request must be a JSON object.")
    return content


def _timestamp(body: dict[str, Any]) -> float | None:
    value = body.get("client_timestamp")
    return float(value) if isinstance(value, (int, float)) else None
