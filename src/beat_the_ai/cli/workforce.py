"""A campaign's workforce, with the crowd's side of it where the crowd has one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from beat_the_ai.payments import MTurkCrowd
from beat_the_ai.payments.crowd import ENDPOINTS
from beat_the_ai.store import Store
from beat_the_ai.workforce import MTurkGate, Workforce


@contextmanager
def workforce_of(
    store: Store, campaign_id: str, endpoint_url: str | None = None, *, needs_qualification: bool = False, **keys: Any
) -> Iterator[Workforce]:
    """At the campaign's own crowd unless another endpoint is named. `keys` are those of `boto3.Session`."""
    crowd_config = store.campaigns.get(campaign_id).config.get("crowd", {})
    provider, endpoint = str(crowd_config.get("provider", "")), endpoint_url or crowd_config.get("endpoint_url")
    if endpoint is None and provider not in ENDPOINTS:
        yield Workforce(store, campaign_id, needs_qualification=needs_qualification)
        return
    crowd = MTurkCrowd.connect(endpoint or ENDPOINTS[provider], **keys)
    try:
        gate = MTurkGate.of_campaign(crowd, campaign_id)
        yield Workforce(store, campaign_id, gate, needs_qualification=needs_qualification)
    finally:
        crowd.close()
