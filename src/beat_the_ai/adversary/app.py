"""The model server's HTTP: reads and checks requests, answers in JSON, and turns every error into one shape.

`POST /v1/predict`, `GET /v1/models`, `GET /health`, `GET /metrics`. Model time is spent in the service's threads; in
here nothing blocks.
"""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Coroutine
from http import HTTPStatus
from secrets import compare_digest
from typing import Any, TypeVar

import anyio
from prometheus_client import CONTENT_TYPE_LATEST
from pydantic_core import to_json
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from beat_the_ai.adversary.protocol import DeadlinePassed
from beat_the_ai.adversary.service import Service
from beat_the_ai.adversary.wire import (
    MAX_BODY_BYTES,
    STATUS_OF_CODE,
    Failure,
    TooLarge,
    read_address,
    read_request,
    write_reply,
)
from beat_the_ai.errors import AdversaryBusy, AdversaryError, BeatTheAIError, InvalidInput
from beat_the_ai.web.health import health

log = logging.getLogger(__name__)

ResultT = TypeVar("ResultT")
JSON = "application/json"

# A client sends its whole body before it reads the answer; so much of one that is too long is read and thrown away,
# so that it gets to see why it was refused.
MAX_DISCARDED_BYTES = 16 * MAX_BODY_BYTES
NOBODY_READS_THIS = Response(status_code=499)


def build_app(service: Service, token: str | None = None) -> Starlette:
    """The application. With a `token`, everything but `/health` asks for it as `Authorization: Bearer`."""
    endpoints = Endpoints(service)
    return Starlette(
        routes=[
            Route("/v1/predict", endpoints.predict, methods=["POST"]),
            Route("/v1/models", endpoints.models),
            Route("/health", endpoints.health),
            Route("/metrics", endpoints.metrics),
        ],
        middleware=[Middleware(BearerToken, token=token)] if token else [],
        exception_handlers={HTTPException: _http_failure, Exception: _unforeseen_failure},
    )


class Endpoints:
    """One method per route."""

    def __init__(self, service: Service) -> None:
        self._service = service

    async def predict(self, request: Request) -> Response:
        outcome = "error"
        try:
            response = await self._predict_in_time(request)
            outcome = "ok"
        except BeatTheAIError as error:
            response = _failure(error)
            outcome = error.code
        except ClientDisconnect:
            response = NOBODY_READS_THIS
            outcome = "gone"
        finally:
            self._service.metrics.count_request(outcome)
        return response

    async def _predict_in_time(self, request: Request) -> Response:
        deadline_seconds = self._service.limits.deadline_seconds
        try:
            with anyio.fail_after(deadline_seconds):
                return await self._predict(request)
        except TimeoutError:
            raise DeadlinePassed(f"There was no answer within {deadline_seconds:g} seconds.") from None

    async def _predict(self, request: Request) -> Response:
        body = await _read_body(request)
        model = self._service.model(read_address(body))
        asked = read_request(body, model.request_type)
        reply = await _while_connected(request, model.answer(asked))
        return Response(write_reply(reply), media_type=JSON)

    async def models(self, request: Request) -> Response:
        models = self._service.models.values()
        listed = [
            {
                "name": one.name,
                "model": one.identity,
                "query": one.query_fields,
                "explains": one.explains,
                "prices": one.prices,
            }
            for one in models
        ]
        return _json({"models": listed})

    async def health(self, request: Request) -> Response:
        return health("model", self._service.state)

    async def metrics(self, request: Request) -> Response:
        return Response(self._service.metrics.render(), headers={"Content-Type": CONTENT_TYPE_LATEST})


class BearerToken:
    """Lets a request pass that carries the token, and the question whether the server is well."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = app
        self._expected = f"Bearer {token}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        answer: ASGIApp = self._app
        if scope["type"] == "http" and scope["path"] != scope.get("root_path", "") + "/health":
            given = Headers(scope=scope).get("authorization", "").encode()
            if not compare_digest(given, self._expected):
                message = "This server needs its token: Authorization: Bearer <token>."
                answer = _failure_response(Failure("unauthorized", message))
        await answer(scope, receive, send)


async def _read_body(request: Request) -> bytes:
    """The body, of which no more than the limit is ever held, whatever its Content-Length says."""
    body = bytearray()
    size = 0
    async for chunk in request.stream():
        size += len(chunk)
        if size <= MAX_BODY_BYTES:
            body += chunk
        elif size > MAX_DISCARDED_BYTES:
            break
    if size > MAX_BODY_BYTES:
        raise TooLarge("body", f"The body is too long; at most {MAX_BODY_BYTES:,} bytes are read.")
    return bytes(body)


async def _while_connected(request: Request, work: Coroutine[Any, Any, ResultT]) -> ResultT:
    """The result of `work`, which is given up when nobody is left to read it."""
    with anyio.CancelScope() as scope:
        watching = asyncio.ensure_future(_cancel_when_gone(request, scope))
        try:
            return await work
        finally:
            watching.cancel()
    raise ClientDisconnect


async def _cancel_when_gone(request: Request, scope: anyio.CancelScope) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
    scope.cancel()


def _json(content: Any, status: int = HTTPStatus.OK, headers: dict[str, str] | None = None) -> Response:
    return Response(to_json(content), status, headers, media_type=JSON)


def _failure(error: BeatTheAIError) -> Response:
    field = error.field if isinstance(error, InvalidInput) else None
    microcents = error.microcents if isinstance(error, AdversaryError) else None
    headers = {}
    if isinstance(error, AdversaryBusy):
        headers["Retry-After"] = str(math.ceil(error.retry_after_seconds))
    if isinstance(error, TooLarge):
        headers["Connection"] = "close"
    return _failure_response(Failure(error.code, str(error), field, microcents), headers)


def _failure_response(failure: Failure, headers: dict[str, str] | None = None) -> Response:
    content = {name: value for name, value in vars(failure).items() if value is not None}
    return _json({"error": content}, STATUS_OF_CODE[failure.code], headers)


def _http_failure(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return _json({"error": {"code": "http", "message": error.detail}}, error.status_code, dict(error.headers or {}))


def _unforeseen_failure(request: Request, error: Exception) -> Response:
    log.error("A request failed for a reason nobody foresaw", exc_info=error)
    return _failure_response(Failure("error", "The server failed on this request."))
