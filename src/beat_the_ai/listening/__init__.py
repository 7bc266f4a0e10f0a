"""Listening on a port, for every server of the suite: who may come in, for how long, and what is logged.

listener = listen("127.0.0.1", 0)
Server(app, listener, ConnectionLimits()).run()
"""

from __future__ import annotations

from beat_the_ai.listening.connection_limits import THIS_MACHINE, ConnectionLimits
from beat_the_ai.listening.server import CLOSING_SECONDS, Server
from beat_the_ai.listening.sockets import address_of, listen

__all__ = ["CLOSING_SECONDS", "THIS_MACHINE", "ConnectionLimits", "Server", "address_of", "listen"]
