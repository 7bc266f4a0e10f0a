"""The campaign that is examined, as far as it can be read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from beat_the_ai.campaign.settings.configuration import Settings
from beat_the_ai.errors import BeatTheAIError
from beat_the_ai.terms.locate import served_stages

LOOPBACK = ("127.0.0.1", "::1", "localhost")


@dataclass(frozen=True)
class Subject:
    """A campaign in a folder, or one that would be launched there from a task folder.

    `store` is where its store is, if it has one. `unread` is why there are no settings.
    """

    folder: Path
    store: str | None
    settings: Settings | None
    unread: str | None

    @classmethod
    def of(cls, folder: Path, store: str | None, read: Callable[[], Settings | None]) -> Subject:
        """`read()` gives the settings, or raises what is wrong with them."""
        try:
            return cls(folder.resolve(), store, read(), None)
        except BeatTheAIError as error:
            return cls(folder.resolve(), store, None, str(error))

    @cached_property
    def served(self) -> list[str]:
        """The stages that processes of this machine serve."""
        return served_stages(self.folder) or []
