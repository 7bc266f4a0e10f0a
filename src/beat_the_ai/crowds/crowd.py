"""The seam between campaigns and the places where people come from.

A campaign speaks Mechanical Turk's requester protocol to every crowd: it offers HITs, confirms, approves, pays and
grants qualifications through `beat_the_ai.requester`. A crowd says where that API is, with which keys, what has to run
beside the campaign, and which sites show its pages.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, Protocol

from beat_the_ai.terms.crowd import CrowdTerms
from beat_the_ai.terms.rejections import RejectionTerms

if TYPE_CHECKING:
    from beat_the_ai.requester import Requester  # boto3 takes a tenth of a second to import


class Crowd(Protocol):
    """A crowd with a requester API. `rejections` is None where it rejects work for any reason."""

    rejections: RejectionTerms | None

    def connect(self, terms: CrowdTerms, **options: Any) -> Requester:
        """Connect to the requester API; to be closed. `options` are those of `Requester.connect`.

        Raises `InvalidInput` for an address that is none, and `Refused` where the crowd is not set up.
        """

    def has_keys(self, terms: CrowdTerms) -> bool:
        """Return whether there are keys with which requests can be signed."""

    def running(self, terms: CrowdTerms) -> AbstractContextManager[None]:
        """Keep the crowd's own processes running while a stage is served.

        Raises `ProcessFailed` when a process does not start.
        """

    def entrance(self, terms: CrowdTerms, label: str, title: str, *, once: bool) -> str | None:
        """Return the address to which people are sent for the HITs with this label (`Label.campaign`), if any is.

        `once` says that each person does one of them.
        """

    def sites(self, terms: CrowdTerms) -> tuple[str, ...]:
        """Return the origins that show a campaign's page in a frame, as a Content-Security-Policy has them."""
