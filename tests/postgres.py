"""A throw-away PostgreSQL server for tests.

It is set up to differ from what a developer's machine hides: texts sort as in English, not by code point, and sessions
live in Kolkata's time zone. It listens on a unix socket only.
"""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from beat_the_ai.databases import open_database
from tests.processes import unowned

Schema = list[tuple[Any, ...]]
_SETTINGS = ("listen_addresses=", "max_connections=100", "timezone=Asia/Kolkata")
_OTHER_SESSIONS = "pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
_IN_USE = f"SELECT count(pg_terminate_backend(pid)) FROM {_OTHER_SESSIONS}"
# The last change of columns, indices, triggers, functions and the version. A copy has the same ids of transactions.
_SCHEMA = " UNION ALL ".join(
    f"SELECT count(*), max(xmin::text::bigint) FROM {catalog}"
    for catalog in ("pg_attribute", "pg_constraint", "pg_trigger", "pg_proc", "alembic_version")
)
_FILLED = (
    "SELECT string_agg(oid::regclass::text, ', ') FROM pg_class WHERE relkind = 'r'"
    " AND relnamespace = 'public'::regnamespace AND relname <> 'alembic_version' AND pg_relation_size(oid) > 0"
)


def find_postgres() -> Path | None:
    """The folder of initdb and pg_ctl: on the path, or where Debian keeps the newest."""
    on_path = shutil.which("initdb")
    if on_path:
        return Path(on_path).parent
    installed = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    return installed[-1].parent if installed else None


def _as_somebody_but_root() -> dict[str, Any]:
    """PostgreSQL refuses to run as root: the arguments of `subprocess.run` that make it somebody else."""
    if os.getuid() != 0:
        return {}
    names = {entry.pw_name for entry in pwd.getpwall()}
    entry = pwd.getpwnam("postgres" if "postgres" in names else "nobody")
    return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}


@contextmanager
def _run_when_closed(script: str, *arguments: str, **options: Any) -> Iterator[None]:
    """Run a shell script when the block ends, or when this process ends in whatever way: nothing is left behind."""
    waiting = ["sh", "-c", f"read -r _; {script}", *arguments]
    quiet: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(waiting, start_new_session=True, env=unowned(), **quiet, **options):
        yield  # leaving the block closes stdin, which `read` waits for


@dataclass
class PostgresServer:
    """A running server; `database()` gives one database after the other."""

    socket_folder: Path
    _control: Callable[..., None]
    _numbers: Iterator[int] = field(default_factory=count)
    _templates: dict[Path, str] = field(default_factory=dict)
    _schemas: dict[Path, Schema] = field(default_factory=dict)
    _emptied: dict[Path, list[str]] = field(default_factory=lambda: defaultdict(list))

    @classmethod
    @contextmanager
    def started(cls, binaries: Path, *, is_durable: bool = False) -> Iterator[PostgresServer]:
        # Not in pytest's folder: only its owner may enter that, and a socket's path may have 107 characters.
        folder = Path(tempfile.mkdtemp(prefix="pg-"))
        someone = _as_somebody_but_root()
        if someone:
            os.chown(folder, someone["user"], someone["group"])

        def run(program: str, *arguments: str) -> None:
            with (folder / "output.log").open("a") as log:
                command = [str(binaries / program), "-D", str(folder / "data"), *arguments]
                options: dict[str, Any] = {"cwd": folder, "env": unowned(), "stdout": log, "stderr": log, **someone}
                status = subprocess.run(command, timeout=120, **options).returncode
            assert status == 0, f"{program} failed: {(folder / 'output.log').read_text()}"

        try:
            run("initdb", "-U", "tests", "-A", "trust", "-E", "UTF8", "--no-sync", "--locale=C.UTF-8",
                "--locale-provider=icu", "--icu-locale=en-US")  # fmt: skip
            options = " ".join(f"-c {setting}" for setting in (*_SETTINGS, f"fsync={'on' if is_durable else 'off'}"))
            run("pg_ctl", "-w", "-l", str(folder / "server.log"), "-o", f"-k {folder} {options}", "start")
            stop = '"$0" -D "$1/data" -w -m immediate stop; rm -rf "$1"'
            with _run_when_closed(stop, str(binaries / "pg_ctl"), str(folder), cwd=folder, **someone):
                yield cls(folder, partial(run, "pg_ctl", "-w"))
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def restart(self) -> None:
        """As whoever installs a new version does: all connections break. The settings stay."""
        self._control("-l", str(self.socket_folder / "server.log"), "-m", "fast", "restart")

    @contextmanager
    def database(self, migrations: Path | None = None) -> Iterator[str]:
        """A database and its URL: empty, or with the tables that `migrations` make.

        One with tables is used again, without their rows: to copy and to drop it is ten times the work. An empty one is
        dropped, and so is one that was altered.
        """
        emptied = [] if migrations is None else self._emptied[migrations]
        name = emptied.pop() if emptied else self._new(migrations)
        try:
            yield self._url(name)
        finally:
            if migrations is not None and self._is_emptied(name, self._schemas[migrations]):
                emptied.append(name)
            else:
                self._execute(f"DROP DATABASE {name} WITH (FORCE)")

    def _new(self, migrations: Path | None) -> str:
        name = f"store{next(self._numbers)}"
        template = "" if migrations is None else f" TEMPLATE {self._template(migrations)} STRATEGY FILE_COPY"
        self._execute(f"CREATE DATABASE {name}{template}")
        return name

    def _is_emptied(self, name: str, schema: Schema) -> bool:
        """Empty a database that has its template's schema, and return true; return false for one that was altered."""
        with self._connected(name) as connection:
            while connection.execute(sa.text(_IN_USE)).scalar_one():
                time.sleep(0.01)
            if _schema(connection) != schema:
                return False
            connection.execute(sa.text("SET session_replication_role = replica"))  # no trigger keeps a row
            if filled := connection.execute(sa.text(_FILLED)).scalar_one():
                connection.execute(sa.text(f"TRUNCATE {filled} RESTART IDENTITY CASCADE"))
            return True

    def _template(self, migrations: Path) -> str:
        """A database that went through the migrations: made once, and copied."""
        if migrations not in self._templates:
            name = f"template{next(self._numbers)}_"
            self._execute(f"CREATE DATABASE {name}")
            open_database(self._url(name), migrations).close()
            with self._connected(name) as connection:
                self._schemas[migrations] = _schema(connection)
            self._templates[migrations] = name
        return self._templates[migrations]

    def _url(self, database: str) -> str:
        return f"postgresql+psycopg://tests@/{database}?host={self.socket_folder}"

    def _execute(self, statement: str) -> None:
        with self._connected("postgres") as connection:
            connection.execute(sa.text(statement))

    @contextmanager
    def _connected(self, database: str) -> Iterator[sa.Connection]:
        engine = sa.create_engine(self._url(database), isolation_level="AUTOCOMMIT", poolclass=sa.NullPool)
        with engine.connect() as connection:
            yield connection


def _schema(connection: sa.Connection) -> Schema:
    return [tuple(row) for row in connection.execute(sa.text(_SCHEMA))]
