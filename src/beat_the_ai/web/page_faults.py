"""Errors of pages, told to the server that the page came from: they go into its log."""

from __future__ import annotations

import json
import logging

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

MAX_BYTES = 8 * 1024
MAX_CHARS = 2000

log = logging.getLogger(__name__)


def page_faults(path: str = "/faults") -> Route:
    """Return a route that takes `{"text": ...}` as JSON, which no page of another site can send.

    Servers limit how much they log.
    """
    return Route(path, _take, methods=["POST"])


def in_one_line(text: object) -> str:
    """Return what a page reports as a log has it: without line breaks, and no longer than it should be."""
    return repr(str(text)[:MAX_CHARS])[:MAX_CHARS]


async def _take(request: Request) -> Response:
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_BYTES:
            return Response(status_code=413)
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        return Response(status_code=415)
    try:
        content = json.loads(body)
    except (ValueError, RecursionError):
        return Response(status_code=400)
    log.warning("a page failed: %s", in_one_line(content.get("text") if isinstance(content, dict) else content))
    return Response(status_code=204)
