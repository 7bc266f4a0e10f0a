from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import sqlalchemy as sa

from beat_the_ai.marketplace.clock import FrozenClock
from beat_the_ai.marketplace.market import MIGRATIONS, Market, open_market
from tests.marketplace.rehearsal import Rehearsal, store_in

if TYPE_CHECKING:
    from types_boto3_mturk import MTurkClient

NEW_YEAR = datetime(2026, 1, 1, tzinfo=timezone.utc)


@pytest.fixture(scope="session")
def rehearsal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rehearsal]:
    """One server for all tests that only need a requester and workers of their own."""
    with Rehearsal.started(store_in(tmp_path_factory.mktemp("market"))) as running:
        yield running


@pytest.fixture
def client(rehearsal: Rehearsal) -> MTurkClient:
    """boto3 for a new requester with $100."""
    return rehearsal.client(rehearsal.new_requester())


@pytest.fixture
def migrations() -> Path:
    return MIGRATIONS


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock(NEW_YEAR)


@pytest.fixture
def market(store_url: str, clock: FrozenClock) -> Iterator[Market]:
    """A new, empty marketplace; a test that takes it runs once on SQLite and once on PostgreSQL."""
    opened = open_market(store_url, clock)
    yield opened
    opened.close()


@pytest.fixture
def planned(tmp_path: Any) -> Any:
    """A marketplace on SQLite that notes the plan of every query."""
    market = open_market(f"sqlite:///{tmp_path}/market.db", FrozenClock(NEW_YEAR))
    plans: list[tuple[str, str]] = []

    def note(connection: Any, cursor: Any, statement: str, parameters: Any, *_: Any) -> None:
        if statement.startswith(("SELECT", "UPDATE", "DELETE")):
            explained = cursor.connection.execute(f"EXPLAIN QUERY PLAN {statement}", parameters)
            plans.extend((row[-1], statement) for row in explained)

    sa.event.listen(market._database.engine, "before_cursor_execute", note)
    yield market, plans
    market.close()
