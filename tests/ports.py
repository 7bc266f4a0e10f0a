"""Ports for servers that tests start as processes of their own."""

from __future__ import annotations

import random
import socket

_BELOW_EPHEMERAL = range(10_000, 32_000)


def free_port() -> int:
    """A port on which nothing listens now, of those that no system gives to connections and to listeners on port 0.

    A port of the system's own choice may be another process's before the server listens on it.
    """
    while True:
        port = random.SystemRandom().choice(_BELOW_EPHEMERAL)
        with socket.socket() as listener:
            try:
                listener.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
