"""How many random examples Hypothesis tries: as many as a test says, or ten times as many (`make thorough`).

No profile has deadlines, nor complains that examples come slowly: other things may keep the machine busy.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

USUAL, THOROUGH = "usual", "thorough"
TIMES_MORE = 10

settings.register_profile(USUAL, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile(THOROUGH, settings.get_profile(USUAL), max_examples=TIMES_MORE * settings().max_examples)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", USUAL))


def examples(usual: int, thorough: int | None = None) -> int:
    """For `max_examples`, where a test needs more or fewer than the hundred that are Hypothesis's default.

    `thorough` is how many it tries in `make thorough`, where that is not ten times as many.
    """
    is_thorough = settings.get_current_profile_name() == THOROUGH
    return (thorough or usual * TIMES_MORE) if is_thorough else usual
