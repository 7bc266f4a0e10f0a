"""Databases of SQLite and PostgreSQL, whatever is kept in them: campaigns' stores, and the marketplace."""

from __future__ import annotations

from beat_the_ai.databases.changes import Changes
from beat_the_ai.databases.columns import NAMES, Utc
from beat_the_ai.databases.database import (
    Database,
    Retired,
    Schema,
    newest_schema,
    open_database,
    schema_of,
    shown_place,
)

__all__ = [
    "NAMES",
    "Changes",
    "Database",
    "Retired",
    "Schema",
    "Utc",
    "newest_schema",
    "open_database",
    "schema_of",
    "shown_place",
]
