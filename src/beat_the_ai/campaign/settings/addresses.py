"""The sites that may show a campaign's page, and the names by which it is reached."""

from __future__ import annotations

import os
from urllib.parse import urlsplit

from beat_the_ai.campaign.settings.configuration import Settings

MTURK_SITES = "https://*.mturk.com"
LOOPBACK = ("127.0.0.1", "localhost")


def frame_ancestors(settings: Settings) -> tuple[str, ...]:
    """Return the frame ancestors of the profile; else the address of a crowd that shows the page in a frame."""
    if settings.profile.frame_ancestors is not None:
        return settings.profile.frame_ancestors
    if not settings.crowd.is_marketplace:
        return ("'self'",)
    endpoint = settings.crowd.endpoint_url or os.environ.get("AWS_ENDPOINT_URL_MTURK")
    if not endpoint:
        return (MTURK_SITES,)
    parts = urlsplit(endpoint)
    port = f":{parts.port}" if parts.port else ""
    names = LOOPBACK if parts.hostname in LOOPBACK else (parts.hostname,)
    return tuple(f"{parts.scheme}://{name}{port}" for name in names)


def hosts(settings: Settings) -> tuple[str, ...]:
    """Return the hosts of the profile, and the host to which workers are sent."""
    sent_to = urlsplit(settings.crowd.page_url or "").hostname
    return (*settings.profile.hosts, *([sent_to] if sent_to else []))
