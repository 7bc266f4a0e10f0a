"""`GET /health`, the same on every server: which server it is, and in one word how it is."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from beat_the_ai.errors import BeatTheAIError

READY, OPERATOR_AWAY, STORE_AWAY = "ready", "operator_away", "store_away"
SERVES = (READY, OPERATOR_AWAY)  # a router queues what the operator is not there for
ANSWER_SECONDS = 2.0

log = logging.getLogger(__name__)


def health(server: str, status: str = READY, **more: str) -> Response:
    """Answer 200 while the server serves, else 503."""
    return JSONResponse({"server": server, "status": status, **more}, 200 if status in SERVES else 503)


def health_route(server: str, look: Callable[[], object]) -> Route:
    """Return the route of a server that needs a store. `look` raises what is wrong with it."""
    pulse = _Pulse(look)

    async def answer(_request: Request) -> Response:
        return health(server, READY if await pulse.beats() else STORE_AWAY)

    return Route("/health", answer)


class _Pulse:
    """A look at a store. One thread at most looks, however many ask: nobody can use up all threads."""

    def __init__(self, look: Callable[[], object]) -> None:
        self._look = look
        self._looking: asyncio.Task[bool] | None = None

    async def beats(self) -> bool:
        """Return whether the store answers in time."""
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(run_in_threadpool(self._answers))
        done, _ = await asyncio.wait({self._looking}, timeout=ANSWER_SECONDS)
        return any(task.result() for task in done)

    def _answers(self) -> bool:
        try:
            self._look()
        except BeatTheAIError as error:
            log.warning("The store is away: %s", error)
            return False
        return True
