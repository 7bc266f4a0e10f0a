"""Limits of connections: who may come in, and how long each may keep the server waiting.

A connection that has not sent its request costs a file and nothing else. It is closed when its time is up. When the
server is full and another client connects, the longest-waiting connection is closed sooner. So a client with many
half-open connections competes with itself.
"""

from __future__ import annotations

import ipaddress
from asyncio import Transport
from collections import Counter
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Protocol

THIS_MACHINE = ("127.0.0.1", "::1")
IPV6_PREFIX = 64  # what one subscriber has
ON_THEIR_WAY = 32  # connections that were accepted and are not known here yet
SHRINK_SECONDS = 1.0


@dataclass(frozen=True)
class ConnectionLimits:
    """`proxies` forward for others: they may hold any number of connections, and say for whom they ask.

    `connections_per_address` is for everybody else; 0 for any number. `hosts` are names that the server answers to,
    `root_path` is the path under which a proxy has it.
    """

    connections_per_address: int = 256
    proxies: tuple[str, ...] = THIS_MACHINE
    hosts: tuple[str, ...] = ()
    head_seconds: float = 20
    body_seconds: float = 30
    idle_seconds: float = 75  # longer than clients keep an idle connection, so that none writes into a closing one
    unread_seconds: float = 60
    root_path: str = ""

    @property
    def names_proxies(self) -> bool:
        """Return whether somebody has named the proxies. Without that, any program of this machine would be one."""
        return self.proxies != THIS_MACHINE


class Connection(Protocol):
    """A connection that the server can close."""

    def dismiss(self) -> None:
        """Close it, with an answer that says why where one is expected."""

    def abort(self) -> None:
        """Close it at once."""


class Waiting:
    """Connections that owe something, in the order in which their time runs out."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._since: dict[Connection, float] = {}

    def __contains__(self, connection: Connection) -> bool:
        return connection in self._since

    def begin(self, connection: Connection, now: float) -> None:
        """More bytes buy no more time: what has begun goes on."""
        self._since.setdefault(connection, now)

    def end(self, connection: Connection) -> None:
        self._since.pop(connection, None)

    def oldest(self) -> tuple[float, Connection] | None:
        """And since when it has been waited for."""
        return next(((since, connection) for connection, since in self._since.items()), None)

    def overdue(self, now: float) -> list[Connection]:
        late = []
        for connection, since in self._since.items():
            if now - since < self._seconds:
                break
            late.append(connection)
        return late


@dataclass
class Connections:
    """The connections of one server. `capacity` is how many it has files for.

    `unidentified` are WebSockets that have been sent nothing yet: who they are is not known.
    """

    limits: ConnectionLimits
    capacity: int
    heads: Waiting = field(init=False)
    bodies: Waiting = field(init=False)
    idle: Waiting = field(init=False)
    unread: Waiting = field(init=False)
    unidentified: Waiting = field(init=False)
    _full_capacity: int = field(init=False)
    _shrunk_at: float = float("-inf")
    _addresses: dict[Transport, str] = field(default_factory=dict)
    _held: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self._full_capacity = self.capacity
        self.heads, self.bodies = (
            Waiting(self.limits.head_seconds),
            Waiting(self.limits.body_seconds),
        )
        self.idle, self.unread = (
            Waiting(self.limits.idle_seconds),
            Waiting(self.limits.unread_seconds),
        )
        self.unidentified = Waiting(float("inf"))  # the application gives them their time

    def enter(self, transport: Transport, host: str) -> bool:
        """Return whether there is room; a connection that only waits may have to leave for the new one."""
        if transport in self._addresses:  # a WebSocket was an HTTP connection first
            return True
        address, most = subscriber(host), self.limits.connections_per_address
        capped = most > 0 and address not in self.limits.proxies
        if capped and self._held[address] >= most:
            return False
        if len(self._addresses) >= self.capacity and not self.make_room():
            return False
        self._addresses[transport] = address
        self._held[address] += 1
        return True

    def leave(self, transport: Transport) -> None:
        address = self._addresses.pop(transport, None)
        if address is not None:
            self._held[address] -= 1
            if not self._held[address]:
                del self._held[address]

    def make_room(self) -> bool:
        """Close the connection that has kept the server waiting longest; False when all are at work."""
        oldest = [each.oldest() for each in (self.heads, self.bodies, self.idle, self.unidentified)]
        found = min((each for each in oldest if each is not None), key=itemgetter(0), default=None)
        if found is None:
            return False
        found[1].abort()
        return True

    def shrink(self, now: float) -> None:
        """There are fewer files than there seemed to be: make do with what there is, until they come back."""
        if now - self._shrunk_at < SHRINK_SECONDS:
            return
        self._shrunk_at = now
        self.capacity = max(1, len(self._addresses) - ON_THEIR_WAY)
        for _ in range(ON_THEIR_WAY):
            self.make_room()

    def end_waiting(self, connection: Connection) -> None:
        for waiting in (self.heads, self.bodies, self.idle, self.unread, self.unidentified):
            waiting.end(connection)

    def sweep(self, now: float) -> None:
        """Every second or so: close what is overdue."""
        self.capacity = min(self._full_capacity, self.capacity + 1)
        for waiting in (self.heads, self.bodies, self.idle):
            for connection in waiting.overdue(now):
                connection.dismiss()
        for connection in self.unread.overdue(now):
            connection.abort()


def subscriber(host: str) -> str:
    """Return the subscriber of an address: for IPv6 the network, in which one subscriber has all addresses.

    What a proxy names and is no address stands for itself.
    """
    try:
        address = ipaddress.IPv6Address(host.partition("%")[0])
    except ValueError:
        return host
    if address.ipv4_mapped or address.is_loopback:
        return str(address.ipv4_mapped or address)
    return str(ipaddress.IPv6Network((address, IPV6_PREFIX), strict=False).network_address)
