"""Opening a database: SQLite by default, PostgreSQL by URL; brought to the newest schema on the way.

SQLite runs in WAL mode with synchronous=FULL: a committed attempt survives a power cut. Writers take the lock at BEGIN
(IMMEDIATE), because a read transaction that turns into a writing one fails at once when another writer came between.
"""

from __future__ import annotations

import contextlib
import json
import re
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar

import pydantic_core
import sqlalchemy as sa

from beat_the_ai.databases.group_commit import GroupCommit
from beat_the_ai.errors import DiskFull, StoreAway, StoreDamaged, StoreError
from beat_the_ai.files.disk_full import is_full
from beat_the_ai.files.permissions import PRIVATE_FILE, make_private

TABLES_SHOWN = 4
BUSY_SECONDS = 30
SQLITE_BUSY = "database is locked"
SQLITE_DAMAGED = ("database disk image is malformed", "file is not a database")
AWAY_SECONDS = 30  # as long as a restart of PostgreSQL takes
TRY_SECONDS = 0.2
# After how long a connection to PostgreSQL that nothing comes through is given up; else it may take hours.
CUT_OFF = {
    "connect_timeout": 10,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 25_000,
}
CONNECTIONS = 64
PASSWORDS = ("password", "sslpassword")  # parameters of libpq

T = TypeVar("T")
_MIGRATING = Lock()  # Alembic keeps its connection in module globals: two threads would migrate each other's stores


class Database:
    """A connection pool with two kinds of transaction: `reading()` and `writing()`.

    `write` is for what many threads do at once: on SQLite they share commits (`group_commit`).

    `guard`, where one is set, looks at each transaction that writes before it begins, and raises what refuses it.
    While PostgreSQL cannot be reached, a transaction waits `away_seconds` for its connection. `StoreAway` comes after
    that, and where a connection breaks in the middle of a transaction.
    """

    guard: Callable[[sa.Connection], None] | None = None
    away_seconds: float = AWAY_SECONDS

    def __init__(self, engine: sa.Engine) -> None:
        self.engine = engine
        is_sqlite = engine.dialect.name == "sqlite"
        alone = {} if is_sqlite else {"isolation_level": "AUTOCOMMIT"}
        one_moment = {} if is_sqlite else {"isolation_level": "REPEATABLE READ"}
        self._single = engine.execution_options(single=True, **alone)
        self._writing = engine.execution_options(writing=True)
        self._reading = engine.execution_options(**one_moment)
        self._group_commit = GroupCommit(self.writing) if is_sqlite else None

    @property
    def url(self) -> str:
        """With its password, where it has one."""
        return self.engine.url.render_as_string(hide_password=False)

    @property
    def shown_url(self) -> str:
        """Its address for people."""
        return shown_place(self.url)

    @contextmanager
    def reading(self) -> Iterator[sa.Connection]:
        """All that is read in the block is of one moment, that of its first query."""
        with _connected(self._reading, self.away_seconds) as connection:
            yield connection

    @contextmanager
    def at_one_moment(self) -> Iterator[Database]:
        """Yield this database as it is at its first query, however often it is read. Nothing is written through it."""
        with self.reading() as connection:
            yield _OneMoment(self.engine, connection)

    def rows(self, statement: sa.Executable, names: Mapping[str, object]) -> Sequence[sa.Row[Any]]:
        """Return the rows of one reading statement, without a transaction: on PostgreSQL two messages less each way."""
        with _connected(self._single, self.away_seconds) as connection:
            return connection.execute(statement, names).all()

    def lasting_connection(self) -> sa.Connection:
        """Return a connection for single statements, which the caller closes. It holds no transaction."""
        return _connected(self._single, self.away_seconds)

    @contextmanager
    def writing(self) -> Iterator[sa.Connection]:
        """Committed when the block ends, rolled back when it raises."""
        with _connected(self._writing, self.away_seconds) as connection, connection.begin():
            if self.guard is not None:
                self.guard(connection)
            yield connection

    def write(self, transaction: Callable[[sa.Connection], T]) -> T:
        """Return what `transaction` returns, once it is durable; raise what it raises, once it is undone.

        It must do nothing but read and write the store: it may be run more than once.
        """
        if self._group_commit is not None:
            return self._group_commit.run(transaction)
        with self.writing() as connection:
            return transaction(connection)

    def by_code_point(self, column: sa.ColumnElement[str]) -> sa.ColumnElement[str]:
        """For ORDER BY and BETWEEN: the same order on every database. PostgreSQL's is that of its server's language."""
        return sa.collate(column, "C") if self.engine.dialect.name == "postgresql" else column

    def is_among(
        self, values: Sequence[sa.ColumnElement[str]], columns: Sequence[sa.Column[str]], *which: sa.ColumnElement[bool]
    ) -> sa.ColumnElement[bool]:
        """For WHERE: whether the values are those of a row `which` the table of the columns has.

        A search for each in the table's index takes SQLite twice as long as to read those rows once, and to look there;
        PostgreSQL does the latter where it pays.
        """
        if self.engine.dialect.name == "sqlite":
            return sa.tuple_(*values).in_(sa.select(*columns).where(*which))
        return sa.exists().where(*which, *(column == value for column, value in zip(columns, values, strict=True)))

    def scrub(self) -> None:
        """Leave nothing of deleted rows in the database's files: neither in free pages nor in the write-ahead log.

        Others may read and write meanwhile; what they hold open for long is waited for. Raises `StoreAway`.
        """
        with _connected(self._single, self.away_seconds) as connection:
            connection.exec_driver_sql("VACUUM")
            if connection.dialect.name != "sqlite":
                return
            deadline = time.monotonic() + BUSY_SECONDS
            while connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)").one()[0]:
                if time.monotonic() > deadline:
                    raise StoreAway
                time.sleep(TRY_SECONDS)

    def close(self) -> None:
        self.engine.dispose()


class _OneMoment(Database):
    """All reading is in one transaction."""

    def __init__(self, engine: sa.Engine, connection: sa.Connection) -> None:
        super().__init__(engine)
        self._connection = connection
        self.guard = _refuse

    @contextmanager
    def reading(self) -> Iterator[sa.Connection]:
        yield self._connection

    def rows(self, statement: sa.Executable, names: Mapping[str, object]) -> Sequence[sa.Row[Any]]:
        return self._connection.execute(statement, names).all()


def _refuse(_connection: sa.Connection) -> None:
    raise StoreError("Nothing is written to what is read as it was at one moment.")


@dataclass(frozen=True)
class Retired:
    """Schema versions that are read no more, and what to do with a database of one of them."""

    versions: frozenset[str]
    advice: str


@dataclass(frozen=True)
class Schema:
    """The version of a database's schema, None where it has none yet, and the newest one that is known here."""

    version: str | None
    newest: str

    @property
    def is_current(self) -> bool:
        return self.version == self.newest

    @property
    def is_older(self) -> bool:
        return self.version is not None and self.version < self.newest

    @property
    def is_newer(self) -> bool:
        return self.version is not None and self.version > self.newest


def schema_of(url: str, migrations: Path) -> Schema:
    """Return how the schema of a database stands, and change nothing. Raises `StoreError`."""
    try:
        engine = _engine(url)
        try:
            with engine.connect() as connection:
                return Schema(_version(connection), newest_schema(migrations))
        finally:
            engine.dispose()
    except (sa.exc.SQLAlchemyError, ModuleNotFoundError, ValueError) as error:
        raise StoreError(f"The store cannot be opened: {getattr(error, 'orig', None) or error}") from error


def open_database(url: str, migrations: Path, mark: str | None = None, retired: Retired | None = None) -> Database:
    """Connect and migrate. `url` is an SQLAlchemy URL or a path of an SQLite file. Raises `StoreError`.

    `migrations` is the Alembic folder of what the database is for; `mark` is a table that every such database has and
    no other kind of store. A database of a `retired` version is refused.
    """
    try:
        with ExitStack() as on_failure:
            engine = _engine(url)
            sa.event.listen(engine, "handle_error", _name_a_full_disk)
            on_failure.callback(engine.dispose)
            _migrate(engine, migrations, mark, retired)
            sa.event.listen(engine, "handle_error", _name_damage)
            sa.event.listen(engine, "handle_error", _name_an_absence)
            if (file := _sqlite_file(engine.url)) is not None:
                _keep_private(file)
            on_failure.pop_all()
    except (sa.exc.ArgumentError, ValueError) as error:
        shown = re.sub("://.*@", "://…@", url)  # without its password
        raise StoreError(f"{shown!r} is not a database URL. Use sqlite:///FILE or postgresql+psycopg://...") from error
    except ModuleNotFoundError as error:
        raise StoreError(f"The driver {error.name} is missing. Run in the checkout: make setup") from error
    except sa.exc.DatabaseError as error:
        mend = ". Another process holds it: try again" if str(error.orig) == SQLITE_BUSY else ""
        raise StoreError(f"The store cannot be opened: {error.orig}{mend}") from error
    except OSError as error:
        raise StoreError(f"The store cannot be opened: {error}") from error
    return Database(engine)


def _engine(url: str) -> sa.Engine:
    address = sa.make_url(url) if "://" in url else sa.URL.create("sqlite", database=url)
    if address.get_backend_name() not in ("sqlite", "postgresql"):
        raise sa.exc.ArgumentError(f"no store is kept in {address.get_backend_name()}")
    if address.get_backend_name() == "postgresql":
        return sa.create_engine(
            address,
            json_deserializer=_from_json,
            connect_args={name: value for name, value in CUT_OFF.items() if name not in address.query},
            pool_pre_ping=True,
            pool_size=16,
        )
    if (file := _sqlite_file(address)) is not None:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch(mode=PRIVATE_FILE)
    engine = sa.create_engine(
        address,
        json_deserializer=_from_json,
        connect_args={"timeout": BUSY_SECONDS, "check_same_thread": False},
        pool_size=CONNECTIONS,
        pool_use_lifo=True,  # each connection keeps pages of its own: few that are used hold less than many
    )
    sa.event.listen(engine, "connect", _prepare_sqlite)
    sa.event.listen(engine, "begin", _begin_sqlite)
    return engine


def _from_json(text: str | bytes) -> Any:
    """pydantic's reader is faster than Python's, which alone reads half of a surrogate pair."""
    try:
        return pydantic_core.from_json(text)
    except ValueError:
        return json.loads(text)


def _name_a_full_disk(context: sa.engine.ExceptionContext) -> None:
    if is_full(context.original_exception):
        raise DiskFull from context.original_exception


def _name_damage(context: sa.engine.ExceptionContext) -> None:
    if str(context.original_exception) in SQLITE_DAMAGED:
        raise StoreDamaged from context.original_exception


def _name_an_absence(context: sa.engine.ExceptionContext) -> None:
    error = context.original_exception
    if not isinstance(error, Exception):  # Ctrl-C, for which SQLAlchemy gives the connection up
        return
    if str(error) == SQLITE_BUSY or context.connection is None or (context.is_disconnect and not context.is_pre_ping):
        raise StoreAway from error


def _connected(engine: sa.Engine, seconds: float) -> sa.Connection:
    """A connection, as soon as there is one. Raises `StoreAway` after some seconds."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            return engine.connect()
        except StoreAway:
            if time.monotonic() > deadline:
                raise
            time.sleep(TRY_SECONDS)


def _sqlite_file(address: sa.URL) -> Path | None:
    on_disk = address.get_backend_name() == "sqlite" and address.database not in (None, "", ":memory:")
    return Path(str(address.database)) if on_disk else None


def _keep_private(file: Path) -> None:
    """Workers' ids, keys and secrets are in it: nobody but its owner reads it, or what SQLite puts beside it."""
    for path in (file, *(file.with_name(file.name + ending) for ending in ("-wal", "-shm"))):
        with contextlib.suppress(FileNotFoundError, PermissionError):  # somebody else's stays as they made it
            make_private(path)


def _prepare_sqlite(connection: Any, _record: object) -> None:
    connection.isolation_level = None  # transactions are begun below, not by the driver
    _use_write_ahead_log(connection)
    for pragma in ("synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")


def _use_write_ahead_log(connection: Any) -> None:
    """Wait for others that do the same to a new file, for which SQLite's own timeout does not count."""
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if SQLITE_BUSY not in str(error) or time.monotonic() > deadline:
                raise
            time.sleep(TRY_SECONDS)
        else:
            return


def _begin_sqlite(connection: sa.Connection) -> None:
    options = connection.get_execution_options()
    if not options.get("single", False):
        connection.exec_driver_sql("BEGIN IMMEDIATE" if options.get("writing", False) else "BEGIN")


def _migrate(engine: sa.Engine, migrations: Path, mark: str | None, retired: Retired | None) -> None:
    # Connected before: a server that does not answer keeps no other store from being opened.
    with engine.execution_options(writing=True).connect() as connection, _MIGRATING, connection.begin():
        if engine.dialect.name == "postgresql":
            connection.execute(sa.text("SELECT pg_advisory_xact_lock(20200813)"))
        if mark is not None:
            _check_kind(connection, mark)
        version = _version(connection)
        if retired is not None and version in retired.versions:
            raise StoreError(f"This store has schema {version}, which this version does not read. {retired.advice}")
        if version != newest_schema(migrations):
            _upgrade(connection, migrations)


def _check_kind(connection: sa.Connection, mark: str) -> None:
    """Raise `StoreError` for a database that was made for something else: migrating would write into it.

    On PostgreSQL extensions have tables, too.
    """
    inspector = sa.inspect(connection)
    if inspector.has_table(mark):
        return
    others = set(inspector.get_table_names())
    if "alembic_version" in others or (others and connection.dialect.name == "sqlite"):
        shown = ", ".join(sorted(others)[:TABLES_SHOWN])
        raise StoreError(
            f"This database is another kind of store: it has no table {mark!r}, but {shown}. A campaign's lies in its "
            "folder (private/campaign.db); a marketplace's is what `marketplace serve --store` names."
        )


def _version(connection: sa.Connection) -> str | None:
    """Return the schema version of the store, by Alembic's table. Importing Alembic itself takes long."""
    if not sa.inspect(connection).has_table("alembic_version"):
        return None
    version: str | None = connection.scalar(sa.text("SELECT version_num FROM alembic_version"))
    return version


def shown_place(place: Path | str) -> str:
    """Return a path, or a database's address for people: without a password, which libpq takes as a parameter, too."""
    if isinstance(place, Path) or "://" not in place:
        return str(place)
    return sa.make_url(place).difference_update_query(PASSWORDS).render_as_string(hide_password=True)


def newest_schema(migrations: Path) -> str:
    """Return the version to which these migrations lead."""
    return max(path.name for path in (migrations / "versions").glob("[0-9]*.py")).partition("_")[0]


def _upgrade(connection: sa.Connection, migrations: Path) -> None:
    from alembic import command
    from alembic.config import Config
    from alembic.util import CommandError

    config = Config()
    config.set_main_option("script_location", str(migrations).replace("%", "%%"))
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, "head")
    except CommandError as error:
        raise StoreError(
            "This store is of another kind (a marketplace's is no campaign's), or was written by a newer version of "
            f"the suite: {error}"
        ) from error
