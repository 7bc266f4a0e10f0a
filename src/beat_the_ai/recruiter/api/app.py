"""The API's HTTP: who asks, what was sent, and errors in the document's form.

Operations run in threads, as the database blocks; here is only what belongs to the network.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from hmac import compare_digest
from typing import Any

from pydantic_core import from_json, to_json
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from beat_the_ai.errors import BeatTheAIError, DiskFull
from beat_the_ai.recruiter.api.call import Call, Operation, Reply
from beat_the_ai.recruiter.api.operations import OPERATIONS
from beat_the_ai.recruiter.errors import Fault, Invalid, NotAuthentic, NotThere, RecruiterError
from beat_the_ai.recruiter.recruiter import Recruiter
from beat_the_ai.recruiter.workspace import get_workspace
from beat_the_ai.web.faults import Faults, LostReply

log = logging.getLogger(__name__)

JSON = "application/json"
MAX_BODY_BYTES = 1024 * 1024
MAX_DISCARDED_BYTES = 16 * MAX_BODY_BYTES
PUBLIC = "get-study-jwks"


class ResearcherApi:
    """The operations of the document; `routes()` goes into the application."""

    def __init__(self, recruiter: Recruiter, faults: Faults) -> None:
        self._recruiter = recruiter
        self._faults = faults
        self._token = f"Token {recruiter.workspace.token}".encode()

    def routes(self) -> list[Route]:
        return [Route(one.path, self._endpoint(one), methods=[one.method]) for one in OPERATIONS] + [
            Route("/api/{path:path}", self._not_there, methods=["GET", "POST", "PATCH", "PUT", "DELETE"])
        ]

    def _endpoint(self, operation: Operation) -> Callable[[Request], Any]:
        async def endpoint(request: Request) -> Response:
            try:
                return await self._answer(operation, request)
            except RecruiterError as error:
                return failure(error)
            except ClientDisconnect:
                return Response(status_code=499)
            except DiskFull as error:
                log.error("A request cannot be carried out: the disk is full.")
                return failure(Fault(str(error), 503))
            except Exception:
                log.exception("%s failed for a reason nobody foresaw", operation.name)
                return failure(Fault("The recruiter failed on this request.", 500))

        return endpoint

    async def _answer(self, operation: Operation, request: Request) -> Response:
        self._check_token(operation, request)
        body = await _read_body(request)
        injected = self._faults.draw(operation.name)
        await asyncio.sleep(injected.seconds_before)
        reply = await run_in_threadpool(self._carry_out, operation, request, body, injected.error)
        await asyncio.sleep(injected.seconds_after)
        if injected.lose_reply:
            return LostReply()
        if reply.content is None:
            return Response(status_code=operation.status, headers=reply.headers)
        return Response(to_json(reply.content), operation.status, reply.headers, media_type=JSON)

    def _check_token(self, operation: Operation, request: Request) -> None:
        sent = request.headers.get("authorization", "").encode()
        if operation.name != PUBLIC and not compare_digest(sent, self._token):
            raise NotAuthentic("The header Authorization must be: Token, a space, and the token of this recruiter.")

    def _carry_out(self, operation: Operation, request: Request, body: bytes, instead: BeatTheAIError | None) -> Reply:
        if instead is not None:
            raise instead
        given = _read_json(body)
        with self._recruiter.writing() if operation.writes else self._recruiter.reading() as moment:
            workspace = get_workspace(moment)
            return operation.act(Call(moment, workspace, request.path_params, dict(request.query_params), given))

    async def _not_there(self, request: Request) -> Response:
        return failure(NotThere("operation", f"{request.method} {request.url.path}"))


def failure(error: RecruiterError) -> Response:
    """Return the answer that tells of an error."""
    return Response(to_json(error.answer()), error.status, media_type=JSON)


def _read_json(body: bytes) -> Mapping[str, Any]:
    if not body.strip():
        return {}
    try:
        given = from_json(body, allow_inf_nan=False)
    except ValueError as error:
        raise Invalid(f"The body is not JSON: {error}.") from None
    if not isinstance(given, dict):
        raise Invalid("The body must be a JSON object.")
    return given


async def _read_body(request: Request) -> bytes:
    """No more than the limit is ever held; some of what is too long is read on, so that the client sees the answer."""
    body, size = bytearray(), 0
    async for chunk in request.stream():
        size += len(chunk)
        if size <= MAX_BODY_BYTES:
            body += chunk
        elif size > MAX_DISCARDED_BYTES:
            break
    if size > MAX_BODY_BYTES:
        raise RecruiterError(f"The request is too long; at most {MAX_BODY_BYTES} bytes are read.", 413)
    return bytes(body)
