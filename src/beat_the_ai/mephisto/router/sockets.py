"""The WebSockets of the router: one of the operator, one or more of every page.

Packets leave through an outbox, so that a peer that does not read delays nobody but itself.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from collections.abc import Coroutine
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from beat_the_ai.mephisto import packets
from beat_the_ai.mephisto.packets import Packet, timestamp
from beat_the_ai.mephisto.router.switchboard import Switchboard
from beat_the_ai.messages import said

MAX_CALL_CHARS = 64 * 1024
MAX_REQUEST_ID_CHARS = 255
PAGE_OUTBOX = 64
OPERATOR_OUTBOX = 100_000
IDENTIFY_SECONDS = 20
UNAUTHORISED = 4401
TRY_AGAIN_LATER = 1013

log = logging.getLogger(__name__)


class _Peer:
    """One accepted socket: `_read` runs until the peer leaves or lets more than `limit` packets wait."""

    def __init__(self, socket: WebSocket, switchboard: Switchboard, limit: int) -> None:
        self._socket = socket
        self._board = switchboard
        self._outbox: asyncio.Queue[str] = asyncio.Queue(limit)
        self._stopped = asyncio.Event()

    def _send(self, packet: Packet) -> None:
        # As ASCII: what a page claims may hold lone surrogates, which UTF-8 cannot carry.
        try:
            self._outbox.put_nowait(json.dumps(packet))
        except asyncio.QueueFull:
            log.warning("a peer does not read what it is sent and is cut off")
            self._stopped.set()

    async def _converse(self, reading: Coroutine[Any, Any, None]) -> None:
        tasks = [asyncio.create_task(work) for work in (reading, self._empty_outbox(), self._stopped.wait())]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            for result in await asyncio.gather(*tasks, return_exceptions=True):
                if isinstance(result, Exception):
                    log.error("a socket failed", exc_info=result)

    async def _empty_outbox(self) -> None:
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):  # RuntimeError: it was closed from this side
            while True:
                await self._socket.send_text(await self._next_message())

    async def _next_message(self) -> str:
        return await self._outbox.get()

    async def _text(self) -> str | None:
        """The next message; None when the peer has left or sent something that is no text."""
        try:
            return await self._socket.receive_text()
        except (WebSocketDisconnect, RuntimeError, KeyError):
            return None


class OperatorSocket(_Peer):
    """The operator's connection, after it has shown the run's token."""

    def __init__(self, socket: WebSocket, switchboard: Switchboard) -> None:
        super().__init__(socket, switchboard, OPERATOR_OUTBOX)

    async def serve(self) -> None:
        send = self._send  # one bound method: it stands for this connection
        self._board.attach_operator(send)
        try:
            await self._converse(self._read())
        finally:
            self._board.detach_operator(send)
            log.info("the operator has left")

    async def _read(self) -> None:
        while (text := await self._text()) is not None:
            for packet in packets.in_frame(text):
                self._board.from_operator(packet)

    async def _next_message(self) -> str:
        return await packets.next_frame(self._outbox)


class PageSocket(_Peer):
    """One page's connection. Until `alive` with the right secret came, nothing else is taken, and nothing is sent."""

    def __init__(self, socket: WebSocket, switchboard: Switchboard) -> None:
        super().__init__(socket, switchboard, PAGE_OUTBOX)
        self._agent_id: str | None = None

    async def serve(self) -> None:
        try:
            await self._converse(self._read())
        finally:
            if self._agent_id is not None:
                self._board.detach_page(self._agent_id, self._send)

    async def _read(self) -> None:
        while (text := await self._next()) is not None:
            await self._handle(text)

    async def _next(self) -> str | None:
        """The next message. Whoever does not say who they are has little time for it."""
        if self._agent_id is not None:
            return await self._text()
        try:
            return await asyncio.wait_for(self._text(), IDENTIFY_SECONDS)
        except asyncio.TimeoutError:
            await self._refuse()
            return None

    async def _handle(self, text: str) -> None:
        try:
            packet = json.loads(text)
            kind, subject, data = packet["packet_type"], packet["subject_id"], packet.get("data") or {}
        except (ValueError, RecursionError, KeyError, TypeError, AttributeError):
            await self._object("The packet is not JSON with packet_type, subject_id and data.")
            return
        if not isinstance(data, dict):
            await self._object("The packet's data is not an object.")
        elif kind == packets.ALIVE:
            await self._alive(subject, data)
        elif self._agent_id is None or subject != self._agent_id:
            await self._refuse()
        elif kind == packets.HEARTBEAT:
            self._board.heartbeat(self._agent_id, self._send)
        elif kind == packets.CALL:
            self._call(self._agent_id, data, len(text), timestamp(packet))
        else:
            self._complain(f"A page cannot send packets of type {str(kind)[:40]!r}.")

    async def _alive(self, subject: object, data: dict[str, Any]) -> None:
        if not self._board.is_secret(subject, data.get("agent_secret")) or self._agent_id not in (None, subject):
            await self._refuse()
        elif self._agent_id is None:
            if self._board.attach_page(str(subject), self._send):
                self._agent_id = str(subject)
            else:
                await self._close(TRY_AGAIN_LATER, "this page is open too often")

    def _call(self, agent_id: str, data: dict[str, Any], size: int, client_timestamp: float | None) -> None:
        request_id = data.get("request_id")
        if not isinstance(request_id, str) or not 1 <= len(request_id) <= MAX_REQUEST_ID_CHARS:
            self._complain(f"A call needs a request_id of 1 to {MAX_REQUEST_ID_CHARS} characters.")
        elif not isinstance(data.get("target"), str) or not isinstance(data.get("args"), str):
            self._board.refuse_call(agent_id, request_id, "invalid", "A call needs a target and args, as text.")
        elif size > MAX_CALL_CHARS:
            message = said("refusals.too_long", count=size, most=MAX_CALL_CHARS)
            self._board.refuse_call(agent_id, request_id, "invalid", message)
        else:
            self._board.call(agent_id, data, client_timestamp)

    async def _object(self, message: str) -> None:
        """To what is no packet: it does not say who it is from, either."""
        if self._agent_id is None:
            await self._refuse()
        else:
            self._complain(message)

    def _complain(self, message: str) -> None:
        self._send(packets.packet(packets.LOG_ERROR, self._agent_id or "", {"message": message}))

    async def _refuse(self) -> None:
        await self._close(UNAUTHORISED, "this agent id is not this page's")

    async def _close(self, code: int, reason: str) -> None:
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            await self._socket.close(code, reason)
