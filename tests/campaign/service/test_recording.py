"""The transcript of a campaign that is served: it grows by itself, and to the end."""

from __future__ import annotations

import logging
import threading
from pathlib import Path

import pytest

from beat_the_ai.campaign.service.recording import recording
from beat_the_ai.dataset.transcript.contents import is_recorded
from beat_the_ai.store import Store, open_store
from beat_the_ai.terms.campaign import BoundCampaign
from tests.validation.written import new_campaign, write

SOON = 0.05


@pytest.fixture
def campaign(tmp_path: Path) -> BoundCampaign:
    store = open_store(str(tmp_path / "store.db"))
    new_campaign(store)
    return BoundCampaign.open(store, "pilot")


def test_it_grows_while_the_campaign_is_served(campaign: BoundCampaign) -> None:
    write(campaign.store)
    with recording(campaign, SOON):
        while not is_recorded(campaign):  # the test has a time limit
            threading.Event().wait(SOON)


def test_it_has_what_was_handed_in_until_the_end(campaign: BoundCampaign) -> None:
    with recording(campaign, 3600):
        write(campaign.store)
    assert is_recorded(campaign)


def test_a_store_that_is_away_ends_nothing(
    campaign: BoundCampaign, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(_store: Store, _campaign_id: str) -> BoundCampaign:
        raise RuntimeError("the disk is on fire")

    monkeypatch.setattr(BoundCampaign, "open", away)
    with caplog.at_level(logging.WARNING), recording(campaign, SOON):
        while "cannot be extended" not in caplog.text:
            threading.Event().wait(SOON)


def test_a_campaign_on_which_nobody_worked_can_be_forgotten(campaign: BoundCampaign) -> None:
    with recording(campaign, 3600):
        pass
    assert campaign.store.transcripts.head("pilot") is not None
    assert campaign.store.campaigns.forget("pilot")
