from __future__ import annotations

from pathlib import Path

from beat_the_ai.campaign.service.run_configuration import absence_seconds
from beat_the_ai.campaign.settings.configuration import read_settings
from beat_the_ai.rules.deadlines import HAND_IN_GRACE
from tests.cli.launching import TASK

HOUR = 3600


def test_a_page_may_be_away_as_long_as_its_hit_has_time(tmp_path: Path) -> None:
    """The crowd takes a HIT back by itself; where there is none the requester may choose less."""
    whole = HOUR + HAND_IN_GRACE.total_seconds()
    for given, seconds in (
        (["crowd=mturk"], whole),
        (["crowd=mturk", "profile.absence_seconds=5"], whole),
        (["crowd=mturk", "profile=production"], whole),
        ([], whole),
        (["profile.absence_seconds=5"], 5),
    ):
        assert absence_seconds(read_settings(TASK, given, out=tmp_path), HOUR) == seconds
