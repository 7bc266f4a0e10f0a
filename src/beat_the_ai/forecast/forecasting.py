"""The forecast of a planned campaign from a pilot."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np

from beat_the_ai.errors import InvalidInput
from beat_the_ai.forecast.drawing import Figures, Numbers, PilotArrays, Pools, drawn_campaigns
from beat_the_ai.forecast.pilot import Pilot
from beat_the_ai.forecast.plan import Plan
from beat_the_ai.forecast.records import AMOUNT, HOURS, NUMBER, SHARE, Estimate, Forecast, HourlyTarget, Source
from beat_the_ai.statistics.resampling import expanded_interval

CONFIDENCE = 0.9
DRAWS = 1000
FEWEST_WRITERS = 2
ROUNDING = 1e-6  # of sums of fractions of a cent
UNKNOWN_AT_ONCE = 10.0  # writers at a time, where nobody has measured it


@dataclass(frozen=True)
class Wishes:
    """The choices of a forecast: its seed, writers at a time, the length of a HIT, and pay by the hour."""

    seed: int = 1
    at_once: float | None = None
    minutes: float | None = None
    hourly_cents: int | None = None
    draws: int = DRAWS


def forecast(
    pilot: Pilot, plan: Plan, made_at: datetime, sources: Sequence[Source] = (), wishes: Wishes | None = None
) -> Forecast:
    """Return the forecast of a plan. Raises `InvalidInput` for a pilot of fewer than two writers."""
    wishes = wishes or Wishes()
    if len(pilot.writers) < FEWEST_WRITERS:
        raise InvalidInput(
            "--from", f"{len(pilot.writers)} writers with paid HITs are in it; a forecast needs {FEWEST_WRITERS}."
        )
    pilot = pilot if wishes.minutes is None else pilot.lasting(wishes.minutes)
    return _Forecasting(pilot, plan, wishes).forecast(made_at, tuple(sources))


class _Forecasting:
    def __init__(self, pilot: Pilot, plan: Plan, wishes: Wishes) -> None:
        self._pilot, self._plan, self._wishes = pilot, plan, wishes
        self._arrays = PilotArrays(pilot, plan.tariff)
        self._draw = np.random.default_rng(wishes.seed)
        self._pools: Pools = self._arrays.pools(self._draw, wishes.draws)
        self._figures: Figures = drawn_campaigns(self._arrays, plan, self._pools, self._draw)
        self._sums = {name: np.array(values) for name, values in self._figures.sums.items()}
        self._has_times = wishes.minutes is not None or not pilot.simulated
        self._at_once = wishes.at_once or pilot.at_once or UNKNOWN_AT_ONCE

    def forecast(self, made_at: datetime, sources: tuple[Source, ...]) -> Forecast:
        checking = self._validation_hits()
        return Forecast(
            made_at=made_at,
            seed=self._wishes.seed,
            unit=self._plan.unit,
            sources=sources,
            plan=self._plan.figures(),
            measured=tuple(one for one in self._measured() if not math.isnan(one.value)),
            sizes=tuple(self._sizes(checking)),
            cost=tuple(self._cost(checking)),
            time=tuple(self._time(checking)) if self._has_times else (),
            pay=tuple(self._pay()) if self._has_times else (),
            hourly_target=self._hourly_target(),
            assumptions=tuple(self._assumptions()),
        )

    def _estimate(self, name: str, title: str, unit: str, draws: Numbers, clusters: int | None = None) -> Estimate:
        low, high = expanded_interval(draws.tolist(), clusters or len(self._pilot.writers), CONFIDENCE)
        return Estimate(name=name, title=title, unit=unit, value=float(np.median(draws)), low=low, high=high)

    def _validation_hits(self) -> Numbers:
        """Return the validation HITs of each draw."""
        pilot, arrays, pool = self._pilot, self._arrays, self._pools.writers
        fill = pilot.votes / pilot.vote_places if pilot.vote_places and pilot.votes else 1.0
        asked, votes = arrays.asked[pool].sum(axis=1), arrays.votes[pool].sum(axis=1)
        known = votes > 0
        each = np.where(known, votes / np.where(asked > 0, asked, 1), self._plan.most_votes)
        hits: Numbers = np.ceil(self._sums["to_check"] * each / (self._plan.works_per_hit * fill))
        return hits

    def _sizes(self, checking: Numbers) -> Iterator[Estimate]:
        sums, checked = self._sums, self._plan.checked
        yield self._estimate("hits", "HITs for writers", NUMBER, sums["hits"])
        yield self._estimate("writers", "writers", NUMBER, sums["writers"])
        yield self._estimate("attempts", "attempts", NUMBER, sums["attempts"])
        yield self._estimate("wins", "attempts that beat the AI", NUMBER, sums["wins"])
        parts = [part for part, hits in self._plan.hits_by_part.items() if hits]
        for part in parts:
            title = f"examples in {part}, {'verified' if part in checked else 'not checked'}"
            title += f", of {self._plan.wanted[part]:,} wanted" if part in self._plan.wanted else ""
            yield self._estimate(f"examples_{part}", title, NUMBER, sums[f"examples_{part}"])
        every = sum((sums[f"examples_{part}"] for part in parts), np.zeros(len(checking)))
        yield self._estimate("examples", "examples in all", NUMBER, every)
        if checked:
            yield self._estimate("validation_hits", "HITs for validators", NUMBER, checking)
        if self._plan.places:
            yield self._estimate("qualified", "newcomers who qualify", NUMBER, self._qualified())

    def _qualified(self) -> Numbers:
        pilot, draw = self._pilot, self._draw
        share = draw.beta(pilot.qualified + 1, pilot.newcomers - pilot.qualified + 1, size=self._wishes.draws)
        return draw.binomial(self._plan.places, share).astype(float)

    def _cost(self, checking: Numbers) -> Iterator[Estimate]:
        plan, sums, tariff = self._plan, self._sums, self._plan.tariff
        reward, of_checking = tariff.terms.reward_cents, tariff.validation_reward_cents
        screening = np.full(len(checking), float(plan.places * plan.screening_reward_cents))
        fees = (
            sums["hits"] * (tariff.with_fee_cents(reward) - reward if reward else 0)
            + sums["bonus_fees"]
            + checking * (tariff.with_fee_cents(of_checking) - of_checking if of_checking else 0)
            + (plan.places * tariff.fees.on_reward(plan.screening_reward_cents) if plan.screening_reward_cents else 0)
        )
        items = {
            "rewards": ("rewards of writers", sums["hits"] * reward),
            "bonuses": ("bonuses of writers", sums["bonuses"]),
            "validation": ("rewards of validators", checking * of_checking),
            "screening": ("rewards of the screening", screening),
            "fees": ("fees", fees),
            "models": ("language models, at most", sums["tries"] * tariff.model_microcents_per_try / 1_000_000),
        }
        for name, (title, cents) in items.items():
            if cents.any():
                yield self._estimate(f"{name}_cents", title, AMOUNT, cents)
        total = sum((cents for _, cents in items.values()), np.zeros(len(checking)))
        yield self._estimate("total_cents", "everything", AMOUNT, total)
        examples = sum((sums[f"examples_{part}"] for part in plan.hits_by_part), np.zeros(len(checking)))
        if (examples > 0).all():
            yield self._estimate("cents_each", "each example", AMOUNT, total / examples)

    def _time(self, checking: Numbers) -> Iterator[Estimate]:
        hours = self._sums["seconds"] / 3600
        yield self._estimate("writing_hours", "hours of writers", HOURS, hours)
        if self._pilot.checkers and self._plan.checked:
            each = self._checking_seconds()
            title = "hours of validators"
            yield self._estimate("validation_hours", title, HOURS, checking * each / 3600, len(self._pilot.checkers))
        if self._pilot.screening_seconds and self._plan.places:
            times = np.array(self._pilot.screening_seconds)
            drawn = self._draw.choice(times, size=(self._wishes.draws, len(times))).mean(axis=1)
            title = "hours of newcomers"
            yield self._estimate("screening_hours", title, HOURS, drawn * self._plan.places / 3600, len(times))
        title = f"hours until the writing is over, with {self._at_once:.3g} writers at a time"
        yield self._estimate("writing_ends_hours", title, HOURS, hours / self._at_once)

    def _checking_seconds(self) -> Numbers:
        """Return the mean seconds of a validation HIT by draw, from resampled validators."""
        checkers = self._pilot.checkers
        seconds, hits = (np.array([of(times) for times in checkers], dtype=float) for of in (sum, len))
        pool = self._draw.integers(len(checkers), size=(self._wishes.draws, len(checkers)))
        means: Numbers = seconds[pool].sum(axis=1) / hits[pool].sum(axis=1)
        return means

    def _pay(self) -> Iterator[Estimate]:
        rates = self._figures.rates
        if not all(of_draw.size for of_draw in rates):
            return
        for name, title, share in (
            ("hourly_low_cents", "an hour, lowest tenth of the writers at most", 0.1),
            ("hourly_cents", "an hour, median writer", 0.5),
            ("hourly_high_cents", "an hour, highest tenth of the writers at least", 0.9),
        ):
            drawn = np.array([np.quantile(of_draw, share) for of_draw in rates])
            yield self._estimate(name, title, AMOUNT, drawn)

    def _hourly_target(self) -> HourlyTarget | None:
        """Return the least reward with which at least half of the writers earn what is wished."""
        target = self._wishes.hourly_cents
        if target is None:
            return None
        if not self._has_times:
            raise InvalidInput(
                "--hourly", "Simulated people take no real time. Say how long a HIT takes: --minutes 10."
            )
        wanted = self._rewards_wanted(target)
        drawn = np.array([_least_for_half(wanted[pool]) for pool in self._pools.writers], dtype=float)
        low, high = expanded_interval(drawn.tolist(), len(wanted), CONFIDENCE)
        cents = _least_for_half(wanted)
        reward = Estimate(name="reward_cents", title="reward of a HIT", unit=AMOUNT, value=cents, low=low, high=high)
        return HourlyTarget(target_cents=target, reward=reward, share_below=float(np.mean(wanted > cents + ROUNDING)))

    def _rewards_wanted(self, target_cents: int) -> Numbers:
        """Return for each writer of the pilot the reward of a HIT that comes to the target; bonuses count."""
        arrays, plan = self._arrays, self._plan
        in_checked = sum(plan.hits_by_part.get(part, 0) for part in plan.checked) / max(1, plan.hits)
        kept = (self._pools.kept.mean(axis=0) * in_checked).repeat(arrays.number)
        verified = np.minimum(np.rint(arrays.beaten * kept).astype(np.int64), arrays.bonuses.shape[1] - 1)
        bonuses = arrays.by_writer(arrays.bonuses[np.arange(len(verified)), verified])
        hours = arrays.by_writer(arrays.seconds) / 3600
        wanted: Numbers = np.maximum(0.0, (target_cents * hours - bonuses) / arrays.number)
        return wanted

    def _measured(self) -> Iterator[Estimate]:
        arrays, pilot = self._arrays, self._pilot
        yield self._ratio("wins_per_hit", "wins a HIT", arrays.by_writer(arrays.beaten), arrays.number)
        yield self._ratio("attempts_per_hit", "attempts a HIT", arrays.by_writer(arrays.attempts), arrays.number)
        yield self._ratio(
            "error_rate",
            "attempts that beat the AI",
            arrays.by_writer(arrays.beaten),
            arrays.by_writer(arrays.attempts),
            SHARE,
        )
        if self._has_times:
            minutes = arrays.by_writer(arrays.seconds) / 60
            yield self._ratio("minutes_per_hit", "minutes a HIT", minutes, arrays.number)
        yield self._ratio("hits_per_writer", "HITs a writer", arrays.number, np.ones(len(arrays.number)))
        yield self._ratio(
            "discarded", "writers whose work is discarded", arrays.discarded, np.ones(len(arrays.number)), SHARE
        )
        yield self._ratio("kept", "checked works that others keep", arrays.kept, arrays.settled, SHARE)
        yield self._ratio("votes_per_work", "votes a work", arrays.votes, arrays.asked)
        if pilot.taken:
            share = pilot.given_back / pilot.taken
            yield _known("given_back", "HITs taken and never submitted", SHARE, share)
        if pilot.newcomers:
            yield _known("qualified_share", "newcomers who qualified", SHARE, pilot.qualified / pilot.newcomers)
        if pilot.at_once is not None:
            yield _known("at_once", "writers at a time", HOURS, pilot.at_once)
            yield _known("hits_an_hour", "HITs submitted in an hour", HOURS, pilot.hits / pilot.wall_hours)

    def _ratio(
        self, name: str, title: str, above: Iterable[float], below: Iterable[float], unit: str = HOURS
    ) -> Estimate:
        tops, bottoms = (np.asarray(each, dtype=float)[self._pools.writers].sum(axis=1) for each in (above, below))
        known = bottoms > 0
        if not known.any():
            return _known(name, title, unit, math.nan)
        return self._estimate(name, title, unit, tops[known] / bottoms[known])

    def _assumptions(self) -> Iterator[str]:
        pilot, plan = self._pilot, self._plan
        if pilot.simulated:
            yield "The source is a rehearsal: simulated people are not people. Its figures show how sums go together."
        yield "Writers come from the same crowd as the pilot's, and each does as many HITs as one of those did."
        yield "Rates stay as in the pilot, whatever the planned pay, tries, texts and model are."
        yield "All planned HITs are done, and nothing waits for a person."
        if pilot.simulated and not self._has_times:
            yield "Simulated people take no real time, so hours and hourly pay are left out. --minutes states them."
        if self._wishes.minutes is not None:
            yield f"Every HIT takes {self._wishes.minutes:g} minutes."
        if plan.checked and not self._arrays.settled.any():
            yield "Nobody checked works in the pilot: any share of them may be kept, and each gets the most votes."
        if plan.checked and not pilot.checkers and self._has_times:
            yield "No validator worked in the pilot: their hours are left out."
        if plan.places and not pilot.newcomers:
            yield "Nobody took a screening in the pilot: any share of the newcomers may qualify."
        if plan.wanted:
            yield "Examples are counted before those beyond the size of their part go to another one or are left out."
        if plan.is_balanced:
            yield "Examples are counted before parts are balanced."
        if self._wishes.at_once is None and pilot.at_once is None and self._has_times:
            yield f"{UNKNOWN_AT_ONCE:g} writers at a time is a guess; --at-once states it."


def _known(name: str, title: str, unit: str, value: float) -> Estimate:
    """Return a figure without an interval."""
    return Estimate(name=name, title=title, unit=unit, value=value, low=value, high=value)


def _least_for_half(wanted: Numbers) -> int:
    """Return the least whole reward that is enough for at least half of the writers."""
    return math.ceil(float(np.sort(wanted)[(len(wanted) - 1) // 2]) - ROUNDING)
