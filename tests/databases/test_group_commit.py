"""Group commit: shared fsyncs, separate fates."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from threading import Event, get_ident

import pytest
import sqlalchemy as sa

from beat_the_ai.databases import Database, open_database
from beat_the_ai.store import CAMPAIGN_MIGRATIONS
from tests.store.builders import at_once

CALLS = 32


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = open_database(str(tmp_path / "store.db"), CAMPAIGN_MIGRATIONS)
    with opened.writing() as connection:
        connection.exec_driver_sql("CREATE TABLE numbers (value INTEGER PRIMARY KEY)")
    yield opened
    opened.close()


def numbers(database: Database) -> list[int]:
    with database.reading() as connection:
        return list(connection.scalars(sa.text("SELECT value FROM numbers ORDER BY value")))


def insert(database: Database, value: int) -> int:
    def transaction(connection: sa.Connection) -> int:
        connection.exec_driver_sql("INSERT INTO numbers VALUES (?)", (value,))
        if value % 2:
            raise ValueError(value)
        return value

    return database.write(transaction)


def test_what_fails_is_undone_alone_and_raised_to_its_own_caller(database: Database) -> None:
    def call(value: int) -> int:
        try:
            return insert(database, value)
        except ValueError as error:
            return -int(error.args[0])

    outcomes = at_once(CALLS, call)
    assert outcomes == [-value if value % 2 else value for value in range(CALLS)]
    assert numbers(database) == list(range(0, CALLS, 2))


def test_transactions_that_wait_share_a_commit(database: Database) -> None:
    commits: list[object] = []
    sa.event.listen(database.engine, "commit", commits.append)
    waiting, go = Event(), Event()

    def hold(_connection: sa.Connection) -> None:
        waiting.set()
        go.wait(30)

    def call(number: int) -> None:
        if number == 0:
            database.write(hold)
        else:
            waiting.wait(30)
            if number == CALLS - 1:
                go.set()
            insert(database, 2 * number)

    at_once(CALLS, call)
    assert len(numbers(database)) == CALLS - 1
    assert len(commits) < CALLS


def test_the_caller_hears_of_it_only_when_others_can_see_it(database: Database) -> None:
    for value in range(0, 20, 2):
        insert(database, value)
        assert value in numbers(database)


def test_a_commit_that_fails_is_raised_to_everyone_who_shared_it(database: Database) -> None:
    def refuse(_connection: sa.Connection) -> None:
        raise OSError("the disk is full")

    sa.event.listen(database.engine, "commit", refuse)
    with pytest.raises(OSError, match="the disk is full"):
        insert(database, 2)
    sa.event.remove(database.engine, "commit", refuse)
    assert numbers(database) == []
    insert(database, 4)
    assert numbers(database) == [4]


def test_a_lonely_transaction_is_run_by_its_own_thread(database: Database) -> None:
    assert database.write(lambda _connection: get_ident()) == get_ident()


def test_a_thread_that_is_interrupted_keeps_nobody_waiting(database: Database) -> None:
    """As by Ctrl-C, whether it writes at that moment or waits for its turn."""
    waiting, go = Event(), Event()

    def interrupted(_connection: sa.Connection) -> None:
        waiting.set()
        go.wait(30)
        raise KeyboardInterrupt

    def call(number: int) -> bool:
        if number == 0:
            with pytest.raises(KeyboardInterrupt):
                database.write(interrupted)
            return True
        waiting.wait(30)
        if number == CALLS - 1:
            go.set()
        return insert(database, 2 * number) == 2 * number

    assert at_once(CALLS, call) == [True] * CALLS
    assert numbers(database) == [2 * number for number in range(1, CALLS)]
    assert insert(database, 2 * CALLS) == 2 * CALLS


def test_a_closed_database_can_be_closed_again(tmp_path: Path) -> None:
    database = open_database(str(tmp_path / "another.db"), CAMPAIGN_MIGRATIONS)
    database.write(lambda connection: connection.exec_driver_sql("CREATE TABLE numbers (value INTEGER)") and None)
    database.close()
    database.close()
