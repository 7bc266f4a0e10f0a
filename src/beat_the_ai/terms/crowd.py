"""The crowd of a campaign: where its workers come from."""

from __future__ import annotations

from enum import Enum

from pydantic import BaseModel, ConfigDict


class Crowd(str, Enum):
    """The crowds, by the names of their Mephisto providers."""

    LOCAL = "mock"
    MARKETPLACE = "mturk"


class CrowdTerms(BaseModel):
    """The crowd, as a campaign's record has it, and the address of its requester API."""

    model_config = ConfigDict(frozen=True)

    provider: str = ""
    endpoint_url: str | None = None

    @property
    def is_marketplace(self) -> bool:
        """Return whether it speaks the Mechanical Turk protocol: it confirms submissions and pays workers."""
        return self.provider == Crowd.MARKETPLACE.value
