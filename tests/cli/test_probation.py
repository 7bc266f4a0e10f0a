"""A worker's first writing HITs: the configuration says how many, and the crowd whether that matters."""

from __future__ import annotations

from pathlib import Path

import pytest

from beat_the_ai.campaign.service.stages.offer import offer_of
from beat_the_ai.campaign.service.stages.preparation import Preparation
from beat_the_ai.campaign.settings.configuration import load_task, read_settings
from beat_the_ai.campaign.settings.planned_round import PlannedRound
from beat_the_ai.campaign.settings.resume import begin_or_resume
from beat_the_ai.errors import Refused
from beat_the_ai.forms import FormDesk
from beat_the_ai.rules.stage import Stage
from beat_the_ai.store import Store, now, open_store
from beat_the_ai.terms.campaign import BoundCampaign
from beat_the_ai.workforce import Reviewing, Workforce
from tests.writing.fakes import FakeModel

TASK = Path(__file__).parents[2] / "tasks" / "reading_comprehension"


def choose(store: Store, out: Path, worker: str, *options: str) -> None:
    """What a worker's page asks for when it is opened. Raises `Refused`."""
    settings = read_settings(TASK, [*options], out=out, name="pilot")
    campaign = BoundCampaign.open(store, begin_or_resume(PlannedRound(store, settings)).id)
    workforce = Workforce(BoundCampaign.open(store, campaign.id))
    preparation = Preparation(settings, load_task(TASK), campaign, FakeModel(), workforce, FormDesk(campaign, []))
    offer_of(Stage.WRITING, preparation).state.choose_units(worker, [])


def hand_in(store: Store, worker: str, count: int) -> None:
    for hit in sorted(store.campaigns.hits("pilot"))[:count]:
        store.assignments.submit(store.attempts.accept(hit, worker, f"r-{hit}", now())[0].id, None, now())


@pytest.mark.parametrize(("option", "first_hits"), [((), 5), (("qualification.first_hits=2",), 2)])
def test_on_a_marketplace_a_worker_waits_for_the_review_of_the_first_hits(
    tmp_path: Path, option: tuple[str, ...], first_hits: int
) -> None:
    store = open_store(str(tmp_path / "store.db"))
    options = ("crowd=mturk", *option)
    choose(store, tmp_path, "w1", *options)
    hand_in(store, "w1", first_hits - 1)
    choose(store, tmp_path, "w1", *options)
    hand_in(store, "w1", first_hits)
    with pytest.raises(Refused, match="come back later"):
        choose(store, tmp_path, "w1", *options)
    choose(store, tmp_path, "w2", *options)
    reviewing = Reviewing(BoundCampaign.open(store, "pilot"))
    for draw in reviewing.draw():
        reviewing.accept(draw.assignment_id, "ann")
    choose(store, tmp_path, "w1", *options)
    store.close()


@pytest.mark.parametrize("options", [("crowd=mock",), ("crowd=mturk", "qualification.first_hits=null")])
def test_there_is_no_limit_where_whoever_opens_the_page_is_a_worker_or_it_is_switched_off(
    tmp_path: Path, options: tuple[str, ...]
) -> None:
    store = open_store(str(tmp_path / "store.db"))
    choose(store, tmp_path, "w1", *options)
    hand_in(store, "w1", 8)
    choose(store, tmp_path, "w1", *options)
    store.close()
