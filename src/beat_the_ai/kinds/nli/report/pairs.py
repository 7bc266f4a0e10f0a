"""Labelled pairs to analyse, in parts: a campaign's, or those of files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from beat_the_ai.files.folders import parts_of
from beat_the_ai.kinds.nli.dataset import PairDataset
from beat_the_ai.kinds.nli.label_names import label_named
from beat_the_ai.kinds.nli.labels import Label, Pair
from beat_the_ai.kinds.nli.pairs import LabelledPair, read_pairs
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
    return LabelledPair(
        row.uid,
        Pair(premise=row.context, hypothesis=row.hypothesis),
        _label(row.label),
        row.genre,
        model_label=_label(row.model_label),
        round=row.tag,
        exclusive=row.emturk,
        reason=row.reason,
    )


def _label(letter: str) -> Label:
    label = label_named(letter)
    assert label is not None, "a row's label is the first letter of one"
    return label


def read_parts(path: Path) -> list[Part]:
    """Return the parts of a dataset: of a folder its train, dev and test files; of a file itself."""
    return parts_with_notes(path)[0]


def parts_with_notes(path: Path) -> tuple[list[Part], Sequence[str]]:
    """Return the parts of a dataset, and what belongs beside their figures."""
    read = read_pairs(path)
    pairs: dict[str, list[LabelledPair]] = {name: [] for name in parts_of(path).parts}
    for pair in read.pairs:
        pairs[pair.part].append(pair)
    return [Part(name, of_part) for name, of_part in pairs.items()], read.notes
