"""The workers' pages as a process, while no stage is served. It prints one line of JSON with its address."""

from __future__ import annotations

from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.types import ASGIApp

from beat_the_ai.letters.address import PATH
from beat_the_ai.listening import ConnectionLimits, Server, address_of, listen
from beat_the_ai.process.parent_death import announce


def serve(pages: ASGIApp, host: str, port: int, limits: ConnectionLimits) -> None:
    """Serve the pages where a stage's router has them, until a signal. Port 0 takes a free one."""
    listener = listen(host, port)
    announce({"address": address_of(listener)})
    Server(Starlette(routes=[Mount(PATH, pages)]), listener, limits).run()
