"""Labelled pairs to analyse, in parts: a campaign's, or those of files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from beat_the_ai.errors import InvalidInput
from beat_the_ai.files.folders import parts_of
from beat_the_ai.kinds.nli.dataset import PairDataset
from beat_the_ai.kinds.nli.label_names import label_named
from beat_the_ai.kinds.nli.labels import Pair
from beat_the_ai.kinds.nli.pairs import LabelledPair, read_any_pairs, read_pairs
from beat_the_ai.rules.dataset import Example


@dataclass(frozen=True)
class Part:
    """One part of a dataset."""

    name: str
    pairs: Sequence[LabelledPair]

    @classmethod
    def of_campaign(cls, name: str, examples: Iterable[Example]) -> Part:
        return cls(name, [labelled_pair(example) for example in examples])


def labelled_pair(example: Example) -> LabelledPair:
    row = PairDataset().row(example)
    label = label_named(row.label)
    assert label is not None, "a row's label is the first letter of one"
    return LabelledPair(row.uid, Pair(premise=row.context, hypothesis=row.hypothesis), label, row.genre)


def read_part(path: Path) -> Part:
    """A whole file. Raises `InvalidInput` as `read_pairs`."""
    return Part(path.stem, read_pairs(path).pairs)


def read_parts(path: Path) -> list[Part]:
    """The parts of a dataset: of a folder its train, dev and test files, or those of an export; of a file itself."""
    parts = parts_of(path).parts
    read = [
        Part(name, [pair for file in files for pair in read_any_pairs(file).pairs]) for name, files in parts.items()
    ]
    if not any(part.pairs for part in read):
        raise InvalidInput("DATASET", f"{path} holds no pair with a label.")
    return read
