"""Listening on a port, for every server of the suite."""

from __future__ import annotations

import signal
import socket
from collections.abc import Callable
from types import FrameType

import uvicorn

from beat_the_ai.errors import InvalidInput

BACKLOG = 2048


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens on `host`; port 0 takes a free one. Raises `InvalidInput` when it is taken.

    Whoever connects from now on is served as soon as the server runs: its address may be told before that.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio turns Nagle's algorithm off only for sockets that name their protocol; with it an answer takes 40 ms more.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        reason = f"Cannot listen on {host} port {port}: {error.strerror}. Port 0 takes a free one."
        raise InvalidInput("port", reason) from error
    return listener


def address_of(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if listener.family == socket.AF_INET6 else f"http://{host}:{port}"


class StoppableServer(uvicorn.Server):
    """Tells of a signal and ends as a success after it, where uvicorn would raise the signal again."""

    def __init__(self, config: uvicorn.Config, on_signal: Callable[[], object] = lambda: None) -> None:
        super().__init__(config)
        self._on_signal = on_signal

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if self.should_exit and sig == signal.SIGINT:
            self.force_exit = True
        self.should_exit = True
        self._on_signal()
