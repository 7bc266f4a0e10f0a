"""Databases as they are at one moment, copied while others go on writing.

A read transaction is opened on all of them, one right after the other; only then are they copied, by SQLite's online
backup or by `pg_dump`. A copy is of the moment at which its transaction was opened, however long copying takes.
"""

from __future__ import annotations

import errno
import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from datetime import timedelta
from pathlib import Path
from urllib.parse import quote

import sqlalchemy as sa

from beat_the_ai.databases import postgres_tools
from beat_the_ai.errors import StoreAway, StoreError
from beat_the_ai.files.disk_full import is_full

MAGIC = b"SQLite format 3\0"
JOURNALS = ("-wal", "-shm", "-journal")  # what SQLite puts beside a file
BUSY_SECONDS = 30
PAGES_AT_A_TIME = 2048
VERSION_TABLE = "alembic_version"

Rows = Mapping[str, int]  # by table


def is_sqlite(file: Path) -> bool:
    """Return whether a file is an SQLite database."""
    with file.open("rb") as stream:
        return stream.read(len(MAGIC)) == MAGIC


def place_of(url: str) -> Path | str:
    """Return the file of an SQLite database, and the URL of another one."""
    address = sa.make_url(url)
    is_file = address.get_backend_name() == "sqlite"
    return Path(str(address.database)).resolve() if is_file else address.render_as_string(hide_password=False)


class SqliteSnapshot:
    """A file's database at the moment of `begin`. Raises `StoreError` for a file that is none."""

    def __init__(self, file: Path, stack: ExitStack) -> None:
        self.file = file
        with _read_from(file):
            self._connection = stack.enter_context(closing(connected(file)))
            self._connection.execute("PRAGMA query_only=ON")
            self._connection.execute("SELECT count(*) FROM sqlite_master").fetchone()  # the next read takes no time

    def begin(self) -> None:
        """Open the read transaction. Raises `StoreAway` where the database is locked."""
        try:
            self._connection.execute("BEGIN")
            self._connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        except sqlite3.OperationalError as error:
            raise StoreAway from error

    def copy(self, target: Path, tell: Callable[[int], None]) -> None:
        """Write the database to a new file, and let go of it; `tell` hears of bytes that were copied.

        Raises `OSError`, and `StoreError` for a database that is damaged.
        """
        told = 0

        def pages(_status: int, left: int, total: int) -> None:
            nonlocal told
            done = (total - left) * self.file_bytes // max(1, total)
            tell(done - told)
            told = done

        with _read_from(self.file, target), closing(sqlite3.connect(target, isolation_level=None)) as copy:
            copy.execute("PRAGMA synchronous=OFF")  # it is a draft until it is packed
            self._connection.backup(copy, pages=PAGES_AT_A_TIME, progress=pages)
        self._connection.rollback()

    def rows(self, copy: Path) -> tuple[str | None, Rows]:
        """Return what `rows_in` says of the copy. Raises `StoreError` for a database that is damaged."""
        with _read_from(self.file):
            return rows_in(copy)

    @property
    def file_bytes(self) -> int:
        return self.file.stat().st_size


class PostgresSnapshot:
    """A PostgreSQL database at the moment of `begin`. Whatever else is in that database is a part of it."""

    def __init__(self, url: str, stack: ExitStack) -> None:
        self.url = sa.make_url(url)
        self._name = ""
        engine = sa.create_engine(self.url, isolation_level="REPEATABLE READ", poolclass=sa.NullPool)
        stack.callback(engine.dispose)
        try:
            self._connection = stack.enter_context(engine.connect())
            number = int(self._connection.scalar(sa.text("SHOW server_version_num")))
        except sa.exc.OperationalError as error:
            raise StoreAway from error
        postgres_tools.check_dump(number // 10_000)
        self._connection.rollback()

    def begin(self) -> None:
        self._name = str(self._connection.scalar(sa.text("SELECT pg_export_snapshot()")))

    def copy(self, target: Path, tell: Callable[[int], None]) -> None:
        """Write a dump in `pg_dump`'s custom format. Raises `StoreError` and `OSError`."""
        postgres_tools.dump(self.url, self._name, target)
        tell(target.stat().st_size)

    def rows(self) -> tuple[str | None, Rows]:
        """Return the version of the schema, and the number of rows by table."""
        tables = sorted(sa.inspect(self._connection).get_table_names())
        counted = {name: int(self._connection.exec_driver_sql(_count(name)).scalar_one()) for name in tables}
        version = self._connection.scalar(sa.text(f"SELECT version_num FROM {VERSION_TABLE}"))  # noqa: S608
        return version, counted


Snapshot = SqliteSnapshot | PostgresSnapshot


@contextmanager
def at_one_moment(places: Sequence[Path | str]) -> Iterator[tuple[list[Snapshot], timedelta]]:
    """Yield a snapshot of each SQLite file or PostgreSQL URL, taken in this order, and how long it took to take all.

    Raises `StoreError` for one that cannot be read.
    """
    with ExitStack() as stack:
        snapshots: list[Snapshot] = [
            SqliteSnapshot(place, stack) if isinstance(place, Path) else PostgresSnapshot(place, stack)
            for place in places
        ]
        began = time.perf_counter()
        for snapshot in snapshots:
            snapshot.begin()
        yield snapshots, timedelta(seconds=time.perf_counter() - began)


def connected(file: Path) -> sqlite3.Connection:
    """Connect to an SQLite file that is there; to be closed."""
    address = f"file:{quote(str(file))}?mode=rw"
    return sqlite3.connect(address, uri=True, timeout=BUSY_SECONDS, isolation_level=None)


def rows_in(file: Path) -> tuple[str | None, Rows]:
    """Return the version of an SQLite database's schema, and the number of rows by table."""
    with closing(connected(file)) as connection:
        query = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name"
        names = [str(name) for (name,) in connection.execute(query)]
        counted = {name: int(connection.execute(_count(name)).fetchone()[0]) for name in names}
        if VERSION_TABLE not in names:
            return None, counted
        row = connection.execute(f"SELECT version_num FROM {VERSION_TABLE}").fetchone()  # noqa: S608
        return (None if row is None else str(row[0])), counted


def tables_at(url: str) -> list[str]:
    """Return the tables of a database at a URL. Raises `StoreError` where there is none to ask."""
    try:
        engine = sa.create_engine(url, poolclass=sa.NullPool)
        try:
            return sorted(sa.inspect(engine).get_table_names())
        finally:
            engine.dispose()
    except (sa.exc.ArgumentError, sa.exc.OperationalError, ModuleNotFoundError) as error:
        raise StoreError(f"The database cannot be reached: {getattr(error, 'orig', error)}") from error


def faults_of(file: Path) -> list[str]:
    """Return what SQLite finds damaged in a file; nothing where it is whole."""
    try:
        with closing(connected(file)) as connection:
            found = [str(row[0]) for row in connection.execute("PRAGMA integrity_check(3)")]
    except sqlite3.DatabaseError as error:
        return [str(error)]
    return [] if found == ["ok"] else found


def _count(table: str) -> str:
    quoted = table.replace('"', '""')
    return f'SELECT count(*) FROM "{quoted}"'  # noqa: S608


@contextmanager
def _read_from(file: Path, target: Path | None = None) -> Iterator[None]:
    """Name the database that cannot be read, or where the disk is full."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        if is_full(error):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(target or file)) from error
        raise StoreError(f"The database {file} cannot be read: {error}.") from error
