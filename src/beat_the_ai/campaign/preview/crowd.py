"""The server of a previewed page: it speaks the page's protocol, and says what the state has it say."""

from __future__ import annotations

import contextlib
import json
import secrets
from collections import Counter, OrderedDict
from collections.abc import Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.websockets import WebSocket, WebSocketDisconnect

from beat_the_ai.campaign.preview.states import PageState, unknown_call
from beat_the_ai.mephisto.packets import AGENT_DETAILS, ALIVE, ANSWER, HEARTBEAT, UPDATE_STATUS, packet

MOST_PAGES = 200  # that are open at once; the oldest is forgotten
REFUSED = 4401
AGENT = "1"


class PreviewCrowd:
    """All pages of the preview that are open, each with its own course of answers."""

    def __init__(self) -> None:
        self._pages: OrderedDict[str, tuple[PageState, Counter[str]]] = OrderedDict()

    def register(self, state: PageState) -> JSONResponse:
        """Return an agent for a page that was opened, or the reason why there is none."""
        secret = secrets.token_urlsafe(16)
        self._pages[secret] = state, Counter()
        while len(self._pages) > MOST_PAGES:
            self._pages.popitem(last=False)
        details = {
            "worker_id": "1",
            "agent_id": AGENT,
            "agent_secret": secret,
            "init_task_data": state.task,
            **({} if state.refusal is None else {"agent_id": None, "failure_code": "refused", **state.refusal}),
        }
        return JSONResponse(packet(AGENT_DETAILS, AGENT, details))

    async def serve(self, socket: WebSocket) -> None:
        """Answer a page until it closes."""
        await socket.accept()
        with contextlib.suppress(WebSocketDisconnect, RuntimeError, ValueError, KeyError):
            alive = await socket.receive_json()
            known = self._pages.get(str(alive["data"].get("agent_secret")))
            if alive["packet_type"] != ALIVE or known is None:
                await socket.close(REFUSED)
                return
            state, course = known
            await socket.send_json(packet(UPDATE_STATUS, AGENT, {"status": state.status}))
            while True:
                await _answer(socket, state, course, await socket.receive_json())


async def _answer(socket: WebSocket, state: PageState, course: Counter[str], heard: Mapping[str, Any]) -> None:
    data = heard["data"]
    if heard["packet_type"] == HEARTBEAT:
        await socket.send_json(packet(HEARTBEAT, AGENT, {"status": state.status, "operator": True}))
        return
    target = str(data["target"])
    answers = state.answers.get(target, ())
    answer = answers[min(course[target], len(answers) - 1)] if answers else unknown_call()
    course[target] += 1
    given = {"handles": data["request_id"], "response": json.dumps(answer), "update_id": f"u{data['update_id']}"}
    await socket.send_json(packet(ANSWER, AGENT, given))


async def heard(request: Request) -> JSONResponse:
    """Acknowledge what a page reports or submits; nothing is kept."""
    async for _ in request.stream():
        pass
    return JSONResponse({"status": "ok"})
