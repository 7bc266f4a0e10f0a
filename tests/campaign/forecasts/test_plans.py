"""The plan of a round: its HITs and pay are those that `launch` shows."""

from __future__ import annotations

from pathlib import Path

import pytest

from beat_the_ai.campaign.forecasts.plans import plan_of
from beat_the_ai.campaign.money.cost import cost_of
from beat_the_ai.campaign.settings.configuration import read_settings
from beat_the_ai.campaign.settings.planned_round import PlannedRound
from beat_the_ai.rules.stage import Stage
from beat_the_ai.store import Store
from tests.cli.launching import ROOT


@pytest.mark.parametrize(
    ("task", "overrides"),
    [
        ("reading_comprehension", ["round.max_hits=20", "round.reoffers=2", "qualification=paper"]),
        ("nli", ["pay.bonus_cents_per_win=5"]),
        ("quizbowl", []),
    ],
)
def test_a_plan_is_what_a_launch_costs(store: Store, tmp_path: Path, task: str, overrides: list[str]) -> None:
    planned = PlannedRound(store, read_settings(ROOT / "tasks" / task, overrides, out=tmp_path))
    plan, cost = plan_of(planned), cost_of(Stage.WRITING, planned)
    assert plan.hits == cost.hits
    assert plan.contexts * plan.reoffers == cost.again
    assert plan.tariff.with_fee_cents(plan.tariff.terms.reward_cents) == cost.reward_cents + cost.fee_cents
    screening = cost_of(Stage.SCREENING, planned)
    assert (plan.places, plan.screening_reward_cents) == (screening.hits, screening.reward_cents)
    parts = planned.part_sizes()
    if planned.settings.round.max_hits is None:
        each = planned.settings.round.hits_per_context
        assert dict(plan.hits_by_part) == {part: parts[part] * each for part in plan.hits_by_part}


def test_a_plan_with_arms_is_that_of_the_dearest_as_its_cost_is(store: Store, tmp_path: Path) -> None:
    arms = "round.arms={free: {}, paid: {pay: {bonus_cents_per_win: 30}}, more: {round: {max_tries: 60}}}"
    planned = PlannedRound(store, read_settings(ROOT / "tasks" / "reading_comprehension", [arms], out=tmp_path))
    plan, cost = plan_of(planned), cost_of(Stage.WRITING, planned)
    assert plan.tariff.rules.cents_per_win == 30
    assert plan.tariff.largest_bonuses_with_fees_cents == cost.largest_bonuses_cents == 5 * (30 + 6)
    assert "$0.30 for every win" in str(plan.figures()["bonuses"])
