"""Statements that SQLAlchemy compiles once for all databases of a kind; by default it does so for each new one."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, MutableMapping
from typing import Any

import sqlalchemy as sa

Key = tuple[Any, ...]


class CompiledStatements(MutableMapping[Key, Any]):
    """A cache of SQLAlchemy's, whose keys begin with the dialect of one engine."""

    def __init__(self) -> None:
        self._by_statement: dict[Hashable, Any] = {}

    def __getitem__(self, key: Key) -> Any:
        return self._by_statement[_of_every_engine(key)]

    def __setitem__(self, key: Key, compiled: Any) -> None:
        self._by_statement[_of_every_engine(key)] = compiled

    def __delitem__(self, key: Key) -> None:
        del self._by_statement[_of_every_engine(key)]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._by_statement)

    def __len__(self) -> int:
        return len(self._by_statement)


def _of_every_engine(key: Key) -> Hashable:
    dialect, *statement = key
    return type(dialect), dialect._json_deserializer, *statement


def share_compiled_statements() -> None:
    compiled = CompiledStatements()

    @sa.event.listens_for(sa.Engine, "engine_connect")
    def share(connection: sa.Connection) -> None:
        connection.execution_options(compiled_cache=compiled)
