"""The record of processing has every column of every table, as one about a person or not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import sqlalchemy as sa

from beat_the_ai.marketplace import tables as marketplace
from beat_the_ai.marketplace.people import erasure as people
from beat_the_ai.store import erasure as campaign
from beat_the_ai.store import tables as store

PAGE = (Path(__file__).parents[1] / "docs" / "reference" / "personal-data.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| `(\w+)` \| ([^|]*) \| ([^|]*) \| ([^|]*) \|$", re.MULTILINE)
STORES = {"The campaign's store": store.metadata, "The store of people": marketplace.metadata}
GONE = {
    "The campaign's store": {table.name for table in campaign.ERASED},
    "The store of people": {table.name for table in people.ERASED} - {"people"},  # where a row without a name stays
}


def rows(title: str) -> dict[str, tuple[list[str], list[str], str]]:
    """Return by table the columns about a person, the others, and what becomes of them."""
    section = PAGE.partition(f"## {title}\n")[2].partition("\n## ")[0]
    return {name: (names(about), names(others), becomes) for name, about, others, becomes in ROW.findall(section)}


def names(cell: str) -> list[str]:
    return re.findall(r"`(\w+)`", cell)


@pytest.mark.parametrize("title", STORES)
def test_every_column_is_in_the_record_once(title: str) -> None:
    recorded = {name: sorted([*about, *others]) for name, (about, others, _) in rows(title).items()}
    assert recorded == {table.name: sorted(table.c.keys()) for table in STORES[title].sorted_tables}


@pytest.mark.parametrize("title", STORES)
def test_the_record_says_which_tables_lose_a_persons_rows(title: str) -> None:
    deleted = {name for name, (_, _, becomes) in rows(title).items() if becomes.startswith("deleted")}
    assert deleted - {"deliveries", "forwarded", "outbox", "tokens"} == GONE[title]


@pytest.mark.parametrize("title", STORES)
def test_a_column_with_a_workers_id_is_about_a_person(title: str) -> None:
    for name, (about, _, _) in rows(title).items():
        table = STORES[title].tables[name]
        ids = {column.name for column in table.c if column.name in ("worker", "worker_id", "writer", "assignment_id")}
        assert ids - {"assignment_id"} <= set(about), name
        assert isinstance(table, sa.Table)
