"""What every test may use: no network but loopback, the real datasets where they lie, a store of each database."""

from __future__ import annotations

import gc
import ipaddress
import os
import shutil
import signal
import ssl
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from beat_the_ai.databases import open_database
from beat_the_ai.store import CAMPAIGN_MIGRATIONS, Store, open_store
from tests.compiled_statements import share_compiled_statements
from tests.memory import keep_temporary_files_in_memory
from tests.postgres import PostgresServer, find_postgres

PLUGINS = ("watchdog", "examples", "schema", "hashes", "shipped_networks", "browser", "slow", "forked.starts")
pytest_plugins = [f"tests.{name}" for name in PLUGINS]
ROOT = Path(__file__).parents[1]
DATABASES = ("sqlite", "postgresql")


class NetworkBlocked(AssertionError):
    """A test tried to reach something that is not this machine."""


def _is_local(host: object) -> bool:
    if host in (None, "", b"", "localhost", b"localhost"):
        return True
    try:
        return ipaddress.ip_address(host.decode() if isinstance(host, bytes) else str(host)).is_loopback
    except ValueError:
        return False


def _guard_network(event: str, args: tuple[Any, ...]) -> None:
    if event in ("socket.connect", "socket.sendto"):
        address = args[1]
        if isinstance(address, tuple) and not _is_local(address[0]):
            raise NetworkBlocked(f"tests may only reach loopback and unix sockets, not {address!r}")
    elif event in ("socket.getaddrinfo", "socket.gethostbyname") and not (
        _is_local(args[0]) or _is_any_address(args[0])
    ):
        raise NetworkBlocked(f"tests may only look up this machine, not {args[0]!r}")


def _is_any_address(host: object) -> bool:
    return host in ("0.0.0.0", "::")  # what a server listens on


def pytest_configure(config: pytest.Config) -> None:
    # Whoever runs the tests in the background of a shell has them ignore Ctrl-C, and with them all that they start.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    keep_temporary_files_in_memory()
    if not hasattr(config, "workerinput"):
        _move_into_a_home_of_its_own(config)
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # several tests share the cores
    # An audit hook sees every socket, whichever library opens it, and nothing has to be patched.
    sys.addaudithook(_guard_network)
    # Each of httpx's many clients would read all certificates, which none of them needs here.
    ssl.create_default_context = cache(ssl.create_default_context)  # type: ignore[assignment]
    share_compiled_statements()
    # What is collected stays until the end: a search for reference cycles in it would find none.
    gc.disable()


def _move_into_a_home_of_its_own(config: pytest.Config) -> None:
    """Give the run, its workers and all that they start a new home: Mephisto and Hugging Face keep files there."""
    os.environ.setdefault("PIP_CACHE_DIR", str(Path("~/.cache/pip").expanduser()))
    home = tempfile.TemporaryDirectory(prefix="home-", ignore_cleanup_errors=True)
    config.add_cleanup(home.cleanup)
    os.environ["HOME"] = home.name


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of other people's datasets, beside the checkout and no part of it."""
    folder = ROOT.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("the real datasets are not there: put them into ../shared/data, beside the checkout")
    return folder


@pytest.fixture(scope="session")
def squad_dev(shared_data: Path) -> Path:
    path = shared_data / "squad" / "dev-v1.1.json"
    if not path.is_file():
        pytest.skip("SQuAD's dev-v1.1.json is not there: put it into ../shared/data/squad")
    return path


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A PostgreSQL server of the test run's own, on a unix socket in a folder of its own."""
    pytest.importorskip("psycopg", reason="PostgreSQL's driver is missing: run `make setup`")
    binaries = find_postgres()
    if binaries is None:
        pytest.skip("PostgreSQL's server is not installed: scripts/install-system-packages postgresql")
    with PostgresServer.started(binaries) as server:
        yield server


class SqliteFiles:
    """New databases with all tables: each is a copy of one that went through the migrations."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._templates: dict[Path, Path] = {}

    def new(self, folder: Path, migrations: Path) -> str:
        """The URL of one in this folder."""
        if migrations not in self._templates:
            template = self._folder / f"{len(self._templates)}.db"
            open_database(f"sqlite:///{template}", migrations).close()
            self._templates[migrations] = template
        return f"sqlite:///{shutil.copy(self._templates[migrations], folder / 'store.db')}"


@pytest.fixture(scope="session")
def sqlite_files(tmp_path_factory: pytest.TempPathFactory) -> SqliteFiles:
    return SqliteFiles(tmp_path_factory.mktemp("templates"))


@pytest.fixture
def migrations() -> Path:
    """By which the databases of tests come to their tables: those of campaigns' stores."""
    return CAMPAIGN_MIGRATIONS


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A new, empty store; the databases' differences are the business of tests/store."""
    opened = open_store(str(tmp_path / "store.db"))
    yield opened
    opened.close()


@pytest.fixture(params=DATABASES)
def store_url(request: pytest.FixtureRequest, tmp_path: Path, migrations: Path) -> Iterator[str]:
    """The URL of a new store without rows; a test that takes it runs once on SQLite and once on PostgreSQL."""
    if request.param == "sqlite":
        files: SqliteFiles = request.getfixturevalue("sqlite_files")
        yield files.new(tmp_path, migrations)
        return
    server: PostgresServer = request.getfixturevalue("postgres")
    with server.database(migrations) as url:
        yield url


@pytest.fixture(params=DATABASES)
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """As `store_url`, without any table."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path}/store.db"
        return
    server: PostgresServer = request.getfixturevalue("postgres")
    with server.database() as url:
        yield url
