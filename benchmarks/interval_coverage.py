"""The coverage of intervals over few clusters: `python -m benchmarks.interval_coverage [--samples 400]`.

Shares of 0.03 to 0.9 are drawn for 3 to 40 clusters, such as writers, whose own shares differ (beta-binomial), and
which have all the same size, sizes of a log-normal, or one that has most. Each sample has an interval by the suite's
jackknife and by the percentiles of a bootstrap, widened for few clusters (Hesterberg 2015), which the suite had before;
a share that is the same in all clusters has Wilson's. The table has how many of the intervals at 95% hold the share.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from itertools import product

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

from beat_the_ai.statistics.intervals import Interval, wilson
from beat_the_ai.statistics.jackknife import TIE, Matrix, Scale, estimated, mean_of
from beat_the_ai.statistics.resampling import interval_of, resampled

CLUSTERS = (3, 5, 12, 40)
SHARES = ((0.03, 0.1), (0.1, 0.1), (0.1, 0.4), (0.3, 0.1), (0.3, 0.4), (0.5, 0.1), (0.9, 0.2))  # (share, correlation)
Sizes = Callable[[np.random.Generator, int], Matrix]


def even(_: np.random.Generator, clusters: int) -> Matrix:
    return np.full(clusters, 10.0)


def log_normal(rng: np.random.Generator, clusters: int) -> Matrix:
    sizes: Matrix = np.maximum(1, np.round(np.exp(rng.normal(2, 1, clusters))))
    return sizes


def one_large(rng: np.random.Generator, clusters: int) -> Matrix:
    sizes: Matrix = np.maximum(1, rng.poisson(5, clusters)).astype(float)
    sizes[0] = 5 * clusters // 2
    return sizes


def by_jackknife(pairs: Matrix) -> Interval | None:
    estimate = estimated(pairs, Scale.SHARE)
    return None if estimate is None else estimate.interval


def by_bootstrap(pairs: Matrix) -> Interval | None:
    found, of = pairs.sum(axis=0)
    if np.ptp(mean_of(pairs)) < TIE:
        return wilson(len(pairs) * found / of, len(pairs))
    return interval_of(mean_of(resampled(pairs)), len(pairs))


WAYS: Mapping[str, Callable[[Matrix], Interval | None]] = {"jackknife": by_jackknife, "bootstrap": by_bootstrap}


def coverage(rng: np.random.Generator, sizes: Sizes, clusters: int, share: float, alike: float, samples: int) -> Matrix:
    """Return the part of samples in which the interval of each way holds the share."""
    held = np.zeros(len(WAYS))
    first, second = (each * (1 - alike) / alike for each in (share, 1 - share))
    for _ in range(samples):
        of = sizes(rng, clusters)
        pairs = np.stack([rng.binomial(of.astype(int), rng.beta(first, second, clusters)), of], axis=1).astype(float)
        for place, way in enumerate(WAYS.values()):
            ends = way(pairs)
            held[place] += ends is not None and ends[0] <= share <= ends[1]
    return held / samples


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--samples", type=int, default=400, help="of each share, size and number of clusters")
    samples = parser.parse_args().samples
    table = Table(title=f"Coverage of intervals at 95%, {samples:,} samples each")
    for name in ("clusters", *(f"{way}, {of}" for way in WAYS for of in ("mean", "worst"))):
        table.add_column(name, justify="right")
    rng, cases = np.random.default_rng(1), list(product((even, log_normal, one_large), SHARES))
    for clusters in CLUSTERS:
        found = [
            coverage(rng, sizes, clusters, *shares, samples)
            for sizes, shares in track(cases, f"{clusters} clusters", console=Console(stderr=True), transient=True)
        ]
        of_ways = zip(np.mean(found, axis=0), np.min(found, axis=0), strict=True)
        table.add_row(f"{clusters}", *(f"{part:.1%}" for ends in of_ways for part in ends))
    Console().print(table)


if __name__ == "__main__":
    main()
