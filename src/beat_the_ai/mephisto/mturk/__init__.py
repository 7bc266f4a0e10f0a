"""Campaigns on a marketplace with the Mechanical Turk protocol, through Mephisto's `mturk` provider."""

from beat_the_ai.mephisto.mturk.provider import PROVIDER_TYPE, CampaignProvider
from beat_the_ai.mephisto.mturk.survey import OfferedHit, Submission, Survey, expire_all, survey, surveys
from beat_the_ai.mephisto.mturk.unit import final_data

__all__ = [
    "PROVIDER_TYPE",
    "CampaignProvider",
    "OfferedHit",
    "Submission",
    "Survey",
    "expire_all",
    "final_data",
    "survey",
    "surveys",
]
