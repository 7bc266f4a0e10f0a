"""A router as a process, and both its kinds of clients over real sockets."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

PATIENCE_SECONDS = 90.0
LONGEST_PAUSE_SECONDS = 0.2
CREDENTIALS = {"run": "run-1", "operator_token": "operator-token", "agent_key": "agent-key"}
CONFIG = {"task_title": "A task"}


def wait_until(condition: Callable[[], object], what: str, seconds: float = PATIENCE_SECONDS) -> None:
    """For what only another process or thread can say, and says only when asked."""
    deadline, pause = time.monotonic() + seconds, 0.01
    while not condition():
        assert time.monotonic() < deadline, f"never happened: {what}"
        time.sleep(pause)
        pause = min(1.5 * pause, LONGEST_PAUSE_SECONDS)  # asking costs those who are asked


class Router:
    """A router process on a folder of its own; `kill` and `start` again as often as a test likes."""

    def __init__(self, directory: Path, absence_seconds: float = 900) -> None:
        self.directory = directory
        self.absence_seconds = absence_seconds
        self.port = 0
        (directory / "static").mkdir(parents=True)
        (directory / "static" / "task_config.json").write_text(json.dumps(CONFIG))
        (directory / "static" / "index.html").write_text("<title>page</title>")
        (directory / "credentials.json").write_text(json.dumps(CREDENTIALS))

    def start(self) -> Router:
        command = [sys.executable, "-m", "beat_the_ai.mephisto.router", str(self.directory)]
        command += ["--port", str(self.port), "--absence-seconds", str(self.absence_seconds)]
        with (self.directory / "router.log").open("ab") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log)
        wait_until(self._is_up, "the router starts")
        return self

    def _is_up(self) -> bool:
        assert self.process.poll() is None, self.log()
        try:
            address = json.loads((self.directory / "address.json").read_text())
            if address["pid"] != self.process.pid:
                return False
            self.port = address["port"]
            return self.get("/health").is_success
        except (FileNotFoundError, httpx.TransportError):
            return False

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def log(self) -> str:
        return (self.directory / "router.log").read_text()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def get(self, path: str) -> httpx.Response:
        return self.request("GET", path)

    def post(self, path: str, body: Any) -> httpx.Response:
        return self.request("POST", path, json=body)

    def request(self, method: str, path: str, **content: Any) -> httpx.Response:
        with httpx.Client(trust_env=False, timeout=PATIENCE_SECONDS) as client:
            return client.request(method, f"{self.url}{path}", **content)

    @contextmanager
    def operator(self, token: str = CREDENTIALS["operator_token"]) -> Iterator[Socket]:
        headers = {"Authorization": f"Bearer {token}"}
        with connect(f"ws://127.0.0.1:{self.port}/", additional_headers=headers, proxy=None) as socket:
            operator = OperatorsSocket(socket)
            wait_until(lambda: self.get("/health").json()["status"] == "ready", "the operator is attached")
            yield operator

    @contextmanager
    def page(self, agent_id: str, secret: str) -> Iterator[Socket]:
        with self.stranger() as page:
            page.agent_id = agent_id
            page.send("alive", {"agent_secret": secret})
            page.get("update_status")
            yield page

    @contextmanager
    def stranger(self) -> Iterator[Socket]:
        """A socket that has not said who it is."""
        with connect(f"ws://127.0.0.1:{self.port}/", proxy=None, close_timeout=1) as socket:
            yield Socket(socket)


class Socket:
    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self.agent_id = "mephisto"

    def send(self, kind: str, data: Any, agent_id: str | None = None, *, ascii_only: bool = True) -> None:
        packet = {"packet_type": kind, "subject_id": agent_id or self.agent_id, "data": data}
        self.connection.send(self._frame(json.dumps(packet, ensure_ascii=ascii_only)))

    def _frame(self, packet: str) -> str:
        return packet

    def call(self, request_id: Any, target: Any = "state", args: Any = "{}") -> None:
        self.send("mephisto_bound_live_update", {"request_id": request_id, "target": target, "args": args})

    def answer(self, call: dict[str, Any], response: str = '{"ok": true}') -> None:
        data = {"handles": call["data"]["request_id"], "response": response}
        self.send("client_bound_live_update", data, call["subject_id"])

    def get(self, *kinds: str) -> dict[str, Any]:
        """The next packet of these types, others being left out."""
        while True:
            packet = self._next()
            if packet["packet_type"] in kinds:
                return packet

    def _next(self) -> dict[str, Any]:
        packet: dict[str, Any] = json.loads(self.connection.recv(timeout=PATIENCE_SECONDS))
        return packet

    def nothing_more(self, kind: str) -> None:
        """No packet of this type is on its way: what was sent before the next heartbeat or status report has come."""
        if self.agent_id == "mephisto":
            self.send("request_statuses", {})
            assert self.get("return_statuses", kind)["packet_type"] == "return_statuses"
        else:
            self.send("heartbeat", {})
            assert self.get("heartbeat", kind)["packet_type"] == "heartbeat"

    def close_code(self) -> int | None:
        """The code with which the router closes this socket."""
        try:
            while True:
                self.connection.recv(timeout=PATIENCE_SECONDS)
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd else None


class OperatorsSocket(Socket):
    """Whose frames are arrays of packets."""

    def __init__(self, connection: ClientConnection) -> None:
        super().__init__(connection)
        self._came: deque[dict[str, Any]] = deque()

    def _next(self) -> dict[str, Any]:
        while not self._came:
            self._came.extend(json.loads(self.connection.recv(timeout=PATIENCE_SECONDS)))
        return self._came.popleft()

    def _frame(self, packet: str) -> str:
        return f"[{packet}]"
