"""Figures as a table's cells and a drawing's bars have them: means and shares with their 95% intervals, and bins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import accumulate, repeat
from operator import mul

from beat_the_ai.analysis.drawings import Bar
from beat_the_ai.statistics.bootstrap import bootstrap_mean
from beat_the_ai.statistics.intervals import wilson

MOST_BINS = 40


def mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


def mean_cell(values: Sequence[float], digits: int = 2) -> str:
    average = mean(values)
    if average is None:
        return "–"
    low, high = bootstrap_mean(values)
    return f"{average:.{digits}f} ({low:.{digits}f} to {high:.{digits}f})"


def share_cell(found: int, total: int) -> str:
    """A share with its 95% Wilson interval and the count behind it."""
    if not total:
        return "–"
    low, high = wilson(found, total)
    return f"{found / total:.1%} ({low:.1%} to {high:.1%}), {found:,}"


def share_bar(label: str, found: int, total: int) -> Bar:
    if not total:
        return Bar(label, None, 0.0, 0.0, "–")
    share = found / total
    return Bar(label, share, *wilson(found, total), f"{share:.1%}")


def bin_width(values: Sequence[int]) -> int:
    """The least of 1, 2, 5, 10, 20, 50 … with which there are at most `MOST_BINS` bins."""
    spread = max(values) - min(values) + 1
    widths = (factor * scale for scale in accumulate(repeat(10), mul, initial=1) for factor in (1, 2, 5))
    return next(width for width in widths if spread <= width * MOST_BINS)


def binned(values: Sequence[int], width: int) -> Counter[int]:
    return Counter(value // width * width for value in values)


def bin_label(start: int, width: int) -> str:
    return f"{start}" if width == 1 else f"{start} to {start + width - 1}"
