"""Machines that this one plays: networks of their own, each with one wire to here, which can be cut."""

from __future__ import annotations

import os
import shutil
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from socket import AF_UNIX, SHUT_RDWR, SHUT_WR, create_server, socket

import pytest

NUMBER = os.getpid() % 200  # of this process's networks, so that runs beside each other have others


def ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True, capture_output=True)


@dataclass(frozen=True)
class Machine:
    """A network namespace; `here` is the address of this machine at the other end of its wire."""

    name: str
    here: str

    def command(self, *command: str) -> list[str]:
        return ["ip", "netns", "exec", self.name, *command]

    def cut(self) -> None:
        ip("link", "set", self.name, "down")

    def mend(self) -> None:
        ip("link", "set", self.name, "up")


@contextmanager
def machine(number: int) -> Iterator[Machine]:
    """Make a machine. Skips the test where networks cannot be made."""
    if os.getuid() != 0 or shutil.which("ip") is None:
        pytest.skip("network namespaces need root and `ip`")
    made = Machine(f"bta{NUMBER}-{number}", f"10.{NUMBER}.{number}.1")
    try:
        ip("netns", "add", made.name)
        ip("link", "add", made.name, "type", "veth", "peer", "name", "wire", "netns", made.name)
    except subprocess.CalledProcessError as error:
        with suppress(subprocess.CalledProcessError):
            ip("netns", "delete", made.name)
        pytest.skip(f"no network namespace can be made here: {error.stderr.decode().strip()}")
    try:
        ip("address", "add", f"{made.here}/24", "dev", made.name)
        made.mend()
        ip("-netns", made.name, "address", "add", f"10.{NUMBER}.{number}.2/24", "dev", "wire")
        ip("-netns", made.name, "link", "set", "wire", "up")
        yield made
    finally:
        ip("netns", "delete", made.name)


class _Relay:
    """Passes TCP connections on to a Unix socket."""

    def __init__(self, listener: socket, to: str) -> None:
        self._sockets, self._to = [listener], to
        self._threads: list[threading.Thread] = []
        self._run(self._accept, listener)

    def _run(self, work: Callable[..., None], *arguments: socket) -> None:
        self._threads.append(threading.Thread(target=work, args=arguments))
        self._threads[-1].start()

    def _accept(self, listener: socket) -> None:
        with suppress(OSError):  # it is shut
            while True:
                near, far = listener.accept()[0], socket(AF_UNIX)
                self._sockets += [near, far]
                far.connect(self._to)
                self._run(_pump, near, far)
                self._run(_pump, far, near)

    def close(self) -> None:
        for one in self._sockets:
            with suppress(OSError):
                one.shutdown(SHUT_RDWR)
        for thread in self._threads:
            thread.join()
        for one in self._sockets:
            one.close()


def _pump(one: socket, other: socket) -> None:
    with suppress(OSError):
        while content := one.recv(65536):
            other.sendall(content)
        other.shutdown(SHUT_WR)


@contextmanager
def passed_on(address: str, to: str) -> Iterator[int]:
    """Pass TCP connections at an address of this machine on to a Unix socket; yields the port."""
    listener = create_server((address, 0))
    with closing(_Relay(listener, to)):
        yield listener.getsockname()[1]
