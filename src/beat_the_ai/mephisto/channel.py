"""The operator's end of the router: a Mephisto `Channel` over a WebSocket that shows the run's token.

Mephisto's own channel reads an attribute that current `websockets` no longer has, loses packets that are sent while it
is disconnected, and cannot authenticate.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import threading
from collections.abc import Callable

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException

from beat_the_ai.mephisto import packets
from beat_the_ai.mephisto.shim import Channel, Packet
from beat_the_ai.process.malloc import read_in_small_pieces

MAX_FRAME_BYTES = 8 * 1024 * 1024
HANDSHAKE_SECONDS = 5
RECONNECT_SECONDS = 0.2
CLOSE_SECONDS = 5
REFUSALS = (401, 403)

log = logging.getLogger(__name__)


class RouterChannel(Channel):  # type: ignore[misc]  # Mephisto is untyped
    """Runs its own event loop in a thread; packets queue up while the router is away and are sent when it is back."""

    def __init__(
        self,
        channel_id: str,
        on_channel_open: Callable[[str], None],
        on_catastrophic_disconnect: Callable[[str], None],
        on_message: Callable[[str, Packet], None],
        *,
        url: str,
        token: str,
    ) -> None:
        super().__init__(channel_id, on_channel_open, on_catastrophic_disconnect, on_message)
        self._url = url
        self._token = token
        self._loop = asyncio.new_event_loop()
        self._outgoing: asyncio.Queue[str] = asyncio.Queue()
        self._unsent: str | None = None
        self._thread = threading.Thread(target=self._run, name=f"router-channel-{channel_id}", daemon=True)
        self._alive = False
        self._closed = False
        self._settled = threading.Event()  # connected for the first time, or given up

    def is_closed(self) -> bool:
        return self._closed

    def is_alive(self) -> bool:
        return self._alive

    def open(self) -> None:
        """Begin to connect."""
        self._thread.start()

    def settle(self, seconds: float) -> bool:
        """Wait for the first connection; whether it has come, or never will because the channel is closed."""
        return self._settled.wait(seconds)

    def close(self) -> None:
        """Stop, whatever state the connection is in. Does nothing a second time."""
        self._closed = True
        if not self._thread.is_alive():  # never opened, or ended by itself
            self._loop.close()
            return
        with contextlib.suppress(RuntimeError):  # the loop has just ended by itself
            self._loop.call_soon_threadsafe(lambda: [task.cancel() for task in asyncio.all_tasks(self._loop)])
        if threading.current_thread() is not self._thread:
            self._thread.join(CLOSE_SECONDS)

    def enqueue_send(self, packet: Packet) -> bool:
        if self._closed:
            return False
        try:
            self._loop.call_soon_threadsafe(self._outgoing.put_nowait, json.dumps(packet.to_sendable_dict()))
        except RuntimeError:  # closed at this moment by another thread
            return False
        return True

    def _run(self) -> None:
        try:
            self._loop.run_until_complete(self._stay_connected())
        except asyncio.CancelledError:
            log.debug("channel %s closed", self.channel_id)
        finally:
            self._alive = False
            self._closed = True
            self._settled.set()
            self._loop.close()

    async def _stay_connected(self) -> None:
        headers = {"Authorization": f"Bearer {self._token}"}
        last_reason = ""
        while not self._closed:
            try:
                async with connect(
                    self._url,
                    additional_headers=headers,
                    max_size=MAX_FRAME_BYTES,
                    open_timeout=HANDSHAKE_SECONDS,
                    proxy=None,
                    compression=None,
                ) as socket:
                    read_in_small_pieces(socket.transport)
                    await self._serve(socket)
            except InvalidStatus as error:
                if error.response.status_code in REFUSALS:
                    log.error("the router at %s refuses this operator: it belongs to another run", self._url)
                    self.on_catastrophic_disconnect(self.channel_id)
                    return
                log.info("the router at %s is not ready (%s)", self._url, error)
            except (OSError, WebSocketException, asyncio.TimeoutError, EOFError) as error:
                reason = f"{type(error).__name__}: {error}"
                if self._alive or reason != last_reason:
                    log.warning("the router at %s is away (%s)", self._url, reason)
                last_reason = reason
            self._alive = False
            await asyncio.sleep(RECONNECT_SECONDS)

    async def _serve(self, socket: ClientConnection) -> None:
        self._alive = True
        self._settled.set()
        self.on_channel_open(self.channel_id)
        sender = asyncio.create_task(self._send_outgoing(socket))
        try:
            async for message in socket:
                for packet in packets.in_frame(message):
                    self.on_message(self.channel_id, Packet.from_dict(packet))
        finally:
            sender.cancel()

    async def _send_outgoing(self, socket: ClientConnection) -> None:
        """Send packets as they come, first the frame that was not sent in whole when the last connection broke."""
        with contextlib.suppress(ConnectionClosed):
            while True:
                if self._unsent is None:
                    self._unsent = await packets.next_frame(self._outgoing)
                await socket.send(self._unsent)
                self._unsent = None
