"""Connections to the crowd of a campaign."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from typing import Any

from beat_the_ai.crowds import crowd_of
from beat_the_ai.errors import Refused
from beat_the_ai.requester import Requester
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.terms.rejections import RejectionTerms


def has_crowd(campaign: BoundCampaign, endpoint_url: str | None = None) -> bool:
    """Return whether there is a crowd to connect to; Mephisto's `mock` pays nobody."""
    crowd = campaign.crowd
    return bool(endpoint_url or crowd.endpoint_url) or crowd.is_marketplace


def rejections_of(campaign: BoundCampaign) -> RejectionTerms | None:
    """Return what the campaign's crowd asks for before it rejects work; None where it asks for nothing."""
    return crowd_of(campaign.crowd).rejections if campaign.crowd.is_marketplace else None


def requester_of(campaign: BoundCampaign, endpoint_url: str | None = None, **keys: Any) -> Requester:
    """Connect to the campaign's own crowd unless another endpoint is named; to be closed.

    `keys` are those of `boto3.Session`. Raises `Refused` where there is no crowd.
    """
    if not has_crowd(campaign, endpoint_url):
        raise Refused(
            f"It is not known how the crowd {campaign.crowd.provider!r} of campaign {campaign.id!r} pays. "
            "Name its requester API with --endpoint URL."
        )
    terms = campaign.crowd.at(endpoint_url or campaign.crowd.endpoint_url)
    return crowd_of(terms).connect(terms, **keys) if terms.is_marketplace else Requester.connect(endpoint_url, **keys)


@contextmanager
def connected(campaign: BoundCampaign, endpoint_url: str | None = None, **keys: Any) -> Iterator[Requester]:
    """Connect as `requester_of` does, while what the crowd needs on this machine runs."""
    with ExitStack() as parts:
        if endpoint_url is None and campaign.crowd.is_marketplace:
            parts.enter_context(crowd_of(campaign.crowd).running(campaign.crowd))
        yield parts.enter_context(closing(requester_of(campaign, endpoint_url, **keys)))


def check_fees(crowd: Requester, counted: bool) -> None:
    """Raise `Refused` unless the crowd charges fees exactly where the campaign counts them (`pay.fees`)."""
    if crowd.charges_fees() != counted:
        charges = "charges no fees" if counted else "charges fees"
        raise Refused(
            f"The marketplace {charges}, and pay.fees={str(counted).lower()} says otherwise: the campaign's amounts "
            f"would be wrong. Set pay.fees={str(not counted).lower()}, or serve your own marketplace with "
            f"{'--fees' if counted else '--no-fees'}."
        )
