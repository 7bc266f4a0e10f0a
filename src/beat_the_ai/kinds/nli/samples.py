"""Pairs with gold labels as samples: a premise is their context, and a document of its own."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from beat_the_ai.kinds.nli.pairs import LabelledPair, read_pairs
from beat_the_ai.rules.samples import Sample


class PairSamples:
    """Read in any shape that `pairs` knows, and written in ours. Pairs without a label are left out."""

    suffix = ".jsonl"

    def read(self, path: Path) -> list[Sample]:
        pairs = read_pairs(path).pairs
        return [Sample(each.id, each.pair.premise, each.pair.premise, each, each.groups) for each in pairs]

    def text(self, samples: Sequence[Sample]) -> str:
        return "".join(json.dumps(_row(sample.content), ensure_ascii=False) + "\n" for sample in samples)


def _row(labelled: LabelledPair) -> dict[str, str]:
    return {
        "id": labelled.id,
        "premise": labelled.pair.premise,
        "hypothesis": labelled.pair.hypothesis,
        "label": labelled.label,
        "genre": labelled.genre,
    }
