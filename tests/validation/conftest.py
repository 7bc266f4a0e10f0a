"""Blueprints lie beside the package, as in a checkout that `beat-the-ai` is given a task of."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from beat_the_ai.store import Store, open_store

ROOT = str(Path(__file__).parents[2])
if ROOT not in sys.path:
    sys.path.insert(0, ROOT)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A new, empty store; the databases' differences are the business of tests/store."""
    opened = open_store(str(tmp_path / "store.db"))
    yield opened
    opened.close()
