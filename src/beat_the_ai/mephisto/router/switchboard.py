"""The connections of pages and the operator, and the routes of packets.

Calls and submissions are delivered again to an operator that comes back, until it has answered them. A call that the
page sends twice reaches the operator once. Its answer is kept for a page that was away when it came.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import logging
import sys
import time
import uuid
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from beat_the_ai.mephisto import packets
from beat_the_ai.mephisto.packets import Packet
from beat_the_ai.mephisto.router.spool import Spool
from beat_the_ai.messages import said, told

CALLS_IN_FLIGHT = 8
ANSWERS_KEPT = CALLS_IN_FLIGHT  # no page waits for more
SOCKETS_OF_A_PAGE = 16
REGISTRATION_SECONDS = 300
NO_STATUS = "none"  # before the operator has told one

log = logging.getLogger(__name__)
Send = Callable[[Packet], None]


class OperatorAway(Exception):
    """No operator is connected; what needs its answer has to be asked again."""


class HitIsOver(Exception):
    """The agent lost its HIT: nothing can be submitted for it any more."""


@dataclass
class Page:
    """The router's data on one agent's page, which may be open in several tabs. `last_seen` is monotonic.

    `is_over`: its status is final, and the operator knows.
    """

    status: str = NO_STATUS
    is_over: bool = False
    sockets: list[Send] = field(default_factory=list)
    last_seen: float = field(default_factory=time.monotonic)
    calls: dict[str, Packet] = field(default_factory=dict)
    answers: OrderedDict[str, Packet] = field(default_factory=OrderedDict)

    def send(self, packet: Packet) -> None:
        for socket in list(self.sockets):
            socket(packet)


class Switchboard:
    """The router's state. It lives on one event loop, where only `register` and `submit` wait: nothing needs a lock."""

    def __init__(self, agent_key: str, spool: Spool, absence_seconds: float) -> None:
        self._agent_key = agent_key.encode()
        self._spool = spool
        self._absence_seconds = absence_seconds
        self._operator: Send | None = None
        self._pages: dict[str, Page] = {}
        self._final: dict[str, str] = {}  # the statuses of agents that are done, and whose pages are closed
        self._details: dict[str, asyncio.Future[Packet]] = {}
        self._registering: dict[tuple[str, str], asyncio.Task[Packet]] = {}

    @property
    def operator_is_here(self) -> bool:
        return self._operator is not None

    def secret(self, agent_id: str) -> str:
        """Return the secret that proves that a page is this agent's: given at registration, required ever after."""
        return hmac.new(self._agent_key, agent_id.encode(errors="replace"), hashlib.sha256).hexdigest()

    def is_secret(self, agent_id: object, secret: object) -> bool:
        if not isinstance(agent_id, str) or not isinstance(secret, str):
            return False
        return hmac.compare_digest(self.secret(agent_id).encode(), secret.encode(errors="replace"))

    # The operator's side

    def attach_operator(self, send: Send) -> None:
        """A new operator takes over from whichever was here; everything that is unanswered goes to it."""
        self._forget_registrations()
        self._operator = send
        for submission in self._spool.waiting():
            self._page(submission["subject_id"])  # its status is asked for until the operator has taken it up
            send(submission)
        for page in self._pages.values():
            for call in page.calls.values():
                if _is_due(page, call):
                    send(_delivery(call))

    def detach_operator(self, send: Send) -> None:
        if self._operator == send:
            self._operator = None
            self._forget_registrations()

    def _forget_registrations(self) -> None:
        for waiting in self._details.values():
            if not waiting.done():
                waiting.set_exception(OperatorAway())

    def from_operator(self, packet: Packet) -> None:
        kind, subject, data = packet.get("packet_type"), str(packet.get("subject_id")), packet.get("data") or {}
        if kind == packets.REQUEST_STATUSES:
            self._to_operator(packets.packet(packets.RETURN_STATUSES, packets.OPERATOR, self._statuses()))
        elif kind == packets.AGENT_DETAILS:
            waiting = self._details.pop(str(data.get("request_id")), None)
            if waiting is not None and not waiting.done():
                waiting.set_result(packet)
        elif kind == packets.ANSWER:
            if subject in self._pages:
                self._answer(self._pages[subject], packet)
        elif kind == packets.UPDATE_STATUS:
            self._update_status(subject, packet)
        elif kind != packets.ALIVE:
            log.warning("the operator sent a packet of unknown type %r", kind)

    def _answer(self, page: Page, packet: Packet) -> None:
        """Pass on an answer that is waited for, once. Updates that answer nothing go through as they are."""
        request_id = packet["data"].get("handles")
        if request_id is not None:
            if page.calls.pop(request_id, None) is None:
                return
            page.answers[request_id] = packet
            while len(page.answers) > ANSWERS_KEPT:
                page.answers.popitem(last=False)
        page.send(packet)

    def _update_status(self, agent_id: str, packet: Packet) -> None:
        page = self._page(agent_id)
        page.status = str(packet["data"].get("status", page.status))
        page.is_over = page.status in packets.FINAL_STATUSES
        if page.is_over:
            self._spool.drop(agent_id)
            page.calls = {name: call for name, call in page.calls.items() if _may_follow(page, call)}
            page.answers.clear()
            for call in page.calls.values():
                self._to_operator(_delivery(call))
        page.send(packet)
        self._put_away(agent_id, page)

    def _statuses(self) -> dict[str, str]:
        """Statuses by agent id, finished agents left out. A page that was away for too long counts as disconnected."""
        now = time.monotonic()
        for agent_id, page in self._pages.items():
            away = not page.sockets and now - page.last_seen > self._absence_seconds
            if away and page.status in packets.LIVE_STATUSES and not self._spool.has(agent_id):
                page.status = packets.DISCONNECTED
        unfinished = (packets.DISCONNECTED, NO_STATUS, *packets.LIVE_STATUSES)
        return {agent_id: page.status for agent_id, page in self._pages.items() if page.status in unfinished}

    def _to_operator(self, packet: Packet) -> bool:
        if self._operator is None:
            return False
        self._operator(packet)
        return True

    # The pages' side

    def attach_page(self, agent_id: str, send: Send) -> bool:
        """Bind a socket to its agent. A page that is open in several tabs is told the same in all; False: too many."""
        page = self._page(agent_id)
        if len(page.sockets) >= SOCKETS_OF_A_PAGE:
            return False
        page.sockets.append(send)
        page.last_seen = time.monotonic()
        send(packets.packet(packets.UPDATE_STATUS, agent_id, {"status": page.status}))
        return True

    def detach_page(self, agent_id: str, send: Send) -> None:
        page = self._page(agent_id)
        page.sockets = [socket for socket in page.sockets if socket != send]
        page.last_seen = time.monotonic()
        self._put_away(agent_id, page)

    def heartbeat(self, agent_id: str, send: Send) -> None:
        page = self._page(agent_id)
        page.last_seen = time.monotonic()
        data = {"status": page.status, "operator": self.operator_is_here}
        send(packets.packet(packets.HEARTBEAT, agent_id, data))

    def call(self, agent_id: str, data: dict[str, Any], client_timestamp: float | None) -> None:
        """A remote procedure call of a page: delivered once, whatever the page repeats.

        A call for afterwards waits until the operator has the submission.
        """
        page, request_id = self._page(agent_id), str(data["request_id"])
        call = packets.packet(
            packets.CALL, agent_id, {name: data[name] for name in ("request_id", "target", "args")}, client_timestamp
        )
        if request_id in page.answers:
            page.send(page.answers[request_id])
        elif request_id in page.calls:
            log.debug("a page repeats a call that is under way")
        elif page.status in packets.FINAL_STATUSES and not _may_follow(page, call):
            self.refuse_call(agent_id, request_id, "refused", said("refusals.closed"))
        elif _is_early(page, call) and not self._spool.has(agent_id):
            self.refuse_call(agent_id, request_id, "refused", said("refusals.not_submitted"))
        elif len(page.calls) >= CALLS_IN_FLIGHT:
            self.refuse_call(agent_id, request_id, "busy", said("refusals.too_many_requests"))
        else:
            page.calls[request_id] = call
            if _is_due(page, call):
                self._to_operator(_delivery(call))

    def refuse_call(self, agent_id: str, request_id: str, code: str, message: str) -> None:
        """Answer a call here, in the words of a remote procedure that failed; it is not kept as an answer."""
        response = json.dumps({"ok": False, "error": {"code": code, "field": None, **told(message)}})
        data = {"handles": request_id, "response": response, "update_id": str(uuid.uuid4())}
        self._page(agent_id).send(packets.packet(packets.ANSWER, agent_id, data))

    async def register(self, provider_data: dict[str, Any], client_timestamp: float | None) -> Packet:
        """Ask the operator for an agent. Two requests of one registration at a time are one. Raises `OperatorAway`."""
        key = (str(provider_data["worker_name"]), str(provider_data["agent_registration_id"]))
        if key not in self._registering:
            asking = asyncio.wait_for(self._register(provider_data, client_timestamp), REGISTRATION_SECONDS)
            self._registering[key] = asyncio.ensure_future(asking)
            self._registering[key].add_done_callback(lambda task: self._registered(key, task))
        try:
            return await asyncio.shield(self._registering[key])
        except asyncio.TimeoutError:
            raise OperatorAway from None

    def _registered(self, key: tuple[str, str], task: asyncio.Task[Packet]) -> None:
        del self._registering[key]
        if not task.cancelled():
            task.exception()  # seen: whoever asked may have gone

    async def _register(self, provider_data: dict[str, Any], client_timestamp: float | None) -> Packet:
        request_id = str(uuid.uuid4())
        waiting: asyncio.Future[Packet] = asyncio.get_running_loop().create_future()
        self._details[request_id] = waiting
        data = {"provider_data": provider_data, "request_id": request_id}
        try:
            if not self._to_operator(packets.packet(packets.REGISTER_AGENT, request_id, data, client_timestamp)):
                raise OperatorAway
            details = await waiting
        finally:
            self._details.pop(request_id, None)
        agent_id = details["data"].get("agent_id")
        if agent_id is not None:
            if str(agent_id) not in self._final:
                self._page(str(agent_id)).last_seen = time.monotonic()
            details = {**details, "data": {**details["data"], "agent_secret": self.secret(str(agent_id))}}
        return details

    async def submit(self, agent_id: str, data: dict[str, Any], client_timestamp: float | None) -> None:
        """Keep a submission on disk, and hand it to the operator now or when it is back. Raises `HitIsOver`."""
        status = self._status(agent_id)
        if status in packets.LOST_STATUSES:
            raise HitIsOver
        packet = packets.packet(packets.SUBMIT_UNIT, agent_id, data, client_timestamp)
        if status in packets.SUBMITTED_STATUSES or not await self._spool.keep(agent_id, packet):
            return
        if self._status(agent_id) in packets.FINAL_STATUSES:  # meanwhile
            self._spool.drop(agent_id)
            await self.submit(agent_id, data, client_timestamp)
            return
        self._page(agent_id)  # its status is asked for until the operator has taken it up
        self._to_operator(packet)

    def tell_operator(self, packet_type: str, agent_id: str, data: dict[str, Any]) -> bool:
        """Pass on what needs no answer and no keeping (metadata, errors of the page)."""
        return self._to_operator(packets.packet(packet_type, agent_id, data))

    def _page(self, agent_id: str) -> Page:
        if agent_id not in self._pages:
            final = self._final.pop(agent_id, None)
            self._pages[agent_id] = Page() if final is None else Page(final, is_over=True)
        return self._pages[agent_id]

    def _status(self, agent_id: str) -> str:
        page = self._pages.get(agent_id)
        return self._final.get(agent_id, NO_STATUS) if page is None else page.status

    def _put_away(self, agent_id: str, page: Page) -> None:
        """Keep only the status of an agent that is done, once nobody looks at its page."""
        if page.is_over and not page.sockets:
            del self._pages[agent_id]
            self._final[agent_id] = sys.intern(page.status)


def _delivery(call: Packet) -> Packet:
    """A call on its way to the operator. Mephisto ignores update ids that it has seen: every delivery has its own."""
    return {**call, "data": {**call["data"], "update_id": str(uuid.uuid4())}}


def _may_follow(page: Page, call: Packet) -> bool:
    """Return whether the call may be served once the HIT has ended."""
    return page.status in packets.SUBMITTED_STATUSES and call["data"]["target"] in packets.AFTERWARDS


def _is_early(page: Page, call: Packet) -> bool:
    """Return whether the call is for afterwards, and the HIT is worked on."""
    return page.status in packets.LIVE_STATUSES and call["data"]["target"] in packets.AFTERWARDS


def _is_due(page: Page, call: Packet) -> bool:
    """Return whether the operator can serve the call now."""
    return call["data"]["target"] not in packets.AFTERWARDS or _may_follow(page, call)
