from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext

from beat_the_ai.databases import Database, open_database, shown_place
from beat_the_ai.databases.database import _prepare_sqlite
from beat_the_ai.errors import StoreDamaged, StoreError
from beat_the_ai.marketplace import tables as marketplace_tables
from beat_the_ai.marketplace.market import MIGRATIONS as MARKET_MIGRATIONS
from beat_the_ai.marketplace.market import open_market
from beat_the_ai.store import CAMPAIGN_MIGRATIONS, now, open_store
from beat_the_ai.store.tables import campaigns, metadata
from tests.store.builders import accepted, at_once, attempt, campaign


def problem_with(url: str) -> str:
    with pytest.raises(StoreError) as caught:
        open_store(url)
    return str(caught.value)


@pytest.mark.parametrize(
    ("migrations", "known"),
    [
        pytest.param(CAMPAIGN_MIGRATIONS, metadata, id="store"),
        pytest.param(MARKET_MIGRATIONS, marketplace_tables.metadata, id="marketplace"),
    ],
)
def test_migrations_make_exactly_the_tables_that_the_queries_know(
    empty_url: str, migrations: Path, known: sa.MetaData
) -> None:
    database = open_database(empty_url, migrations)
    with database.engine.connect() as connection:
        options = {"compare_type": True, "compare_server_default": True}
        assert compare_metadata(MigrationContext.configure(connection, opts=options), known) == []
    database.close()


def test_a_store_that_is_opened_again_keeps_what_it_holds(store_url: str) -> None:
    for _ in range(2):
        store = open_store(store_url)
        store.campaigns.create(campaign())
        store.close()
    store = open_store(store_url)
    assert store.campaigns.ids() == ["pilot"]
    store.close()


def test_what_is_read_together_is_of_one_moment(store_url: str) -> None:
    store = open_store(store_url)
    store.campaigns.create(campaign())
    names = sa.select(campaigns.c.id)
    with store.database.reading() as connection:
        assert connection.scalars(names).all() == ["pilot"]
        store.campaigns.create(campaign("another"))
        assert connection.scalars(names).all() == ["pilot"]
    assert store.campaigns.ids() == ["another", "pilot"]
    store.close()


def test_half_of_a_surrogate_pair_is_read_as_it_was_kept(store_url: str) -> None:
    database = open_database(store_url, CAMPAIGN_MIGRATIONS)
    kept = {"text": "\ud800 𝄞", "number": 1e-7}
    with database.writing() as connection:
        values = {"id": "pilot", "task": "t", "seed": 1, "pseudonym_key": "k", "config": kept, "created_at": now()}
        connection.execute(sa.insert(campaigns).values(**values))
    with database.reading() as connection:
        assert connection.scalar(sa.select(campaigns.c.config)) == kept
    database.close()


def test_a_store_and_what_sqlite_puts_beside_it_is_its_owners_alone(tmp_path: Path) -> None:
    for path in (tmp_path / "new.db", tmp_path / "old.db"):
        if path.name == "old.db":
            path.touch(mode=0o644)
            path.chmod(0o644)
        store = open_store(str(path))
        store.campaigns.create(campaign())
        found = sorted(tmp_path.glob(f"{path.name}*"))
        assert [file.name for file in found] == [path.name, f"{path.name}-shm", f"{path.name}-wal"]
        assert {file.stat().st_mode & 0o777 for file in found} == {0o600}
        store.close()


def test_a_new_store_may_be_opened_by_many_processes_at_once(empty_url: str) -> None:
    code = "import sys; from beat_the_ai.store import open_store; sys.stdin.read(1); open_store(sys.argv[1]).close()"
    command = [sys.executable, "-c", code, empty_url]
    processes = [subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(3)]
    for process in processes:
        assert process.stdin
        process.stdin.write(b"!")
        process.stdin.flush()
    outcomes = [(process.communicate(timeout=60)[1], process.returncode) for process in processes]
    assert outcomes == [(b"", 0)] * 3


def test_new_stores_may_be_opened_by_many_threads_at_once(tmp_path: Path) -> None:
    """Some open the same store, some another; Alembic itself keeps what it is doing in module globals."""
    stores = at_once(8, lambda number: open_store(str(tmp_path / f"{number // 2}.db")))
    for number, store in enumerate(stores):
        store.campaigns.create(campaign(f"c{number}"))
    assert [store.campaigns.ids() for store in stores[::2]] == [["c0", "c1"], ["c2", "c3"], ["c4", "c5"], ["c6", "c7"]]
    for store in stores:
        store.close()


def test_a_new_file_may_be_prepared_by_many_connections_at_once(tmp_path: Path) -> None:
    """SQLite answers at once that it is locked, whatever its timeout, to some of them."""

    def connect(file: Path, _number: int) -> object:
        with closing(sqlite3.connect(file, timeout=30)) as connection:
            _prepare_sqlite(connection, None)
            return connection.execute("PRAGMA journal_mode").fetchone()

    for number in range(40):
        file = tmp_path / f"{number}.db"
        assert at_once(8, partial(connect, file)) == [("wal",)] * 8


def test_a_store_at_one_moment_stays_as_it_is_and_takes_nothing(store_url: str) -> None:
    store = open_store(store_url)
    store.campaigns.create(campaign("first"))
    with store.at_one_moment() as then:
        assert then.campaigns.ids() == ["first"]
        store.campaigns.create(campaign("second"))
        store.rounds.close("first", now())
        assert then.campaigns.ids() == ["first"]
        assert not then.rounds.is_closed("first", 1)
        for write in (lambda: then.campaigns.create(campaign("third")), lambda: then.rounds.close("first", now())):
            with pytest.raises(StoreError, match="as it was at one moment"):
                write()
    assert store.rounds.is_closed("first", 1)
    assert store.campaigns.ids() == ["first", "second"]
    store.close()


def test_a_store_of_a_newer_version_is_refused_and_left_as_it_is(store_url: str) -> None:
    database = open_database(store_url, CAMPAIGN_MIGRATIONS)
    with database.writing() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    assert "newer version of the suite" in problem_with(store_url)
    with database.reading() as connection:
        assert connection.scalar(sa.text("SELECT version_num FROM alembic_version")) == "9999"
    database.close()


@pytest.mark.parametrize("version", ["0001", "0025"])
def test_a_store_from_before_the_first_release_names_the_commit_that_reads_it(store_url: str, version: str) -> None:
    database = open_database(store_url, CAMPAIGN_MIGRATIONS)
    with database.writing() as connection:
        connection.execute(sa.text(f"UPDATE alembic_version SET version_num = '{version}'"))
    database.close()
    with pytest.raises(StoreError) as refused:
        open_store(store_url)
    assert f"This store has schema {version}" in str(refused.value)
    assert "The last commit that reads it is 985e763e" in str(refused.value)
    with pytest.raises(StoreError, match="985e763e"):
        open_store(store_url)  # it was left as it is


def test_a_failed_transaction_leaves_nothing(store_url: str) -> None:
    def write_and_fail(database: Database) -> None:
        with database.writing() as connection:
            connection.execute(sa.insert(metadata.tables["campaigns"]).values(campaign().__dict__))
            raise ZeroDivisionError

    database = open_database(store_url, CAMPAIGN_MIGRATIONS)
    with pytest.raises(ZeroDivisionError):
        write_and_fail(database)
    with database.reading() as connection:
        assert connection.scalar(sa.select(sa.func.count()).select_from(metadata.tables["campaigns"])) == 0
    database.close()


def test_ctrl_c_in_the_middle_of_a_statement_is_no_absent_store(store_url: str) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt  # what Python does at a signal, which would be for the whole process

    with closing(open_store(store_url)) as store:
        sa.event.listen(store.database.engine, "do_execute", interrupt)
        with pytest.raises(KeyboardInterrupt), store.database.writing() as connection:
            connection.execute(sa.select(campaigns))
        sa.event.remove(store.database.engine, "do_execute", interrupt)
        with store.database.reading() as connection:
            assert connection.execute(sa.select(campaigns)).all() == []


def test_sqlite_commits_to_disk_and_checks_foreign_keys_on_every_connection(tmp_path: Path) -> None:
    database = open_database(str(tmp_path / "store.db"), CAMPAIGN_MIGRATIONS)

    def pragmas(_: int) -> list[object]:
        with database.reading() as connection:
            names = ("journal_mode", "synchronous", "foreign_keys")
            return [connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in names]

    assert at_once(4, pragmas) == [["wal", 2, 1]] * 4
    database.close()


def test_sqlite_readers_do_not_wait_for_a_writer(tmp_path: Path) -> None:
    store = open_store(str(tmp_path / "store.db"))
    database = open_database(str(tmp_path / "store.db"), CAMPAIGN_MIGRATIONS)
    assignment = accepted(store)
    store.attempts.add(attempt(assignment.id, 1))
    with database.writing() as connection:
        connection.execute(sa.update(metadata.tables["attempts"]).values(fooled=False))
        assert [one.fooled for one in store.attempts.of_assignment(assignment.id)] == [True]
    assert [one.fooled for one in store.attempts.of_assignment(assignment.id)] == [False]
    database.close()
    store.close()


@pytest.mark.parametrize("name", ["store.db", "new folder/of two/store.db", "100%?#é.db"])
def test_a_path_is_an_sqlite_file_whose_folder_is_made(tmp_path: Path, name: str) -> None:
    store = open_store(str(tmp_path / name))
    store.campaigns.create(campaign())
    store.close()
    assert (tmp_path / name).is_file()


def test_a_url_of_no_known_database_is_refused_with_those_that_are() -> None:
    for url in ("nodb://somewhere/store", "mysql://somewhere/store", "://", "postgresql+psycopg:/x://y z"):
        message = problem_with(url)
        assert "sqlite:///FILE" in message
        assert "postgresql+psycopg://" in message


@pytest.mark.parametrize("url", ["nodb://me:s3cret/@host/store", "postgresql+psycopg://me:s3cret@h:port/store"])
def test_a_password_is_never_shown(url: str) -> None:
    assert "s3cret" not in problem_with(url)


def test_an_address_is_shown_without_any_password() -> None:
    url = "postgresql+psycopg://ann:secret@db.example.org/pilot?password=secret&sslpassword=secret&sslmode=require"
    shown = "postgresql+psycopg://ann:***@db.example.org/pilot?sslmode=require"
    assert Database(sa.create_engine(url)).shown_url == shown_place(url) == shown
    assert shown_place("out/a?password=b") == "out/a?password=b"  # a file of that name


def test_a_missing_driver_is_named_with_the_way_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    message = problem_with("postgresql+psycopg://nobody@localhost/store")
    assert "psycopg" in message
    assert "make setup" in message


def test_a_server_that_is_not_there_is_reported(tmp_path: Path) -> None:
    pytest.importorskip("psycopg", reason="PostgreSQL's driver is missing: run `make setup`")
    assert "cannot be opened" in problem_with(f"postgresql+psycopg://nobody:s3cret@/store?host={tmp_path}")


def test_a_file_that_is_no_database_is_reported_and_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("These are notes, not a database. " * 100)
    assert "cannot be opened" in problem_with(str(path))
    assert path.read_text() == "These are notes, not a database. " * 100


def test_a_store_that_is_damaged_later_is_named(tmp_path: Path) -> None:
    file = tmp_path / "campaign.db"
    with closing(open_store(str(file))) as store:
        for path in tmp_path.iterdir():
            path.write_bytes(b"x" * path.stat().st_size)
        with pytest.raises(StoreDamaged, match="until the requester restores a backup"):
            store.campaigns.ids()


def test_a_database_of_something_else_is_reported(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "other.db")
    connection.execute("CREATE TABLE campaigns (name TEXT)")
    connection.close()
    assert "cannot be opened" in problem_with(str(tmp_path / "other.db"))


def test_a_path_that_cannot_be_a_file_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert "cannot be opened" in problem_with(str(tmp_path / "file" / "store.db"))
    assert "cannot be opened" in problem_with(str(tmp_path))


def test_another_kind_of_store_is_named_and_left_as_it_is(tmp_path: Path) -> None:
    market, own = tmp_path / "market.db", tmp_path / "own.db"
    open_market(str(market)).close()
    with closing(sqlite3.connect(own)) as link:
        link.execute("CREATE TABLE recipes (name TEXT)")
    for file, told in ((market, "no table 'campaigns', but access_keys, accounts"), (own, "recipes")):
        before = _schema(file)
        with pytest.raises(StoreError, match=told):
            open_store(str(file))
        assert _schema(file) == before
    open_store(str(tmp_path / "campaign.db")).close()
    with pytest.raises(StoreError, match="no table 'requesters'"):
        open_market(str(tmp_path / "campaign.db"))


def _schema(file: Path) -> list[tuple[str, str]]:
    with closing(sqlite3.connect(file)) as link:
        return sorted(link.execute("SELECT name, coalesce(sql, '') FROM sqlite_master"))


def test_a_store_that_another_process_holds_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("beat_the_ai.databases.database.BUSY_SECONDS", 0.01)
    with closing(sqlite3.connect(tmp_path / "held.db", isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        assert "database is locked. Another process holds it: try again" in problem_with(str(tmp_path / "held.db"))
