"""Those who come with bad intentions, and those who come meanwhile."""

from __future__ import annotations

import contextlib
import json
import resource
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

PATIENCE_SECONDS = 40.0
OTHER_CLIENT = "127.0.0.2"  # all of 127.0.0.0/8 is this machine
HALF_A_REQUEST = b"GET /health HTTP/1.1\r\nHost: localhost\r\nX-Slow: "
HALF_A_BODY = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nhalf"
SILENT_SOCKET = (
    b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)


@dataclass
class Attacked:
    """A server process that may have `files` open, at most; what it complains about is in `log`."""

    process: subprocess.Popen[bytes]
    address: str
    log: Path

    @classmethod
    @contextmanager
    def started(cls, command: Sequence[str], log: Path, files: int = 4096, **others: Any) -> Iterator[Attacked]:
        def with_few_files() -> None:
            resource.setrlimit(resource.RLIMIT_NOFILE, (files // 2, files))

        with log.open("wb") as stderr:
            process = subprocess.Popen(
                [sys.executable, *command], stdout=subprocess.PIPE, stderr=stderr, preexec_fn=with_few_files, **others
            )
        assert process.stdout is not None
        try:
            line = process.stdout.readline()
            assert line, log.read_text()
            yield cls(process, json.loads(line)["address"], log)
        finally:
            process.terminate()
            process.wait(PATIENCE_SECONDS)
            process.stdout.close()

    @property
    def port(self) -> int:
        return int(self.address.rpartition(":")[2])

    def connect(self, source: str = "127.0.0.1") -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), PATIENCE_SECONDS, (source, 0))

    def get(self, path: str, **others: Any) -> httpx.Response:
        with httpx.Client(trust_env=False, timeout=PATIENCE_SECONDS) as client:
            return client.get(f"{self.address}{path}", **others)


@contextmanager
def half_open(server: Attacked, count: int, said: bytes = HALF_A_REQUEST) -> Iterator[None]:
    """So many connections that say this and nothing more, and others in place of those that are closed."""
    sockets: list[socket.socket] = []
    ending = threading.Event()

    def hold() -> None:
        while not ending.is_set():
            if len(sockets) >= 2 * count:
                sockets.pop(0).close()
            with contextlib.suppress(OSError):
                sockets.append(server.connect())
                sockets[-1].sendall(said)
            if len(sockets) >= count:
                full.set()
                time.sleep(0.002)

    full = threading.Event()
    holding = threading.Thread(target=hold)
    holding.start()
    try:
        assert full.wait(PATIENCE_SECONDS)
        yield
    finally:
        ending.set()
        holding.join()
        for one in sockets:
            one.close()


def answer_of(connection: socket.socket) -> bytes:
    """Everything until the server closes."""
    answer = b""
    with contextlib.suppress(ConnectionResetError):
        while part := connection.recv(65536):
            answer += part
    return answer
