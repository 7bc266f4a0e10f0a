"""Pairs that models are trained on, and those on which it is decided when to stop."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from beat_the_ai.errors import InvalidInput
from beat_the_ai.kinds.corpora import Sources, hold_out, refuse_shared, refuse_too_few
from beat_the_ai.kinds.nli.pairs import LabelledPair, identity, read_pairs
from beat_the_ai.networks.sampling import Weighted


class Parts(NamedTuple):
    training: list[Weighted[LabelledPair]]
    dev: Sequence[LabelledPair]


def read_parts(sources: Sources, seed: int) -> Parts:
    """Raises `InvalidInput` for files that cannot be read, have too little, or have pairs that must be apart."""
    training: Sequence[Sequence[LabelledPair]] = [read_pairs(corpus.path).pairs for corpus in sources.data]
    for corpus, pairs in zip(sources.data, training, strict=True):
        for part in (*sources.dev, *sources.apart):
            refuse_overlap(corpus.path, pairs, part)
    dev: Sequence[LabelledPair]
    if sources.dev:
        dev = [labelled for path in sources.dev for labelled in read_pairs(path).pairs]
    else:
        training, dev = hold_out(training, sources.held_out_share, seed, premise_identity)
    weighted = [Weighted(pairs, corpus.weight) for corpus, pairs in zip(sources.data, training, strict=True)]
    if not dev or not any(part.weight * len(part.examples) >= 1 for part in weighted):
        refuse_too_few("pairs", is_held_out=not sources.dev)
    return Parts(weighted, dev)


def refuse_overlap(training: Path, pairs: Sequence[LabelledPair], part: Path) -> None:
    """Raises `InvalidInput` where pairs are in a part on which models are chosen or measured."""
    apart = {identity(labelled.pair) for labelled in read_pairs(part).pairs}
    shared = [labelled.id for labelled in pairs if identity(labelled.pair) in apart]
    refuse_shared("pairs", training, part, shared)


def check_same_sight(model: str, blind: bool, *, hypothesis_only: bool) -> None:
    """Raises `InvalidInput` where either the model to go on from or the one to be trained never saw a premise."""
    if blind != hypothesis_only:
        sight, remedy = ("is blind to the premise", "Add") if blind else ("reads the premise", "Leave out")
        raise InvalidInput("from", f"The model in {model} {sight}. {remedy} --hypothesis-only.")


def premise_identity(labelled: LabelledPair) -> str:
    return identity(labelled.pair)[0]
