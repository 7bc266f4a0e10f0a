"""Servers for the tests of the model in the loop: in a thread around fake models, and as real processes."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import uvicorn

from beat_the_ai.adversary.app import build_app
from beat_the_ai.adversary.protocol import Adversary
from beat_the_ai.adversary.service import Limits, Service
from tests.adversary.fakes import PATIENCE_SECONDS, wait_until

Serve = Callable[..., AbstractContextManager[str]]
Spawn = Callable[..., "ServerProcess"]


@dataclass
class ServerProcess:
    """A model server in a process of its own; `address` once it has said so."""

    process: subprocess.Popen[str]

    def read_address(self) -> str:
        assert self.process.stdout
        address = json.loads(self.process.stdout.readline())["address"]
        assert isinstance(address, str)
        return address

    def end(self) -> int:
        return self.process.wait(PATIENCE_SECONDS)


@pytest.fixture
def serve() -> Serve:
    """Serve `{name: [instances]}` over a real socket; nothing is loaded when it is None."""

    @contextlib.contextmanager
    def served(
        models: Mapping[str, Sequence[Adversary[Any, Any]]] | None,
        limits: Limits = Limits(grace_seconds=0.2),  # noqa: B008 - frozen
        token: str | None = None,
    ) -> Iterator[str]:
        service = Service(limits)
        config = uvicorn.Config(build_app(service, token), port=0, log_config=None, lifespan="off", ws="none")
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run)
        thread.start()
        wait_until(lambda: server.started, "the server started")
        if models is not None:
            service.start(models)
        port = server.servers[0].sockets[0].getsockname()[1]
        try:
            yield f"http://127.0.0.1:{port}"
        finally:
            for model in service.models.values():
                model.scheduler.stop(grace_seconds=0.2)
            server.should_exit = True
            thread.join(PATIENCE_SECONDS)

    return served


@pytest.fixture
def spawn() -> Iterator[Spawn]:
    """Start a model server as a process; it is killed after the test if it still runs."""
    started: list[ServerProcess] = []

    def spawned(*arguments: str) -> ServerProcess:
        script = Path(__file__).with_name("serve_fake.py")
        command = [sys.executable, str(script), *arguments]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        started.append(ServerProcess(process))
        return started[-1]

    yield spawned
    for server in started:
        server.process.kill()
        server.process.communicate()
