"""An event that is served in a process of its own, and clients that speak to it over sockets."""

from __future__ import annotations

import itertools
import json
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from beat_the_ai.kinds.quizbowl.tournament.folder import EventFolder

PATIENCE_SECONDS = 60
COMMAND = [sys.executable, "-m", "beat_the_ai.cli", "event", "--task", "quizbowl"]
_keys = itertools.count(1)


class ServedEvent:
    """`event serve` on a folder; it can be killed and started again at the same address."""

    def __init__(self, folder: EventFolder) -> None:
        self.folder = folder
        self.keys = folder.keys.rooms
        with closing(socket.socket()) as free:
            free.bind(("127.0.0.1", 0))
            self._port = free.getsockname()[1]
        self.address = f"http://127.0.0.1:{self._port}"
        self._process: subprocess.Popen[str] | None = None
        self._clients: list[Client] = []

    def start(self) -> dict[str, Any]:
        """What it says once it listens."""
        command = [*COMMAND, "serve", str(self.folder.path), "--port", str(self._port)]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, "the server ended before it listened"
        announced: dict[str, Any] = json.loads(line)
        return announced

    def kill(self) -> None:
        self._end(signal.SIGKILL)

    def stop(self) -> int:
        for client in self._clients:
            client.close()
        return self._end(signal.SIGTERM)

    def client(self, **hello: Any) -> Client:
        """Open as long as the server runs."""
        self._clients.append(Client(self.address, hello))
        return self._clients[-1]

    def _end(self, how: signal.Signals) -> int:
        if self._process is None:
            return 0
        process, self._process = self._process, None
        process.send_signal(how)
        with process:
            return process.wait(PATIENCE_SECONDS)

    def lines(self, room: str) -> list[dict[str, Any]]:
        """Entries of the room's log."""
        text = (self.folder.path / "matches" / f"{room}.jsonl").read_text(encoding="utf-8")
        return [json.loads(line) for line in text.splitlines()[1:]]

    def spectator(self, room: str) -> Client:
        return self.client(role="spectator", room=room)

    def player(self, room: str, team: str, name: str) -> Client:
        return self.client(role="team", code=self.keys[room].teams[team], player=name)

    def moderator(self, room: str, page: str = "page", *, chair: bool = True) -> Client:
        token = self.keys[room].moderator
        return self.client(role="moderator", room=room, token=token, page=page, chair=chair)


@contextmanager
def serving(folder: EventFolder) -> Iterator[ServedEvent]:
    server = ServedEvent(folder)
    server.start()
    try:
        yield server
    finally:
        server.stop()


class Client:
    """A page. `heard` is all that it was ever sent, as it came."""

    def __init__(self, address: str, hello: dict[str, Any]) -> None:
        self._address = address
        self._hello = hello
        self.heard: list[str] = []
        self.state: dict[str, Any] = {}
        self.replies: dict[str, str | None] = {}
        self.problem: str | None = None
        self._open = ExitStack()
        self._socket = self._dial()
        self.wait(lambda: self.problem or "match" in self.state)

    def _dial(self) -> ClientConnection:
        place = f"ws{self._address.removeprefix('http')}/socket"
        dialled = self._open.enter_context(connect(place, open_timeout=PATIENCE_SECONDS))
        dialled.send(json.dumps(self._hello))
        return dialled

    def reconnect(self) -> None:
        self.close()
        self.state = {}
        self._socket = self._dial()
        self.wait(lambda: "match" in self.state)

    def close(self) -> None:
        self._open.close()

    def post(self, act: str, key: str | None = None, **fields: Any) -> str:
        """Send a command without waiting; returns its key."""
        key = key or f"key-{next(_keys)}"
        self._socket.send(json.dumps({"act": act, "key": key, **fields}))
        return key

    def send(self, act: str, key: str | None = None, **fields: Any) -> str | None:
        """The reason why it was refused."""
        key = self.post(act, key, **fields)
        self.replies.pop(key, None)
        self.wait(lambda: key in self.replies)
        return self.replies[key]

    def happen(self, name: str, key: str | None = None, **fields: Any) -> str | None:
        """An event of the moderator's."""
        return self.send("happen", key, event={"event": name, **fields})

    def raw(self, content: str | bytes) -> str:
        """Send anything; returns why the server turned this client away."""
        self._socket.send(content)
        self.wait(lambda: self.problem is not None)
        assert self.problem is not None
        return self.problem

    def wait(self, until: Callable[[], object]) -> None:
        """Hear until something holds."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not until():
            try:
                text = str(self._socket.recv(max(0.0, deadline - time.monotonic())))
            except ConnectionClosed as closed:
                self.problem = self.problem or str(closed)
                if not until():
                    raise
                return
            self._take(text)

    def _take(self, text: str) -> None:
        self.heard.append(text)
        message = json.loads(text)
        self.problem = message.get("problem")
        self.state.update(message.get("state", {}))
        self.replies.update({reply["key"]: reply["error"] for reply in message.get("replies", [])})

    @property
    def tossup(self) -> dict[str, Any]:
        current: dict[str, Any] = self.state["tossup"]
        return current

    def points(self) -> dict[str, int]:
        return {row["side"]: row["points"] for row in self.state["standings"]}
