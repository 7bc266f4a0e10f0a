"""PostgreSQL's own programs: `pg_dump` and `pg_restore`."""

from __future__ import annotations

import errno
import os
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import sqlalchemy as sa

from beat_the_ai.errors import StoreError

DUMP, RESTORE = "pg_dump", "pg_restore"
COPY = re.compile(rb'COPY (?:\w+\.)?"?(\w+)"? \(.*\) FROM stdin;\n')
LIKE = ("--no-owner", "--no-privileges")  # the database belongs to whoever restores it


def check_dump(server: int) -> None:
    """Raise `StoreError` unless there is a `pg_dump` for a server of this major version."""
    version = major_version(DUMP)
    if version < server:
        raise StoreError(
            f"{DUMP} {version} is older than the PostgreSQL {server} of the store. Install postgresql-client-{server}."
        )


def major_version(program: str) -> int:
    """Return the major version of an installed program. Raises `StoreError` where it is missing."""
    if shutil.which(program) is None:
        raise StoreError(f"{program} is missing. Install PostgreSQL's client programs (package postgresql-client).")
    told = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    found = re.search(r"\(PostgreSQL\) (\d+)", told)
    return int(found[1]) if found else 0


def dump(url: sa.URL, snapshot: str, target: Path) -> None:
    """Dump a database as it was at an exported snapshot. Raises `StoreError`, and `OSError` for a full disk."""
    options = ["--format=custom", *LIKE, f"--snapshot={snapshot}", f"--file={target}"]
    _run([DUMP, *options, f"--dbname={_conninfo(url)}"], url, target)


def restore(dumped: Path, url: sa.URL) -> None:
    """Restore a dump into an empty database, all of it or nothing. Raises `StoreError`."""
    major_version(RESTORE)
    options = ["--single-transaction", "--exit-on-error", *LIKE]
    _run([RESTORE, *options, f"--dbname={_conninfo(url)}", str(dumped)], url, dumped)


def rows_in_dump(dumped: Path) -> dict[str, int]:
    """Return the number of rows by table, after reading the whole dump. Raises `StoreError`."""
    major_version(RESTORE)
    counted: Counter[str] = Counter()
    table = None
    command = [RESTORE, "--data-only", "--file=-", str(dumped)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as reading:
        assert reading.stdout is not None
        assert reading.stderr is not None
        for line in reading.stdout:
            if table is None:
                if found := COPY.fullmatch(line):
                    table = found[1].decode()
                    counted[table] += 0
            elif line == b"\\.\n":
                table = None
            else:
                counted[table] += 1
        said = reading.stderr.read().decode(errors="replace")
    if reading.returncode:
        raise StoreError(f"{RESTORE} cannot read the dump: {_last(said)}")
    return dict(counted)


def _run(command: Sequence[str], url: sa.URL, file: Path) -> None:
    environment = {**os.environ, **({} if url.password is None else {"PGPASSWORD": str(url.password)})}
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    if done.returncode and os.strerror(errno.ENOSPC) in done.stderr:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(file))
    if done.returncode:
        raise StoreError(f"{command[0]} failed: {_last(done.stderr)}")


def _last(said: str) -> str:
    return next((line for line in reversed(said.splitlines()) if line.strip()), "it said nothing")[:500]


def _conninfo(url: sa.URL) -> str:
    """Return the connection string of libpq, without the password."""
    values = {"host": url.host, "port": url.port, "user": url.username, "dbname": url.database, **url.query}
    quoted = {key: re.sub(r"(['\\])", r"\\\1", str(value)) for key, value in values.items() if value is not None}
    return " ".join(f"{key}='{value}'" for key, value in quoted.items() if key != "password")
