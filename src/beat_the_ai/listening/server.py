"""uvicorn with limits: it survives crowds, half-open connections and a lack of files, and ends on a signal."""

from __future__ import annotations

import asyncio
import errno
import logging
import signal
import socket
from collections.abc import Callable
from types import FrameType
from typing import Any

import uvicorn
from starlette.types import ASGIApp

from beat_the_ai.listening.connection_limits import ConnectionLimits, Connections
from beat_the_ai.listening.hosts import KnownHosts
from beat_the_ai.listening.logs import moderated_log
from beat_the_ai.listening.protocols import GuardedHttp, GuardedSocket, State
from beat_the_ai.listening.root_path import UnderRootPath
from beat_the_ai.listening.sockets import WAITING, allow_many_files

CLOSING_SECONDS = 5
SWEEP_TICKS = 10  # uvicorn ticks every 0.1 s
# asyncio accepts so many before it looks at any of them, and a few times over: many would use up all files at once.
ACCEPTED_AT_ONCE = 8
SPARE_FILES = 64  # or a quarter of all: for databases, logs, and connections that nobody has looked at yet
OUT_OF_FILES = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)

log = logging.getLogger(__name__)


class Server(uvicorn.Server):
    """Tells of a signal and ends as a success after it, where uvicorn would raise the signal again.

    `believes_proxies`: the client's address is the one that a proxy names. `more` goes to uvicorn as it is.
    """

    def __init__(
        self,
        app: ASGIApp,
        listener: socket.socket,
        limits: ConnectionLimits,
        *,
        believes_proxies: bool = True,
        closing_seconds: int = CLOSING_SECONDS,
        websockets: bool = False,
        on_signal: Callable[[], object] = lambda: None,
        **more: Any,
    ) -> None:
        config = uvicorn.Config(
            KnownHosts(UnderRootPath(app, limits.root_path), limits.hosts, listener.getsockname()[0]),
            http=GuardedHttp,
            ws=GuardedSocket if websockets else "none",
            loop="asyncio",  # not uvloop where it happens to be installed: `_on_loop_error` is told by asyncio
            log_config=None,
            access_log=False,
            lifespan="off",
            server_header=False,
            proxy_headers=believes_proxies,
            forwarded_allow_ips=list(limits.proxies),
            timeout_keep_alive=int(limits.idle_seconds),
            timeout_graceful_shutdown=closing_seconds,
            backlog=ACCEPTED_AT_ONCE,
            **more,
        )
        super().__init__(config)
        self._listener = listener
        self._limits = limits
        self._on_signal = on_signal

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        files = allow_many_files()
        self._open_connections = Connections(self._limits, capacity=files - max(SPARE_FILES, files // 4))
        self.server_state = State(self._open_connections)
        asyncio.get_running_loop().set_exception_handler(self._on_loop_error)
        with moderated_log():
            await super().serve([self._listener])

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._listener.listen(WAITING)  # asyncio has made the queue as short as what it accepts at once

    async def on_tick(self, counter: int) -> bool:
        if counter % SWEEP_TICKS == 0:
            self._open_connections.sweep(asyncio.get_running_loop().time())
        return await super().on_tick(counter)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if self.should_exit and sig == signal.SIGINT:
            self.force_exit = True
        self.should_exit = True
        self._on_signal()

    def _on_loop_error(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        if isinstance(error, OSError) and error.errno in OUT_OF_FILES:
            self._open_connections.shrink(loop.time())
            log.warning("A connection could not be accepted: %s", error.strerror)
        else:
            loop.default_exception_handler(context)
