"""Who is connected, and which packet goes to whom.

Calls and submissions are delivered again to an operator that comes back, until it has answered them; a call that the
page sends twice reaches the operator once, and its answer is kept for a page that was away when it came.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import logging
import time
import uuid
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from beat_the_ai.mephisto import packets
from beat_the_ai.mephisto.packets import Packet
from beat_the_ai.mephisto.router.spool import Spool

ANSWERS_KEPT = 64
CALLS_IN_FLIGHT = 8

log = logging.getLogger(__name__)
Send = Callable[[Packet], Awaitable[None]]


class OperatorAway(Exception):
    """No operator is connected; what needs its answer has to be asked again."""


@dataclass
class Page:
    """What the router knows of one agent's page. `last_seen` is monotonic seconds; None until it was ever connected."""

    status: str = "none"
    send: Send | None = None
    last_seen: float | None = None
    calls: dict[str, Packet] = field(default_factory=dict)
    answers: OrderedDict[str, Packet] = field(default_factory=OrderedDict)


class Switchboard:
    """The router's state. It lives on one event loop, so nothing here needs a lock."""

    def __init__(self, agent_key: str, spool: Spool, absence_seconds: float) -> None:
        self._agent_key = agent_key.encode()
        self._spool = spool
        self._absence_seconds = absence_seconds
        self._operator: Send | None = None
        self._pages: dict[str, Page] = {}
        self._details: dict[str, asyncio.Future[Packet]] = {}
        self._registering: dict[str, asyncio.Task[Packet]] = {}

    @property
    def operator_is_here(self) -> bool:
        return self._operator is not None

    def secret(self, agent_id: str) -> str:
        """What proves that a page is this agent's: given out at registration, asked for ever after."""
        return hmac.new(self._agent_key, agent_id.encode(), hashlib.sha256).hexdigest()

    def is_secret(self, agent_id: object, secret: object) -> bool:
        if not isinstance(agent_id, str) or not isinstance(secret, str):
            return False
        return hmac.compare_digest(self.secret(agent_id).encode(), secret.encode(errors="replace"))

    # The operator's side

    async def attach_operator(self, send: Send) -> None:
        """A new operator takes over from whichever was here; everything that is unanswered goes to it."""
        self._operator = send
        for submission in self._spool.waiting():
            await send(submission)
        for page in list(self._pages.values()):
            for call in list(page.calls.values()):
                await send(call)

    def detach_operator(self, send: Send) -> None:
        if self._operator != send:
            return
        self._operator = None
        for waiting in self._details.values():
            if not waiting.done():
                waiting.set_exception(OperatorAway())

    async def from_operator(self, packet: Packet) -> None:
        kind, subject, data = packet.get("packet_type"), packet.get("subject_id"), packet.get("data") or {}
        if kind == packets.REQUEST_STATUSES:
            await self._to_operator(packets.packet(packets.RETURN_STATUSES, packets.OPERATOR, self._statuses()))
        elif kind == packets.AGENT_DETAILS:
            waiting = self._details.pop(str(data.get("request_id")), None)
            if waiting is not None and not waiting.done():
                waiting.set_result(packet)
        elif kind == packets.ANSWER:
            await self._answer(self._page(str(subject)), packet)
        elif kind == packets.UPDATE_STATUS:
            await self._update_status(str(subject), packet)
        elif kind != packets.ALIVE:
            log.warning("the operator sent a packet of unknown type %r", kind)

    async def _answer(self, page: Page, packet: Packet) -> None:
        request_id = str(packet["data"].get("handles", ""))
        page.calls.pop(request_id, None)
        page.answers[request_id] = packet
        while len(page.answers) > ANSWERS_KEPT:
            page.answers.popitem(last=False)
        await _send(page, packet)

    async def _update_status(self, agent_id: str, packet: Packet) -> None:
        page = self._page(agent_id)
        page.status = str(packet["data"].get("status", page.status))
        if page.status not in packets.LIVE_STATUSES:
            self._spool.drop(agent_id)
            page.calls.clear()
            page.answers.clear()
        await _send(page, packet)

    def _statuses(self) -> dict[str, str]:
        """Statuses by agent id, finished agents left out. A page that was away for too long counts as disconnected."""
        now = time.monotonic()
        for page in self._pages.values():
            away = page.last_seen is not None and now - page.last_seen > self._absence_seconds
            if away and page.status in packets.LIVE_STATUSES:
                page.status = packets.DISCONNECTED
        unfinished = (packets.DISCONNECTED, "none", *packets.LIVE_STATUSES)
        return {agent_id: page.status for agent_id, page in self._pages.items() if page.status in unfinished}

    async def _to_operator(self, packet: Packet) -> bool:
        if self._operator is None:
            return False
        await self._operator(packet)
        return True

    # The pages' side

    async def attach_page(self, agent_id: str, send: Send) -> None:
        """Bind a socket to its agent; a newer socket of the same agent replaces the older one."""
        page = self._page(agent_id)
        page.send = send
        page.last_seen = time.monotonic()
        await _send(page, packets.packet(packets.UPDATE_STATUS, agent_id, {"status": page.status}))

    def detach_page(self, agent_id: str, send: Send) -> None:
        page = self._pages.get(agent_id)
        if page is not None and page.send == send:
            page.send = None
            page.last_seen = time.monotonic()

    async def heartbeat(self, agent_id: str) -> None:
        page = self._page(agent_id)
        page.last_seen = time.monotonic()
        data = {"status": page.status, "operator": self.operator_is_here}
        await _send(page, packets.packet(packets.HEARTBEAT, agent_id, data))

    async def call(self, agent_id: str, data: dict[str, Any], client_timestamp: float | None) -> None:
        """A remote procedure call of a page: delivered once, whatever the page repeats."""
        page, request_id = self._page(agent_id), str(data["request_id"])
        if request_id in page.answers:
            await _send(page, page.answers[request_id])
        elif len(page.calls) >= CALLS_IN_FLIGHT:
            await self.refuse_call(
                agent_id, request_id, "busy", "Too many requests at once. Please wait for the others."
            )
        elif request_id not in page.calls:
            data = {**data, "update_id": data.get("update_id") or request_id}
            page.calls[request_id] = packets.packet(packets.CALL, agent_id, data, client_timestamp)
            await self._to_operator(page.calls[request_id])

    async def refuse_call(self, agent_id: str, request_id: str, code: str, message: str) -> None:
        """Answer a call here, in the words of a remote procedure that failed; it is not kept as an answer."""
        response = json.dumps({"ok": False, "error": {"code": code, "field": None, "message": message}})
        data = {"handles": request_id, "response": response, "update_id": str(uuid.uuid4())}
        await _send(self._page(agent_id), packets.packet(packets.ANSWER, agent_id, data))

    async def register(self, provider_data: dict[str, Any], client_timestamp: float | None) -> Packet:
        """Ask the operator for an agent. Two requests of one registration at a time are one. Raises `OperatorAway`."""
        registration = str(provider_data["agent_registration_id"])
        if registration not in self._registering:
            task = asyncio.create_task(self._register(provider_data, client_timestamp))
            self._registering[registration] = task
            task.add_done_callback(lambda _: self._registering.pop(registration, None))
        return await asyncio.shield(self._registering[registration])

    async def _register(self, provider_data: dict[str, Any], client_timestamp: float | None) -> Packet:
        request_id = str(uuid.uuid4())
        waiting: asyncio.Future[Packet] = asyncio.get_running_loop().create_future()
        self._details[request_id] = waiting
        data = {"provider_data": provider_data, "request_id": request_id}
        try:
            if not await self._to_operator(packets.packet(packets.REGISTER_AGENT, request_id, data, client_timestamp)):
                raise OperatorAway
            details = await waiting
        finally:
            self._details.pop(request_id, None)
        agent_id = details["data"].get("agent_id")
        if agent_id is not None:
            details = {**details, "data": {**details["data"], "agent_secret": self.secret(str(agent_id))}}
        return details

    async def submit(self, agent_id: str, data: dict[str, Any], client_timestamp: float | None) -> None:
        """Keep a submission on disk, and hand it to the operator now or when it is back."""
        packet = packets.packet(packets.SUBMIT_UNIT, agent_id, data, client_timestamp)
        if self._page(agent_id).status == packets.COMPLETED:
            return
        self._spool.keep(agent_id, packet)
        await self._to_operator(packet)

    async def tell_operator(self, packet_type: str, agent_id: str, data: dict[str, Any]) -> bool:
        """Pass on what needs no answer and no keeping (metadata, errors of the page)."""
        return await self._to_operator(packets.packet(packet_type, agent_id, data))

    def _page(self, agent_id: str) -> Page:
        return self._pages.setdefault(agent_id, Page())


async def _send(page: Page, packet: Packet) -> None:
    if page.send is not None:
        await page.send(packet)
