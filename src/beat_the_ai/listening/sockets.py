"""A bound socket, its address, and how many files this process may have open."""

from __future__ import annotations

import resource
import socket

from beat_the_ai.errors import InvalidInput

WAITING = 1024  # connections that the system keeps until they are accepted
MOST_FILES = 65_536  # some systems promise more than they have


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
        listener.listen(WAITING)
    except OSError as error:
        listener.close()
        reason = f"Cannot listen on {host} port {port}: {error.strerror}. Port 0 takes a free one."
        raise InvalidInput("port", reason) from error
    return listener


def address_of(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if listener.family == socket.AF_INET6 else f"http://{host}:{port}"


def allow_many_files() -> int:
    """Raise the soft limit of open files towards the hard one. Returns what it is now."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
        soft = most
    return MOST_FILES if soft == resource.RLIM_INFINITY else soft
