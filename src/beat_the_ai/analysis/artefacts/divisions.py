"""Divisions of a dataset into examples to train baselines on and examples to measure them on."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from beat_the_ai.files.folders import PART_NAMES
from beat_the_ai.rules.artefacts import Trace

TRAIN, *_ = PART_NAMES
FOLDS, DRAWS, FEWEST, SEED = 5, 5, 50, 1


class Division(NamedTuple):
    train: Sequence[Trace]
    test: Sequence[Trace]


def divisions_of(traces: Sequence[Trace]) -> list[Division]:
    """Return train, and dev with test. A dataset without them, or with too little of either, is cut into folds.

    No context is in two folds. There are none of a dataset that is too small.
    """
    parts = _parts(traces)
    if min(map(len, parts)) >= FEWEST:
        return [parts]
    if len(traces) < FEWEST:
        return []
    folds: list[list[Trace]] = [[] for _ in range(FOLDS)]
    for cluster in _shuffled(traces, SEED):
        min(folds, key=len).extend(cluster)
    return [
        Division([trace for other in folds if other is not fold for trace in other], fold) for fold in folds if fold
    ]


def like(division: Division, traces: Sequence[Trace]) -> list[Division]:
    """Return random divisions of another dataset into as many examples, or the same shares of fewer.

    Where it has the parts, these are cut.
    """
    wanted = [len(division.train), len(division.test)]
    parts = _parts(traces)
    whole = min(map(len, parts)) < FEWEST
    share = min(1.0, *([len(traces) / sum(wanted)] if whole else map(_share, parts, wanted)))
    sizes = [int(share * number) for number in wanted]
    if min(sizes) < 1:
        return []
    found = []
    for seed in range(SEED, SEED + DRAWS):
        if whole:
            drawn = [trace for cluster in _shuffled(traces, seed) for trace in cluster]
            found.append(_apart(drawn, sizes))
        else:
            found.append(Division(*(_cut(part, size, seed) for part, size in zip(parts, sizes, strict=True))))
    return found


def sample_like(traces: Sequence[Trace], number: int) -> Sequence[Trace]:
    """Return so many of a dataset's examples, in whole contexts but for the last."""
    return traces if len(traces) <= number else _cut(traces, number, SEED)


def _parts(traces: Sequence[Trace]) -> Division:
    train = [trace for trace in traces if trace.part == TRAIN]
    return Division(train, [trace for trace in traces if trace.part not in ("", TRAIN)])


def _share(part: Sequence[Trace], wanted: int) -> float:
    return len(part) / wanted


def _cut(traces: Sequence[Trace], number: int, seed: int) -> list[Trace]:
    return [trace for cluster in _shuffled(traces, seed) for trace in cluster][:number]


def _apart(drawn: Sequence[Trace], sizes: Sequence[int]) -> Division:
    """Cut two parts so that no context is in both: what the second one has of the first one's last context is out."""
    train = drawn[: sizes[0]]
    last = train[-1].cluster
    return Division(train, [trace for trace in drawn[sizes[0] :] if trace.cluster != last][: sizes[1]])


def _shuffled(traces: Iterable[Trace], seed: int) -> list[list[Trace]]:
    """Return the examples of each context, contexts in an order that the seed decides."""
    clusters: dict[str, list[Trace]] = {}
    for trace in traces:
        clusters.setdefault(trace.cluster, []).append(trace)
    shuffled = list(clusters.values())
    random.Random(seed).shuffle(shuffled)  # noqa: S311 - a draw, not a secret
    return shuffled
