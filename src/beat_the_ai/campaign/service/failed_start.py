"""The traces of a stage's beginning: a campaign in the store, and a folder of Mephisto's."""

from __future__ import annotations

import shutil
from pathlib import Path
from types import TracebackType

from beat_the_ai.store import Store
from beat_the_ai.terms.campaign import sample_campaign_id


class Traces:
    """`with Traces(...) as traces`: what is new is removed when the block fails, or is stopped, unless it was said to
    `stay`.

    What others have begun meanwhile stays: another stage in `folder.parent`, a campaign on which somebody worked.
    """

    def __init__(self, store: Store, campaign_id: str, folder: Path) -> None:
        self._store = store
        self._campaigns = {campaign_id, sample_campaign_id(campaign_id)} - set(store.campaigns.ids())
        self._folder = None if folder.exists() else folder
        self._stays = False

    def stay(self) -> None:
        """Something was offered to people: it must be gone on with."""
        self._stays = True

    def __enter__(self) -> Traces:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._stays or error is None or self._folder is None:
            return
        shutil.rmtree(self._folder, ignore_errors=True)
        stages = self._folder.parent
        if not stages.exists() or not any(stages.iterdir()):
            for campaign_id in self._campaigns:
                self._store.campaigns.forget(campaign_id)
