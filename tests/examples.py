"""How many random examples Hypothesis tries: two fifths of what a test says, or ten times as many (`make thorough`).

No profile has deadlines, nor complains that examples come slowly: other things may keep the machine busy.
"""

from __future__ import annotations

import os
from math import ceil

from hypothesis import HealthCheck, settings

USUAL, THOROUGH = "usual", "thorough"
SHARE, TIMES_MORE = 0.4, 10
MOST = settings().max_examples

settings.register_profile(
    USUAL, deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=ceil(SHARE * MOST)
)
settings.register_profile(THOROUGH, settings.get_profile(USUAL), max_examples=TIMES_MORE * MOST)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", USUAL))


def examples(said: int, thorough: int | None = None) -> int:
    """For `max_examples`, where a test needs more or fewer than the hundred that are Hypothesis's default.

    `thorough` is how many it tries in `make thorough`, where that is not ten times as many.
    """
    if settings.get_current_profile_name() == THOROUGH:
        return thorough or said * TIMES_MORE
    return ceil(SHARE * said)
