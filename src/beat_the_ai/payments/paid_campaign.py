"""A campaign as those see it who count its money."""

from __future__ import annotations

from typing import Protocol

from beat_the_ai.store import Store
from beat_the_ai.terms.tariff import Tariffs


class PaidCampaign(Protocol):
    """A campaign in a store, with the pay of each of its rounds; `BoundCampaign` is one."""

    @property
    def store(self) -> Store: ...

    @property
    def id(self) -> str: ...

    @property
    def tariffs(self) -> Tariffs: ...
