"""Forecasts of campaigns of a crowd with known rates."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import datetime, timezone

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beat_the_ai.errors import InvalidInput
from beat_the_ai.forecast.forecasting import Wishes, forecast
from beat_the_ai.forecast.pilot import Pilot, PilotHit, PilotWriter
from beat_the_ai.forecast.plan import Plan
from beat_the_ai.forecast.records import Forecast
from tests.forecast.crowds import Crowd, plan, tariff

THEN = datetime(2030, 1, 1, tzinfo=timezone.utc)
CAMPAIGNS = 80
WRITERS = 10


def of(pilot: Pilot, planned: Plan, *, draws: int = 200, **wishes: float) -> Forecast:
    return forecast(pilot, planned, THEN, (), Wishes(draws=draws, **wishes))  # type: ignore[arg-type]


def drawn(writers: int, seed: int = 1) -> Pilot:
    return Crowd().pilot(np.random.default_rng(seed), writers)


def test_nine_in_ten_intervals_hold_what_comes() -> None:
    """At a true coverage of 90%, at least 64 of 80 intervals hold with probability 0.997."""
    planned, within = plan(100), Counter[str]()
    for seed in range(CAMPAIGNS):
        draw, crowd = np.random.default_rng(seed), Crowd()
        estimates = of(crowd.pilot(draw, WRITERS), planned, seed=seed).estimates
        for name, value in crowd.outcome(draw, planned).items():
            within[name] += estimates[name].low <= value <= estimates[name].high
    assert within.pop("rewards_cents") == CAMPAIGNS  # certain: each HIT is paid
    assert len(within) == 6
    for name, number in within.items():
        assert number >= 64, (name, number)
    assert 0.85 <= sum(within.values()) / (len(within) * CAMPAIGNS) <= 0.97


def test_a_larger_pilot_tells_more() -> None:
    few, many = (of(drawn(writers), plan(500)).estimates["wins"] for writers in (8, 80))
    assert many.high - many.low < 0.6 * (few.high - few.low)


def test_pilots_whose_writers_differ_tell_less_than_their_hits_seem_to() -> None:
    """With all wins by half of the writers, as many HITs and wins leave a wider interval than with equal writers."""

    def pilot(*wins: int) -> Pilot:
        return Pilot(tuple(PilotWriter(tuple(PilotHit(60, 4, each) for _ in range(5))) for each in wins))

    alike, apart = (of(pilot(*wins), plan(400)).estimates["wins"] for wins in ((1,) * 10, (0, 2) * 5))
    assert (alike.low, alike.high) == (400, 400)
    assert apart.high - apart.low > 150


def test_the_same_seed_gives_the_same_forecast() -> None:
    one, same, other = (of(drawn(10), plan(100), seed=seed) for seed in (3, 3, 4))
    assert one == same != other
    assert Forecast.model_validate_json(one.model_dump_json()) == one


@settings(max_examples=25, deadline=None)
@given(
    writers=st.integers(2, 12),
    hits=st.integers(1, 300),
    reward=st.integers(0, 500),
    places=st.integers(0, 50),
    reoffers=st.integers(0, 2),
    seed=st.integers(0, 100),
)
def test_the_sums_of_a_forecast_agree(
    writers: int, hits: int, reward: int, places: int, reoffers: int, seed: int
) -> None:
    planned = plan(hits, reoffers=reoffers, places=places, pay=tariff(reward))
    found = of(drawn(writers, seed), planned, draws=60, seed=seed)
    estimates = found.estimates
    for one in estimates.values():
        assert one.low <= one.value <= one.high
        assert one.low >= 0
    least, most = hits, hits + reoffers * planned.contexts
    assert least <= estimates["hits"].low <= estimates["hits"].high <= most
    assert estimates["wins"].high <= estimates["attempts"].high
    assert estimates["examples"].high <= estimates["wins"].high
    if reward and not reoffers:
        assert estimates["rewards_cents"].low == estimates["rewards_cents"].high == hits * reward
    if places:
        assert estimates["screening_cents"].value == places * 200
        assert estimates["qualified"].high <= places
    items = [one.low for one in found.cost if one.name not in ("total_cents", "cents_each")]
    assert sum(items) <= estimates["total_cents"].high


def test_offering_again_costs_as_many_hits_as_contexts_have_no_win() -> None:
    never = Pilot(tuple(PilotWriter((PilotHit(60, 3, 0),)) for _ in range(4)))
    estimates = of(never, plan(50, reoffers=1)).estimates
    assert (estimates["hits"].low, estimates["hits"].high, estimates["wins"].high) == (100, 100, 0)
    assert "cents_each" not in estimates


def test_a_large_campaign_is_scaled_from_fewer_hits() -> None:
    small, large = (of(drawn(30), plan(hits), draws=100).estimates["wins"] for hits in (4_000, 400_000))
    assert large.value == pytest.approx(100 * small.value, rel=0.05)


def test_discarded_writers_are_paid_and_write_nothing_that_counts() -> None:
    pilot = drawn(12)
    all_gone = replace(pilot, writers=tuple(replace(writer, discarded=True) for writer in pilot.writers))
    estimates = of(all_gone, plan(100)).estimates
    assert estimates["wins"].high == estimates["examples"].high == 0
    assert estimates["rewards_cents"].low == 100 * 100
    assert estimates["bonuses_cents"].low > 0


def test_works_of_writers_who_are_revoked_early_are_not_checked() -> None:
    pilot = drawn(12)
    gone = tuple(replace(one, discarded=True, asked=0, settled=0, kept=0, votes=0) for one in pilot.writers[:6])
    kept = tuple(replace(one, discarded=False) for one in pilot.writers[6:])
    some = replace(pilot, writers=(*kept, *gone), vote_places=sum(one.votes for one in kept))
    alike = replace(pilot, writers=tuple(replace(one, discarded=False) for one in pilot.writers))
    for name in ("validation_hits", "bonuses_cents"):
        assert of(some, plan(400)).estimates[name].value < 0.95 * of(alike, plan(400)).estimates[name].value
    assert of(some, plan(400)).estimates["rewards_cents"] == of(alike, plan(400)).estimates["rewards_cents"]


def test_nothing_is_known_of_what_nobody_checked() -> None:
    pilot = drawn(12)
    unchecked = replace(
        pilot, writers=tuple(PilotWriter(writer.hits) for writer in pilot.writers), checkers=(), vote_places=0
    )
    found = of(unchecked, plan(400))
    wins = of(pilot, plan(400)).estimates["wins"].value * 0.25
    part = found.estimates["examples_test"]
    assert part.low < 0.2 * wins
    assert part.high > 0.8 * wins
    assert any("Nobody checked works" in line for line in found.assumptions)
    assert "validation_hours" not in found.estimates
    works = found.estimates["validation_hits"].value * 8 / 3
    assert works == pytest.approx(wins, rel=0.15)


def test_the_reward_for_an_hourly_wage_gives_the_median_writer_that() -> None:
    def writer(minutes: float) -> PilotWriter:
        return PilotWriter((PilotHit(minutes * 60, 2, 0),) * 2)

    pilot = Pilot(tuple(map(writer, (4, 6, 12, 20, 30))), wall_hours=2)
    target = of(pilot, plan(100), hourly_cents=1500).hourly_target
    assert target is not None
    assert (target.reward.value, target.share_below) == (300, 0.4)
    paid = of(pilot, plan(100, pay=tariff(300)), hourly_cents=1500)
    assert paid.estimates["hourly_cents"].low <= 1500 <= paid.estimates["hourly_cents"].high
    assert paid.hourly_target == target


def test_what_bonuses_bring_lowers_the_reward_for_an_hourly_wage() -> None:
    pilot = drawn(20)
    rewards = []
    for bonus_cents in (0, 40):
        pay = tariff(bonus_cents=bonus_cents, verified_cents=0)
        target = of(pilot, plan(100, pay=pay), hourly_cents=2000).hourly_target
        assert target is not None
        rewards.append(target.reward.value)
    assert rewards[0] > rewards[1] + 10


def test_simulated_people_have_no_times_unless_they_are_given() -> None:
    pilot = replace(drawn(10), simulated=True)
    found = of(pilot, plan(60))
    assert (found.time, found.pay) == ((), ())
    assert found.assumptions[0].startswith("The source is a rehearsal: simulated people are not people.")
    with pytest.raises(InvalidInput, match="--minutes"):
        of(pilot, plan(60), hourly_cents=1500)
    timed = of(pilot, plan(60), minutes=10, at_once=5).estimates
    assert timed["writing_hours"].low == timed["writing_hours"].high == pytest.approx(10)
    assert timed["writing_ends_hours"].value == pytest.approx(2)


def test_a_pilot_of_one_writer_is_refused() -> None:
    with pytest.raises(InvalidInput, match="a forecast needs 2"):
        of(drawn(1), plan(10))


def test_two_pilots_are_one_with_the_writers_of_both() -> None:
    one, other = drawn(5, 1), drawn(9, 2)
    both = one + other
    assert (len(both.writers), both.hits, both.votes) == (14, one.hits + other.hits, one.votes + other.votes)
    assert (one + replace(other, simulated=True)).simulated
