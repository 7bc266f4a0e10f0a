"""An event that is served in a process of its own, and clients that speak to it over sockets."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from beat_the_ai.kinds.quizbowl.tournament.client import PATIENCE_SECONDS, Client
from beat_the_ai.kinds.quizbowl.tournament.folder import EventFolder
from tests.ports import free_port

COMMAND = [sys.executable, "-m", "beat_the_ai.cli", "event", "--task", "quizbowl"]


class ServedEvent:
    """`event serve` on a folder; it can be killed and started again at the same address."""

    def __init__(self, folder: EventFolder, options: Sequence[str] = ()) -> None:
        self.folder = folder
        self._options = options
        self.keys = folder.keys.rooms
        self._port = free_port()
        self.address = f"http://127.0.0.1:{self._port}"
        self._process: subprocess.Popen[str] | None = None
        self._clients: list[Client] = []

    def start(self) -> dict[str, Any]:
        """What it says once it listens."""
        command = [*COMMAND, "serve", str(self.folder.path), "--port", str(self._port), *self._options]
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
def serving(folder: EventFolder, *options: str) -> Iterator[ServedEvent]:
    server = ServedEvent(folder, options)
    server.start()
    try:
        yield server
    finally:
        server.stop()
