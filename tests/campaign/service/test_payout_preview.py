"""What writers are told of the time after they hand in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from beat_the_ai.campaign.service.hits import create_hits
from beat_the_ai.campaign.service.payout_preview import checked_contexts, outlook_of
from beat_the_ai.campaign.service.stages.validation import validation_desk
from beat_the_ai.campaign.settings.configuration import Settings, read_settings
from beat_the_ai.campaign.settings.planned_round import PlannedRound
from beat_the_ai.campaign.settings.resume import begin_or_resume
from beat_the_ai.store import Store, now, open_store
from beat_the_ai.terms.campaign import BoundCampaign
from tests.payments.builders import submitted

TASK = Path(__file__).parents[3] / "tasks" / "reading_comprehension"
WRITERS = ("A0", "A1", "A2", "A3", "A4", "A5")


@dataclass
class Rig:
    """A store, in which campaigns with six passages are prepared."""

    store: Store
    folder: Path

    def campaign(self, *overrides: str) -> tuple[Settings, BoundCampaign, list[tuple[str, str]]]:
        """With its HITs: (id, passage)."""
        settings = read_settings(TASK, ["round.max_hits=6", *overrides], out=self.folder)
        campaign = begin_or_resume(PlannedRound(self.store, settings))
        return settings, campaign, list(create_hits(PlannedRound(self.store, settings)).hits().items())


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    store = open_store(str(tmp_path / "campaign.db"))
    yield Rig(store, tmp_path)
    store.close()


@pytest.mark.parametrize(
    "overrides",
    [
        ["dataset.train=2"],
        ["dataset.train=2", "dataset.exclusive_writers=[A0,A3]"],
        ["dataset.train=0"],
        ["validation.parts=[train]", "dataset.exclusive_writers=[A0,A3]"],
        ["validation.parts=[]"],
    ],
)
def test_writers_are_told_that_others_check_their_questions_exactly_where_they_do(
    rig: Rig, overrides: list[str]
) -> None:
    settings, campaign, hits = rig.campaign(*overrides)
    outlook = outlook_of(BoundCampaign.open(rig.store, campaign.id), settings)
    told = {}
    for number, ((hit_id, context_id), worker) in enumerate(zip(hits, WRITERS, strict=True)):
        told[context_id] = outlook.is_checked(context_id, worker)
        submitted(rig.store, hit_id, "W", worker=worker, crowd_id=f"3X{number}")
    rig.store.rounds.close(campaign.id, now())
    needs = validation_desk(settings, campaign).needs()
    asked = {need.context_id for need in needs if need.wanted}
    assert {context_id for context_id, is_checked in told.items() if is_checked} == asked


@pytest.mark.parametrize(
    ("task", "overrides", "checks"),
    [
        ("nli", [], "all"),
        ("nli", ["validation.parts=[dev,test]"], "some"),
        ("reading_comprehension", [], "some"),
        ("reading_comprehension", ["dataset.train=0"], "all"),
        ("reading_comprehension", ["dataset.dev=0", "dataset.test=0"], "none"),
        ("reading_comprehension", ["dataset.dev=0", "dataset.test=0", "dataset.exclusive_share=0.1"], "some"),
        ("reading_comprehension", ["validation.parts=[]"], "none"),
        ("quizbowl", [], "none"),
    ],
)
def test_a_preview_is_told_on_how_many_contexts_others_check(task: str, overrides: list[str], checks: str) -> None:
    assert checked_contexts(read_settings(TASK.parent / task, overrides, out=Path("/nowhere"))) == checks


def test_a_new_passage_of_the_training_part_is_not_checked_and_one_of_the_test_part_is(rig: Rig) -> None:
    settings, campaign, hits = rig.campaign("dataset.train=1", "dataset.dev=0", "dataset.test=1")
    outlook = outlook_of(BoundCampaign.open(rig.store, campaign.id), settings)
    assert {outlook.is_checked(context_id, "A1") for _, context_id in hits} == {True, False}
