"""The services of deploy/compose.yaml as processes of this machine, without containers.

Commands, environment, order and health checks are those of the file. Only places are others: ports are free ones of
this machine, volumes and secrets are folders of the test, and the database is the tests' PostgreSQL.
"""

from __future__ import annotations

import os
import re
import signal
import ssl
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from tests.deploy.compose_file import DEPLOY, compose_file, in_order
from tests.ports import free_port

ROOT = DEPLOY.parent
START_SECONDS = 150
ISSUER = "certificates/caddy/pki/authorities/local/root.crt"


class Stack:
    """The services with these `names`, running. `address` is what people type, with the root path."""

    def __init__(self, folder: Path, database: str, root_path: str, names: Iterable[str]) -> None:
        self.folder = folder
        self._site = f"localhost:{free_port()}"
        self.address = f"https://{self._site}{root_path}"
        secrets = folder / "secrets"
        subprocess.run([DEPLOY / "new-secrets", secrets], check=True)
        (secrets / "database-url").unlink()
        (secrets / "database-url").write_text(database + "\n")
        given = {"SITE": self._site, "ROOT_PATH": root_path, "PROXY": "127.0.0.1", "SECRETS": str(secrets)}
        self._file = compose_file(given)
        self._services: dict[str, Any] = {name: self._file["services"][name] for name in names}
        self._ports = {
            port: str(free_port()) for service in self._file["services"].values() for port in service.get("expose", ())
        }
        self._processes: dict[str, subprocess.Popen[bytes]] = {}

    def start(self) -> None:
        """Start each service once those before it are healthy."""
        for name in in_order({each: self._known(service) for each, service in self._services.items()}):
            self._start(name, self._services[name])
        self._wait_for_certificate()

    def restart(self, name: str) -> None:
        self._end(name)
        self._start(name, self._services[name])

    def _end(self, name: str) -> int:
        process = self._processes.pop(name)
        process.send_signal(signal.SIGTERM)
        return process.wait(60)

    def _wait_for_certificate(self) -> None:
        """Caddy is healthy before its authority has signed: it refuses handshakes meanwhile."""
        deadline = time.monotonic() + START_SECONDS
        while True:
            try:
                with self.client() as client:
                    client.get(self.address)
                return
            except (httpx.ConnectError, FileNotFoundError):
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.2)

    def _known(self, service: Mapping[str, Any]) -> dict[str, Any]:
        return {"depends_on": [name for name in service.get("depends_on", ()) if name in self._services]}

    def _start(self, name: str, service: dict[str, Any]) -> None:
        data, environment = self.folder / "data", self._environment(service)
        data.mkdir(exist_ok=True)
        command = _ours([self._here(each, service) for each in service["command"]])
        with (self.folder / f"{name}.log").open("ab") as log:
            self._processes[name] = subprocess.Popen(command, cwd=data, env=environment, stdout=log, stderr=log)
        if service["restart"] == "no":
            status = self._processes.pop(name).wait(START_SECONDS)
            assert status == 0, self.log(name)
            return
        check = [self._here(each, service) for each in service["healthcheck"]["test"][1:]]
        deadline = time.monotonic() + START_SECONDS
        while not self._is_healthy(check, environment):
            assert self._processes[name].poll() is None, self.log(name)
            assert time.monotonic() < deadline, f"{name} is not healthy: {self.log(name)}"
            time.sleep(0.2)

    @staticmethod
    def _is_healthy(check: list[str], environment: dict[str, str]) -> bool:
        """A check with wget, which only Caddy's image has for sure, is asked from here."""
        if check[0] != "wget":
            return subprocess.run(check, env=environment, capture_output=True).returncode == 0
        try:
            return httpx.get(check[-1], trust_env=False).is_success
        except httpx.HTTPError:
            return False

    def _environment(self, service: Mapping[str, Any]) -> dict[str, str]:
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        own = {name: self._here(str(value), service) for name, value in service.get("environment", {}).items()}
        return {**os.environ, "PATH": path, **own}

    def _here(self, text: str, service: Mapping[str, Any]) -> str:
        """Return an argument or a value of the environment with the places of this machine."""
        names = "|".join((*self._file["services"], "127.0.0.1", "0.0.0.0"))
        text = re.sub(rf"\b({names}):(\d+)\b", lambda found: f"127.0.0.1:{self._ports[found[2]]}", text)
        text = re.sub(r"(?<=port=)\d+|^\d+$", lambda found: self._ports[found[0]], text)
        text = text.replace("0.0.0.0", "127.0.0.1")
        for mounted, place in self._mounts(service):
            if text == mounted or text.startswith(f"{mounted}/"):
                return str(place) + text.removeprefix(mounted)
        return text

    def _mounts(self, service: Mapping[str, Any]) -> Iterator[tuple[str, Path]]:
        yield "/app", ROOT
        for name in service.get("secrets", ()):
            yield f"/run/secrets/{name}", Path(self._file["secrets"][name]["file"])
        for volume in service.get("volumes", ()):
            source, target = volume.split(":")[:2]
            yield target, (DEPLOY / source if source.startswith(".") else self.folder / source)

    def run(self, name: str, *command: str, answer: str | None = None) -> str:
        """Run a command as `docker compose exec` does in a service, and return what it prints."""
        environment, data = self._environment(self._services[name]), self.folder / "data"
        done = subprocess.run(
            _ours(command),
            cwd=data,
            env=environment,
            input=answer,
            capture_output=True,
            text=True,
            timeout=START_SECONDS,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def port(self, exposed: str) -> int:
        """Return the port here of what a service exposes."""
        return int(self._ports[exposed])

    def client(self) -> httpx.Client:
        """Return a client that trusts Caddy's own authority alone."""
        trusted = ssl.create_default_context(cafile=str(self.folder / ISSUER))
        return httpx.Client(verify=trusted, trust_env=False, timeout=60)

    def log(self, name: str) -> str:
        return (self.folder / f"{name}.log").read_text()

    def stop(self) -> dict[str, int]:
        """Stop all, the last one first, and return their exit statuses."""
        return {name: self._end(name) for name in [*self._processes][::-1]}


@contextmanager
def running(folder: Path, database: str, root_path: str, names: Iterable[str]) -> Iterator[Stack]:
    """Run these services. All have to end well."""
    stack = Stack(folder, database, root_path, names)
    try:
        stack.start()
        yield stack
    finally:
        statuses = stack.stop()
    assert set(statuses.values()) == {0}, statuses


def _ours(command: Sequence[str]) -> list[str]:
    """Return the command; the suite's own as a module, which `tests.forked` starts at a tenth of the cost."""
    program, *arguments = command
    return [sys.executable, "-m", "beat_the_ai.cli", *arguments] if program == "beat-the-ai" else [*command]
