"""A campaign's workforce, with the crowd's side of it where the crowd has one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from beat_the_ai.campaign.money.crowd import connected, has_crowd
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.workforce import MTurkGate, Workforce


@contextmanager
def workforce_of(
    campaign: BoundCampaign, endpoint_url: str | None = None, *, needs_qualification: bool = False, **keys: Any
) -> Iterator[Workforce]:
    """Yield the workforce, at the campaign's own crowd unless another endpoint is named.

    `keys` are those of `boto3.Session`. A rehearsal names its crowd while it runs: its marketplace ends with it.
    """
    if not has_crowd(campaign, endpoint_url) or (campaign.record.simulated and endpoint_url is None):
        yield Workforce(campaign, needs_qualification=needs_qualification)
        return
    with connected(campaign, endpoint_url, **keys) as requester:
        gate = MTurkGate(requester, campaign.record, campaign.told)
        yield Workforce(campaign, gate, needs_qualification=needs_qualification)
