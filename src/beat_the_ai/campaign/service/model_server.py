"""A campaign's own model server: a child process that is started again, at the same address, whenever it dies."""

from __future__ import annotations

import json
import logging
import os
import secrets
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from types import TracebackType

from beat_the_ai.adversary.client import AdversaryClient
from beat_the_ai.adversary.protocol import ModelIdentity
from beat_the_ai.adversary.registry import member_name
from beat_the_ai.adversary.server import TOKEN_VARIABLE
from beat_the_ai.errors import AdversaryError
from beat_the_ai.process.child import STOP_SECONDS
from beat_the_ai.terms.round import AdversarySettings

LOADING_SECONDS = 120
REST_SECONDS = 1.0  # between two starts

log = logging.getLogger(__name__)


class ModelServer:
    """`with ModelServer(...) as server`: it answers at `server.address` to whoever shows `server.token`.

    `members` (`backend:source`) are loaded for a kind of task, by its own name. `models` are those that it has
    loaded, by the names of the pool's members.
    The child ends with this process, however that ends.
    """

    def __init__(self, members: Sequence[str], settings: AdversarySettings, kind: str) -> None:
        self.token = secrets.token_urlsafe(24)
        self.address = ""
        self.models: Mapping[str, ModelIdentity] = {}
        self._members = members
        self._settings = settings
        self._kind = kind
        self._ending = threading.Event()
        self._keeper = threading.Thread(target=self._keep, name="model-server", daemon=True)

    @property
    def pid(self) -> int:
        return self._process.pid

    def __enter__(self) -> ModelServer:
        """Raises `AdversaryError` when it does not start."""
        self.address = self._start(port=0)
        self._keeper.start()
        try:
            with AdversaryClient(self.address, timeout_seconds=5, token=self.token) as client:
                listed = client.models_once_ready(LOADING_SECONDS)
        except BaseException:
            self._end()
            raise
        self.models = {name: one.identity for name, one in listed.items()}
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()

    def _end(self) -> None:
        self._ending.set()
        self._process.terminate()
        self._keeper.join(STOP_SECONDS)
        self._process.kill()  # a model that lets no other thread run keeps it from hearing the signal
        self._keeper.join()
        _stop(self._process)

    def _keep(self) -> None:
        port = int(self.address.rpartition(":")[2])
        while not self._ending.is_set():
            status = self._process.wait()
            if self._ending.wait(REST_SECONDS):
                return
            log.warning("the model server died (status %d) and is started again", status)
            _stop(self._process)
            try:
                self._start(port)
            except (AdversaryError, OSError) as error:  # of a machine without memory or files for one more process
                if not self._ending.is_set():
                    log.warning("%s", error)

    def _start(self, port: int) -> str:
        """Return its address, once its models are loaded. Raises `AdversaryError` and `OSError`."""
        command = [sys.executable, "-m", "beat_the_ai.adversary.child", "--kind", self._kind, "--port", str(port)]
        command += options_of(self._settings)
        for spec in self._members:
            command += ["--member", f"{member_name(spec)}={spec}"]
        environment = {**os.environ, TOKEN_VARIABLE: self.token}
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)
        self._process = process
        if self._ending.is_set():  # else whoever sets it ends this process, though it loads its models still
            process.terminate()
        assert process.stdout is not None
        line = process.stdout.readline()
        if not line:
            _stop(process)
            raise AdversaryError("The model server did not start; what it printed above says why.")
        return str(json.loads(line)["address"])


def options_of(settings: AdversarySettings) -> list[str]:
    """The model server's command-line options; what is None is left to its own defaults."""
    names = ("device", "streams", "threads", "precision", "batch_size", "memory_gib")
    told = {name: value for name in names if (value := getattr(settings, name)) is not None}
    return [part for name, value in told.items() for part in (f"--{name.replace('_', '-')}", str(value))]


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            pipe.close()
