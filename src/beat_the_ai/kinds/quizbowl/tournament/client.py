"""A page of an event without its window: simulated people and tests speak to the server as the pages do."""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

PATIENCE_SECONDS = 60.0


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
        dialled = self._open.enter_context(connect(place, open_timeout=PATIENCE_SECONDS, max_queue=None))
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
        key = key or uuid.uuid4().hex
        self._socket.send(json.dumps({"act": act, "key": key, **fields}))
        return key

    def send(self, act: str, key: str | None = None, **fields: Any) -> str | None:
        """The reason why it was refused."""
        key = self.post(act, key, **fields)
        self.replies.pop(key, None)
        self.wait(lambda: key in self.replies)
        return self.replies[key]

    def happen(self, name: str, **fields: Any) -> str | None:
        """An event of the moderator's."""
        return self.send("happen", event={"event": name, **fields})

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
