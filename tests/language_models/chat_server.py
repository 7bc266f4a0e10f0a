"""A server of chat completions over a real socket: it answers as a test tells it, in all ways that servers have."""

from __future__ import annotations

import asyncio
import contextlib
import json
import threading
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from tests.adversary.fakes import PATIENCE_SECONDS, wait_until

Trouble = Callable[[], Awaitable[Response]]


class ChatServer:
    """`answer` makes the content of a completion from the JSON that stands in the user's turn.

    Of the fields that a request may have it refuses those in `unknown`. `troubles` come first, one a request. With
    `alternatives` it tells probabilities: each character is a token, and for the one at `place` these are the most
    probable.
    """

    def __init__(self, address: str) -> None:
        self.address = address
        self.model = "tiny-2026"
        self.answer: Callable[[dict[str, str]], str] = lambda data: ""
        self.unknown: set[str] = set()
        self.troubles: deque[Trouble] = deque()
        self.alternatives: tuple[int, dict[str, float]] | None = None
        self.usage: dict[str, int] | None = {"prompt_tokens": 100, "completion_tokens": 10}
        self.finish_reason = "stop"
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str] = []

    async def complete(self, request: Request) -> Response:
        body = await request.json()
        self.requests.append(body)
        self.keys.append(request.headers.get("authorization", ""))
        if self.troubles:
            return await self.troubles.popleft()()
        if refused := self.unknown & set(body):
            return JSONResponse({"error": {"message": f"unknown: {refused}"}}, 400)
        content = self.answer(json.loads(body["messages"][-1]["content"]))
        choice: dict[str, Any] = {"index": 0, "message": {"role": "assistant", "content": content}}
        choice["finish_reason"] = self.finish_reason
        if self.alternatives is not None and body.get("logprobs"):
            choice["logprobs"] = {"content": self._tokens(content, *self.alternatives)}
        return JSONResponse({"id": "1", "model": self.model, "choices": [choice], "usage": self.usage})

    @staticmethod
    def _tokens(content: str, place: int, alternatives: dict[str, float]) -> list[dict[str, Any]]:
        tokens: list[dict[str, Any]] = [{"token": char, "logprob": 0.0, "top_logprobs": []} for char in content]
        told = [{"token": text, "logprob": logprob} for text, logprob in alternatives.items()]
        logprob = alternatives.get(content[place], 0.0)
        tokens[place] = {"token": content[place], "logprob": logprob, "top_logprobs": told}
        return tokens


class ChatServers:
    """Any number of them behind one socket, each with an address of its own."""

    def __init__(self) -> None:
        self.origin = ""
        self._servers: list[ChatServer] = []

    def new(self) -> ChatServer:
        self._servers.append(ChatServer(f"{self.origin}/{len(self._servers)}/v1"))
        return self._servers[-1]

    async def complete(self, request: Request) -> Response:
        number: int = request.path_params["number"]
        return await self._servers[number].complete(request)


@contextlib.contextmanager
def serving(port: int = 0) -> Iterator[ChatServers]:
    servers = ChatServers()
    app = Starlette(routes=[Route("/{number:int}/v1/chat/completions", servers.complete, methods=["POST"])])
    server = uvicorn.Server(
        uvicorn.Config(app, port=port, log_config=None, lifespan="off", ws="none", timeout_graceful_shutdown=1)
    )
    thread = threading.Thread(target=server.run)
    thread.start()
    wait_until(lambda: server.started, "the server started")
    servers.origin = f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    try:
        yield servers
    finally:
        server.should_exit = True
        thread.join(PATIENCE_SECONDS)


def status(code: int, text: str = "", **headers: str) -> Trouble:
    async def answered() -> Response:
        return Response(text, code, {name.replace("_", "-"): value for name, value in headers.items()})

    return answered


def body(content: bytes) -> Trouble:
    """A 200 with whatever stands there."""

    async def answered() -> Response:
        return Response(content, media_type="application/json")

    return answered


async def stalls() -> Response:
    """Says nothing for longer than anybody waits."""
    await asyncio.sleep(PATIENCE_SECONDS)
    return Response()


async def drips() -> Response:
    """Sends a byte now and then, without an end."""

    async def drops() -> AsyncIterator[bytes]:
        while True:
            yield b" "
            await asyncio.sleep(0.05)

    return StreamingResponse(drops())


async def floods() -> Response:
    """Sends without an end, as fast as it is read."""

    async def flood() -> AsyncIterator[bytes]:
        while True:
            yield b" " * 65536
            await asyncio.sleep(0)  # so that the server sees when nobody reads any more

    return StreamingResponse(flood())


async def dies() -> Response:
    """Breaks off in the middle of an answer."""

    async def cut() -> AsyncIterator[bytes]:
        yield b'{"choices": ['

    return StreamingResponse(cut(), headers={"content-length": "1000"})
