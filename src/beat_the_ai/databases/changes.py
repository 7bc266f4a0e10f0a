"""A mark of a database that changes when anybody writes to it: cheap enough to be looked at every second."""

from __future__ import annotations

from threading import Lock

import sqlalchemy as sa

from beat_the_ai.databases.database import Database

MARKS = {
    "sqlite": "PRAGMA data_version",  # compares with the last one of the same connection alone
    "postgresql": "SELECT pg_current_wal_insert_lsn()::text",  # of all databases of the server
}


class Changes:
    """The mark of one database. It holds one connection, and no transaction. Safe to use from threads."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._mark = MARKS[database.engine.dialect.name]
        self._lock = Lock()
        self._connection: sa.Connection | None = None

    def mark(self) -> str:
        """Return the mark: another one after somebody has written. Raises `StoreAway`."""
        with self._lock:
            if self._connection is None:
                self._connection = self._database.lasting_connection()
            try:
                return str(self._connection.exec_driver_sql(self._mark).scalar_one())
            except BaseException:
                self._close()
                raise

    def close(self) -> None:
        """Give the connection back."""
        with self._lock:
            self._close()

    def _close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None
