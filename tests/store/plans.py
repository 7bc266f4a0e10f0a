"""How a database would find what it is asked for: the plans of the statements that a call sends."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import sqlalchemy as sa

from beat_the_ai.store import Store
from beat_the_ai.store.tables import metadata

OF_FEW = {  # indices of some rows alone, which may be read from end to end
    index.name
    for table in metadata.tables.values()
    for index in table.indexes
    if index.dialect_options["sqlite"]["where"] is not None
}

OF_CAMPAIGN = r"SEARCH (assignments) USING (?:COVERING )?INDEX (\w+) \(campaign_id=\?\)"  # all there are, as a rule


@contextmanager
def sent(store: Store) -> Iterator[list[tuple[str, Any]]]:
    """The statements that are sent in the block, with their parameters."""
    found: list[tuple[str, Any]] = []

    def keep(_connection: Any, _cursor: Any, statement: str, parameters: Any, *_: Any) -> None:
        found.append((statement, parameters))

    sa.event.listen(store.database.engine, "before_cursor_execute", keep)
    try:
        yield found
    finally:
        sa.event.remove(store.database.engine, "before_cursor_execute", keep)


def read_whole(store: Store, call: Callable[[], object]) -> set[str]:
    """The tables, by their names in the statements, of which the call reads every row."""
    with sent(store) as statements:
        call()
    assert statements, "nothing was asked"
    return {name for statement, parameters in statements for name in _read_whole(store, statement, parameters)}


def _read_whole(store: Store, statement: str, parameters: Any) -> Iterator[str]:
    """What a plan reads by its beginning alone, as for LIMIT, counts as read whole too."""
    if not statement.lstrip().upper().startswith(("SELECT", "WITH", "UPDATE", "INSERT", "DELETE")):
        return
    with store.database.engine.connect() as connection:
        if store.database.engine.dialect.name == "postgresql":
            connection.exec_driver_sql("SET LOCAL enable_seqscan = off")  # tables are too small here for an index
            [plan] = connection.exec_driver_sql(f"EXPLAIN (FORMAT JSON) {statement}", parameters).scalars()
            yield from _in_plan(plan[0]["Plan"])
        else:
            for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters):
                match = re.match(r"SCAN (\w+)(?:.* INDEX (\w+))?", row.detail) or re.match(OF_CAMPAIGN, row.detail)
                if match and match[2] not in OF_FEW:
                    yield match[1]


def _in_plan(node: Mapping[str, Any]) -> Iterator[str]:
    is_looked_up = node.keys() & {"Index Cond", "Recheck Cond", "TID Cond"} or node.get("Index Name") in OF_FEW
    if "Relation Name" in node and not is_looked_up:
        yield node["Relation Name"]
    for inner in node.get("Plans", ()):
        yield from _in_plan(inner)
