from __future__ import annotations

from collections.abc import Iterator

import pytest

from beat_the_ai.requester import Requester
from beat_the_ai.store import Store, open_store
from tests.payments.cash_desk import CashDesk, connect


@pytest.fixture
def store(store_url: str) -> Iterator[Store]:
    """A new, empty store; a test that takes it runs once on SQLite and once on PostgreSQL."""
    opened = open_store(store_url)
    yield opened
    opened.close()


@pytest.fixture
def desk() -> CashDesk:
    return CashDesk()


@pytest.fixture
def crowd(desk: CashDesk) -> Iterator[Requester]:
    """The real client, connected to the desk."""
    with desk.open() as address:
        client = connect(address)
        yield client
        client.close()
