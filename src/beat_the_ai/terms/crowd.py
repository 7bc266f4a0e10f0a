"""The crowd of a campaign: where its workers come from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict

if TYPE_CHECKING:
    from typing_extensions import Self

LOCAL = "mock"  # Mephisto's provider without a crowd: whoever opens the page is a worker, and nobody is paid


class CrowdTerms(BaseModel):
    """The crowd, as a campaign's record has it.

    `provider` is its Mephisto provider (`beat_the_ai.crowds`), `endpoint_url` the address of its requester API, and
    `people` the store of a crowd of one's own.
    """

    model_config = ConfigDict(frozen=True)

    provider: str = ""
    endpoint_url: str | None = None
    people: str | None = None

    @property
    def is_marketplace(self) -> bool:
        """Return whether it has a requester API, in Mechanical Turk's protocol: it confirms work and pays workers."""
        return self.provider not in ("", LOCAL)

    def at(self, endpoint_url: str | None) -> Self:
        """Return the same crowd at another address."""
        return self.model_copy(update={"endpoint_url": endpoint_url})
