"""Draws of a planned campaign from the writers of a pilot: a bootstrap over writers, then a campaign of such writers.

Each draw first resamples the pilot's writers, since others might have come. Then writers of that pool work until the
planned HITs are done. Each does as many HITs as in the pilot, drawn from that writer's own. So draws vary by what the
pilot cannot tell and by what chance will do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beat_the_ai.forecast.pilot import Pilot, PilotHit
from beat_the_ai.forecast.plan import Plan
from beat_the_ai.terms.tariff import Tariff

Numbers = NDArray[np.float64]
Indices = NDArray[np.int64]
MOST_DRAWN = 4_000  # HITs in a draw; of larger campaigns so many are drawn, and their sums scaled
HITS_AT_ONCE = 400_000  # of several draws
SMOOTHING = 4.0  # works: the weight of all writers' kept share in that of one writer


@dataclass
class Figures:
    """Sums over the campaign, one for each draw; `by_part` has the examples. `rates` are hourly pay by draw."""

    sums: dict[str, list[float]] = field(default_factory=dict)
    rates: list[Numbers] = field(default_factory=list)

    def add(self, **sums: Numbers) -> None:
        for name, values in sums.items():
            self.sums.setdefault(name, []).extend(values.tolist())


@dataclass(frozen=True)
class Pools:
    """Resampled writers by draw, (draws, writers), and for each draw two shares of every writer of the pilot.

    `asked` is the share of works that others are asked about, `kept` that of those which they keep.
    """

    writers: Indices
    asked: Numbers
    kept: Numbers

    def some(self, which: slice) -> Pools:
        return Pools(self.writers[which], self.asked[which], self.kept[which])


class PilotArrays:
    """A pilot as arrays: of its HITs, in the order of their writers, and of its writers.

    `bonuses` and `bonus_fees` are (HITs, wins that other people verify).
    """

    def __init__(self, pilot: Pilot, tariff: Tariff) -> None:
        hits = [hit for writer in pilot.writers for hit in writer.hits]
        self.seconds = np.array([hit.seconds for hit in hits], dtype=float)
        self.attempts = np.array([hit.attempts for hit in hits], dtype=float)
        self.beaten = np.array([hit.beaten for hit in hits], dtype=np.int64)
        self.bonuses, self.bonus_fees = _bonuses(hits, tariff)
        self.number = np.array([len(writer.hits) for writer in pilot.writers], dtype=np.int64)
        self.first = np.concatenate([[0], np.cumsum(self.number)[:-1]]).astype(np.int64)
        self.settled = np.array([writer.settled for writer in pilot.writers], dtype=float)
        self.kept = np.array([writer.kept for writer in pilot.writers], dtype=float)
        self.checkable = np.array([writer.checkable for writer in pilot.writers], dtype=float)
        self.asked = np.array([writer.asked for writer in pilot.writers], dtype=float)
        self.votes = np.array([writer.votes for writer in pilot.writers], dtype=float)
        self.discarded = np.array([writer.discarded for writer in pilot.writers], dtype=bool)

    def by_writer(self, of_hits: NDArray[Any]) -> Numbers:
        """Return the sum over each writer's HITs."""
        sums: Numbers = np.add.reduceat(of_hits.astype(float), self.first)
        return sums

    def pools(self, draw: np.random.Generator, draws: int) -> Pools:
        writers = draw.integers(len(self.number), size=(draws, len(self.number)))
        settled, kept = self.settled[writers].sum(axis=1), self.kept[writers].sum(axis=1)
        overall = np.where(settled > 0, (kept + 1) / (settled + 2), draw.random(draws))[:, None]
        weight = SMOOTHING if self.settled.any() else 1e6  # nothing is known of any writer
        shares = draw.beta(self.kept + weight * overall, self.settled - self.kept + weight * (1 - overall))
        return Pools(writers, self._asked(writers), shares)

    def _asked(self, pools: Indices) -> Numbers:
        """Return the share of works that others are asked about: of discarded writers as in the pilot, else of all."""
        gone = self.discarded[pools]
        asked, checkable = ((of[pools] * gone).sum(axis=1) for of in (self.asked, self.checkable))
        share = np.where(checkable > 0, asked / np.maximum(checkable, 1), 1.0)
        shares: Numbers = np.where(self.discarded[None, :], np.minimum(share, 1)[:, None], 1.0)
        return shares


def _bonuses(hits: Sequence[PilotHit], tariff: Tariff) -> tuple[Numbers, Numbers]:
    """Return what each HIT earns beside its reward, and the fees on it, with 0, 1, ... of its wins verified."""
    most = max((sum(one.won for one in hit.tried) for hit in hits), default=0)
    cents, fees = np.zeros((len(hits), most + 1)), np.zeros((len(hits), most + 1))
    for number, hit in enumerate(hits):
        wins = [one.id for one in hit.tried if one.won]
        for verified in range(most + 1):
            earned = tariff.rules.earned(hit.tried, set(wins[:verified]))
            cents[number, verified] = sum(one.cents for one in earned)
            fees[number, verified] = sum(tariff.fees.on_bonus(one.cents) for one in earned)
    return cents, fees


def drawn_campaigns(pilot: PilotArrays, plan: Plan, pools: Pools, draw: np.random.Generator) -> Figures:
    """Return the figures of the planned campaign for each pool."""
    found, scale = Figures(), max(1.0, plan.hits / MOST_DRAWN)
    hits = round(plan.hits / scale)
    step = max(1, HITS_AT_ONCE // max(1, hits))
    for start in range(0, len(pools.writers), step):
        _Drawing(pilot, plan, pools.some(slice(start, start + step)), draw, hits, scale).into(found)
    return found


class _Drawing:
    """Some draws at once; `rows` names for each HIT the draw that it is of, `people` the writer in that draw."""

    def __init__(
        self, pilot: PilotArrays, plan: Plan, pools: Pools, draw: np.random.Generator, hits: int, scale: float
    ) -> None:
        self._pilot, self._plan, self._pools, self._draw, self._scale = pilot, plan, pools, draw, scale
        self._draws = len(pools.writers)
        self._people = 0
        self._parts = list(plan.hits_by_part)
        self._shares = np.array([plan.hits_by_part[part] for part in self._parts], dtype=float)
        self._shares /= self._shares.sum()
        self._pieces: list[tuple[Indices, Indices, Indices, Indices, Indices]] = []
        again = self._take(np.full(self._draws, hits, dtype=np.int64), max(1, plan.hits // max(1, plan.contexts)))
        self.again = np.zeros(self._draws)
        for _ in range(plan.reoffers):
            self.again += again
            again = self._take(again, 1)

    def _take(self, numbers: Indices, on_a_context: int) -> Indices:
        """Draw so many HITs of each draw. Return how many of their contexts had no win."""
        most = int(numbers.max(initial=0))
        if not most:
            return np.zeros(self._draws, dtype=np.int64)
        pool = self._pools.writers
        chosen = pool[np.arange(self._draws)[:, None], self._draw.integers(pool.shape[1], size=(self._draws, most))]
        ends = np.minimum(np.cumsum(self._pilot.number[chosen], axis=1), numbers[:, None])
        counts = np.diff(ends, axis=1, prepend=0).ravel()
        writers = np.repeat(chosen.ravel(), counts)
        people = np.repeat(np.arange(self._people, self._people + counts.size), counts)
        self._people += counts.size
        rows = np.repeat(np.arange(self._draws), numbers)
        number = self._pilot.number[writers]
        hits = self._pilot.first[writers] + (self._draw.random(len(writers)) * number).astype(np.int64)
        parts = self._draw.choice(len(self._parts), size=len(hits), p=self._shares)
        self._pieces.append((rows, people, writers, hits, parts))
        return self._without_a_win(rows, hits, on_a_context)

    def _without_a_win(self, rows: Indices, hits: Indices, on_a_context: int) -> Indices:
        """Return by draw the contexts without a win, if so many HITs, in any order, are on one context."""
        order = np.lexsort((self._draw.random(len(rows)), rows))
        place = np.arange(len(rows)) - np.searchsorted(rows, rows)
        contexts = rows * (len(rows) + 1) + place // on_a_context
        _, first, of = np.unique(contexts, return_index=True, return_inverse=True)
        lost = np.bincount(of, weights=self._pilot.beaten[hits[order]]) == 0
        return np.bincount(rows[first][lost], minlength=self._draws).astype(np.int64)

    def into(self, found: Figures) -> None:
        rows, people, writers, hits, parts = (np.concatenate(each) for each in zip(*self._pieces, strict=True))
        pilot, tariff = self._pilot, self._plan.tariff
        beaten, asked_share = pilot.beaten[hits], self._pools.asked[rows, writers]
        is_checked = np.isin(parts, [n for n, part in enumerate(self._parts) if part in self._plan.checked])
        verified = self._draw.binomial(beaten, asked_share * self._pools.kept[rows, writers])
        paid = np.minimum(np.where(is_checked, verified, 0), pilot.bonuses.shape[1] - 1)
        bonuses, counts = pilot.bonuses[hits, paid], ~pilot.discarded[writers]
        examples = np.where(is_checked, verified, beaten) * counts

        def total(of_hits: NDArray[Any]) -> Numbers:
            sums = np.bincount(rows, weights=of_hits, minlength=self._draws)
            return sums.astype(np.float64) * self._scale

        found.add(
            hits=total(np.ones(len(rows))),
            again=self.again * self._scale,
            writers=_distinct(rows, people, self._draws) * self._scale,
            attempts=total(pilot.attempts[hits] * counts),
            wins=total(beaten * counts),
            to_check=total(beaten * is_checked * asked_share),
            bonuses=total(bonuses),
            bonus_fees=total(pilot.bonus_fees[hits, paid]),
            tries=total(pilot.attempts[hits]),
            seconds=total(pilot.seconds[hits]),
            **{f"examples_{part}": total(examples * (parts == n)) for n, part in enumerate(self._parts)},
        )
        found.rates += self._rates(rows, people, pilot.seconds[hits], bonuses + tariff.terms.reward_cents)

    def _rates(self, rows: Indices, people: Indices, seconds: Numbers, cents: Numbers) -> list[Numbers]:
        """Return the hourly pay of each writer who took time, by draw."""
        _, first, of = np.unique(people, return_index=True, return_inverse=True)
        hours, earned = np.bincount(of, weights=seconds) / 3600, np.bincount(of, weights=cents)
        timed = hours > 0
        rates, draws = earned[timed] / hours[timed], rows[first][timed]
        order = np.argsort(draws, kind="stable")
        return np.split(rates[order], np.searchsorted(draws[order], np.arange(1, self._draws)))


def _distinct(rows: Indices, people: Indices, draws: int) -> Numbers:
    """Return the number of writers in each draw."""
    _, first = np.unique(people, return_index=True)
    numbers: Numbers = np.bincount(rows[first], minlength=draws).astype(np.float64)
    return numbers
