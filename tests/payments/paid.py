"""A campaign with the pay of a test's choice."""

from __future__ import annotations

from dataclasses import dataclass

from beat_the_ai.store import Store
from beat_the_ai.terms.tariff import Tariffs


@dataclass(frozen=True)
class Paid:
    """A `PaidCampaign` whose terms need not be in the store."""

    store: Store
    id: str
    tariffs: Tariffs
