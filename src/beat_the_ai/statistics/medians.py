"""Intervals of medians."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

from beat_the_ai.statistics.intervals import Interval


def median_interval(values: Sequence[float], clusters: Sequence[Hashable]) -> Interval | None:
    """Return the 95% interval of a median of values that share clusters; None where the values do not bound it.

    It has each number m of which neither the share of values up to m is below one half for sure, nor that of values
    below m above it, by the intervals of these shares (after Woodruff 1952). Six clusters or fewer never bound it.
    """
    import numpy as np  # a tenth of a second, for what most processes never ask

    from beat_the_ai.statistics.jackknife import Scale, estimated

    if not values:
        return None
    places = {cluster: place for place, cluster in enumerate(dict.fromkeys(clusters))}
    sorted_values = np.asarray(values, dtype=float)
    order = np.argsort(sorted_values, kind="stable")
    sorted_values, codes = sorted_values[order], np.asarray([places[cluster] for cluster in clusters])[order]
    of = np.bincount(codes, minlength=len(places)).astype(float)
    distinct = np.unique(sorted_values)

    def bounds(count: int) -> Interval:
        """Return the interval of the share of the first values."""
        found = np.bincount(codes[:count], minlength=len(places)).astype(float)
        share = estimated(np.stack([found, of], axis=1), Scale.SHARE)
        return (0.0, 1.0) if share is None or share.interval is None else share.interval

    if bounds(0)[1] >= 0.5:
        return None
    up_to = np.searchsorted(sorted_values, distinct, side="right")
    below = np.searchsorted(sorted_values, distinct, side="left")
    low = _first(len(distinct), lambda place: bounds(up_to[place])[1] >= 0.5)
    high = _first(len(distinct), lambda place: bounds(below[place])[0] > 0.5) - 1
    return float(distinct[low]), float(distinct[high])


def _first(places: int, holds: Callable[[int], bool]) -> int:
    """Return the first place from which on something holds, found by halving; the number of places if it never does."""
    low, high = 0, places
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle + 1, high)
    return low
