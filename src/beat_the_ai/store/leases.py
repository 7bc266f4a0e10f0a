"""Leases: of all processes that reach a store, on whatever machine, one holds a lease by its name.

The holder renews its lease: it counts a `beat` up every `BEAT_SECONDS`. Another process may take the lease when the
holder has given it back, has ended on the same machine, or has not counted for `LEASE_SECONDS` while that process
watched. No clocks of two machines are compared, and a restart of the database frees no lease. Each new holder gets a
higher `fence` number. Every transaction that the holder's `Database` writes compares that number first, so a holder
that was suspended while another process took its lease writes nothing.
"""

from __future__ import annotations

import logging
import os
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from beat_the_ai.databases import Database
from beat_the_ai.errors import LeaseLost, StoreAway, StoreError
from beat_the_ai.store.tables import leases

LEASE_SECONDS = 30
BEAT_SECONDS = 2
LOOK_SECONDS = 0.25
LONGEST_GLANCE_SECONDS = 10.0
LONGEST_PAUSE = "60s"  # of a holder in the middle of a transaction, which PostgreSQL then rolls back

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Holder:
    """A process that holds a lease. Process ids of the same `system` can be compared: one boot of one machine.

    `file` is that of its store, for SQLite: a copy of the store is another file.
    """

    machine: str
    system: str
    pid: int
    started: str
    file: str

    @classmethod
    def this(cls, database: Database) -> Holder:
        try:
            boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
            system = f"{boot} {Path('/proc/self/ns/pid').readlink()}"
        except OSError:  # no Linux
            system = ""
        return cls(socket.gethostname()[:80], system, os.getpid(), _started(os.getpid()), _file(database))

    def is_of(self, here: Holder) -> bool:
        """Return True for a process of the same boot of the same machine."""
        return bool(self.system) and self.system == here.system

    def has_ended(self, here: Holder) -> bool:
        """Return True when the holder has surely ended; of a process on another machine nobody can tell from here."""
        if not self.is_of(here):
            return False
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return True
        except PermissionError:  # somebody else's, and there
            return False
        return _started(self.pid) != self.started

    def serves_the_original(self, here: Holder) -> bool:
        """Return True when this store is a copy of one that a live process on this machine serves."""
        return self.is_of(here) and self.file != here.file

    def __str__(self) -> str:
        return f"process {self.pid} on {self.machine}"


@dataclass(frozen=True)
class _Row:
    """A lease as it is stored. One without a holder is free."""

    fence: int
    beat: int
    holder: Holder | None


@dataclass(frozen=True)
class HeldLease:
    """A lease that somebody holds. `beat` changes while they renew it; `pid` is None on another machine."""

    name: str
    beat: tuple[int, int]
    pid: int | None


@dataclass(frozen=True)
class AbandonedLease:
    """A lease that was not given back, and the process that held it."""

    name: str
    holder: str


class LeaseHeld(Exception):  # no error: somebody else was faster
    """Another process holds the lease: its message says which."""


class Leases:
    """The leases in a store, each by its name."""

    def __init__(self, database: Database, clock: Callable[[], float] = time.monotonic) -> None:
        self._database = database
        self._silences = _Silences(clock)

    @contextmanager
    def holding(self, name: str, on_loss: Callable[[], None]) -> Iterator[None]:
        """Hold a lease until the block ends, and write to this store only while it is held.

        Raises `LeaseHeld` when another process holds it. When another process takes it meanwhile, `on_loss` is called
        in a thread of its own, every write raises `LeaseLost`, and so does the end of the block.
        """
        lease = _Lease(self._database, name, self._take(name))
        self._database.guard = lease.check
        try:
            with lease.kept(on_loss):
                yield
        finally:
            self._database.guard = None

    def holders(self) -> list[str]:
        """Return the processes that hold a lease and have not surely ended."""
        here = Holder.this(self._database)
        return [str(of) for _, of in self._not_given_back() if not of.has_ended(here)]

    def held(self) -> list[HeldLease]:
        """Return the leases whose holders have not surely ended."""
        here = Holder.this(self._database)
        return [
            HeldLease(row.name, (row.fence, row.beat), of.pid if of.is_of(here) else None)
            for row, of in self._not_given_back()
            if not of.has_ended(here)
        ]

    def abandoned(self) -> list[AbandonedLease]:
        """Return the leases that were not given back, whose holders have ended or not counted for `LEASE_SECONDS`.

        How long a holder does not count is known from earlier calls: one call alone sees only holders that have ended
        on this machine.
        """
        here, rows = Holder.this(self._database), self._not_given_back()
        silent = self._silences.look({row.name: (row.fence, row.beat) for row, _ in rows})
        return [
            AbandonedLease(row.name, str(of))
            for row, of in rows
            if of.has_ended(here) or silent[row.name] >= LEASE_SECONDS
        ]

    def _not_given_back(self) -> list[tuple[sa.Row[Any], Holder]]:
        query = sa.select(leases).where(leases.c.holder.is_not(None)).order_by(leases.c.name)
        with self._database.reading() as connection:
            return [(row, Holder(**row.holder)) for row in connection.execute(query)]

    def check(self) -> None:
        """Raise `LeaseLost` when this store's lease is lost."""
        with self._database.writing():
            pass

    def _take(self, name: str) -> int:
        """Return the fence number of this process. Raises `LeaseHeld`."""
        seen: _Row | None = None
        looks = 0  # no matter how long each takes: while the database is away the holder cannot renew it
        while True:
            stands = self._take_if_free(name, seen if looks * LOOK_SECONDS >= LEASE_SECONDS else None)
            if isinstance(stands, int):
                return stands
            if seen is None:
                log.info("%s holds the lease on %s; waiting to see if it renews it", stands.holder, name)
                seen = stands
            if stands != seen:
                raise LeaseHeld(str(stands.holder))
            looks += 1
            time.sleep(LOOK_SECONDS)

    def _take_if_free(self, name: str, silent: _Row | None) -> int | _Row:
        """Return the new fence number, or the lease of another process. One that is still as `silent` is free."""
        here = Holder.this(self._database)
        values = {"beat": 0, "holder": asdict(here)}
        with suppress(sa.exc.IntegrityError), self._database.writing() as connection:  # somebody else adds it
            stands = _read(connection, name)
            if stands is None:
                connection.execute(sa.insert(leases).values(name=name, fence=1, **values))
                return 1
            if stands.holder is not None and not stands.holder.has_ended(here):
                if stands.holder.serves_the_original(here):
                    raise LeaseHeld(f"{stands.holder}, in the folder of which this one is a copy")
                if stands != silent:
                    return stands
            if (latest := _read(connection, name, lock=True)) != stands:
                assert latest is not None, "leases stay"
                return latest
            connection.execute(sa.update(leases).filter_by(name=name).values(fence=stands.fence + 1, **values))
            return stands.fence + 1
        return self._take_if_free(name, silent)


class _Silences:
    """The seconds for which leases were seen not to change. Safe to use from threads."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._seen: dict[str, tuple[tuple[int, int], float]] = {}
        self._looked_at = clock()

    def look(self, beats: Mapping[str, tuple[int, int]]) -> Mapping[str, float]:
        """Return by name how long each lease has been as it is.

        The time between two looks counts for `LONGEST_GLANCE_SECONDS` at most: the database may have been away, and a
        holder cannot renew its lease then.
        """
        with self._lock:
            at = self._clock()
            passed, self._looked_at = min(at - self._looked_at, LONGEST_GLANCE_SECONDS), at
            before, self._seen = self._seen, {}
            for name, beat in beats.items():
                known, seconds = before.get(name, (None, 0.0))
                self._seen[name] = (beat, seconds + passed if known == beat else 0.0)
            return {name: seconds for name, (_, seconds) in self._seen.items()}


@dataclass(frozen=True)
class _Lease:
    database: Database
    name: str
    fence: int

    @cached_property
    def _stands(self) -> sa.Select[tuple[int]]:
        """Select this holder's row. On PostgreSQL nobody can take the lease until the transaction ends."""
        query = sa.select(leases.c.fence).filter_by(name=self.name, fence=self.fence)
        if self.database.engine.dialect.name == "postgresql":
            pause = sa.func.set_config("idle_in_transaction_session_timeout", LONGEST_PAUSE, True)
            query = query.add_columns(pause)
        return query.with_for_update(read=True, key_share=True)

    def check(self, connection: sa.Connection) -> None:
        """Raise `LeaseLost` unless this is still the holder."""
        if connection.execute(self._stands).first() is None:
            raise LeaseLost

    @contextmanager
    def kept(self, on_loss: Callable[[], None]) -> Iterator[None]:
        """Renew the lease until the block ends, then give it back. Raises `LeaseLost`."""
        ended = threading.Event()
        beating = threading.Thread(target=self._beat, args=(ended, on_loss), name="lease", daemon=True)
        beating.start()
        try:
            yield
        finally:
            ended.set()
            beating.join()
            try:
                self._set(holder=None)
            except StoreAway as error:
                log.warning("the lease on %s is not given back: %s", self.name, error)

    def _beat(self, ended: threading.Event, on_loss: Callable[[], None]) -> None:
        while not ended.wait(BEAT_SECONDS):
            try:
                self._set(beat=leases.c.beat + 1)
            except LeaseLost:
                log.error("another process has taken the lease on %s: this one stops", self.name)
                on_loss()
                return
            except (StoreError, sa.exc.SQLAlchemyError) as error:  # nobody else gets it meanwhile either
                log.warning("the lease on %s cannot be renewed yet: %s", self.name, error)

    def _set(self, **values: object) -> None:
        mine = sa.update(leases).filter_by(name=self.name).values(**values)
        with self.database.writing() as connection:
            connection.execute(mine)


def _started(pid: int) -> str:
    """Return when a process of this machine was started, in ticks; nothing where that cannot be told."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]
    except OSError:
        return ""


def _file(database: Database) -> str:
    if database.engine.dialect.name != "sqlite":
        return ""
    stat = Path(str(database.engine.url.database)).stat()
    return f"{stat.st_dev} {stat.st_ino}"


def _read(connection: sa.Connection, name: str, *, lock: bool = False) -> _Row | None:
    """Read a lease. With `lock`, wait until the holder's transactions have ended, and let none begin."""
    query = sa.select(leases).filter_by(name=name)
    row = connection.execute(query.with_for_update() if lock else query).one_or_none()
    if row is None:
        return None
    return _Row(row.fence, row.beat, None if row.holder is None else Holder(**row.holder))
