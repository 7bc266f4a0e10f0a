"""Where a command's CAMPAIGN lies: its folder, its SQLite file, or a database URL."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from beat_the_ai.errors import InvalidInput
from beat_the_ai.store import Store, open_store


@contextmanager
def campaign_store(given: str) -> Iterator[Store]:
    """The open store. A folder or file that is not there is an error, never created."""
    store = open_store(given if "://" in given else str(_file(Path(given))))
    try:
        yield store
    finally:
        store.close()


def _file(path: Path) -> Path:
    file = path / "campaign.db" if path.is_dir() else path
    if not file.is_file():
        raise InvalidInput("CAMPAIGN", f"{path} holds no campaign.db.")
    return file
