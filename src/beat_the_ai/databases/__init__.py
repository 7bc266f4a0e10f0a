"""Databases of SQLite and PostgreSQL, whatever is kept in them: campaigns' stores, and the marketplace."""

from __future__ import annotations

from beat_the_ai.databases.columns import Utc
from beat_the_ai.databases.database import Database, Retired, open_database

__all__ = ["Database", "Retired", "Utc", "open_database"]
