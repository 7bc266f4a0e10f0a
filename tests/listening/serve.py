"""A small server with limits of a test's choice: `python serve.py LIMITS_JSON`, which prints its address."""

from __future__ import annotations

import json
import logging
import resource
import sys
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from beat_the_ai.listening import ConnectionLimits, Server, address_of, listen


async def echo(request: Request) -> Response:
    return PlainTextResponse(await request.body())


async def large(_request: Request) -> Response:
    return PlainTextResponse("x" * 64 * 1024 * 1024)


async def noisy(_request: Request) -> Response:
    for number in range(1000):
        logging.getLogger("noisy").error("complaint %d", number)
    return PlainTextResponse("said")


async def talk(socket: WebSocket) -> None:
    await socket.accept()
    while True:
        await socket.send_text(await socket.receive_text())


async def who(request: Request) -> Response:
    return PlainTextResponse(request.client.host if request.client else "")


async def files(_request: Request) -> Response:
    return PlainTextResponse(str(resource.getrlimit(resource.RLIMIT_NOFILE)[0]))


def main() -> None:
    logging.basicConfig(level=logging.WARNING)
    told: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in json.loads(sys.argv[1]).items()
    }
    routes = [Route(f"/{act.__name__}", act, methods=["GET", "POST"]) for act in (echo, large, noisy, who, files)]
    listener = listen("127.0.0.1", 0)
    print(json.dumps({"address": address_of(listener)}), flush=True)
    app = Starlette(routes=[*routes, WebSocketRoute("/talk", talk)])
    Server(app, listener, ConnectionLimits(**told), websockets=True, ws_ping_interval=None).run()


if __name__ == "__main__":
    main()
