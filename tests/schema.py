"""New SQLite databases of tests: what the migrations make of an empty one is made once in a process, and copied.

Databases that are not empty, other processes, and PostgreSQL go through every migration, as everybody's do.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from beat_the_ai.databases import database

VERSION = "alembic_version"  # the only table that migrations fill


@pytest.fixture(autouse=True, scope="session")
def migrated_once() -> Iterator[None]:
    schemas: dict[Path, list[str]] = {}
    migrate = database._upgrade

    def upgrade(connection: sa.Connection, migrations: Path) -> None:
        is_new = connection.dialect.name == "sqlite" and not sa.inspect(connection).get_table_names()
        if is_new and migrations in schemas:
            for statement in schemas[migrations]:
                connection.exec_driver_sql(statement)
            return
        migrate(connection, migrations)
        if is_new:
            schemas[migrations] = _schema(connection)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(database, "_upgrade", upgrade)
        yield


def _schema(connection: sa.Connection) -> list[str]:
    """The statements that make an empty database the same."""
    found = connection.execute(sa.text("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL")).all()
    for kind, name, _ in found:
        if kind == "table" and name != VERSION:
            assert connection.exec_driver_sql(f"SELECT 1 FROM {name}").first() is None, f"{name} is filled"
    order = ("table", "index", "trigger")
    made = [sql for _, _, sql in sorted(found, key=lambda row: order.index(row.type))]
    [version] = connection.exec_driver_sql(f"SELECT version_num FROM {VERSION}").scalars()
    return [*made, f"INSERT INTO {VERSION} VALUES ('{version}')"]
