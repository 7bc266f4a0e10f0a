"""The sites that may show a campaign's page, and the names by which it is reached."""

from __future__ import annotations

from urllib.parse import urlsplit

from beat_the_ai.campaign.settings.configuration import Settings
from beat_the_ai.crowds import crowd_of


def frame_ancestors(settings: Settings) -> tuple[str, ...]:
    """Return the frame ancestors of the profile; else the sites of a crowd that shows the page in a frame."""
    if settings.profile.frame_ancestors is not None:
        return settings.profile.frame_ancestors
    return crowd_of(settings.crowd).sites(settings.crowd) if settings.crowd.is_marketplace else ("'self'",)


def hosts(settings: Settings) -> tuple[str, ...]:
    """Return the hosts of the profile, and the host to which workers are sent."""
    sent_to = urlsplit(settings.crowd.page_url or "").hostname
    return (*settings.profile.hosts, *([sent_to] if sent_to else []))
