from __future__ import annotations

from collections.abc import Iterator

import pytest

from beat_the_ai.store import Store, open_store


@pytest.fixture
def store(store_url: str) -> Iterator[Store]:
    """A new, empty store; a test that takes it runs once on SQLite and once on PostgreSQL."""
    opened = open_store(store_url)
    yield opened
    opened.close()
