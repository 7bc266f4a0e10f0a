"""Listening on a port, and ending on a signal."""

from __future__ import annotations

import socket
from types import FrameType

import uvicorn

from beat_the_ai.errors import InvalidInput


class StoppableServer(uvicorn.Server):
    """Ends as a success after a signal, where uvicorn would raise the signal again."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self.should_exit = True


def listen(host: str, port: int) -> socket.socket:
    """A socket that is bound. Port 0 takes a free one. Raises `InvalidInput`."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio turns Nagle's algorithm off only for sockets that name their protocol; with it an answer takes 40 ms more.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError as error:
        listener.close()
        raise InvalidInput(
            "port", f"Cannot listen on {host} port {port}: {error.strerror}. Port 0 takes one."
        ) from error
    return listener
