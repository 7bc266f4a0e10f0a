from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
import sqlalchemy as sa

from beat_the_ai.errors import LeaseLost, StoreAway
from beat_the_ai.store import CAMPAIGN_MIGRATIONS, LeaseHeld, Store, leases, open_store, tables
from tests.conftest import SqliteFiles
from tests.postgres import PostgresServer
from tests.store.builders import campaign

NAME = "pilot writing 1/1"
LEASE_SECONDS, BEAT_SECONDS = 3, 0.3
HOLD = """
import os
import sys
from beat_the_ai.errors import LeaseLost
from beat_the_ai.store import leases, open_store
from tests.store.builders import campaign

def say(word):
    os.write(1, f"{word}\\n".encode())  # whole, whichever thread says it

leases.BEAT_SECONDS = float(sys.argv[3])
store = open_store(sys.argv[1])
try:
    with store.leases.holding(sys.argv[2], lambda: say("lost")):
        say("held")
        for number, _ in enumerate(sys.stdin):
            try:
                store.campaigns.create(campaign(f"c{number}"))
                say("written")
            except LeaseLost:
                say("refused")
except LeaseLost:
    say("ended")
"""


@pytest.fixture(autouse=True)
def short_leases(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leases, "LEASE_SECONDS", LEASE_SECONDS)
    monkeypatch.setattr(leases, "BEAT_SECONDS", BEAT_SECONDS)


@pytest.fixture
def other(store_url: str) -> Iterator[Store]:
    opened = open_store(store_url)
    yield opened
    opened.close()


class Process:
    """A process that holds the lease, and writes a campaign when it is told to."""

    def __init__(self, command: Sequence[str]) -> None:
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self.says() == "held"

    def says(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()

    def write(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()

    def send(self, number: int) -> None:
        self._process.send_signal(number)

    def end(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            pipe.close()


def started_on(url: str) -> Process:
    return Process([sys.executable, "-c", HOLD, url, NAME, str(BEAT_SECONDS)])


@pytest.fixture
def process(store_url: str) -> Iterator[Process]:
    started = started_on(store_url)
    yield started
    started.kill()


@contextmanager
def held(store: Store) -> Iterator[None]:
    with store.leases.holding(NAME, lambda: None):
        yield


def stranger(store: Store) -> None:
    """Have the holder be a process of another machine, of which nobody here knows whether it lives."""
    with store.database.writing() as connection:
        [holder] = connection.scalars(sa.select(tables.leases.c.holder))
        connection.execute(sa.update(tables.leases).values(holder={**holder, "system": "elsewhere"}))


def test_a_lease_has_one_holder(store: Store, other: Store) -> None:
    with held(store):
        with pytest.raises(LeaseHeld, match=f"process {os.getpid()} on "), held(other):
            pass
        with other.leases.holding("another", lambda: None):
            pass
    with held(other), pytest.raises(LeaseHeld), held(store):
        pass
    with pytest.raises(ValueError), held(other):  # noqa: PT011
        raise ValueError
    with held(store):
        pass


def test_whoever_lives_keeps_the_lease_for_ever(process: Process, store: Store) -> None:
    for pause in (0, LEASE_SECONDS):
        time.sleep(pause)
        with pytest.raises(LeaseHeld), held(store):
            pass
    process.write()
    assert process.says() == "written"


def test_a_holder_that_was_killed_on_this_machine_is_followed_at_once(process: Process, store: Store) -> None:
    process.kill()
    started = time.monotonic()
    with held(store):
        assert time.monotonic() - started < LEASE_SECONDS


def test_a_copy_of_a_folder_that_is_served_is_not_served_beside_it(tmp_path: Path, sqlite_files: SqliteFiles) -> None:
    folder = tmp_path / "original"
    folder.mkdir()
    url = sqlite_files.new(folder, CAMPAIGN_MIGRATIONS)
    process = started_on(url)
    copied = open_store(str(shutil.copytree(folder, tmp_path / "copy") / "store.db"))
    with pytest.raises(LeaseHeld, match="of which this one is a copy"), held(copied):
        pass
    process.kill()
    with held(copied):
        pass
    copied.close()


def test_a_holder_that_was_killed_elsewhere_is_followed_after_the_time_of_its_lease(
    process: Process, store: Store
) -> None:
    process.kill()
    stranger(store)
    started = time.monotonic()
    with held(store):
        assert LEASE_SECONDS <= time.monotonic() - started < 10 * LEASE_SECONDS


def test_a_holder_that_slept_past_its_lease_writes_nothing_and_ends(process: Process, store: Store) -> None:
    process.write()
    assert process.says() == "written"
    process.send(signal.SIGSTOP)
    with held(store):
        process.write()
        process.send(signal.SIGCONT)
        assert sorted([process.says(), process.says()]) == ["lost", "refused"]
        process.end()
        assert process.says() == "ended"
        store.campaigns.create(campaign("by the new holder"))
    assert store.campaigns.ids() == ["by the new holder", "c0"]


def test_a_holder_that_slept_in_the_middle_of_a_transaction_does_not_hold_up_the_next_one_for_ever(
    postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leases, "LONGEST_PAUSE", "1s")
    with postgres.database() as url:
        sleeper, store = open_store(url), open_store(url)
        lease = leases._Lease(sleeper.database, NAME, sleeper.leases._take(NAME))
        stranger(store)
        with sleeper.database.engine.connect() as connection:
            lease.check(connection)  # and then it sleeps
            with held(store):
                store.campaigns.create(campaign())
            with pytest.raises(StoreAway):
                connection.execute(sa.select(1))
        sleeper.database.guard = lease.check
        with pytest.raises(LeaseLost):
            sleeper.leases.check()
        sleeper.close()
        store.close()


def test_a_restart_of_the_database_takes_the_lease_from_nobody(postgres: PostgresServer) -> None:
    with postgres.database(CAMPAIGN_MIGRATIONS) as url:
        process, store = started_on(url), open_store(url)
        try:
            postgres.restart()
            with pytest.raises(LeaseHeld), held(store):
                pass
            process.write()
            assert process.says() == "written"
        finally:
            process.kill()
            store.close()


def gone(store: Store) -> list[str]:
    return [each.name for each in store.leases.abandoned()]


def test_a_lease_is_abandoned_when_its_holder_was_killed_and_not_when_it_gave_it_back(
    store: Store, process: Process
) -> None:
    before = store.changes()
    marks = [before.mark()]
    assert gone(store) == []
    process.kill()
    assert gone(store) == [NAME]
    marks.append(before.mark())
    assert marks[0].endswith(" []")
    assert marks[1].endswith(f" ['{NAME}']")  # a process that was killed writes nothing, and is a change
    with held(store):
        assert gone(store) == []
    assert gone(store) == []
    before.close()


def test_a_holder_elsewhere_has_abandoned_its_lease_when_it_was_silent_for_as_long_as_this_process_looked(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = [100.0]
    watching = leases.Leases(store.database, lambda: at[0])

    def gone() -> list[str]:
        return [each.name for each in watching.abandoned()]

    with store.database.writing() as connection:
        holder = {"machine": "elsewhere", "system": "another boot", "pid": 1, "started": "", "file": ""}
        connection.execute(sa.insert(tables.leases).values(name=NAME, fence=1, beat=1, holder=holder))
    assert gone() == []
    at[0] += 3600  # the database was away, and the holder could not renew it
    monkeypatch.setattr(leases, "LEASE_SECONDS", 2 * leases.LONGEST_GLANCE_SECONDS)
    assert gone() == []
    with store.database.writing() as connection:
        connection.execute(sa.update(tables.leases).values(beat=2))
    for expected in ([], [], [NAME]):
        assert gone() == expected
        at[0] += leases.LONGEST_GLANCE_SECONDS
    with store.database.writing() as connection:
        connection.execute(sa.update(tables.leases).values(beat=3))
    assert gone() == []
