"""A stage that ends before anything was offered leaves nothing that had to be gone on with."""

from __future__ import annotations

from pathlib import Path

import pytest

from beat_the_ai.campaign.service.failed_start import FailedStartCleanup
from beat_the_ai.campaign.settings.configuration import read_settings
from beat_the_ai.campaign.settings.planned_round import PlannedRound
from beat_the_ai.store import Store
from tests.store.builders import campaign

TASK = Path(__file__).parents[3] / "tasks" / "reading_comprehension"
ENDS = pytest.mark.parametrize("end", [RuntimeError, KeyboardInterrupt, SystemExit])


def begin(store: Store, folder: Path, end: type[BaseException], *, offered: bool) -> None:
    planned = PlannedRound(store, read_settings(TASK, [], name="pilot", out=folder.parent))
    with FailedStartCleanup(planned, folder) as cleanup:
        store.campaigns.create(campaign())
        folder.mkdir(parents=True)
        if offered:
            cleanup.keep()
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
