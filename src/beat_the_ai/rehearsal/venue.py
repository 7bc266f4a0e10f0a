"""The venue of a rehearsal: where its simulated people come from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Protocol

from beat_the_ai.campaign.settings.configuration import Settings
from beat_the_ai.process.child import Child
from beat_the_ai.rehearsal.processes import MarketplaceProcess, heavy_faults
from beat_the_ai.simulation.marketplace import Account, enrol, portal_workplaces
from beat_the_ai.simulation.workplaces import Workplaces


class Venue(Protocol):
    """The servers of a crowd, and its people."""

    @property
    def keys(self) -> Mapping[str, str]:
        """The requester's keys."""

    @property
    def servers(self) -> Sequence[Child]:
        """The processes, which can be killed and started again."""

    def located(self, settings: Settings) -> Settings:
        """Return the settings with the addresses of this venue."""

    def enrol(self, names: Sequence[str]) -> list[Account]:
        """Make workers with these ids, unless they exist."""

    def workplaces(self, accounts: Sequence[Account]) -> Workplaces:
        """Return the workplaces of these workers."""

    def begin_faults(self, seed: int) -> None:
        """Let requests fail and replies be lost."""

    def end_faults(self) -> None:
        """Let everything work again, as far as the requester and workers notice."""

    def follows(self) -> bool:
        """Return whether the people are shown what the requester offers by now."""

    def settle(self) -> Mapping[str, int] | None:
        """Wait until everybody is paid. Return the cents by worker, where somebody else than the marketplace pays."""


class MarketplaceVenue:
    """A marketplace of the rehearsal's own, with workers who sign in to its portal."""

    def __init__(self, market: MarketplaceProcess) -> None:
        self._market = market
        self.servers = (market,)

    @classmethod
    @contextmanager
    def opened(cls, private: Path, settings: Settings) -> Iterator[MarketplaceVenue]:
        market = MarketplaceProcess(private / "marketplace.db", settings.pay.cap_cents, fees=settings.pay.fees)
        with ExitStack() as parts:
            yield cls(parts.enter_context(market))

    @property
    def keys(self) -> Mapping[str, str]:
        return self._market.keys

    def located(self, settings: Settings) -> Settings:
        return settings.at_marketplace(self._market.address)

    def enrol(self, names: Sequence[str]) -> list[Account]:
        return enrol(self._market.address, self._market.control_token, names)

    def workplaces(self, accounts: Sequence[Account]) -> Workplaces:
        return portal_workplaces(self._market.address, accounts)

    def begin_faults(self, seed: int) -> None:
        self._market.switch_faults(heavy_faults(seed))

    def end_faults(self) -> None:
        self._market.switch_faults({"rules": []})

    def follows(self) -> bool:
        return True

    def settle(self) -> None:
        """The marketplace pays at once."""
