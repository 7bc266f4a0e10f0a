"""The way to a server of language models. Whatever it does, a call ends in time and holds a bounded number of bytes.

Calls run in one event loop, in which a deadline ends also a server that sends a byte now and then. What was certainly
not answered (no connection, 408, 409, 429, 5xx) or broke off is sent again after a pause that doubles and is drawn at
random, or after what `Retry-After` tells, as the official clients of the protocol do it.
"""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import random
import threading
import time
from functools import cache
from typing import Any
from urllib.parse import urlsplit

import httpx
from pydantic_core import to_json

from beat_the_ai.adversary.language_models.source import LanguageModelSource
from beat_the_ai.errors import AdversaryBusy, AdversaryError

MAX_REPLY_BYTES = 2 * 1024 * 1024
TRIES = 3
FIRST_PAUSE_SECONDS = 0.5
LONGEST_PAUSE_SECONDS = 8.0
SHOWN_CHARACTERS = 200
REFUSED = (400, 422, 501)
BUSY = (408, 409, 429, 500, 502, 503, 504, 529)
NOT_SENT = (httpx.ConnectError, httpx.ConnectTimeout)

log = logging.getLogger(__name__)


class NotUnderstood(AdversaryError):
    """The server refuses a request because of what is in it."""


class Connection:
    """To the server of one source. Any number of threads may ask at once."""

    def __init__(self, source: LanguageModelSource) -> None:
        """Raises `AdversaryError` where there is no key."""
        self._key = source.key()
        self._timeout_seconds = source.timeout_seconds
        self._url = f"{source.address}/chat/completions"
        self._rests_until = 0.0  # by the monotonic clock; all calls keep away that long
        self._headers = {"Accept-Encoding": "identity", "Content-Type": "application/json"}
        if self._key:
            self._headers["Authorization"] = f"Bearer {self._key}"
        self._tls = httpx.create_ssl_context()
        self._is_here = _is_this_machine(source.address)

    def ask(self, body: dict[str, Any]) -> bytes:
        """The body of a 200.

        Raises `NotUnderstood`; `AdversaryBusy` when it certainly was not answered, and may be asked again later; and
        `AdversaryError` when it failed or nobody knows. Messages are for requesters and their logs, without keys.
        """
        return asyncio.run_coroutine_threadsafe(self._ask(to_json(body)), _loop()).result()

    async def _ask(self, body: bytes) -> bytes:
        deadline = time.monotonic() + self._timeout_seconds
        for number in range(TRIES):
            problem, rest_seconds = await self._send(body, deadline)
            if isinstance(problem, bytes):
                return problem
            pause_seconds = min(LONGEST_PAUSE_SECONDS, FIRST_PAUSE_SECONDS * 2**number) * random.uniform(0.75, 1)  # noqa: S311
            wait_seconds = pause_seconds if rest_seconds is None else rest_seconds
            if number + 1 == TRIES or time.monotonic() + wait_seconds >= deadline:
                raise problem
            log.warning("asked again in %.1f s: %s", wait_seconds, problem)
            await asyncio.sleep(wait_seconds)
        raise AssertionError("the last try has ended it")

    async def _send(self, body: bytes, deadline: float) -> tuple[bytes | AdversaryError, float | None]:
        """Once: what came back, or why nothing did and when the server wants to be asked again."""
        rest_seconds = self._rests_until - time.monotonic()
        if rest_seconds > 0:
            return AdversaryBusy("The server has asked for a rest.", rest_seconds), rest_seconds
        try:
            status, headers, content = await asyncio.wait_for(
                self._exchange(body), max(0.001, deadline - time.monotonic())
            )
        except (TimeoutError, asyncio.TimeoutError):
            return AdversaryError(f"There was no whole answer within {self._timeout_seconds:g} seconds."), None
        except NOT_SENT as error:
            return AdversaryBusy(f"{self._url} cannot be reached: {self._shown(str(error))}"), None
        except httpx.HTTPError as error:
            return AdversaryError(f"The connection was lost: {self._shown(repr(error))}"), None
        if status == httpx.codes.OK:
            return content, None
        told = f"{self._url} answered {status}: {self._shown(content.decode('utf-8', 'replace'))}"
        if status in BUSY:
            rest = _retry_after_seconds(headers)
            if rest is not None:
                self._rests_until = time.monotonic() + rest
            return AdversaryBusy(told, rest or 1.0), rest
        raise NotUnderstood(told) if status in REFUSED else AdversaryError(told)

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


def _retry_after_seconds(headers: httpx.Headers) -> float | None:
    """Seconds only: none of the known servers of the protocol sends a date."""
    given = headers.get("Retry-After", "").strip()
    try:
        seconds = float(given) if given.isascii() and len(given) < 20 else -1.0
    except ValueError:
        return None
    return seconds if 0 <= seconds < float("inf") else None


def _is_this_machine(address: str) -> bool:
    host = urlsplit(address).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


@cache
def _loop() -> asyncio.AbstractEventLoop:
    """Of this process: its thread is a daemon, and ends with it."""
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="language-models", daemon=True).start()
    return loop
