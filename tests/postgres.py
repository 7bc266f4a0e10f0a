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

_SETTINGS = ("listen_addresses=", "max_connections=100", "timezone=Asia/Kolkata")


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
    """A running server; `database()` gives one new database after the other."""

    socket_folder: Path
    _control: Callable[..., None]
    _numbers: Iterator[int] = field(default_factory=count)
    _templates: dict[Path, str] = field(default_factory=dict)

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
        """A new database and its URL: empty, or with the tables that `migrations` make. Dropped afterwards."""
        name = f"store{next(self._numbers)}"
        template = "" if migrations is None else f" TEMPLATE {self._template(migrations)}"
        self._execute(f"CREATE DATABASE {name}{template}")
        try:
            yield self._url(name)
        finally:
            self._execute(f"DROP DATABASE {name} WITH (FORCE)")

    def _template(self, migrations: Path) -> str:
        """A database that went through the migrations: made once, and copied."""
        if migrations not in self._templates:
            name = f"template{next(self._numbers)}_"
            self._execute(f"CREATE DATABASE {name}")
            open_database(self._url(name), migrations).close()
            self._templates[migrations] = name
        return self._templates[migrations]

    def _url(self, database: str) -> str:
        return f"postgresql+psycopg://tests@/{database}?host={self.socket_folder}"

    def _execute(self, statement: str) -> None:
        engine = sa.create_engine(self._url("postgres"), isolation_level="AUTOCOMMIT", poolclass=sa.NullPool)
        with engine.connect() as connection:
            connection.execute(sa.text(statement))
