"""Figures as the report writes them: over clusters such as writers, and on their own (Wilson's, a plain bootstrap)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from scipy import special, stats

NONE = "–"


def number(value: float, digits: int, sign: str = "") -> str:
    """Return a number with a minus sign that is no hyphen, and with none where it rounds to 0."""
    told = f"{abs(value):.{digits}f}"
    is_negative = value < 0 and float(told) != 0
    return f"{'−' if is_negative else sign}{told}"


def interval(found: int, total: int) -> tuple[float, float]:
    low, high = stats.binomtest(int(found), int(total)).proportion_ci(0.95, "wilson")
    return float(low), float(high)


def score_interval(share: float, trials: int, quantile: float) -> tuple[float, float]:
    """Return the p between which (share - p)² ≤ quantile²·p·(1 - p)/trials: Wilson's."""
    spread = quantile**2 / trials
    low, high = sorted(np.roots([1 + spread, -2 * share - spread, share**2]).real)
    return float(low), float(high)


def rate(found: int, total: int) -> str:
    if not total:
        return NONE
    low, high = interval(found, total)
    return f"{found / total:.1%} ({low:.1%} to {high:.1%})"


def share(found: int, total: int) -> str:
    return f"{rate(found, total)}, {found:,}" if total else NONE


def resamples(rows: Any, seed: int = 0) -> Any:
    """Return the sums of 4,000 resamples of rows; where many are equal, by how often each occurs."""
    draw, count = np.random.default_rng(seed), len(rows)
    distinct, times = np.unique(rows, axis=0, return_counts=True)
    if 4 * len(distinct) < count:
        return draw.multinomial(count, times / count, size=4000) @ distinct
    return np.array([rows[draw.integers(0, count, count)].sum(axis=0) for _ in range(4000)])


def expanded(drawn: Any, count: int) -> tuple[float, float]:
    """Return percentiles that are wider for few clusters (Hesterberg 2015, §4.3)."""
    tail = stats.norm.cdf(stats.t.ppf(0.025, count - 1) * np.sqrt(count / (count - 1)))
    low, high = np.quantile(drawn, [tail, 1 - tail])
    return float(low), float(high)


def by_cluster(found: pd.Series, clusters: pd.Series, of: pd.Series) -> Any:
    """Return the sums of each cluster, in ascending order."""
    sums = pd.DataFrame({"found": found.astype(float), "of": of.astype(float)}).groupby(clusters).sum()
    return sums[sums["of"] != 0].round(9).sort_values(["found", "of"]).to_numpy()


def jackknifed(pairs: Any, *, is_share: bool = True, is_signed: bool = False) -> tuple[float, ...]:
    """Return a ratio of sums, with its interval by the ratios without each cluster, if there is one.

    Shares have theirs in log odds, means in logarithms, and signed differences as they are. Where the share is the same
    in each cluster, each is a trial.
    """
    count, (above, below) = len(pairs), pairs.sum(axis=0)
    value, rest = above / below, np.array([pairs[np.arange(count) != one].sum(axis=0) for one in range(count)])
    if count < 2 or (rest[:, 1] == 0).any():
        return (value,)
    quantile = stats.t.ppf(0.975, count - 1)
    error = np.sqrt((count - 1) * np.mean((rest[:, 0] / rest[:, 1] - value) ** 2))
    if error < 1e-9:
        if is_signed:
            return (value, value, value)
        return (value, *(score_interval(value, count, quantile) if is_share else ()))
    margin = np.array([-1, 1]) * quantile * error
    if is_signed:
        return (value, *map(float, value + margin))
    if is_share:
        return (value, *map(float, special.expit(special.logit(value) + margin / (value * (1 - value)))))
    return (value, *map(float, value * np.exp(margin / value)))


def less(one: tuple[float, ...], first: tuple[float, ...]) -> tuple[float, ...]:
    """Return the difference of two figures, with an interval by their ends (Zou and Donner 2008) if both have one."""
    (value, *mine), (other, *theirs) = one, first
    if not (mine and theirs):
        return (value - other,)
    below, above = np.hypot(value - mine[0], theirs[1] - other), np.hypot(mine[1] - value, other - theirs[0])
    return (value - other, value - other - below, value - other + above)


def less_over_clusters(rate: tuple[pd.Series, pd.Series], first: tuple[pd.Series, pd.Series]) -> tuple[float, ...]:
    """Return the difference of two shares with its interval; nothing if one has no rows."""
    return less(over_clusters(*rate), over_clusters(*first)) if len(rate[0]) and len(first[0]) else ()


def points(less: Sequence[float]) -> str:
    if not less:
        return NONE
    value, *within = (number(100 * each, 1, "+") for each in less)
    return f"{value} points" + (f" ({within[0]} to {within[1]})" if within else "")


def over_clusters(
    found: pd.Series, clusters: pd.Series, of: pd.Series | None = None, *, is_share: bool = True
) -> tuple[float, ...]:
    """Return a ratio of sums, with its interval over whole clusters, if there are two of them."""
    ones = pd.Series(1.0, index=found.index) if of is None else of.astype(float)
    return jackknifed(by_cluster(found, clusters, ones), is_share=is_share)


def clustered_rate(found: pd.Series, clusters: pd.Series) -> str:
    if not len(found):
        return NONE
    value, *ends = over_clusters(found, clusters)
    return f"{value:.1%} ({ends[0]:.1%} to {ends[1]:.1%})" if ends else f"{value:.1%}"


def clustered_share(found: pd.Series, clusters: pd.Series) -> str:
    return f"{clustered_rate(found, clusters)}, {int(found.sum()):,}" if len(found) else NONE


def clustered_mean(values: Iterable[float], clusters: Iterable[Any], digits: int = 1) -> str:
    known, of = pd.Series(list(values), dtype=float), pd.Series(list(clusters), dtype=object)
    if not len(known):
        return NONE
    value, *ends = over_clusters(known, of, is_share=False)
    return f"{value:.{digits}f}" + (f" ({ends[0]:.{digits}f} to {ends[1]:.{digits}f})" if ends else "")


def clustered_spread(values: Sequence[float], clusters: Sequence[Any], digits: int = 2) -> str:
    """Return the mean and the sample's standard deviation."""
    spread = f", sd {np.std(values, ddof=1):.{digits}f}" if len(values) > 1 else ""
    return f"{clustered_mean(values, clusters, digits)}{spread}"


def clustered_figure(
    found: Sequence[float],
    clusters: Sequence[str],
    of: Sequence[float] | None = None,
    *,
    digits: int = 1,
    scale: int = 100,
) -> str:
    """Return a share as figures of people's performance are written, in percent."""
    weights = None if of is None else pd.Series(of, dtype=float)
    ends = [scale * end for end in over_clusters(pd.Series(found, dtype=float), pd.Series(clusters), weights)]
    return f"{ends[0]:.{digits}f}" + (f" ({ends[1]:.{digits}f} to {ends[2]:.{digits}f})" if ends[1:] else "")


def bootstrap(values: Sequence[float]) -> tuple[float, float]:
    """1,000 resamples with the seed 0, drawn as the number of times that each distinct value occurs.

    Where more than 1,000 values differ, the normal interval.
    """
    distinct, counts = np.unique(np.asarray(values, dtype=float), return_counts=True)
    if len(distinct) > 1000:
        ends = stats.norm.interval(0.95, np.mean(values), np.std(values) / np.sqrt(len(values)))
        return float(ends[0]), float(ends[1])
    drawn = np.random.default_rng(0).multinomial(len(values), counts / len(values), size=1000)
    low, high = np.percentile(drawn @ distinct / len(values), [2.5, 97.5])
    return float(low), float(high)


def mean(values: Iterable[float | None], digits: int = 2) -> str:
    """Return the mean of what is known."""
    known = [each for each in values if each is not None]
    if not known:
        return NONE
    if len(set(known)) == 1:
        return f"{np.mean(known):.{digits}f}"
    low, high = bootstrap(known)
    return f"{np.mean(known):.{digits}f} ({low:.{digits}f} to {high:.{digits}f})"


def clustered_median(values: Sequence[float], clusters: Sequence[Any]) -> str:
    """Return the median, with the least and the greatest value that it may be by the shares up to and below them."""
    known, of = pd.Series(list(values), dtype=float), pd.Series(list(clusters), dtype=object)
    if not len(known):
        return NONE

    def ends(is_found: pd.Series) -> tuple[float, ...]:
        return over_clusters(is_found, of)[1:] or (0.0, 1.0)

    may_be = [one for one in sorted(set(known)) if ends(known <= one)[1] >= 0.5 and ends(known < one)[0] <= 0.5]
    is_bound = ends(known < known.min())[1] < 0.5
    return f"{np.median(known):.1f}" + (f" ({min(may_be):.1f} to {max(may_be):.1f})" if is_bound else "")


def binned(values: Iterable[float]) -> tuple[int, list[int]]:
    """Return the width of bins, and the bins from the least to the greatest value."""
    whole = [int(each) for each in values]
    width = width_of(whole) if whole else 1
    return width, list(
        range(min(whole, default=0) // width * width, max(whole, default=-1) // width * width + 1, width)
    )


def width_of(values: Sequence[int]) -> int:
    widths: Iterable[int] = (factor * 10**power for power in range(12) for factor in (1, 2, 5))
    return next(width for width in widths if max(values) - min(values) + 1 <= 40 * width)


def label(start: int, width: int) -> str:
    return f"{start}" if width == 1 else f"{start} to {start + width - 1}"


def alpha(units: Iterable[Sequence[Any]], distance: Any = lambda one, other: float(one != other)) -> str:
    """Krippendorff's alpha, pair by pair, with the interval of a bootstrap over units.

    A unit has its values, the disagreement among them, and their distances to all values. In a resample the expected
    disagreement is that of all units, moved by the distances of those that were drawn.
    """
    pairable = [list(unit) for unit in units if len(unit) > 1]
    values = [value for unit in pairable for value in unit]
    expected = sum(distance(one, other) for one, other in combinations(values, 2))
    if expected < 1e-6:
        return NONE
    rows = [
        (
            len(unit),
            sum(distance(*pair) for pair in combinations(unit, 2)) / (len(unit) - 1),
            sum(distance(one, other) for one in unit for other in values),
        )
        for unit in pairable
    ]

    def alphas(sums: Any) -> Any:
        moved = sums[:, 2] - expected
        return np.where(moved < 1e-6, np.nan, 1 - (sums[:, 0] - 1) * sums[:, 1] / np.where(moved < 1e-6, 1, moved))

    [value] = alphas(np.sum(rows, axis=0)[None])
    drawn = alphas(resamples(np.array(sorted(tuple(round(each, 9) for each in row) for row in rows))))
    known = drawn[~np.isnan(drawn)]
    if len(rows) < 2 or len(known) < 3800:
        return number(value, 2)
    low, high = expanded(known, len(rows))
    return f"{number(value, 2)} ({number(low, 2)} to {number(high, 2)})"


def dollars(cents: float | None) -> str:
    return NONE if cents is None else f"${round(cents) // 100:,}.{round(cents) % 100:02}"
