"""A round is frozen once nothing of it is open: neither votes, nor a reviewer's word on a doubt."""

from __future__ import annotations

from pathlib import Path

import pytest

from beat_the_ai.campaign.rounds.snapshot import freeze
from beat_the_ai.dataset.placement import Placement, trial
from beat_the_ai.errors import Refused
from beat_the_ai.store import Campaign, Store, now
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.validation import ValidationDesk
from tests.campaign.configured import config
from tests.validation.written import answer_all, new_desk, passages, write

CONFIG = config(parts=["dev"], dataset={"train": 0, "dev": 1, "test": 0})


@pytest.fixture
def campaign(store: Store) -> Campaign:
    made = store.campaigns.create(Campaign("pilot", "reading_comprehension", 7, "k" * 64, {}, now()), CONFIG)
    store.campaigns.offer("pilot", passages(1), round_number=1, slots=4)
    return made


def validated(desk: ValidationDesk, work: str) -> None:
    for worker in ("v1", "v2", "v3"):
        answer_all(desk, worker, {work: "1807"})


def test_a_round_is_frozen_once_a_reviewer_has_decided_on_its_doubts(
    store: Store, campaign: Campaign, tmp_path: Path
) -> None:
    [doubted] = write(store, answers=("1807",), doubts=["It repeats another question."])
    write(store, writer="other", answers=("Oxbow",), slot=1, fooled=False, doubts=["It is short."])
    store.rounds.close("pilot", now())
    with pytest.raises(Refused, match="A reviewer has to look at 1 works of round 1"):
        freeze(BoundCampaign.open(store, campaign.id), tmp_path, 1)
    store.attempts.settle_doubts(doubted, admitted=True)
    with pytest.raises(Refused, match="Votes are missing for 1 works of round 1"):
        freeze(BoundCampaign.open(store, campaign.id), tmp_path, 1)
    validated(new_desk(store, campaign), doubted)
    assert freeze(BoundCampaign.open(store, campaign.id), tmp_path, 1).parts["dev"].examples == 1


def test_a_doubt_that_a_reviewer_did_not_admit_is_no_open_question(
    store: Store, campaign: Campaign, tmp_path: Path
) -> None:
    [doubted] = write(store, answers=("1807",), doubts=["It repeats another question."])
    store.rounds.close("pilot", now())

    def confirmed() -> bool | None:
        [placed] = Placement(BoundCampaign.open(store, campaign.id)).attempts()
        return trial(placed).confirmed

    assert confirmed() is None
    store.attempts.settle_doubts(doubted, admitted=False)
    assert confirmed() is False
    assert freeze(BoundCampaign.open(store, campaign.id), tmp_path, 1).parts["dev"].examples == 0
