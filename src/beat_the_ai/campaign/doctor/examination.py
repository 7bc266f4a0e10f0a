"""All checks, in the order in which they are shown."""

from __future__ import annotations

from beat_the_ai.campaign.doctor import crowd, machine, model, storing, task
from beat_the_ai.campaign.doctor.checks import REGISTERED

CHECKS = [
    each for module in (task, machine, storing, model, crowd) for each in REGISTERED if each.place == module.__name__
]
