"""A crowd of one worker: serves the built page and speaks the page's protocol, with a model that follows orders.

Only for tests of the page itself; the real router and operator have tests of their own.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from beat_the_ai.mephisto.packets import failure
from beat_the_ai.terms.bonuses import BonusRules
from beat_the_ai.web.preloading import code_of
from beat_the_ai.words.served import PageWords, needed, spoken
from tests.webapp.shipped_words import shipped_words

# What the real router sends: the page must work under it.
CONTENT_POLICY = (
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self' ws: wss:; "
    "form-action *; base-uri 'none'; object-src 'none'"
)
PATIENCE_SECONDS = 60
NO_VERDICT: dict[str, Any] = {"prediction": {}, "scores": {}, "fooled": None}
BONUSES = BonusRules(cents_per_win=20, cents_per_verified_win=50).terms()
ENGLISH_DATA = {"language": "en", "direction": "ltr"}
SECRET = "the page's own secret"
PASSAGE = (
    "Above boiling water the lids of kettles had rattled for two thousand years, and all early devices that copied "
    "them were toys. The Spanish inventor Jerónimo de Ayanz y Beaumont took out a patent for a serious engine in 1606. "
    "In 1698 a pump by Thomas Savery used steam in direct contact with what it raised; as the steam cooled, most of "
    "its strength was lost. Thomas Newcomen's machine of 1712, in which steam pushed a piston, was the first of these "
    "steam engines that sold, and it earned its keep by pumping in a mine."
)
WRAPPER = """
function getWorkerName() { return new URLSearchParams(location.search).get("worker_id"); }
function getAssignmentId() { return new URLSearchParams(location.search).get("assignment_id"); }
function getAgentRegistration() {
  return { worker_name: getWorkerName(), agent_registration_id: getAssignmentId() + "-" + getWorkerName(),
           assignment_id: getAssignmentId(), provider_type: "PROVIDER" };
}
function handleSubmitToProvider(data) { window.handedBack = data; return true; }
"""


@dataclass
class FakeCrowd:
    """What the server will say next, and what the page has said so far."""

    page_name: ClassVar[str] = "reading_comprehension"

    provider: str = "mturk"
    passage: str = PASSAGE
    title: str = "From kettles to engines"
    model_answer: str = "Thomas Savery"
    model_score: float = 0.87
    f1: float = 0.0
    mute: bool = False
    mute_targets: set[str] = field(default_factory=set)
    deaf: bool = False
    state_errors: int = 0
    error: dict[str, Any] | None = None
    failure_reason: str | None = None
    failure_code: str = "refused"
    status: str = "in task"
    seconds_left: float | None = 2820
    max_tries: int = 25
    checks: str = "some"
    min_tries: int = 1
    is_checked: bool = True
    earnings: dict[str, Any] | None = None
    submit_refusals: int = 0
    config: dict[str, Any] = field(default_factory=dict)
    languages: tuple[str, ...] = ("en",)
    arm: dict[str, Any] | None = None
    suggestions: tuple[dict[str, Any], ...] = ()

    registrations: list[dict[str, Any]] = field(default_factory=list)
    calls: list[dict[str, Any]] = field(default_factory=list)
    attempts: list[dict[str, Any]] = field(default_factory=list)
    submissions: list[dict[str, Any]] = field(default_factory=list)
    faults: list[dict[str, Any]] = field(default_factory=list)
    suggested: int = 0
    url: str = ""
    _by_key: dict[str, dict[str, Any]] = field(default_factory=dict)
    _sockets: list[WebSocket] = field(default_factory=list)
    _loop: asyncio.AbstractEventLoop | None = None

    @property
    def page(self) -> str:
        return f"{self.url}/?worker_id=ada&assignment_id=a1"

    def submitted(self) -> list[dict[str, Any]]:
        """The arguments of every `submit_attempt` that arrived."""
        return [json.loads(call["args"]) for call in self.calls if call["target"] == "submit_attempt"]

    def await_call(self, target: str) -> None:
        """Until the page has called it."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not any(call["target"] == target for call in self.calls):
            assert time.monotonic() < deadline, f"{target} was not called"
            time.sleep(0.01)

    def await_submission(self) -> None:
        """Until an attempt has arrived: the page says that it is sent a little earlier."""
        self.await_call("submit_attempt")

    def break_connections(self) -> None:
        """Close every socket, as a network that goes away."""
        self._run(self._close_all())

    def tell_status(self, status: str) -> None:
        self.status = status
        self._run(self._tell_all())

    def _run(self, work: Any) -> None:
        assert self._loop is not None, "the server runs"
        asyncio.run_coroutine_threadsafe(work, self._loop).result(PATIENCE_SECONDS)

    async def _close_all(self) -> None:
        for each in list(self._sockets):
            await each.close(1012)

    async def _tell_all(self) -> None:
        for each in list(self._sockets):
            await each.send_json(self._packet("update_status", {"status": self.status}))

    def _packet(self, packet_type: str, data: dict[str, Any]) -> dict[str, Any]:
        return {"packet_type": packet_type, "subject_id": "7", "data": data, "client_timestamp": None}

    async def index(self, static: Path, _request: Request) -> Response:
        return HTMLResponse(spoken((static / "index.html").read_text(), list(map(shipped_words, self.languages))))

    async def words(self, static: Path, request: Request) -> Response:
        code = code_of(static, str(self.config.get("page", self.page_name)))
        words = PageWords.of(needed(shipped_words(request.path_params["language"]), code))
        return Response(words.model_dump_json(), media_type="application/json")

    async def task_config(self, _request: Request) -> Response:
        config = {
            "page": self.page_name,
            "data": ENGLISH_DATA,
            "task_title": "Beat the AI",
            "bonuses": [asdict(term) for term in BONUSES],
            "checks": self.checks,
        }
        return JSONResponse({**config, "max_tries": self.max_tries, **self.config})

    def _task(self) -> dict[str, Any]:
        return {"context": {"id": "c1", "title": self.title, "text": self.passage}, "hit": "h1", "arm": self.arm}

    @property
    def _shows_model(self) -> bool:
        return self.arm is None or self.arm["config"].get("shows_model", True)

    async def wrapper(self, _request: Request) -> Response:
        return Response(WRAPPER.replace("PROVIDER", self.provider), media_type="text/javascript")

    async def request_agent(self, request: Request) -> Response:
        self.registrations.append((await request.json())["provider_data"])
        details = {
            "worker_id": "1",
            "agent_id": None if self.failure_reason else "7",
            "agent_secret": SECRET,
            "init_task_data": self._task(),
            **failure(self.failure_reason or ""),
            "failure_code": self.failure_reason and self.failure_code,
        }
        return JSONResponse(self._packet("agent_details", details))

    async def submit_task(self, request: Request) -> Response:
        if self.submit_refusals > 0:
            self.submit_refusals -= 1
            return JSONResponse({"error": {"code": "away", "message": "The service is restarting."}}, status_code=503)
        self.submissions.append(await request.json())
        return JSONResponse({"status": "Submitted!"})

    async def log_error(self, request: Request) -> Response:
        self.faults.append(await request.json())
        return JSONResponse({"status": "Error log sent!"})

    async def websocket(self, connection: WebSocket) -> None:
        self._loop = asyncio.get_running_loop()
        await connection.accept()
        alive = await connection.receive_json()
        if alive["packet_type"] != "alive" or alive["data"].get("agent_secret") != SECRET:
            await connection.close(4401)
            return
        self._sockets.append(connection)
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            await connection.send_json(self._packet("update_status", {"status": self.status}))
            while True:
                await self._receive(connection, await connection.receive_json())
        self._sockets.remove(connection)

    async def _receive(self, connection: WebSocket, packet: dict[str, Any]) -> None:
        data = packet["data"]
        if self.deaf:
            return
        if packet["packet_type"] == "heartbeat":
            await connection.send_json(self._packet("heartbeat", {"status": self.status, "operator": True}))
            return
        self.calls.append(data)
        if (self.mute and data["target"] == "submit_attempt") or data["target"] in self.mute_targets:
            return
        response = json.dumps(self._answer(data["target"], json.loads(data["args"])))
        answer = {"handles": data["request_id"], "response": response, "update_id": "u" + data["update_id"]}
        await connection.send_json(self._packet("client_bound_live_update", answer))

    def _answer(self, target: str, args: dict[str, Any]) -> dict[str, Any]:
        if target == "earnings":
            if self.earnings is None:
                return {"ok": False, "error": {"code": "invalid", "field": "target", "message": "It cannot be called."}}
            return {"ok": True, "earnings": self.earnings}
        if target == "suggestions":
            self.suggested = min(len(self.suggestions), max(self.suggested, args["ordinal"]))
            shown = [{"ordinal": n, "work": work} for n, work in enumerate(self.suggestions[: self.suggested], start=1)]
            return {"ok": True, "suggestions": shown, "more": self.suggested < len(self.suggestions)}
        if target == "take_suggestion":
            return {"ok": self.error is None, "error": self.error}
        if target == "submit_attempt":
            if self.error is not None:
                return {"ok": False, "error": self.error}
            return {"ok": True, "attempt": self._judge(args), "hit": self._standing()}
        if target == "state" and self.state_errors > 0:
            self.state_errors -= 1
            return {"ok": False, "error": {"code": "store", "field": None, "message": "The store is away."}}
        for attempt in self.attempts:
            if attempt["attempt_id"] == args.get("attempt_id"):
                attempt.update(self._mark(target, args))
        return {"ok": True, "hit": self._hit()}

    def _mark(self, target: str, args: dict[str, Any]) -> dict[str, Any]:
        """What a call changes of an attempt."""
        if target == "flag":
            return {"flag": {"reason": args["reason"], "note": args["note"]}}
        return {"retracted": True}

    def _verdict(self, work: dict[str, Any]) -> dict[str, Any]:
        """What the model says of a work, and what comes of it."""
        answer = work["answer"]
        end = answer["start"] + len(answer["text"])
        assert self.passage[answer["start"] : end] == answer["text"], "the answer is not where the page says"
        start = self.passage.find(self.model_answer)
        return {
            "prediction": {"text": self.model_answer, "start": start, "score": self.model_score},
            "scores": {"f1": self.f1},
            "fooled": self.f1 <= 0.4,
        }

    def _judge(self, args: dict[str, Any]) -> dict[str, Any]:
        if args["attempt_key"] not in self._by_key:
            attempt = {
                "attempt_id": f"t{len(self.attempts)}",
                "work": args["work"],
                **(self._verdict(args["work"]) if self._shows_model else NO_VERDICT),
                "retracted": False,
                "flag": None,
                "explanation": None,
                "doubts": None,
                "admitted": None,
                "created_at": "2026-01-01T00:00:00+00:00",
            }
            self._by_key[args["attempt_key"]] = attempt
            self.attempts.append(attempt)
        return self._by_key[args["attempt_key"]]

    def _hit(self) -> dict[str, Any]:
        return {"attempts": self.attempts, **self._standing()}

    def _standing(self) -> dict[str, Any]:
        wins = sum(attempt["fooled"] is not False and not attempt["retracted"] for attempt in self.attempts)
        tries_left = self.max_tries - len(self.attempts)
        return {
            "wins": wins,
            "tries_left": tries_left,
            "complete": tries_left == 0,
            "seconds_left": self.seconds_left,
            "bonus_cents": wins * 20,
            "possible_bonus_cents": wins * 50 if self.is_checked else 0,
            "is_checked": self.is_checked,
            "tries_missing": max(0, self.min_tries - len(self.attempts)),
            "explanations_missing": self._explanations_missing(),
        }

    def _explanations_missing(self) -> int:
        return 0


class _WithPolicy:
    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def with_policy(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], (b"content-security-policy", CONTENT_POLICY.encode())]
            await send(message)

        await self._app(scope, receive, with_policy if scope["type"] == "http" else send)


@dataclass
class Stage:
    """A server whose crowd can be exchanged: starting one for every test would take longer than the tests."""

    static: Path
    url: str = ""
    _app: ASGIApp | None = None

    def enter(self, crowd: FakeCrowd) -> FakeCrowd:
        """From now on this crowd answers."""
        crowd.url = self.url
        routes = [
            WebSocketRoute("/", crowd.websocket),
            Route("/task_config.json", crowd.task_config),
            Route("/wrap_crowd_source.js", crowd.wrapper),
            Route("/request_agent", crowd.request_agent, methods=["POST"]),
            Route("/log_error", crowd.log_error, methods=["POST"]),
            Route("/submit_task", crowd.submit_task, methods=["POST"]),
            Route("/", partial(crowd.index, self.static)),
            Route("/words/{language}.json", partial(crowd.words, self.static)),
            Mount("/", StaticFiles(directory=self.static, html=True)),
        ]
        self._app = Starlette(routes=routes, middleware=[Middleware(_WithPolicy)])
        return crowd

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        assert self._app is not None, "a crowd has entered"
        await self._app(scope, receive, send)


@contextmanager
def serving(static: Path) -> Iterator[Stage]:
    """A stage on a free port, in a thread."""
    stage = Stage(static)
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen()  # from here on a browser may connect, even if the server takes its time
    stage.url = f"http://127.0.0.1:{listener.getsockname()[1]}"
    config = uvicorn.Config(stage, log_config=None, lifespan="off", ws="websockets-sansio", timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    try:
        yield stage
    finally:
        server.should_exit = True
        thread.join(PATIENCE_SECONDS)
        listener.close()
