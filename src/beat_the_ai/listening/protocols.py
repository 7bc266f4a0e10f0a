"""uvicorn's connections, counted: when each comes and goes, and what it still owes."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState

from beat_the_ai.listening.connection_limits import Connections
from beat_the_ai.process.malloc import read_in_small_pieces

if TYPE_CHECKING:
    _Connection = asyncio.Protocol
else:
    _Connection = object

MAX_HEAD_BYTES = 64 * 1024
FULL = (503, "There are too many connections from your address, or in all. Close some, or try again later.")
LATE = (408, "The request took too long to arrive. Please send it again.")
LONG = (431, f"The request's headers are too long; at most {MAX_HEAD_BYTES:,} bytes are read.")


class State(ServerState):
    """The state that uvicorn shares among a server's connections, and its open connections."""

    def __init__(self, open_connections: Connections) -> None:
        super().__init__()
        self.open_connections = open_connections


class _Counted(_Connection):
    """A connection that counts among those of its server. A client that does not read what is sent is cut off."""

    server_state: Any  # a State
    transport: asyncio.Transport
    loop: asyncio.AbstractEventLoop
    client: tuple[str, int] | None

    @property
    def open_connections(self) -> Connections:
        open_connections: Connections = self.server_state.open_connections
        return open_connections

    def enter(self) -> bool:
        read_in_small_pieces(self.transport)
        return self.open_connections.enter(self.transport, self.client[0] if self.client else "")

    def connection_lost(self, exc: Exception | None) -> None:
        self.open_connections.leave(self.transport)
        self.open_connections.end_waiting(self)
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        self.open_connections.unread.begin(self, self.loop.time())
        super().pause_writing()

    def resume_writing(self) -> None:
        self.open_connections.unread.end(self)
        super().resume_writing()

    def abort(self) -> None:
        self.open_connections.end_waiting(self)
        self.transport.abort()

    def dismiss(self) -> None:
        self.abort()


class GuardedSocket(_Counted, WebSocketsSansIOProtocol):
    """A WebSocket lives as long as its peer; pings find out whether that is there."""

    def __init__(self, config: Config, server_state: State, app_state: dict[str, Any]) -> None:
        super().__init__(config, server_state, app_state)
        self.server_state = server_state

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self.enter()
        self.open_connections.unidentified.begin(self, self.loop.time())

    async def send(self, message: Any) -> None:
        if message["type"] == "websocket.send":
            self.open_connections.unidentified.end(self)
        await super().send(message)


class GuardedHttp(_Counted, HttpToolsProtocol):
    """A request's head and body must arrive in time."""

    _head_bytes = 0

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        if self.enter():
            self.open_connections.heads.begin(self, self.loop.time())
        else:
            self._refuse(*FULL)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self in self.open_connections.heads:
            self._head_bytes += len(data)
            if self._head_bytes > MAX_HEAD_BYTES:
                self._refuse(*LONG)

    def on_message_begin(self) -> None:
        self._head_bytes = 0
        self.open_connections.idle.end(self)
        self.open_connections.heads.begin(self, self.loop.time())
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self.open_connections.heads.end(self)
        self.open_connections.bodies.begin(self, self.loop.time())
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self.open_connections.bodies.end(self)
        super().on_message_complete()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.cycle.response_complete:  # no other request is on its way behind it
            self.open_connections.idle.begin(self, self.loop.time())

    def handle_websocket_upgrade(self) -> None:
        self.open_connections.end_waiting(self)
        super().handle_websocket_upgrade()

    def dismiss(self) -> None:
        owes_body = self in self.open_connections.bodies and not self.cycle.response_started
        owes_head = self in self.open_connections.heads and self._head_bytes > 0
        if owes_body or owes_head:
            self._refuse(*LATE)
        else:
            self._close()

    def _refuse(self, status: int, reason: str) -> None:
        head = b"content-type: text/plain; charset=utf-8\r\nconnection: close\r\n"
        body = reason.encode()
        self.transport.write(STATUS_LINE[status] + head + b"content-length: %d\r\n\r\n%s" % (len(body), body))
        self._close()

    def _close(self) -> None:
        """Not for ever: who leaves the last answer unread is cut off too."""
        self.open_connections.end_waiting(self)
        self.open_connections.unread.begin(self, self.loop.time())
        self.transport.close()
