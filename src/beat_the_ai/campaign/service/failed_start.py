"""Undo a start that failed: the campaign in the store, and Mephisto's folder of the stage."""

from __future__ import annotations

import shutil
from pathlib import Path
from types import TracebackType

from beat_the_ai.campaign.settings.planned_round import PlannedRound
from beat_the_ai.terms.campaign import sample_campaign_id


class FailedStartCleanup:
    """`with FailedStartCleanup(...) as cleanup`: remove what is new when the block fails or is stopped, unless `keep`
    was called.

    What others have begun meanwhile stays: another stage in `folder.parent`, a campaign on which somebody worked.
    """

    def __init__(self, planned: PlannedRound, folder: Path) -> None:
        store, campaign_id = planned.store, planned.settings.name
        self._store = store
        self._campaigns = {campaign_id, sample_campaign_id(campaign_id)} - set(store.campaigns.ids())
        self._folder = None if folder.exists() else folder
        self._kept = False

    def keep(self) -> None:
        """Keep everything: something was offered to people, or others may have begun."""
        self._kept = True

    def __enter__(self) -> FailedStartCleanup:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._kept or error is None or self._folder is None:
            return
        shutil.rmtree(self._folder, ignore_errors=True)
        stages = self._folder.parent
        if not stages.exists() or not any(stages.iterdir()):
            for campaign_id in self._campaigns:
                self._store.campaigns.forget(campaign_id)
