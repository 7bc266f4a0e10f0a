"""The protocol's HTTP: reads a request, finds out who signed it, answers in JSON 1.1, and turns errors into its form.

Rules run in threads, as the database blocks; here is only what belongs to the network.
"""

from __future__ import annotations

import asyncio
import logging
import time
import uuid
from collections.abc import Mapping
from datetime import datetime, timezone
from types import MappingProxyType
from typing import Any

from pydantic_core import to_json
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from beat_the_ai.errors import BeatTheAIError, DiskFull
from beat_the_ai.marketplace import fees
from beat_the_ai.marketplace.api.operations import OPERATIONS, Call
from beat_the_ai.marketplace.api.service_model import operation_model, operation_names, target_prefix
from beat_the_ai.marketplace.api.signature import SignedRequest, verify
from beat_the_ai.marketplace.api.validation import read_request
from beat_the_ai.marketplace.errors import Fault, MarketplaceError, ParameterInvalid, RequestFailed
from beat_the_ai.marketplace.market import Market
from beat_the_ai.marketplace.notifications import Endpoints
from beat_the_ai.marketplace.requesters import AccessKey, access_key
from beat_the_ai.web.faults import Faults, LostReply
from beat_the_ai.web.fees import HEADER as FEES_HEADER
from beat_the_ai.web.fees import NONE
from beat_the_ai.web.signed_assignment import ALGORITHM, HEADER

log = logging.getLogger(__name__)

MAX_BODY_BYTES = 1024 * 1024
MAX_DISCARDED_BYTES = 16 * MAX_BODY_BYTES
JSON = "application/x-amz-json-1.1"
NOBODY_READS_THIS = Response(status_code=499)


class UnknownOperation(MarketplaceError):
    """No operation, or none of this service."""

    type_name = "UnknownOperationException"


class RequesterApi:
    """The one route of the protocol: `POST /`."""

    def __init__(self, market: Market, faults: Faults, endpoints: Endpoints) -> None:
        self._market = market
        self._faults = faults
        self._endpoints = endpoints
        with market.reading() as moment:
            self._headers = {} if fees.are_charged(moment) else {FEES_HEADER: NONE}

    async def answer(self, request: Request) -> Response:
        try:
            body = await _read_body(request)
            return await self._answer(_signed(request, body))
        except MarketplaceError as error:
            return _failure(error)
        except ClientDisconnect:
            return NOBODY_READS_THIS
        except DiskFull as error:
            log.error("A request cannot be carried out: the disk is full.")
            return _failure(Fault(str(error)))
        except Exception:
            log.exception("A request failed for a reason nobody foresaw")
            return _failure(Fault("The service failed on this request."))

    async def _answer(self, request: SignedRequest) -> Response:
        name = _operation_name(request)
        injected = self._faults.draw(name)
        await asyncio.sleep(injected.seconds_before)
        reply = await run_in_threadpool(self._carry_out, name, request, injected.error)
        await asyncio.sleep(injected.seconds_after)
        return LostReply() if injected.lose_reply else _json(reply, headers=self._headers)

    def _carry_out(self, name: str, request: SignedRequest, instead: BeatTheAIError | None) -> dict[str, Any]:
        # The time of day: a rehearsal's clock may be months ahead of its clients'.
        key = verify(request, self._find_key, datetime.now(timezone.utc))
        given = read_request(operation_model(name), request.body)
        if name not in OPERATIONS:
            raise RequestFailed(
                "UnsupportedOperation",
                f"This marketplace does not have {name}. See docs/reference/marketplace-fidelity.md.",
            )
        if instead is not None:
            raise instead
        operation = OPERATIONS[name]
        with self._market.writing() if operation.writes else self._market.reading() as moment:
            return operation.answer(Call(moment, key.requester_id, self._endpoints), given)

    def _find_key(self, key_id: str) -> AccessKey | None:
        """Looked up for every request: a key may be revoked from the command line at any moment."""
        with self._market.reading() as moment:
            return access_key(moment, key_id)


def _operation_name(request: SignedRequest) -> str:
    target = request.headers.get("x-amz-target", "")
    name = target.removeprefix(target_prefix())
    if name == target or name not in operation_names():
        raise UnknownOperation(f"X-Amz-Target {target[:80]!r} is no operation of {target_prefix()}*.")
    return name


def _signed(request: Request, body: bytes) -> SignedRequest:
    headers: dict[str, str] = {}
    for name, value in request.headers.items():  # a header that comes twice is signed as one, with a comma
        headers[name] = f"{headers[name]},{value}" if name in headers else value
    return SignedRequest(request.method, request.scope["raw_path"].decode(), headers, body)


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
        raise ParameterInvalid(f"The request is too long; at most {MAX_BODY_BYTES} bytes are read.")
    return bytes(body)


def _failure(error: MarketplaceError) -> Response:
    message = str(error)
    if error.turk_code is not None:
        message = f"{message} ({time.time_ns() // 1_000_000})"  # MTurk ends its messages with the time [seen]
    content = {"__type": error.type_name, "Message": message, "message": message}
    if error.turk_code is not None:
        content["TurkErrorCode"] = error.turk_code
    return _json(content, error.status)


def _json(content: dict[str, Any], status: int = 200, headers: Mapping[str, str] = MappingProxyType({})) -> Response:
    headers = {"x-amzn-RequestId": str(uuid.uuid4()), HEADER: ALGORITHM, **headers}
    return Response(to_json(content), status, headers, media_type=JSON)
