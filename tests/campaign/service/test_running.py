from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import Mock

import pytest

from beat_the_ai.campaign.service import running as running_module
from beat_the_ai.campaign.service.run_configuration import absence_seconds
from beat_the_ai.campaign.service.running import running
from beat_the_ai.campaign.settings.configuration import read_settings
from beat_the_ai.errors import StoreAway
from beat_the_ai.rules.deadlines import HAND_IN_GRACE
from beat_the_ai.store.rounds import Rounds
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


def test_an_operator_that_a_store_keeps_from_launching_is_stopped(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    @contextmanager
    def model_in_the_loop(*_: object) -> Iterator[tuple[Mock, None]]:
        yield Mock(), None

    operator = Mock(has_offered=False)
    operator.launch.side_effect = StoreAway
    monkeypatch.setattr(running_module, "model_in_the_loop", model_in_the_loop)
    monkeypatch.setattr(running_module, "CampaignOperator", Mock(return_value=operator))
    monkeypatch.setattr(Rounds, "thaw", Mock(side_effect=StoreAway))
    with pytest.raises(StoreAway), running(read_settings(TASK, [], out=tmp_path), page_dir=None):
        pass
    operator.pause.assert_called_once_with()
