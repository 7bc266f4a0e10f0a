"""What tests of terms share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from beat_the_ai.store import Store, open_store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(str(tmp_path / "store.db"))
    yield opened
    opened.close()
