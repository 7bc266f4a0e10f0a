"""A worker's page without a browser: the same HTTP requests and packets that the page's bundle sends.

Calls that get no answer are sent again after a reconnect with the same ids, and registration and submission are tried
again while the operator is away, exactly as in the page. A call that can be answered no more, because the HIT has
ended, fails like one that is made too late.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
import uuid
from collections.abc import Mapping
from types import TracebackType
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException

from beat_the_ai.errors import BeatTheAIError, Refused
from beat_the_ai.simulation.forms import simulated_answers

RETRY_SECONDS = 0.5
HEARTBEAT_SECONDS = 5.0
AWAY = frozenset({408, 425, 429, 500, 502, 503, 504})  # what the page's bundle takes for "try again later"
ENDED = frozenset({"completed", "disconnect", "timeout", "expired", "returned", "mephisto disconnect"})
BUSY_SECONDS = 1.0
PATIENCE_SECONDS = 120.0  # longer than a model server takes to start again
# Not the question's fault: these answers may be others the next time.
PASSING = frozenset({"busy", "adversary", "store", "store_away", "internal"})
AFTERWARDS = frozenset({"forms_after", "answer_after"})  # calls that are answered when the HIT is submitted
AFTERWARDS_SECONDS = 30.0  # for which forms that nothing waits for are waited for
CLOSED = {"code": "refused", "field": None, "message": "This task is closed."}


class CallFailed(BeatTheAIError):
    """A remote procedure answered with an error; `error` is what it said."""

    def __init__(self, error: Mapping[str, Any]) -> None:
        super().__init__(str(error.get("message")))
        self.error = error


class PageClient:
    """One worker's page on one HIT: `async with PageClient(...) as page`. Raises `Refused` when there is no work.

    `url` is the folder of the page, `more` what other providers than `mock` tell about the worker.
    """

    def __init__(self, url: str, http: httpx.AsyncClient, worker: str, assignment: str, **more: str) -> None:
        self._url = url
        self._http = http
        self._provider_data = {
            "worker_name": worker,
            "agent_registration_id": f"{assignment}-{worker}",
            "assignment_id": assignment,
            "provider_type": "mock",
            **more,
        }
        self._waiting: dict[str, tuple[dict[str, Any], asyncio.Future[dict[str, Any]]]] = {}
        self._socket: ClientConnection | None = None
        self.init_data: dict[str, Any] = {}

    async def __aenter__(self) -> PageClient:
        answer = await self._post("request_agent", {"provider_data": self._provider_data})
        details = answer["data"]
        if details.get("failure_reason"):
            raise Refused(details["failure_reason"])
        self._agent_id: str = details["agent_id"]
        self._secret: str = details["agent_secret"]
        self.init_data = details["init_task_data"]
        self._tasks = [asyncio.create_task(self._stay_connected()), asyncio.create_task(self._beat())]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def call(self, target: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The answer of a remote procedure. Raises `CallFailed` when it answers with an error.

        Where forms come first, they are answered as somebody would who takes part.
        """
        try:
            return await self._call(target, arguments)
        except CallFailed as failed:
            if failed.error.get("code") != "forms":
                raise
        pending = (await self._call("forms", {}))["forms"]
        while pending:
            given = {"form": pending[0]["id"], "declined": False, "answers": simulated_answers(pending[0])}
            pending = (await self._call("answer_form", given))["forms"]
        return await self._call(target, arguments)

    async def _call(self, target: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        request_id = str(uuid.uuid4())
        data = {"request_id": request_id, "target": target, "args": json.dumps(arguments), "update_id": request_id}
        packet = self._packet("mephisto_bound_live_update", data)
        answer: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._waiting[request_id] = (packet, answer)
        await self._send(packet)
        try:
            response = await answer
        finally:
            del self._waiting[request_id]
        if not response.get("ok"):
            raise CallFailed(response.get("error", {}))
        return response

    async def insist(self, target: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Call again while the model is busy or away: what workers do must not depend on that."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            try:
                return await self.call(target, arguments)
            except CallFailed as failed:
                if failed.error.get("code") not in PASSING or time.monotonic() > deadline:
                    raise
                await asyncio.sleep(failed.error.get("retry_after_seconds") or BUSY_SECONDS)

    async def submit(self, final_data: Mapping[str, Any]) -> None:
        """Submit the HIT, and answer the forms that come after it. Raises `Refused` for a HIT that was taken away."""
        asks = (await self.task_config()).get("asks_afterwards") is True
        body = {"USED_AGENT_ID": self._agent_id, "agent_secret": self._secret, "final_data": final_data}
        await self._post("submit_task", body)
        if asks:
            with contextlib.suppress(asyncio.TimeoutError, CallFailed):
                await asyncio.wait_for(self._answer_afterwards(), AFTERWARDS_SECONDS)

    async def _answer_afterwards(self) -> None:
        offered = (await self._call("forms_after", {}))["forms"]
        while offered:
            given = {"form": offered[0]["id"], "answers": simulated_answers(offered[0])}
            offered = (await self._call("answer_after", given))["forms"]

    async def task_config(self) -> dict[str, Any]:
        return await self._ask("GET", "task_config.json")

    async def _post(self, path: str, body: Mapping[str, Any]) -> dict[str, Any]:
        return await self._ask("POST", path, json={**body, "client_timestamp": time.time()})

    async def _ask(self, method: str, path: str, **content: Any) -> dict[str, Any]:
        while True:
            with contextlib.suppress(httpx.TransportError):
                response = await self._http.request(method, f"{self._url}/{path}", timeout=90, **content)
                if response.status_code not in AWAY:
                    return _read(response)
            await asyncio.sleep(RETRY_SECONDS)

    def _packet(self, packet_type: str, data: Mapping[str, Any]) -> dict[str, Any]:
        return {
            "packet_type": packet_type,
            "subject_id": self._agent_id,
            "data": data,
            "client_timestamp": time.time(),
        }

    async def _send(self, packet: Mapping[str, Any]) -> None:
        """Send now if connected; whatever waits for an answer is sent again on every new connection."""
        if self._socket is not None:
            with contextlib.suppress(ConnectionClosed):
                await self._socket.send(json.dumps(packet))

    async def _stay_connected(self) -> None:
        while True:
            with contextlib.suppress(OSError, WebSocketException, EOFError, asyncio.TimeoutError):
                async with connect(self._url.replace("http", "ws", 1) + "/", proxy=None, compression=None) as socket:
                    await socket.send(json.dumps(self._packet("alive", {"agent_secret": self._secret})))
                    self._socket = socket
                    for packet, _ in list(self._waiting.values()):
                        await socket.send(json.dumps(packet))
                    async for message in socket:
                        self._receive(json.loads(message))
            self._socket = None
            await asyncio.sleep(RETRY_SECONDS)

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(HEARTBEAT_SECONDS)
            await self._send(self._packet("heartbeat", {}))

    def _receive(self, packet: Mapping[str, Any]) -> None:
        if packet["packet_type"] == "client_bound_live_update":
            self._answer(packet["data"]["handles"], json.loads(packet["data"]["response"]))
        elif packet["packet_type"] == "update_status" and packet["data"]["status"] in ENDED:
            for request_id, (call, _) in list(self._waiting.items()):
                if packet["data"]["status"] != "completed" or call["data"]["target"] not in AFTERWARDS:
                    self._answer(request_id, {"ok": False, "error": CLOSED})

    def _answer(self, request_id: str, response: dict[str, Any]) -> None:
        _, answer = self._waiting.get(request_id, (None, None))
        if answer is not None and not answer.done():
            answer.set_result(response)


def _read(response: httpx.Response) -> dict[str, Any]:
    """Raises `Refused` in the server's words when it will not do what was asked."""
    if response.is_success:
        answer: dict[str, Any] = response.json()
        return answer
    try:
        message = str(response.json()["error"]["message"])
    except (ValueError, KeyError, TypeError):
        message = f"The server answered {response.status_code}."
    raise Refused(message)
