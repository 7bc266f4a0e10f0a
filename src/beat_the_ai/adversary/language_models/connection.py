"""The way to a server of language models. Whatever it does, a call ends in time and holds a bounded number of bytes.

Calls run in one event loop, in which a deadline ends also a server that sends a byte now and then. What was certainly
not answered (no connection, 408, 409, 429, 5xx) or broke off is sent again after a pause that doubles and is drawn at
random, or after what `Retry-After` tells, a minute at most, as the official clients of the protocol do it.
"""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import random
import threading
import time
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import Future
from contextlib import asynccontextmanager
from functools import cache
from typing import Any
from urllib.parse import urlsplit

import httpx
from pydantic_core import to_json

from beat_the_ai.adversary.language_models.source import LanguageModelSource
from beat_the_ai.adversary.language_models.tries import PAUSES_SECONDS
from beat_the_ai.adversary.protocol import DeadlinePassed
from beat_the_ai.adversary.retry_after import retry_after_seconds
from beat_the_ai.errors import AdversaryBusy, AdversaryError

MAX_REPLY_BYTES = 2 * 1024 * 1024
SHOWN_CHARACTERS = 200
REFUSED = (400, 422, 501)
BUSY = (408, 409, 429, 500, 502, 503, 504, 529)
NOT_SENT = (httpx.ConnectError, httpx.ConnectTimeout)

log = logging.getLogger(__name__)


class NotUnderstood(AdversaryError):
    """The server refuses a request because of what is in it."""


class _Again(Exception):
    """A problem that may pass, after the rest that the server wants."""

    def __init__(self, problem: AdversaryError, rest_seconds: float = 0.0) -> None:
        super().__init__(str(problem))
        self.problem = problem
        self.rest_seconds = rest_seconds


class Connection:
    """To the server of one source. Any number of threads may ask at once."""

    def __init__(self, source: LanguageModelSource) -> None:
        """Raises `AdversaryError` where there is no key."""
        self._key = source.key()
        self._timeout_seconds = source.timeout_seconds
        self._url = f"{source.address}/chat/completions"
        self._calls = asyncio.Semaphore(source.max_calls)
        self._rests_until = 0.0  # by the monotonic clock; all calls keep away that long
        self._headers = {"Accept-Encoding": "identity", "Content-Type": "application/json"}
        if self._key:
            self._headers["Authorization"] = f"Bearer {self._key}"
        self._tls = httpx.create_ssl_context()
        self._is_here = _is_this_machine(source.address)

    def ask(self, body: dict[str, Any], most_microcents: int = 0) -> tuple[bytes, int]:
        """The body of a 200, and how many answers before it were lost on their way.

        A failure costs `most_microcents` for each answer that was lost. Raises `NotUnderstood`; `AdversaryBusy` when it
        certainly was not answered, and may be asked again later; `DeadlinePassed` when it took too long; and
        `AdversaryError` when it failed or nobody knows. Messages are for requesters and their logs, without keys.
        """
        return self.begin(body, most_microcents).result()

    def begin(self, body: dict[str, Any], most_microcents: int = 0) -> Future[tuple[bytes, int]]:
        """As `ask`, which it goes on with by itself."""
        return asyncio.run_coroutine_threadsafe(self._ask(to_json(body), most_microcents), _loop())

    async def _ask(self, body: bytes, most_microcents: int) -> tuple[bytes, int]:
        deadline = time.monotonic() + self._timeout_seconds
        problems: list[AdversaryError] = []
        for pause_seconds in (*PAUSES_SECONDS, float("inf")):
            try:
                async with self._turn(deadline):
                    content = await self._send(body, deadline)
                return content, _lost(problems)
            except AdversaryError as error:
                if error.microcents is not None:
                    error.microcents += most_microcents * _lost(problems)
                raise
            except _Again as again:
                problems.append(again.problem)
                drawn_seconds = pause_seconds * random.uniform(0.75, 1)  # noqa: S311
                wait_seconds = max(again.rest_seconds, drawn_seconds)
            if time.monotonic() + wait_seconds >= deadline:
                break
            log.warning("asked again in %.1f s: %s", wait_seconds, problems[-1])
            await asyncio.sleep(wait_seconds)
        # What may have been answered once was not certainly refused.
        problem = next((problem for problem in problems if not isinstance(problem, AdversaryBusy)), problems[-1])
        problem.microcents = most_microcents * _lost(problems)
        raise problem

    @asynccontextmanager
    async def _turn(self, deadline: float) -> AsyncIterator[None]:
        """One of the calls that the server may get at once, and none while it rests. Raises `_Again` without time."""
        try:
            await asyncio.wait_for(self._calls.acquire(), max(0.001, deadline - time.monotonic()))
        except (TimeoutError, asyncio.TimeoutError):
            raise _Again(AdversaryBusy("All calls that the server may get at once were taken.")) from None
        try:
            while (rest_seconds := self._rests_until - time.monotonic()) > 0:
                if time.monotonic() + rest_seconds >= deadline:
                    raise _Again(AdversaryBusy("The server has asked for a rest.", rest_seconds), rest_seconds)
                await asyncio.sleep(rest_seconds)
            yield
        finally:
            self._calls.release()

    async def _send(self, body: bytes, deadline: float) -> bytes:
        """Once. Raises `_Again` for what may pass."""
        try:
            exchange = self._exchange(body)
            status, headers, content = await asyncio.wait_for(exchange, max(0.001, deadline - time.monotonic()))
        except (TimeoutError, asyncio.TimeoutError):
            told = f"There was no whole answer within {self._timeout_seconds:g} seconds."
            raise _Again(DeadlinePassed(told)) from None
        except NOT_SENT as error:
            raise _Again(AdversaryBusy(f"{self._url} cannot be reached: {self._shown(str(error))}")) from None
        except httpx.HTTPError as error:
            raise _Again(AdversaryError(f"The connection was lost: {self._shown(repr(error))}")) from None
        if status == httpx.codes.OK:
            return content
        told = f"{self._url} answered {status}: {self._shown(content.decode('utf-8', 'replace'))}"
        if status in BUSY:
            rest_seconds = retry_after_seconds(headers.get("Retry-After", "")) or 0.0
            self._rests_until = time.monotonic() + rest_seconds
            raise _Again(AdversaryBusy(told, rest_seconds or 1.0), rest_seconds)
        refusal = NotUnderstood(told) if status in REFUSED else AdversaryError(told)
        refusal.microcents = 0
        raise refusal

    async def _exchange(self, body: bytes) -> tuple[int, httpx.Headers, bytes]:
        async with (
            httpx.AsyncClient(
                headers=self._headers,
                verify=self._tls,
                timeout=None,  # noqa: S113 - a whole call has a deadline
                trust_env=not self._is_here,  # a proxy set for the web must not come between
            ) as http,
            http.stream("POST", self._url, content=body) as response,
        ):
            content = bytearray()
            async for chunk in response.aiter_raw():
                content += chunk
                if len(content) > MAX_REPLY_BYTES:
                    raise AdversaryError(f"{self._url} sends more than {MAX_REPLY_BYTES:,} bytes.")
            return response.status_code, response.headers, bytes(content)

    def _shown(self, text: str) -> str:
        hidden = text.replace(self._key, "***") if self._key else text
        return repr(hidden[:SHOWN_CHARACTERS])


def _lost(problems: Sequence[AdversaryError]) -> int:
    """Return how many answers may have been charged and never came."""
    return sum(not isinstance(problem, AdversaryBusy) for problem in problems)


def _is_this_machine(address: str) -> bool:
    host = urlsplit(address).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


@cache
def _loop() -> asyncio.AbstractEventLoop:
    """Return the event loop of this process. Its thread is a daemon and ends with the process."""
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="language-models", daemon=True).start()
    return loop
