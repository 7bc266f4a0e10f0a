"""Figures as a table's cells and a drawing's bars have them: means and shares with their 95% intervals, and bins.

What shares a writer, a validator, a passage or another cluster is counted by cluster (`statistics.clustered`) and has
the interval of that. What stands alone, or shares nothing that is known, is a plain count with Wilson's interval, or a
plain mean with a bootstrap's; the text beside it says so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from itertools import accumulate, repeat
from operator import mul
from statistics import median, stdev

from beat_the_ai.analysis.drawings import Bar
from beat_the_ai.statistics.bootstrap import bootstrap_mean
from beat_the_ai.statistics.clustered import Bounded, Clustered
from beat_the_ai.statistics.figure import Estimate, Shown, decimals, percent, with_interval
from beat_the_ai.statistics.intervals import wilson
from beat_the_ai.statistics.jackknife import FEWEST_CLUSTERS
from beat_the_ai.statistics.medians import median_interval

MOST_BINS = 40


def mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


def mean_cell(values: Sequence[float], digits: int = 2) -> str:
    return cell(bootstrap_mean(values), decimals(digits))


def clustered_median_cell(values: Sequence[float], clusters: Sequence[Hashable], digits: int = 1) -> str:
    return with_interval(median(values), median_interval(values, clusters), decimals(digits)) if values else "–"


def share_cell(found: int, total: int) -> str:
    """Return a share with its 95% Wilson interval and the count behind it."""
    return f"{with_interval(found / total, wilson(found, total), percent)}, {found:,}" if total else "–"


def share_bar(label: str, found: int, total: int) -> Bar:
    if not total:
        return Bar(label, None, 0.0, 0.0, "–")
    share = found / total
    return Bar(label, share, *wilson(found, total), f"{share:.1%}")


def spread_cell(values: Sequence[float], digits: int = 2) -> str:
    """Return a mean with its 95% interval, and the sample's standard deviation."""
    return f"{mean_cell(values, digits)}{_spread(values, digits)}"


def clustered_spread_cell(values: Sequence[float], sums: Clustered, digits: int = 2) -> str:
    """Return the mean of values with the interval of their sums by cluster, and the standard deviation."""
    return f"{clustered_mean_cell(sums, digits)}{_spread(values, digits)}"


def _spread(values: Sequence[float], digits: int) -> str:
    """Return the standard deviation as it follows a mean, if there is one."""
    return f", sd {stdev(values):.{digits}f}" if len(values) > 1 else ""


def clustered_words(*named: tuple[Clustered, str]) -> str:
    """Say where the intervals of clustered figures come from: the clusters of each, and what they are called."""
    return interval_words(*((each.clusters, called) for each, called in named))


def interval_words(*named: tuple[int, str]) -> str:
    """Say where intervals come from: the number of clusters, and what they are called; or that there are too few."""
    if all(number < FEWEST_CLUSTERS for number, _ in named):
        return too_few(" or ".join(called for _, called in named))
    clusters = " and of ".join(f"the {number:,} {called}" for number, called in named)
    return (
        f"95% intervals by a jackknife of {clusters}, with Student's t (MacKinnon, Nielsen and Webb 2023); there is "
        "none of one alone."
    )


def too_few(called: str) -> str:
    """Return a sentence on figures without intervals; `called` is what clusters are."""
    return f"No intervals: {FEWEST_CLUSTERS} {called} are the fewest for one."


def rate_text(bounded: Bounded | None, called: str = "") -> str:
    """Return a share with its interval, if it has one, which may be called something."""
    if bounded is None:
        return "–"
    share, low, high = bounded
    return with_interval(share, None if low is None or high is None else (low, high), percent, called=called)


def clustered_cell(share: Clustered) -> str:
    """Return a share with its interval, and the count behind it."""
    estimate = share.share
    return "–" if estimate is None else f"{estimate.text(percent)}, {share.found:,.0f}"


def clustered_mean_cell(mean: Clustered, digits: int = 2) -> str:
    return cell(mean.mean, decimals(digits))


def cell(estimate: Estimate | None, shown: Shown) -> str:
    """Return a figure with its interval, if it has one; a dash where there is none."""
    return "–" if estimate is None else estimate.text(shown)


def clustered_bar(label: str, share: Clustered) -> Bar:
    estimate = share.share
    if estimate is None:
        return Bar(label, None, 0.0, 0.0, "–")
    return Bar(label, estimate.value, *(estimate.interval or (estimate.value,) * 2), f"{estimate.value:.1%}")


def p_cell(p: float | None) -> str:
    if p is None:
        return "–"
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def bin_width(values: Sequence[int]) -> int:
    """Return the least of 1, 2, 5, 10, 20, 50 … with which there are at most `MOST_BINS` bins."""
    spread = max(values) - min(values) + 1
    widths = (factor * scale for scale in accumulate(repeat(10), mul, initial=1) for factor in (1, 2, 5))
    return next(width for width in widths if spread <= width * MOST_BINS)


def binned(values: Sequence[int], width: int) -> Counter[int]:
    return Counter(value // width * width for value in values)


def bin_label(start: int, width: int) -> str:
    return f"{start}" if width == 1 else f"{start} to {start + width - 1}"
