"""The data card of a campaign, by its settings alone."""

from __future__ import annotations

from pathlib import Path

from beat_the_ai.campaign.settings.configuration import read_settings
from beat_the_ai.campaign.settings.planned_round import PlannedRound
from beat_the_ai.campaign.settings.resume import begin_or_resume
from beat_the_ai.dataset.card import card
from beat_the_ai.dataset.tally import Tally
from beat_the_ai.store import Store
from tests.cli.launching import ROOT

READING = ROOT / "tasks" / "reading_comprehension"


def card_of(store: Store, out: Path, *given: str) -> str:
    return card(begin_or_resume(PlannedRound(store, read_settings(READING, list(given), out=out))), Tally(), {}, [])


def test_the_reward_is_in_the_unit_of_the_crowd(store: Store, tmp_path: Path) -> None:
    text = card_of(store, tmp_path, "crowd=own", "crowd.unit=points", "pay.reward_cents=150")
    assert "- reward: 1.5 points a HIT\n" in text


def test_a_seed_of_0_is_named_too(store: Store, tmp_path: Path) -> None:
    assert "- seed: 0\n" in card_of(store, tmp_path, "seed=0")
