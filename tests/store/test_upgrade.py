"""Stores that older versions wrote."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeAlias

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.config import Config

from beat_the_ai.review import ReviewDesk
from beat_the_ai.review.views import Worker
from beat_the_ai.store import CAMPAIGN_MIGRATIONS, Store, open_store
from beat_the_ai.store.tables import metadata
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.workforce import Reviewing, Workforce
from tests.store.builders import NEW_YEAR, campaign
from tests.workforce.builders import submit

OLDER = sorted(path.name.partition("_")[0] for path in (CAMPAIGN_MIGRATIONS / "versions").glob("[0-9]*.py"))[:-1]
Columns: TypeAlias = dict[sa.Table, list[sa.Column[Any]]]


@pytest.mark.parametrize("version", OLDER)
def test_a_store_of_an_older_version_keeps_its_rows_and_its_queue(empty_url: str, tmp_path: Path, version: str) -> None:
    newest = open_store(str(tmp_path / "newest.db"))
    newest.campaigns.create(campaign())
    submit(newest, "abba")
    Reviewing(BoundCampaign.open(newest, "pilot")).draw()
    for assignment_id in sorted(newest.reviews.draws("pilot"))[1:]:
        newest.reviews.add("pilot", assignment_id, "ann", "reject", "why", NEW_YEAR)
    newest.standings.add("pilot", "b", "qualified", by="ann", reason="why", at=NEW_YEAR)

    columns = make_older(empty_url, version, newest)
    store = open_store(empty_url)
    rows = [rows_of(one, columns) for one in (newest, store)]
    assert rows[0] == rows[1]
    assert all(rows[1][name] for name in ("assignments", "attempts", "reviews", "review_draws", "standing_events"))
    queues = [queue_of(one) for one in (newest, store)]
    assert queues[0] == queues[1]
    assert [(one.worker, one.sampled, one.reviewed) for one in queues[1]] == [("a", 2, 2), ("b", 2, 1)]
    for one in (newest, store):
        one.close()


def make_older(url: str, version: str, newest: Store) -> Columns:
    """Make a store of an older version with the rows of another, as far as it has columns for them."""
    config = Config()
    config.set_main_option("script_location", str(CAMPAIGN_MIGRATIONS))
    engine = sa.create_engine(url)
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, version)
        inspector = sa.inspect(connection)
        there = {name: {one["name"] for one in inspector.get_columns(name)} for name in inspector.get_table_names()}
        columns = {
            table: [column for column in table.c if column.name in there[table.name]]
            for table in metadata.sorted_tables
            if table.name in there
        }
        for name, rows in rows_of(newest, columns).items():
            if rows:
                connection.execute(sa.insert(metadata.tables[name]), [dict(row._mapping) for row in rows])
    engine.dispose()
    return columns


def rows_of(store: Store, columns: Columns) -> dict[str, list[sa.Row[Any]]]:
    with store.database.reading() as connection:
        return {
            table.name: list(connection.execute(sa.select(*known).order_by(*table.primary_key)))
            for table, known in columns.items()
        }


def queue_of(store: Store) -> list[Worker]:
    bound = BoundCampaign.open(store, "pilot")
    desk = ReviewDesk(bound, Workforce(bound), min_reviews=1)
    desk.overview("ann")
    return list(desk.workers("ann", sees_all=True).workers)
