"""A preview of all pages of a campaign's workers, in each of their states, with the campaign's words."""

from beat_the_ai.campaign.preview.server import serve

__all__ = ["serve"]
