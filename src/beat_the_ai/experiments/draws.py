"""Draws of an experiment's examples: all follow a seed and keep the order of the file."""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping, Sequence

from beat_the_ai.rules.samples import Sample


def context_key(sample: Sample) -> str:
    """The same for the same text with other spacing or case."""
    return " ".join(sample.context.casefold().split())


def contexts_of(samples: Sequence[Sample]) -> set[str]:
    return {context_key(sample) for sample in samples}


def split(samples: Sequence[Sample], sizes: Mapping[str, int], seed: int) -> dict[str, list[Sample]]:
    """Parts with at most so many examples. No context is in two parts; a document is only where one part ends.

    The documents come in random order and their contexts in that of the file, each part in turn taking whole contexts
    until the next one would be too many. So a set is cut in half as in Bartolo et al. 2020 (§3.2, Table 3).
    """
    documents: dict[str, dict[str, list[Sample]]] = {}
    for sample in samples:
        documents.setdefault(sample.document, {}).setdefault(context_key(sample), []).append(sample)
    names = list(documents)
    random.Random(seed).shuffle(names)  # noqa: S311 - a draw, not a secret
    merged: dict[str, list[Sample]] = {}  # a context that two documents share is the first one's
    for name in names:
        for context, group in documents[name].items():
            merged.setdefault(context, []).extend(group)
    groups = iter(merged.values())
    parts: dict[str, list[Sample]] = {}
    waiting = next(groups, None)
    for part, size in sizes.items():
        taken = parts[part] = []
        while waiting is not None and len(taken) + len(waiting) <= size:
            taken += waiting
            waiting = next(groups, None)
    return parts


def draw(samples: Sequence[Sample], size: int, seed: int) -> list[Sample]:
    """So many of them, in their order; all where there are no more."""
    chosen = sorted(random.Random(seed).sample(range(len(samples)), min(size, len(samples))))  # noqa: S311
    return [samples[place] for place in chosen]


def on_contexts(samples: Sequence[Sample], contexts: Collection[str], *, inside: bool = True) -> list[Sample]:
    """Return the samples on these contexts, or else all others."""
    return [sample for sample in samples if (context_key(sample) in contexts) == inside]
