"""A stage that ends before anything was offered leaves nothing that had to be gone on with."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from beat_the_ai.campaign.service.failed_start import Traces
from beat_the_ai.store import Store, open_store
from tests.store.builders import campaign

ENDS = pytest.mark.parametrize("end", [RuntimeError, KeyboardInterrupt, SystemExit])


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(str(tmp_path / "campaign.db"))
    yield opened
    opened.close()


def begin(store: Store, folder: Path, end: type[BaseException], *, offered: bool) -> None:
    with Traces(store, "pilot", folder) as traces:
        store.campaigns.create(campaign())
        folder.mkdir(parents=True)
        if offered:
            traces.stay()
        raise end


@ENDS
@pytest.mark.parametrize("offered", [False, True])
def test_what_fails_or_is_stopped_leaves_only_what_was_offered(
    store: Store, tmp_path: Path, end: type[BaseException], offered: bool
) -> None:
    """Ctrl-C while a model loads, for instance."""
    folder = tmp_path / "mephisto" / "writing"
    with pytest.raises(end):
        begin(store, folder, end, offered=offered)
    assert folder.exists() == offered
    assert list(store.campaigns.ids()) == (["pilot"] if offered else [])
